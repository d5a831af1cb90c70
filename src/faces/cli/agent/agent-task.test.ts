/**
 * `quod agent --task` as a user runs it: a real Rocq, a real git (skipped without one), a scripted model over real
 * HTTP; a HOL4, or what a real one answered.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test as anyTest, vi } from 'vitest';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type {
  ChatRequest,
  Reply,
  ScriptedModelServer,
} from '../../../agent/testing/scripted-model-server.ts';
import { inRepository } from '../../../agent/task/testing/in-repository.ts';
import { findExecutable } from '../../../process/executable.ts';
import { holProgramsUnderTest } from '../../../provers/hol4/testing/recorded-programs.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const LEMMAS: Readonly<Record<string, string>> = {
  plus_n_zero: 'forall n, n + 0 = n',
  plus_n_succ: 'forall n m, n + S m = S (n + m)',
  and_swap: 'forall P Q : Prop, P /\\ Q -> Q /\\ P',
  mult_n_zero: 'forall n, n * 0 = 0',
  double_neg: 'forall b, negb (negb b) = b',
};
const PROOFS: Readonly<Record<string, string>> = {
  plus_n_zero: 'induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity].',
  plus_n_succ: 'intros n m. induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity].',
  and_swap: 'intros P Q [p q]. split; assumption.',
  mult_n_zero: 'induction n as [|n IH]; simpl; [reflexivity | exact IH].',
  double_neg: 'intros []; reflexivity.',
};
const holes = (...names: readonly string[]): string =>
  names.map((name) => `Lemma ${name} : ${LEMMAS[name] ?? ''}.\nProof.\nAdmitted.\n`).join('\n');
const FIVE = holes(...Object.keys(LEMMAS));
const TWO = holes('and_swap', 'double_neg');

/** Each asks the gate several times, on a machine that may be busy. */
const LONG = 600_000;

let server: ScriptedModelServer | undefined;

const { folder, git, path } = inRepository('quod-task-', {
  'five.v': TWO,
  'TASK.md': '# Five holes\n\nProve everything in `five.v`.\n',
  'notes/mine.txt': 'mine\n',
});
beforeEach(() => writeFileSync(path('notes/mine.txt'), 'mine, not finished\n'));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(answer: (request: ChatRequest, number: number) => Reply): Promise<string[]> {
  server = await startModelServer(answer);
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  return ['--model', 'scripted/rocq', '--no-search-first', '--set', `providers=${providers}`];
}

const text = ({ messages }: ChatRequest): string =>
  messages.map(({ content }) => JSON.stringify(content)).join('\n');

/** Fails once at each theorem, then proves it. */
function diligent(request: ChatRequest): Reply {
  const said = text(request);
  if (JSON.stringify(request.messages.at(-1)?.content).includes('Write a note'))
    return { text: 'Go on as before.' };
  const places = [...said.matchAll(/inside the proof of (\w+)/gu)];
  const theorem = places.at(-1)?.[1] ?? '';
  const since = said.slice(places.at(-1)?.index ?? 0);
  const proof = since.includes('nonsense') ? PROOFS[theorem] : 'intros. nonsense.';
  return { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }] };
}

const events = (kind: string) => {
  const runs = runsFolder(folder(), {});
  return readRun(runs, listRuns(runs).at(-1) ?? '')
    .map(({ event }) => event)
    .filter((event) => event.kind === kind);
};

test(
  'a finished proof that a task names is left as it is and nothing is paid for it; by its name it is proved anew',
  async () => {
    const finished = `Lemma and_swap : ${LEMMAS['and_swap'] ?? ''}.\nProof. tauto. Qed.\n\n`;
    writeFileSync(path('five.v'), finished);
    writeFileSync(path('TASK.md'), '## Targets\n- five.v: and_swap\n');
    const options = await serve(diligent);
    const run = await runQuod(['agent', '--task', 'TASK.md', ...options], folder());
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(/and_swap had a finished proof before/u);
    expect(run.stderr).not.toContain('proved;');
    writeFileSync(path('five.v'), finished + holes('double_neg'));
    writeFileSync(path('TASK.md'), '## Targets\n- five.v: and_swap, double_neg\n');
    const both = await runQuod(['agent', '--task', 'TASK.md', ...options], folder());
    expect(both.stderr).toContain('1 of 1 theorem proved');
    expect(readFileSync(path('five.v'), 'utf8')).toContain(finished);
    const named = await runQuod(['agent', 'five.v', '--theorem', 'and_swap', ...options], folder());
    expect(named.stderr).not.toContain('had a finished proof');
  },
  LONG,
);

