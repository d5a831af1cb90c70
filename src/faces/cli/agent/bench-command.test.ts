/** `quod bench run` with a real Rocq and a scripted model: stopped, gone on with, reported; what methods get to see. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listRuns } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';

const FILE = `Lemma helper : forall n, n + 0 = n.
Proof. induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma secret_name : forall P Q : Prop, P -> Q -> Q /\\ P.
Proof.
  intros P Q p q.
  split; assumption.
Qed.

Lemma later : True.
Proof. exact I. Qed.
`;
let folder: string;
let server: ScriptedModelServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  writeFileSync(join(folder, 'a.v'), FILE);
  server = await startModelServer(({ messages }) => ({
    text: JSON.stringify(messages).includes('Q /\\\\ P')
      ? 'Proof. split; assumption. Qed.'
      : 'Proof. wrong. Qed.',
  }));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('each method on each theorem, nothing of the answer shown, resumable, reported', async () => {
  const model = {
    model: 'scripted/x',
    providers: { scripted: { url: server.url, free: true } },
    ...{ mode: 'few-shot', samples: 1, searchFirst: false },
  };
  const spec = {
    name: 'Two methods',
    theorems: { 'a.v': ['secret_name', 'later', 'no_such'] },
    hideNames: true,
    after: 1,
    methods: [
      { name: 'few-shot', settings: model },
      { name: 'without proofs', settings: { ...model, examples: 0 } },
    ],
  };
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
  // What a specification names is not what its reader allowed.
  const refused = await runQuod(['bench', 'run', 'spec.json'], folder);
  expect(refused.stdout).toMatch(/you did not allow that\..*quod run allow/u);
  expect(server.requests).toEqual([]);
  expect(await runQuod(['run', 'allow', '--address', server.url], folder)).toMatchObject({ exitCode: 0 });
  const run = await runQuod(['bench', 'run', 'spec.json'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain('| few-shot | 100 % [21 %–100 %] (1/1) |');
  // Behind its first sentence `later` is over; the third is not there.
  expect(run.stdout).toMatch(/`a\.v#later`: .*1 sentences[\s\S]*`a\.v#no_such`: `There is no theorem/u);
  const asked = JSON.stringify(server.requests);
  expect(asked).toContain('Lemma goal_to_prove (P : Prop) (Q : Prop) (p : P) (q : Q)');
  expect(asked).not.toMatch(/secret_name|Lemma later/u);
  const count = server.requests.length;
  const out = join(folder, 'spec-results');
  expect(readdirSync(out)).toEqual(
    expect.arrayContaining(['cells', 'cells.jsonl', 'report.md', 'solved.svg', 'time.svg']),
  );
  rmSync(join(out, 'report.md'));
  expect(await runQuod(['bench', 'run', 'spec.json'], folder)).toMatchObject({ exitCode: 0 });
  expect(server.requests).toHaveLength(count);
  expect(readFileSync(join(out, 'report.md'), 'utf8')).toBe(run.stdout.replace(/\n$/u, ''));
}, 600_000);

test('one process at a time works on the results; files of others and failures of the past are left alone', async () => {
  const own = mkdtempSync(join(tmpdir(), 'quod-bench-locked-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  writeFileSync(join(own, 'a.v'), FILE);
  const settings = { searchSeconds: 5, refuteSeconds: 0 };
  const spec = { name: 'L', theorems: { 'a.v': ['secret_name'] }, methods: [{ name: 'm', settings }] };
  writeFileSync(join(own, 'spec.json'), JSON.stringify(spec));
  const run = () => runQuod(['bench', 'run', 'spec.json', '--out', 'o'], own);
  mkdirSync(join(own, 'o'));
  const report = join(own, 'o', 'report.md');
  writeFileSync(report, 'mine');
  const refused = await run();
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('The folder has a report.md that is not of a benchmark.');
  expect(readFileSync(report, 'utf8')).toBe('mine');
  rmSync(report);
  const lock = join(own, 'o', 'lock');
  writeFileSync(lock, `${process.pid}`);
  const second = await run();
  expect(second).toMatchObject({ exitCode: 2, stdout: '' });
  expect(second.stderr).toContain(`Process ${process.pid} works on the benchmark`);
  rmSync(lock);
  const done = await run();
  expect(done, done.stderr).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(own, 'o'))).not.toContain('lock');
  const cells = join(own, 'o', 'cells', 'm');
  writeFileSync(join(cells, readdirSync(cells)[0] ?? '', 'could-not-be-run.txt'), 'Process 1 works on it.');
  const again = await run();
  expect(again, again.stderr).toMatchObject({ exitCode: 0 });
  expect(again.stdout).toContain('(1/1)');
}, 600_000);

test('a log that says proved is no proof: the gate judges it again, and a report from logs alone says so', async () => {
  const own = mkdtempSync(join(tmpdir(), 'quod-bench-forged-'));
  writeFileSync(join(own, 'a.v'), FILE);
  const settings = { searchSeconds: 0.01, refuteSeconds: 0 };
  const spec = { name: 'F', theorems: { 'a.v': ['secret_name'] }, methods: [{ name: 'm', settings }] };
  writeFileSync(join(own, 'spec.json'), JSON.stringify(spec));
  const run = (...more: string[]) => runQuod(['bench', 'run', 'spec.json', ...more], own);
  expect((await run()).stdout).toMatch(/\| m \|.*\([01]\/1\) \|/u);
  const cells = join(own, 'spec-results', 'cells', 'm');
  const runs = join(cells, readdirSync(cells)[0] ?? '', 'runs');
  const log = join(runs, listRuns(runs)[0] ?? '', 'events.jsonl');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const forged = lines.map((line) => {
    const record = JSON.parse(line) as { event: Record<string, unknown> };
    if (record.event['kind'] === 'theorem-ended')
      Object.assign(record.event, { outcome: 'proved', proof: 'nonsense.' });
    if (record.event['kind'] === 'run-ended') record.event['outcome'] = 'proved';
    return `${JSON.stringify(record)}\n`;
  });
  writeFileSync(log, forged.join(''));
  const told = await run('--report-only');
  expect(told.stdout).toContain('the gate was not asked again');
  const judged = await run();
  expect(judged).toMatchObject({ exitCode: 2 });
  expect(judged.stdout).toMatch(/Its log says proved, and the gate does not: [^\n]*[^.\s]\. Remove /u);
  expect(judged.stdout).not.toMatch(/\(1\/1\)/u);
  rmSync(own, { recursive: true });
}, 600_000);

test('the project’s settings are heard; what cannot be run is counted, told, tried again, and no success', async () => {
  const own = mkdtempSync(join(tmpdir(), 'quod-bench-own-'));
  writeFileSync(join(own, 'a.v'), FILE);
  mkdirSync(join(own, '.quod'));
  const configure = (settings: object): void =>
    writeFileSync(join(own, '.quod', 'agent.json'), JSON.stringify(settings));
  const common = { mode: 'few-shot', samples: 1, searchFirst: false, retries: 0, examples: 0 };
  configure({ ...common, model: 'nobody/x' });
  writeFileSync(
    join(own, 'spec.json'),
    JSON.stringify({
      name: 'Own',
      theorems: { 'a.v': ['secret_name', 'later'] },
      methods: [{ name: 'm' }],
      without: ['retrieval'],
    }),
  );
  const first = await runQuod(['bench', 'run', 'spec.json'], own);
  expect(first).toMatchObject({ exitCode: 2 });
  expect(first.stderr).toContain('4 of 4 could not be run');
  expect(first.stdout).toMatch(/## Could not be run\n\n- m: `a\.v#secret_name`, repeat 0: .*nobody/u);
  const providers = { scripted: { url: server.url, free: true } };
  configure({ ...common, model: 'scripted/x', providers });
  expect(await runQuod(['run', 'allow', '--address', server.url], own)).toMatchObject({ exitCode: 0 });
  const second = await runQuod(['bench', 'run', 'spec.json'], own);
  expect(second, second.stderr).toMatchObject({ exitCode: 0 });
  expect(second.stdout).toContain('| m without retrieval |');
  expect(second.stdout).toMatch(/\| m \| \S+ \| \d+ \| 2 \| \d+ \| 200 \| 0 \| 20 \|/u);
  const compared = await runQuod(['bench', 'compare', 'spec-results', 'spec-results'], own);
  expect(compared.stdout).toMatch(/\| m \| .* \| 2 \| 0 \| 0 \| 1\.000 \|/u);
  rmSync(own, { recursive: true });
}, 600_000);

test('of a cell whose time is over no prover is left while the next one works', async () => {
  const own = mkdtempSync(join(tmpdir(), 'quod-bench-time-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  writeFileSync(join(own, 'a.v'), FILE);
  const provers = (pids: readonly number[]): number =>
    pids.filter((pid) => {
      try {
        return /coqidetop(?:\.opt)?$/u.test(
          readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0] ?? '',
        );
      } catch {
        return false;
      }
    }).length;
  const seen: number[] = [];
  const endless = await startModelServer(({ model }) => {
    if (model === 'next') seen.push(provers(started.survivors()));
    const proof = model === 'endless' ? 'do 1000000000 (idtac; idtac).' : 'split; assumption.';
    return { text: `Proof. intros P Q p q. ${proof} Qed.` };
  });
  onTestFinished(() => endless.close());
  const providers = { scripted: { url: endless.url, free: true } };
  const settings = { providers, mode: 'few-shot', samples: 1, searchFirst: false, refuteSeconds: 0 };
  const methods = [
    { name: 'endless', settings: { ...settings, model: 'scripted/endless', maxTime: 3 } },
    { name: 'next', settings: { ...settings, model: 'scripted/next' } },
  ];
  const theorems = { 'a.v': ['secret_name'] };
  writeFileSync(join(own, 'spec.json'), JSON.stringify({ name: 'Time', theorems, methods }));
  expect(await runQuod(['run', 'allow', '--address', endless.url], own)).toMatchObject({ exitCode: 0 });
  const started = startQuod(['bench', 'run', 'spec.json'], own);
  const run = await started.finished;
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toMatch(/\| endless \| .*\(0\/1\) \|/u);
  expect(run.stdout).toMatch(/\| next \| .*\(1\/1\) \|/u);
  expect(
    seen.every((count) => count <= 1),
    seen.join(),
  ).toBe(true);
  expect(seen).not.toEqual([]);
  expect(started.survivors()).toEqual([]);
}, 600_000);

test.each(['spec-results', 'spec-results/report.md', 'spec-results/cells'])(
  'nothing is written through a link in the place of %s',
  async (name) => {
    const own = mkdtempSync(join(tmpdir(), 'quod-bench-link-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    const project = join(own, 'project');
    mkdirSync(join(project, 'spec-results'), { recursive: true });
    mkdirSync(join(own, 'elsewhere'));
    writeFileSync(join(project, 'a.v'), FILE);
    const theorems = { 'a.v': ['secret_name'] };
    writeFileSync(
      join(project, 'spec.json'),
      JSON.stringify({ name: 'Link', theorems, methods: [{ name: 'm', settings: { searchSeconds: 1 } }] }),
    );
    if (name === 'spec-results') rmSync(join(project, name), { recursive: true });
    symlinkSync(join(own, 'elsewhere'), join(project, name));
    const run = await runQuod(['bench', 'run', 'spec.json'], project);
    expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('symbolic link');
    expect(readdirSync(join(own, 'elsewhere'))).toEqual([]);
  },
);

test.each([
  ['a path', { theorems: { '../outside/private.v': ['secret_name'] } }],
  ['a link', { theorems: { 'link.v': ['secret_name'] } }],
  ['a load path', { loadPath: { '.': ['-R', '../outside', 'Private'] } }],
  ['a folder of plugins', { loadPath: { '.': ['-I', '../outside'] } }],
  ['a file that Rocq is to run', { loadPath: { '.': ['-arg', '-l ../outside/private.v'] } }],
])(
  'a benchmark that leads out of its folder by %s is refused before anything is read',
  async (_by, named) => {
    const base = mkdtempSync(join(tmpdir(), 'quod-bench-outside-'));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const [own, outside] = [join(base, 'project'), join(base, 'outside')];
    for (const made of [own, outside]) mkdirSync(made);
    writeFileSync(join(own, 'a.v'), FILE);
    writeFileSync(join(outside, 'private.v'), FILE);
    symlinkSync('../outside/private.v', join(own, 'link.v'));
    const settings = { model: null, searchSeconds: 1, refuteSeconds: 0 };
    const specification = {
      ...{ name: 'Outside', theorems: { 'a.v': ['later'] }, methods: [{ name: 'm', settings }] },
      ...named,
    };
    writeFileSync(join(own, 'spec.json'), JSON.stringify(specification));
    // Named from elsewhere, its folder is still the border.
    for (const [spec, at] of [
      ['spec.json', own],
      [join(own, 'spec.json'), outside],
    ] as const) {
      const run = await runQuod(['bench', 'run', spec], at);
      expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('quod bench run SPEC --outside');
      expect(readdirSync(own).toSorted()).toEqual(['a.v', 'link.v', 'spec.json']);
    }
  },
);

test('with --outside a benchmark takes what it names elsewhere; its load path begins at the specification', async () => {
  const base = mkdtempSync(join(tmpdir(), 'quod-bench-meant-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [own, outside] = [join(base, 'project'), join(base, 'outside')];
  for (const made of [own, outside]) mkdirSync(made);
  writeFileSync(join(outside, 'private.v'), FILE);
  const settings = { model: null, searchSeconds: 5, refuteSeconds: 0 };
  const specification = {
    ...{ name: 'Meant', theorems: { '../outside/private.v': ['later'] } },
    ...{ loadPath: { '../outside': ['-R', '../outside', 'Private'] }, methods: [{ name: 'm', settings }] },
  };
  writeFileSync(join(own, 'spec.json'), JSON.stringify(specification));
  const run = await runQuod(['bench', 'run', 'spec.json', '--outside'], own);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain('(1/1)');
  const cells = join(own, 'spec-results', 'cells', 'm');
  const [cell = ''] = readdirSync(cells);
  expect(readFileSync(join(cells, cell, 'task', '_CoqProject'), 'utf8')).toBe(`-R ${outside} Private\n`);
}, 120_000);

test.each([
  ['by its file', { 'a.v': ['later', 'later'] }],
  ['one by one', [0, 1].map(() => ({ file: 'a.v', theorem: 'later' }))],
  ['by another path', { 'a.v': ['later'], 'sub/../a.v': ['later'] }],
  ['by a link', { 'a.v': ['later'], 'link.v': ['later'] }],
])('a theorem that is listed twice %s is refused: it would count twice', async (_how, theorems) => {
  const own = mkdtempSync(join(tmpdir(), 'quod-bench-twice-'));
  onTestFinished(() => rmSync(own, { recursive: true }));
  writeFileSync(join(own, 'a.v'), FILE);
  mkdirSync(join(own, 'sub'));
  symlinkSync('a.v', join(own, 'link.v'));
  const spec = { name: 'Twice', theorems, methods: [{ name: 'm', settings: { model: null } }] };
  writeFileSync(join(own, 'spec.json'), JSON.stringify(spec));
  const run = await runQuod(['bench', 'run', 'spec.json'], own);
  expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/lists one theorem twice: a\.v#later and.*\[invalid-input\]/u);
});

test.each([false, true])(
  'no tool brings the author’s proof or what stands after it to a model (hidden names: %s)',
  async (hideNames) => {
    const own = mkdtempSync(join(tmpdir(), 'quod-bench-leak-'));
    onTestFinished(() => rmSync(own, { recursive: true }));
    writeFileSync(join(own, '_CoqProject'), '-R . P\na.v\n');
    writeFileSync(
      join(own, 'a.v'),
      FILE.replace('split; assumption.', 'split. exact q. (* AUTHOR *) exact p.'),
    );
    execFileSync('coqc', ['-R', '.', 'P', 'a.v'], { cwd: own });
    const step = (script: string) => ({ name: 'rocq_step', arguments: JSON.stringify({ script }) });
    const asked = [
      ...['project', 'index'].map((scope) => ({
        name: 'rocq_similar_proofs',
        arguments: JSON.stringify({ scope }),
      })),
      ...['Require P.a.', 'Time From P Require Import a.', '(* " *) Load a. (* " *)'].map(step),
      step(`Add LoadPath "${own}" as Q.`),
      ...['s1', 's2'].map((from) => ({
        name: 'rocq_print',
        arguments: JSON.stringify({ name: 'P.a.secret_name', from }),
      })),
      {
        name: 'rocq_check_proof',
        arguments: JSON.stringify({ proof: 'Require P.a. Print P.a.secret_name.' }),
      },
    ];
    let calls = 0;
    const curious = await startModelServer(({ tools }) => {
      if (tools === undefined) return { text: '{"score": 5}' };
      const next = asked[calls++];
      return next === undefined ? { text: 'I give up.' } : { calls: [next] };
    });
    onTestFinished(() => curious.close());
    const settings = {
      ...{ model: 'scripted/x', providers: { scripted: { url: curious.url, free: true } } },
      ...{
        searchFirst: false,
        refuteSeconds: 0,
        repairSeconds: 0,
        plans: 1,
        plansExecuted: 1,
        similarProofs: 0,
      },
    };
    const theorems = { 'a.v': ['secret_name'] };
    const spec = { name: 'Leak', theorems, hideNames, methods: [{ name: 'm', settings }] };
    writeFileSync(join(own, 'spec.json'), JSON.stringify(spec));
    expect(await runQuod(['run', 'allow', '--address', curious.url], own)).toMatchObject({ exitCode: 0 });
    const run = await runQuod(['bench', 'run', 'spec.json'], own);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(calls).toBeGreaterThan(asked.length);
    const heard = curious.requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === 'tool'));
    const said = JSON.stringify(heard);
    expect(said.match(/In a benchmark no/gu)?.length).toBeGreaterThanOrEqual(6);
    // `conj` stands in the proof alone.
    expect(said).not.toMatch(/AUTHOR|conj|Lemma later|exact q/u);
  },
  120_000,
);

test('a benchmark of which every theorem is left out says so', async () => {
  const spec = {
    name: 'Too far',
    theorems: { 'a.v': ['secret_name', 'later'] },
    after: 99,
    methods: [{ name: 'm' }],
  };
  writeFileSync(join(folder, 'far.json'), JSON.stringify(spec));
  const run = await runQuod(['bench', 'run', 'far.json', '--out', 'far'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain('Nothing was measured: every theorem was left out, and the report says why.');
  expect(run.stdout).toContain('- `a.v#later`: Its proof has 1 sentence');
});
