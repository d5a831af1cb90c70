/** What happens to a session when the prover behind it, or Quod itself, comes to harm. All with real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Prover, ProverSession, StateId } from '../../../core/prover.ts';
import { processesOfSession, readProcess } from '../../../process/process-table.ts';

export interface FaultyBackend {
  readonly name: string;
  /** The program behind the backend; undefined when there is none, and then nothing is tested. */
  readonly executable: string | undefined;
  readonly open: (executable: string) => Promise<Prover>;
  /** Where `open` comes from, for a process that is not this one: a module and the function that it exports. */
  readonly module: URL;
  readonly factory: string;
  /** What no answer looks like, as `printf` writes it. */
  readonly garbage: readonly string[];
}

const ENDLESS = 'do 1000000000 idtac.';

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

export function describeFaults(backend: FaultyBackend): void {
  const { name, executable, module, factory, garbage } = backend;
  describe.skipIf(executable === undefined)(`a session over ${name}`, () => {
    let session: ProverSession;
    let base: StateId;

    async function open(program = executable ?? '', memoryLimit?: number): Promise<void> {
      const prover = await backend.open(program);
      session = await prover.openSession({
        file: '/nowhere/faults.v',
        ...(memoryLimit === undefined ? {} : { memoryLimit }),
      });
      base = await run(await run(session.root, 'Definition kept := 7.'), 'Goal kept = 7.');
    }

    async function run(from: StateId, sentence: string): Promise<StateId> {
      const result = await session.run(from, sentence);
      if (result.status !== 'done') throw new Error(`${sentence} ${JSON.stringify(result)}`);
      return result.state;
    }

    function prover(): number {
      const [pid, ...others] = proversOf(process.pid);
      if (pid === undefined || others.length > 0) throw new Error('there must be one prover');
      return pid;
    }

    /** Old states and new steps work, in a prover that is another one. */
    async function expectRecovered(generation: number): Promise<void> {
      expect((await session.goals(base))?.goals.map(({ conclusion }) => conclusion)).toEqual(['kept = 7']);
      expect(await session.goals(await run(await run(base, 'reflexivity.'), 'Qed.'))).toBeNull();
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
      const running = session.run(base, ENDLESS);
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
      expect(await session.run(base, 'idtac.', { timeoutMs: 50 })).toMatchObject({ reason: 'timeout' });
      await expectRecovered(2);
    });

    it('loses only the step that hangs, whatever it hangs in', async () => {
      await open();
      for (const hanging of [
        ENDLESS,
        'repeat (pose proof I).',
        'assert (Nat.pow 2 40 = 0) by (vm_compute; fail).',
        'try (do 2000000000 idtac).',
        'assert (H : forall n, n < n) by (intros n; repeat rewrite <- (plus_O_n n)).',
      ]) {
        expect(await session.run(base, hanging, { timeoutMs: 100 })).toMatchObject({ reason: 'timeout' });
        expect(await session.goals(base)).not.toBeNull();
      }
      expect(await session.goals(await run(await run(base, 'reflexivity.'), 'Qed.'))).toBeNull();
    });

    it('is told when the prover holds too much memory', async () => {
      await open(executable, 400e6);
      const greedy = 'assert (Nat.pow 2 28 = 0) by (vm_compute; fail).';
      expect(await session.run(base, greedy)).toMatchObject({ status: 'unknown', reason: 'memory-exceeded' });
      await expectRecovered(2);
    });

    describe('behind a program that writes garbage', () => {
      let folder = '';
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'quod-faults-'));
      });
      afterEach(async () => {
        await rm(folder, { recursive: true });
      });

      it.each(garbage)('starts it again after %j', async (written) => {
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
        await writeFile(wish, '');
        expect(await session.run(base, ENDLESS)).toMatchObject({
          status: 'unknown',
          reason: 'protocol-error',
        });
        await expectRecovered(2);
      });
    });

    it('leaves no prover when Quod is killed with -9', async () => {
      await open();
      const program = `
      const { ${factory}: open } = await import(${JSON.stringify(module.href)});
      const session = await (await open()).openSession({ file: '/nowhere/orphan.v' });
      await session.run(session.root, 'Goal True.');
      console.log('ready');
      await session.run(session.root, 'Goal True.').then(({ state }) => session.run(state, '${ENDLESS}'));
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