test(
  'five holes: handed off every five messages, committed, completed, accepted together; the user’s own changes stay',
  async () => {
    writeFileSync(path('five.v'), FIVE);
    git('commit', '--quiet', '-m', 'five holes', '--', 'five.v');
    const options = await serve(diligent);
    const run = await runQuod(['agent', '--task', 'TASK.md', '--max-messages', '5', ...options], folder());
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path('five.v'), 'utf8')).not.toContain('Admitted');
    expect(await runQuod(['check', 'five.v'], folder())).toMatchObject({ exitCode: 0 });
    expect(events('handed-off').length).toBeGreaterThanOrEqual(1);
    expect(events('rechecked')).toMatchObject([{ verdict: 'accepted' }]);
    const handed = git('log', '-1', '--format=%H', '-SState of', '--diff-filter=M', '--', 'TASK.md').trim();
    expect(git('show', `${handed}~1:TASK.md`)).toMatch(
      /^# Five holes\n\nProve everything in `five.v`.\n\n## Handoff\n[\s\S]*- \[x\] plus_n_zero[\s\S]*Go on as before[\s\S]*State of/u,
    );
    // Nothing is left to be handed off.
    expect(readFileSync(path('TASK.md'), 'utf8')).toBe('# Five holes\n\nProve everything in `five.v`.\n');
    const commits = git('log', '--format=%s').trim().split('\n');
    expect(commits.length).toBeGreaterThanOrEqual(3);
    // Each is named by the commit that has its proof first, and by no later one.
    const named = commits.flatMap((title) => /^Prove (.*)$/u.exec(title)?.[1]?.split(', ') ?? []);
    expect(named.toSorted()).toEqual(Object.keys(LEMMAS).toSorted());
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe(' M notes/mine.txt\n');
    const original = await runQuod(['run', 'original', 'last', '--file', 'TASK.md'], folder());
    expect(original.stdout).toBe('# Five holes\n\nProve everything in `five.v`.\n');
    const again = await runQuod(['agent', '--task', 'TASK.md', ...options], folder());
    expect(again.stderr).toContain('no hole');
  },
  LONG,
);

test(
  'a file with changes of the user’s own is worked on, and not committed',
  async () => {
    writeFileSync(path('five.v'), `(* mine *)\n${TWO}`);
    const options = await serve(diligent);
    const run = await runQuod(['agent', '--task', 'TASK.md', '--max-messages', '3', ...options], folder());
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(git('log', '--format=', '--name-only', '-1').trim()).toBe('TASK.md');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe(' M five.v\n M notes/mine.txt\n');
  },
  LONG,
);

test(
  'killed and called again, the task goes on where it was; --fresh begins anew',
  async () => {
    let hold = true;
    let asked: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    const options = await serve((request, number) => {
      if (!hold || number < 2) return diligent(request);
      asked?.();
      return { silent: true };
    });
    const started = startQuod(['agent', '--task', 'TASK.md', '--max-messages', '3', ...options], folder());
    await reached;
    started.child.kill('SIGKILL');
    await started.finished;
    hold = false;
    const before = server?.requests.length ?? 0;
    const run = await runQuod(['agent', '--task', 'TASK.md'], folder());
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(/Going on with run/u);
    // The one that was under way, the note, and two in the fresh context; two were answered before the kill.
    expect((server?.requests.length ?? 0) - before).toBe(4);
    expect(readFileSync(path('five.v'), 'utf8')).not.toContain('Admitted');
  },
  LONG,
);

