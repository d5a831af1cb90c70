/**
 * `quod agent --driver`: stand-ins that take the command lines of Claude Code and Codex, speak their streams and
 * call Quod's real MCP server, which works with a real Rocq. The programs themselves are not on the machines that
 * test Quod.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldRun } from '../../../agent/runs/fold.ts';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { writeStandIn } from '../../../agent/testing/stand-in-driver.ts';
import type { StandInCall, StandInStep } from '../../../agent/testing/stand-in-driver.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';

const FILE = `Lemma and_swap : forall P Q : Prop, P /\\ Q -> Q /\\ P.
Proof.
Admitted.

Lemma double_neg : forall b, negb (negb b) = b.
Proof.
Admitted.
`;
const PROVED = FILE.replace('Admitted', 'intros P Q [p q]. split; assumption. Qed').replace(
  'Admitted',
  'intros []; reflexivity. Qed',
);
const fill = (theorem: string, proof: string): StandInStep => ({
  call: 'rocq_fill',
  input: { file: 'two.v', theorem, proof },
});
const SWAP = fill('and_swap', 'intros P Q [p q]. split; assumption.');
const NEG = fill('double_neg', 'intros []; reflexivity.');
const LONG = 600_000;

let folder: string;
const path = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-driver-test-'));
  writeFileSync(path('two.v'), FILE);
  writeFileSync(path('TASK.md'), 'Prove two.v.\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = (name: 'claude' | 'codex', turns: readonly (readonly StandInStep[])[]): string[] => {
  writeFileSync(path('script.json'), JSON.stringify(turns));
  writeFileSync(path('calls.jsonl'), '');
  process.env['STAND_IN_SCRIPT'] = path('script.json');
  process.env['STAND_IN_LOG'] = path('calls.jsonl');
  const driver = name === 'claude' ? 'claude-code' : 'codex';
  return [
    'agent',
    '--task',
    'TASK.md',
    '--driver',
    driver,
    '--set',
    `driver-command=${writeStandIn(folder, name)}`,
    'commit=false',
  ];
};
const called = (): readonly StandInCall[] =>
  readFileSync(path('calls.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StandInCall);
const state = () => {
  const runs = runsFolder(folder, {});
  return foldRun(readRun(runs, listRuns(runs).at(-1) ?? ''));
};

test.each(['claude', 'codex'] as const)(
  '%s works with Quod’s tools; its word counts for nothing, the gate’s does; its session goes on',
  async (name) => {
    const command = script(name, [[SWAP, { say: 'PROOF_COMPLETE: all proved' }], [NEG]]);
    const run = await runQuod(command, folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path('two.v'), 'utf8')).not.toContain('Admitted');
    const [first, second] = called();
    expect(first?.prompt).toMatch(/Prove two\.v[\s\S]*- and_swap[\s\S]*- double_neg/u);
    expect(second?.prompt).toMatch(/still open:\n- double_neg/u);
    expect(second?.arguments.join(' ')).toMatch(
      name === 'claude' ? /--resume session-1/u : /resume thread-1 -/u,
    );
    expect(state()).toMatchObject({ outcome: 'proved', toolCalls: 2 });
    if (name === 'claude') expect(state()?.spent.cost).toBeCloseTo(1, 9);
  },
  LONG,
);

test(
  'a statement that was changed, an axiom and an Admitted are not accepted',
  async () => {
    const bad = [
      FILE.replace('Q /\\ P', 'True').replaceAll(
        'Admitted.',
        'intros; try exact I; destruct b; reflexivity. Qed.',
      ),
      `Axiom cheat : forall P : Prop, P.\n${FILE.replaceAll('Admitted.', 'apply cheat. Qed.')}`,
      FILE,
    ];
    const run = await runQuod(
      script(
        'claude',
        bad.map((text) => [{ overwrite: path('two.v'), text }, { say: 'Done.' }]),
      ),
      folder,
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(state()?.theorems.map(({ outcome }) => outcome)).toEqual(['open', 'open']);
    const disallowed = called().map(({ arguments: words }) => words[words.indexOf('--disallowedTools') + 1]);
    expect(new Set(disallowed)).toEqual(new Set([expect.stringMatching(/Bash,.*Write/u)]));
    expect(run.stderr).toContain('At most $5 (--max-cost changes that)');
  },
  LONG,
);

test(
  'nothing is proved on other files of the project than those that were there, however they were changed',
  async () => {
    writeFileSync(path('_CoqProject'), '-Q . P\n');
    const library = 'Definition k : nat.\nProof.\nAdmitted.\n';
    writeFileSync(path('Lib.v'), library);
    writeFileSync(path('two.v'), 'From P Require Import Lib.\nLemma q : k = 5.\nProof.\nAdmitted.\n');
    execFileSync('coqc', ['-q', '-Q', '.', 'P', 'Lib.v'], { cwd: folder });
    const build = (file: string): StandInStep => ({ call: 'proof_build', input: { paths: [file] } });
    const changed: StandInStep[] = [
      { call: 'rocq_fill', input: { file: 'Lib.v', theorem: 'k', proof: 'exact 5. Defined.' } },
      build('Lib.v'),
      fill('q', 'reflexivity.'),
    ];
    const putBack: StandInStep[] = [{ overwrite: path('Lib.v'), text: library }, build('Lib.v')];
    const run = await runQuod(script('claude', [changed, [{ say: 'Done.' }], putBack]), folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(readFileSync(path('two.v'), 'utf8')).toContain('reflexivity.');
    expect(called()[1]?.prompt).toMatch(/not what they were when the run began: Lib\.v, Lib\.vo/u);
    expect(state()?.theorems.map(({ outcome }) => outcome)).not.toContain('proved');
  },
  LONG,
);

test(
  'what a task further down requires of the project above has to stay what it was, and which project that is',
  async () => {
    const above = ['_CoqProject', 'Defs.v', 'Defs.vo'];
    const compile = (): unknown => execFileSync('coqc', ['-q', '-R', '.', 'X', 'Defs.v'], { cwd: folder });
    writeFileSync(path('_CoqProject'), '-R . X\n');
    writeFileSync(path('Defs.v'), 'Definition P := True.\n');
    compile();
    const evil = above.map((name) => readFileSync(path(name)).toString('latin1'));
    writeFileSync(path('Defs.v'), 'Parameter P : Prop.\n');
    compile();
    mkdirSync(path('sub'));
    writeFileSync(path('sub/TASK.md'), 'Prove sums.v.\n');
    const file = 'Require Import X.Defs.\nLemma a1 : P.\nProof.\nAdmitted.\n';
    writeFileSync(path('sub/sums.v'), file);
    const proved = file.replace('Admitted', 'exact I.\nQed');
    const turn: StandInStep[] = [
      ...above.map((name, index) => ({ overwrite: path(name), text: evil[index] ?? '', latin1: true })),
      { overwrite: path('sub/sums.v'), text: proved },
    ];
    const command = script('claude', [turn]).map((word) => (word === 'TASK.md' ? 'sub/TASK.md' : word));
    const run = await runQuod([...command, 'contexts=1'], folder);
    expect(run.exitCode, run.stderr).not.toBe(0);
    expect(run.stderr).toMatch(
      /not accepted: Other files of the project .*: \.\.\/Defs\.vo?, \.\.\/Defs\.vo?\./u,
    );
    expect(run.stderr).not.toContain('changed elsewhere');
    expect(state()?.theorems.map(({ outcome }) => outcome)).not.toContain('proved');
  },
  LONG,
);

test.each([
  ['does not prove it', 'idtac. Qed.', /not accepted: double_neg: .*/u],
  ['is of another statement', 'exact I. Qed.', /not accepted: double_neg: .*/u],
])(
  'a proof that %s loses no other of the file, and the reason that is told is its own',
  async (_name, wrong, reason) => {
    const helper = 'Lemma helper : forall b, negb b = negb b. Proof. reflexivity. Qed.\n';
    const text = `${helper}${PROVED.replace('intros []; reflexivity. Qed.', wrong)}`;
    const run = await runQuod(
      [...script('claude', [[{ overwrite: path('two.v'), text }]]), 'contexts=1'],
      folder,
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    expect(state()?.theorems.map(({ outcome }) => outcome)).toEqual(['proved', 'open']);
    expect(run.stderr).toMatch(/^1 of 2 theorems proved/mu);
    expect(run.stderr).toMatch(reason);
    expect(run.stderr).not.toContain('changed elsewhere');
  },
  LONG,
);

test(
  'a project file that makes everything provable is what the person is told of',
  async () => {
    const turn: StandInStep[] = [
      { overwrite: path('_CoqProject'), text: '-arg -type-in-type\n' },
      { overwrite: path('two.v'), text: PROVED },
    ];
    const run = await runQuod([...script('claude', [turn]), 'contexts=1'], folder);
    expect(run.exitCode, run.stderr).not.toBe(0);
    expect(run.stderr).toMatch(/not accepted: Other files of the project .*: _CoqProject\./u);
    expect(run.stderr).not.toContain('changed elsewhere');
  },
  LONG,
);

test(
  'a file that was changed elsewhere is named, with what brings it back',
  async () => {
    const axiom = `Axiom cheat : forall P : Prop, P.\n${FILE}`;
    const command = script('claude', [
      [{ overwrite: path('two.v'), text: axiom }, { say: 'Done.' }],
      [{ say: 'Still done.' }],
      [{ say: 'Done.' }],
    ]);
    const run = await runQuod(command, folder);
    const back = /As it was: (quod run original \S+ --file \S+)/u.exec(run.stderr)?.[1] ?? '';
    expect(run.stderr.trim().split('\n').at(-1)).toMatch(/^0 of 2 theorems proved; .*tokens in.*\$/u);
    expect((await runQuod(back.split(' ').slice(1), folder)).stdout).toBe(FILE);
  },
  LONG,
);

test(
  'that is told where every proof is accepted, too',
  async () => {
    writeFileSync(path('two.v'), `(* licence *)\n${FILE}`);
    const run = await runQuod(script('claude', [[{ overwrite: path('two.v'), text: PROVED }]]), folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('changed elsewhere than in its proofs. As it was: quod run original');
  },
  LONG,
);

test(
  'tool calls, time and cost are limits for it too, and nothing of it stays',
  async () => {
    const tools = await runQuod(
      [...script('codex', [[SWAP, NEG, { hang: true }]]), '--max-tool-calls', '1'],
      folder,
    );
    expect(tools, tools.stderr).toMatchObject({ exitCode: 1 });
    expect(tools.stderr).toMatch(/1 tool call\b/u);
    writeFileSync(path('two.v'), FILE);
    const started = startQuod(
      [...script('claude', [[{ hang: true }]]), '--fresh', '--max-time', '5s'],
      folder,
    );
    expect(await started.finished).toMatchObject({ exitCode: 1 });
    expect(started.survivors()).toEqual([]);
    const cost = await runQuod(
      [...script('claude', [[{ say: 'one' }], [{ say: 'two' }]]), '--fresh', '--max-cost', '0.3'],
      folder,
    );
    expect(cost, cost.stderr).toMatchObject({ exitCode: 1 });
    expect(called()).toHaveLength(1);
    // One that tells no cost that can be: by its tokens, or by what it says.
    for (const tokens of [1000, 0]) {
      const turns: StandInStep[][] = [[{ costs: -5, tokens }, { say: 'one' }], [{ say: 'two' }]];
      const estimated = await runQuod([...script('claude', turns), '--fresh', '--max-cost', '2'], folder);
      expect(called()).toHaveLength(2);
      expect(estimated.stderr).toMatch(/\$0\.\d+ of it estimated/u);
      const dear = await runQuod([...script('claude', turns), '--fresh', '--max-cost', '0.00001'], folder);
      expect(dear, dear.stderr).toMatchObject({ exitCode: 1 });
      expect(called()).toHaveLength(1);
    }
  },
  LONG,
);

test(
  'one that crashes is told of, and the run goes on later in its session',
  async () => {
    const first = await runQuod(script('claude', [[{ crash: 'Invalid API key' }]]), folder);
    expect(first).toMatchObject({ exitCode: 2 });
    expect(first.stderr).toMatch(/Claude Code failed: Invalid API key/u);
    script('claude', [[SWAP, NEG]]);
    const second = await runQuod(['resume', 'last'], folder);
    expect(second, second.stderr).toMatchObject({ exitCode: 0 });
  },
  LONG,
);

test(
  'one that only the folder chooses is not started: it gets the proofs, and the user pays for it',
  async () => {
    mkdirSync(path('.quod'), { recursive: true });
    writeFileSync(path('.quod/agent.json'), JSON.stringify({ driver: 'claude-code' }));
    const command = ['agent', '--task', 'TASK.md', '--set', 'commit=false'];
    const refused = await runQuod(command, folder);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toMatch(/run the program "claude", and you did not allow that.*not-allowed/su);
    const meant = await runQuod(
      [...command, '--driver', 'claude-code', '--set', 'driver-command=no-such-claude'],
      folder,
    );
    expect(meant.stderr).toMatch(/Claude Code is not installed/u);
  },
  LONG,
);

test(
  'one that puts a link in the place of the file is not followed out of the project',
  async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'quod-driver-elsewhere-'));
    const proved = FILE.replace('Admitted', 'intros P Q [p q]. split; assumption. Qed');
    writeFileSync(join(elsewhere, 'two.v'), proved);
    const linking = path('linking');
    writeFileSync(linking, `#!/bin/sh\nln -sf '${join(elsewhere, 'two.v')}' two.v\n`, { mode: 0o755 });
    const command = ['agent', '--task', 'TASK.md', '--driver', 'claude-code', '--set', 'commit=false'];
    const run = await runQuod([...command, `driver-command=${linking}`], folder);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/A link that leads elsewhere stands in the place of the file\./u);
    expect(run.stderr).not.toContain('--outside');
    expect(state()?.theorems.map(({ outcome }) => outcome)).toEqual(['open', 'open']);
    expect(readFileSync(join(elsewhere, 'two.v'), 'utf8')).toBe(proved);
    rmSync(elsewhere, { recursive: true });
  },
  LONG,
);

