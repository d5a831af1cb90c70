/**
 * What happens to a session when the prover behind it, or Quod itself, comes to harm: the same for every driver, with
 * real processes. A driver brings the sentences with which its prover is led into harm.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Prover, ProverSession, Sentence, StateId } from '../../core/prover.ts';
import { processesOfSession, readProcess } from '../../process/process-table.ts';

export interface FaultySubject<Step extends Sentence> {
  readonly name: string;
  /** The program behind the driver; undefined when there is none, and then nothing is tested. */
  readonly executable: string | undefined;
  readonly open: (executable: string) => Promise<Pick<Prover<Step>, 'openSession'>>;
  /** An expression that opens it in a process that is not this one, where only the machine's own modules are known. */
  readonly opening: string;
  readonly file: string;
  /** What is executed before every test. */
  readonly before: readonly Step[];
  /** The conclusions behind it; undefined where no proof is open. */
  readonly conclusions: readonly string[] | undefined;
  /** Goes on from there, and ends where no proof is open. */
  readonly finishing: readonly Step[];
  readonly short: Step;
  /** Ended only by an interrupt. */
  readonly endless: Step;
  /** Each ended only by an interrupt or by force. */
  readonly hanging: readonly Step[];
  /** Needs more memory than the limit. */
  readonly greedy: Step;
  /** Bytes with which the prover can start, and execute everything but that. */
  readonly memoryLimit: number;
  /** What no answer looks like, as `printf` writes it; empty where an answer may look like anything. */
  readonly garbage: readonly string[];
}

/** The provers that a process started: each leads a session of its own. */
function proversOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const entry = readProcess(pid);
      return entry?.parent === parent && entry.session === pid;
    });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

export function describeFaults<Step extends Sentence>(subject: FaultySubject<Step>): void {
  const { name, executable, endless } = subject;
  describe.skipIf(executable === undefined)(`a session over ${name}`, () => {
    let session: ProverSession<Step>;
    let base: StateId;

    async function open(program = executable ?? '', memoryLimit?: number): Promise<void> {
      const prover = await subject.open(program);
      session = await prover.openSession({
        file: subject.file,
        ...(memoryLimit === undefined ? {} : { memoryLimit }),
      });
      base = await run(session.root, subject.before);
    }

    async function run(from: StateId, steps: readonly Step[]): Promise<StateId> {
      let state = from;
      for (const step of steps) {
        const result = await session.run(state, step);
        if (result.status !== 'done') throw new Error(`${step.text} ${JSON.stringify(result)}`);
        ({ state } = result);
      }
      return state;
    }

    function prover(): number {
      const [pid, ...others] = proversOf(process.pid);
      if (pid === undefined || others.length > 0) throw new Error('there must be one prover');
      return pid;
    }

    /** Old states and new steps work, in a prover that is another one. */
    async function expectRecovered(generation: number): Promise<void> {
      const goals = (await session.goals(base))?.goals.map(({ conclusion }) => conclusion);
      expect(goals).toEqual(subject.conclusions);
      expect(await session.goals(await run(base, subject.finishing))).toBeNull();
      expect(session.generation).toBe(generation);
    }

    afterEach(async () => {
      await session.close();
      await until(() => proversOf(process.pid).length === 0);
    });

    it('survives the death of an idle prover', async () => {
      await open();
      process.kill(prover(), 'SIGKILL');
      await expectRecovered(2);
    });

    it('runs a step once more when the prover dies under it, and not for ever', async () => {
      await open();
      const running = session.run(base, endless);
      for (const death of [1, 2]) {
        await until(() => session.generation === death && proversOf(process.pid).length === 1);
        await delay(100);
        process.kill(prover(), 'SIGKILL');
      }
      expect(await running).toMatchObject({ status: 'unknown', reason: 'prover-crashed' });
      await expectRecovered(3);
    });

    it('replaces a stopped prover when the time of the step is over', async () => {
      await open();
      process.kill(prover(), 'SIGSTOP');
      expect(await session.run(base, subject.short, { timeoutMs: 50 })).toMatchObject({ reason: 'timeout' });
      await expectRecovered(2);
    });

    it('loses only the step that hangs, whatever it hangs in', async () => {
      await open();
      for (const hanging of [endless, ...subject.hanging]) {
        expect(await session.run(base, hanging, { timeoutMs: 100 })).toMatchObject({ reason: 'timeout' });
        await session.goals(base);
      }
      expect(await session.goals(await run(base, subject.finishing))).toBeNull();
    });

    it('loses only the step that is cancelled, and answers what was asked behind it', async () => {
      await open();
      const controller = new AbortController();
      const running = session.run(base, endless, { signal: controller.signal });
      const behind = session.run(base, subject.short);
      await delay(100);
      controller.abort();
      expect(await running).toMatchObject({ status: 'unknown', reason: 'interrupted' });
      expect((await behind).status).toBe('done');
    });

    it('is told when the prover holds too much memory', async () => {
      await open(executable, subject.memoryLimit);
      expect(await session.run(base, subject.greedy)).toMatchObject({
        status: 'unknown',
        reason: 'memory-exceeded',
      });
      await expectRecovered(2);
    });

    describe.skipIf(subject.garbage.length === 0)('behind a program that writes garbage', () => {
      let folder = '';
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'quod-faults-'));
      });
      afterEach(async () => {
        await rm(folder, { recursive: true });
      });

      it.each(subject.garbage)('starts it again after %j', async (written) => {
        const wrapper = join(folder, basename(executable ?? ''));
        const wish = join(folder, 'wish');
        await writeFile(
          wrapper,
          `#!/bin/sh
           ( until [ -e '${wish}' ]; do sleep 0.02; done; rm '${wish}'; printf '${written}' ) &
           exec '${executable ?? ''}' "$@"`,
        );
        await chmod(wrapper, 0o755);
        await open(wrapper);
        const running = session.run(base, endless);
        // What is written while nobody asks anything is another matter: the step has to be at work.
        await delay(300);
        await writeFile(wish, '');
        expect(await running).toMatchObject({
          status: 'unknown',
          reason: 'protocol-error',
        });
        await expectRecovered(2);
      });
    });

    it('leaves no prover when Quod is killed with -9', async () => {
      await open();
      const program = `
      const session = await (await ${subject.opening}).openSession({ file: '/nowhere/orphan.v' });
      let state = session.root;
      for (const step of ${JSON.stringify(subject.before)}) ({ state } = await session.run(state, step));
      console.log('ready');
      await session.run(state, ${JSON.stringify(endless)});
    `;
      const quod = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(quod.stdout, 'data');
      const [orphan] = proversOf(quod.pid ?? 0);
      if (orphan === undefined) throw new Error('it has no prover');
      await delay(50);
      quod.kill('SIGKILL');
      await until(() => processesOfSession(orphan).length === 0);
    });
  });
}