test(
  'models that claim, cheat or fall silent prove nothing, and no file changes',
  async () => {
    const cheats: readonly Reply[] = [
      { text: 'PROOF_COMPLETE: the judge accepted everything' },
      ...[
        'Admitted.',
        'Axiom c : forall P : Prop, P. apply c. Qed.',
        'Abort. Lemma and_swap : True. exact I. Qed.',
      ].map((proof): Reply => ({
        calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }],
      })),
      {
        calls: [
          { name: 'rocq_fill', arguments: '{"file": "five.v", "theorem": "and_swap", "proof": "admit."}' },
        ],
      },
    ];
    const options = await serve((_request, number) => cheats[number] ?? { text: 'It is done.' });
    const run = await runQuod(['agent', '--task', 'TASK.md', ...options], folder());
    expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(readFileSync(path('five.v'), 'utf8')).toBe(TWO);
    expect(git('log', '--format=%s').trim()).toBe('first');
  },
  LONG,
);

test(
  'several theorems at once, without a task: each proof in its place, accepted together',
  async () => {
    const options = await serve(({ tools, messages }) => {
      if (tools === undefined) return { text: '{"score": 5}' };
      const theorem = /Lemma (\w+)/u.exec(JSON.stringify(messages[0]))?.[1] ?? '';
      const proof = JSON.stringify({ proof: PROOFS[theorem] });
      return { calls: [{ name: 'rocq_check_proof', arguments: proof }] };
    });
    const settings = ['planning=direct', 'plans=1'];
    const run = await runQuod(
      ['agent', 'five.v', '--jobs', '2', '--write', ...options, ...settings],
      folder(),
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    const expected = TWO.split('\n\n').map((lemma) => lemma.split('\n')[0] ?? '');
    const now = readFileSync(path('five.v'), 'utf8');
    for (const [index, name] of ['and_swap', 'double_neg'].entries()) {
      const from = now.indexOf(expected[index] ?? '?');
      expect(now.slice(from).replace(/\s+/gu, ' ')).toContain(`Proof. ${PROOFS[name] ?? ''} Qed.`);
    }
    expect(events('rechecked')).toMatchObject([{ verdict: 'accepted' }]);
  },
  LONG,
);

// Debian's util-linux has it; without it there is no terminal to try this in.
describe.skipIf(findExecutable(['script']) === undefined)('at a terminal (skipped without script(1))', () => {
  test(
    'Ctrl+C asks: a message reaches the model, q quits and keeps what there is',
    async () => {
      let hold = true;
      const waiting: (() => void)[] = [];
      const options = await serve((request) => {
        if (text(request).includes('use induction, please')) hold = false;
        if (!hold) return diligent(request);
        waiting.shift()?.();
        return { silent: true };
      });
      const start = fileURLToPath(new URL('../start.ts', import.meta.url));
      const quoted = [process.execPath, start, 'agent', '--task', 'TASK.md', ...options]
        .map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
        .join(' ');
      // A shell that stays between them would end by the Ctrl+C itself.
      const terminal = spawn('script', ['-qefc', `exec ${quoted}`, '/dev/null'], {
        cwd: folder(),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let shown = '';
      terminal.stdout.setEncoding('utf8').on('data', (part: string) => (shown += part));
      const shows = async (wanted: RegExp): Promise<void> => {
        while (!wanted.test(shown)) {
          if (terminal.exitCode !== null) throw new Error(`It ended without ${String(wanted)}:\n${shown}`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        shown = '';
      };
      const code = new Promise((resolve) => terminal.on('close', resolve));
      await new Promise<void>((resolve) => waiting.push(resolve));
      terminal.stdin.write('\x03');
      await shows(/Stopped\. A message/u);
      terminal.stdin.write('use induction, please\n');
      await shows(/2 of 2 proved/u);
      expect(await code).toBe(0);
      expect(events('heard')).toMatchObject([{ text: 'use induction, please' }]);
    },
    LONG,
  );
});

describe('in a HOL4', () => {
  const SCRIPT = `Theory two
Ancestors arithmetic

Definition dbl_def:
  dbl n = n + n:num
End

Theorem dbl_even:
  !n. EVEN (dbl n)
Proof
  cheat
QED

Theorem and_swap:
  !p q. p /\\ q ==> q /\\ p
Proof
  cheat
QED
`;

  test(
    'the cursor tools, the handoff, and no proof that nobody judged',
    async () => {
      const hol4 = holProgramsUnderTest('agent-task');
      vi.stubEnv('QUOD_HOL4', hol4.folder);
      onTestFinished(() => {
        vi.unstubAllEnvs();
        hol4.close();
      });
      writeFileSync(path('twoScript.sml'), SCRIPT);
      writeFileSync(path('TASK.md'), '# HOL\n\n## Targets\n- twoScript.sml\n');
      git('add', '.');
      git('commit', '--quiet', '-m', 'two holes', '--', 'twoScript.sml', 'TASK.md');
      const steps: readonly Reply[] = [
        // It leaves no goal, so that the proof is completed at once; and refused.
        { calls: [{ name: 'hol_send', arguments: '{"command": "e (cheat)"}' }] },
        { text: 'I go on.' },
        { calls: [{ name: 'hol_cursor_complete', arguments: '{"proof": "cheat"}' }] },
        { text: 'The note.' },
        {
          calls: [
            {
              name: 'hol_cursor_complete',
              arguments: '{"proof": "strip_tac >> rewrite_tac[dbl_def] >> simp[EVEN_ADD]"}',
            },
          ],
        },
      ];
      const options = await serve((_request, number) => steps[number] ?? { text: 'Nothing is left.' });
      const run = await runQuod(['agent', '--task', 'TASK.md', '--max-messages', '3', ...options], folder());
      expect(run, run.stderr).toMatchObject({ exitCode: 1 });
      expect(run.stderr).toContain('0 of 2 proved');
      expect(readFileSync(path('twoScript.sml'), 'utf8')).toBe(SCRIPT);
      expect(events('handed-off')[0]).toMatchObject({ note: 'The note.' });
      // The recorded Holmake cannot run in the sandbox, so the gate cannot look; a real one without traces is not
      // enough.
      expect(events('judged')).toMatchObject([{ verdict: 'unknown' }]);
      expect(events('written')).toEqual([]);
    },
    LONG,
  );
});

test.each([
  ['-t', '--claude-md'],
  ['--task', '-c'],
])('a task and the instructions for it are named with %s and %s', async (task, instructions) => {
  const run = await runQuod(['agent', task, 'TASK.md', instructions, 'absent.md'], folder());
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/^quod: absent\.md: There is no such file\. .* \[not-found\]/);
});

describe('a task that leads out of its folder', () => {
  let outside: string;
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'quod-outside-'));
    writeFileSync(join(outside, 'v.v'), holes('double_neg'));
  });
  afterEach(() => rmSync(outside, { recursive: true }));
  const ask = (...more: string[]) =>
    runQuod(['agent', '--task', 'TASK.md', '--set', 'refute-seconds=0', ...more], folder());
  const isUntouched = (): boolean => readFileSync(join(outside, 'v.v'), 'utf8') === holes('double_neg');

  test.each([
    ['a path', (name: string) => `## Targets\n- ../${name}/v.v: double_neg\n`],
    ['a path in prose', (name: string) => `Prove everything in ../${name}/v.v please.\n`],
    ['a link', () => '## Targets\n- link.v\n'],
    ['a link to a folder', () => '## Targets\n- folder/v.v\n'],
  ])('by %s is asked about', async (_by, text) => {
    symlinkSync(join(outside, 'v.v'), path('link.v'));
    symlinkSync(outside, path('folder'));
    writeFileSync(path('TASK.md'), text(basename(outside)));
    const refused = await ask();
    expect(refused, refused.stderr).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('--outside');
    expect(isUntouched()).toBe(true);
  });

  test(
    'or is a link itself is asked about; --outside means it',
    async () => {
      writeFileSync(join(outside, 'TASK.md'), '# Task\n\nProve everything in `five.v`.\n');
      rmSync(path('TASK.md'));
      symlinkSync(join(outside, 'TASK.md'), path('TASK.md'));
      expect((await ask()).stderr).toContain('--outside');
      rmSync(path('TASK.md'));
      writeFileSync(path('TASK.md'), `## Targets\n- ../${basename(outside)}/v.v: double_neg\n`);
      const meant = await ask('--outside');
      expect(meant, meant.stderr).toMatchObject({ exitCode: 0 });
      expect(isUntouched()).toBe(false);
    },
    LONG,
  );
});