test(
  'one that writes a line without end fails, and the run ends as others do',
  async () => {
    const endless = path('endless');
    writeFileSync(endless, '#!/bin/sh\nyes x | tr -d "\\n"\n', { mode: 0o755 });
    const command = ['agent', '--task', 'TASK.md', '--driver', 'claude-code', '--set', 'commit=false'];
    const run = await runQuod([...command, `driver-command=${endless}`], folder);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toMatch(/Claude Code failed: it wrote a line without end\./u);
    expect(run.stderr).not.toContain('defect');
  },
  LONG,
);

test(
  'of one that says something without end only as much is kept as a context may have',
  async () => {
    const endless = path('endless');
    writeFileSync(endless, `#!/bin/sh\nyes '{"type":"user","message":{"content":[]}}'\n`, { mode: 0o755 });
    const command = ['agent', '--task', 'TASK.md', '--driver', 'claude-code', '--max-messages', '5'];
    const run = await runQuod(
      [...command, '--set', 'commit=false', 'search-first=false', `driver-command=${endless}`],
      folder,
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    const runs = runsFolder(folder, {});
    const kinds = readRun(runs, listRuns(runs).at(-1) ?? '').map(({ event }) => event.kind);
    const turns = kinds.filter((kind) => kind === 'driver-ended').length;
    expect(kinds.filter((kind) => kind === 'driver-said')).toHaveLength(turns * 5 * 4);
  },
  LONG,
);

test(
  'one that is not installed, and one whose cost cannot be limited, are refused before anything starts',
  async () => {
    const missing = await runQuod(
      ['agent', '--task', 'TASK.md', '--driver', 'codex', '--set', 'driver-command=no-such-program'],
      folder,
    );
    expect(missing).toMatchObject({ exitCode: 2 });
    expect(missing.stderr).toMatch(/Codex is not installed.*driver-command/su);
    const cost = await runQuod([...script('codex', []), '--max-cost', '1'], folder);
    expect(cost.stderr).toMatch(/does not tell what it costs.*prices/su);
    expect((await runQuod(['agent', 'two.v', '--driver', 'codex'], folder)).stderr).toMatch(
      /works on tasks/u,
    );
  },
  LONG,
);

test(
  'what it wrote before it was stopped in the middle of a turn counts when the run goes on',
  async () => {
    const writing = { overwrite: path('two.v'), text: PROVED };
    const stopped = await runQuod(
      [...script('claude', [[writing, { hang: true }]]), '--max-time', '5s'],
      folder,
    );
    expect(stopped, stopped.stderr).toMatchObject({ exitCode: 1 });
    const resumed = await runQuod(['resume', 'last', '--max-time', '120s'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(called()).toHaveLength(1);

    writeFileSync(path('two.v'), FILE);
    const killed = startQuod([...script('claude', [[writing, { hang: true }]]), '--fresh'], folder);
    while (readFileSync(path('two.v'), 'utf8') === FILE) await new Promise((next) => setTimeout(next, 50));
    killed.child.kill('SIGKILL');
    await killed.finished;
    expect(await runQuod(['resume', 'last'], folder)).toMatchObject({ exitCode: 0 });
    expect(called()).toHaveLength(1);
  },
  LONG,
);

test(
  'what else it changed before it was stopped is told when the run goes on, and nothing counts until it is put back',
  async () => {
    const tampered = PROVED.replace(/double_neg : .*/u, 'other : forall b, negb b = negb b.');
    const turns: StandInStep[][] = [[{ overwrite: path('two.v'), text: tampered }, { hang: true }]];
    await runQuod([...script('claude', turns), '--max-time', '5s'], folder);
    script('claude', [[{ say: 'Done.' }], [{ overwrite: path('two.v'), text: PROVED }]]);
    const resumed = await runQuod(['resume', 'last', '--max-time', '120s'], folder);
    expect(called()[0]?.prompt).toMatch(/- and_swap[\s\S]*- double_neg[\s\S]*What it says:\n- .*double_neg/u);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(called()).toHaveLength(2);
  },
  LONG,
);

test(
  'a process that it leaves behind in a session of its own is ended with its turn',
  async () => {
    const exchange = {
      ...{ exchange: path('two.v'), text: FILE, when: '"driver-ended"' },
      ...{ runs: runsFolder(folder, {}), hides: false },
    };
    const command = script('claude', [[{ overwrite: path('two.v'), text: PROVED }, exchange]]);
    const started = startQuod(command, folder);
    const run = await started.finished;
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(started.survivors()).toEqual([]);
    expect(readFileSync(path('two.v'), 'utf8')).toBe(PROVED);
  },
  LONG,
);

test.each([
  ['the moment when it was judged', '"compared"'],
  ['the end of its turn', '"driver-ended"'],
])(
  'a file that is exchanged behind the judge from %s on is neither recorded nor committed, and the run says so',
  async (_name, when) => {
    for (const words of [
      ['init', '--quiet'],
      ['add', 'two.v', 'TASK.md'],
      ['commit', '--quiet', '-m', 'first'],
    ])
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: folder });
    for (const [name, value] of [['user.name', 't'] as const, ['user.email', 't@t'] as const])
      execFileSync('git', ['config', name, value], { cwd: folder });
    const exchange = {
      ...{ exchange: path('two.v'), text: FILE, when },
      ...{ runs: runsFolder(folder, {}), hides: true },
    };
    const command = script('claude', [[{ overwrite: path('two.v'), text: PROVED }, exchange]]);
    const run = await runQuod([...command.filter((word) => word !== 'commit=false'), 'contexts=1'], folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    const isJudgedFirst = state()?.theorems.every(({ outcome }) => outcome === 'proved') === true;
    const committed = execFileSync('git', ['show', 'HEAD:two.v'], { cwd: folder, encoding: 'utf8' });
    // It may be exchanged after the commit, too.
    if (committed === FILE && isJudgedFirst)
      expect(run.stderr).toMatch(/^Not committed, for you to commit: two\.v was changed or put back/mu);
    else expect(committed).toBe(isJudgedFirst ? PROVED : FILE);
    if (isJudgedFirst) {
      expect(run.stderr).toMatch(/two\.v: it was changed, if only in a comment/u);
      expect(state()).toMatchObject({
        outcome: 'not-proved',
        message: '2 of 2 proved, two.v replaced since',
      });
    } else expect(when).toBe('"driver-ended"');
    expect(
      state()
        ?.theorems.map(({ proof }) => proof ?? '')
        .join(),
    ).not.toContain('Admitted');
    expect(readFileSync(path('two.v'), 'utf8')).toBe(FILE);
  },
  LONG,
);

test(
  'what it proved is compared again when a finished run is resumed: another file is not proved by it',
  async () => {
    const command = script('claude', [[{ overwrite: path('two.v'), text: PROVED }], [{ say: 'Done.' }]]);
    expect(await runQuod(command, folder)).toMatchObject({ exitCode: 0 });
    expect(await runQuod(['resume', 'last'], folder)).toMatchObject({ exitCode: 0 });
    writeFileSync(path('two.v'), `Axiom cheat : False.\n${PROVED}`);
    const resumed = await runQuod(['resume', 'last'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(state()?.theorems.map(({ outcome }) => outcome)).toEqual(['open', 'open']);
  },
  LONG,
);

test(
  'a process that it leaves behind with its output open does not hold its turn',
  async () => {
    // It ends long after this test does.
    const command = script('claude', [[{ overwrite: path('two.v'), text: PROVED }, { leave: 100_000 }]]);
    expect(await runQuod(command, folder)).toMatchObject({ exitCode: 0 });
  },
  LONG,
);
