/** `quod agent` as a user runs it: a real Rocq, a scripted model over real HTTP, processes that are killed. */
import { createHash } from 'node:crypto';
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
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { foldRun } from '../../../agent/runs/fold.ts';
import type { RunState } from '../../../agent/runs/fold.ts';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type {
  ChatRequest,
  Reply,
  ScriptedModelServer,
} from '../../../agent/testing/scripted-model-server.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';

const FILE = `Lemma first : forall n, n + 0 = n.
Proof. intros n. induction n as [|n IH]. - reflexivity. - simpl. rewrite IH. reflexivity. Qed.

Lemma second : forall n m, n + S m = S (n + m).
Proof.
Admitted.
`;
const SKETCHED = `Fixpoint app (l m : list nat) : list nat := match l with nil => m | cons x l => cons x (app l m) end.
Fixpoint revonto (l m : list nat) : list nat := match l with nil => m | cons x l => revonto l (cons x m) end.
Definition rev (l : list nat) : list nat := revonto l nil.
Fixpoint length (l : list nat) : nat := match l with nil => 0 | cons x l => S (length l) end.
Lemma length_rev : forall l, length (rev l) = length l.
Proof.
Admitted.
`;
const PROOF =
  'Proof. intros n m. induction n as [|n IH]. - reflexivity. - simpl. rewrite IH. reflexivity. Qed.';

let folder: string;
let server: ScriptedModelServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-agent-'));
  writeFileSync(join(folder, 'a.v'), FILE);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const folders: string[] = [];
afterEach(() => folders.push(folder));
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

const check = (proof: string): Reply => ({
  calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }],
});

/** A run on `a.v` that writes, and is killed at some moment. */
async function killedRun(options: readonly string[], moment: Promise<void>): Promise<void> {
  const started = startQuod(['agent', 'a.v', ...options, '--write'], folder);
  await moment;
  started.child.kill('SIGKILL');
  await started.finished;
}

/** Plans anything; its executor does what the test says. */
async function serve(execute: (request: ChatRequest) => Reply | Promise<Reply>): Promise<string[]> {
  server = await startModelServer((request) =>
    request.tools === undefined
      ? { text: '{"score": 5, "winner": "pro", "plan": "induction on n"}' }
      : execute(request),
  );
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  return [
    '--model',
    'scripted/rocq',
    '--no-search-first',
    '--set',
    `providers=${providers}`,
    'planning=direct',
    'plans=1',
  ];
}

function stateOfLast(): RunState {
  const runs = runsFolder(folder, {});
  const state = foldRun(readRun(runs, listRuns(runs).at(-1) ?? ''));
  if (state === undefined) throw new Error('There is no run.');
  return state;
}

test('a run that cannot begin, for want of a key, is no run: no name is told, and none is listed', async () => {
  const run = await runQuod(['agent', 'a.v', '--model', 'anthropic/claude-sonnet-4-5'], folder, {
    ANTHROPIC_API_KEY: '',
  });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('There is no key for anthropic. Set ANTHROPIC_API_KEY');
  expect(run.stderr).not.toMatch(/^Run /mu);
  expect((await runQuod(['runs'], folder)).stderr).toBe('There are no runs in this folder.\n');
});

test('the export says in commands how a run goes on, and what models said as they said it', async () => {
  server = await startModelServer(() => ({ text: 'Use `rocq_step`, then `agent_resume`.' }));
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  const settings = ['--no-search-first', '--set', `providers=${providers}`, 'planning=direct'];
  const limited = ['agent', 'a.v', '--model', 'scripted/rocq', '--max-messages', '1', ...settings];
  const run = await runQuod(limited, folder);
  const [, name] = /^Run (\S+)$/mu.exec(run.stderr) ?? [];
  expect(run.stderr).toContain(`Go on with: quod resume ${name} and a larger budget (`);
  const { stdout } = await runQuod(['run', 'export', 'last'], folder);
  expect(stdout).toContain('Go on with `quod resume` and a larger budget.');
  expect(stdout).toContain('Use `rocq_step`, then `agent_resume`.');
});

test('a folder without runs is said to have none', async () => {
  const run = await runQuod(['runs'], folder);
  expect(run).toEqual({ exitCode: 0, stdout: '', stderr: 'There are no runs in this folder.\n' });
});

test('a model works with the tools, the gate accepts, the proof is written, and the run can be read', async () => {
  const comment = '(* First we introduce. Then we go on. *)';
  const options = await serve(({ messages }) =>
    messages.length < 4
      ? {
          calls: [
            { name: 'rocq_search', arguments: '{"query": "plus_n_Sm"}' },
            { name: 'rocq_step', arguments: '{"script": "intros n m."}' },
          ],
        }
      : messages.length < 8
        ? check('intros n m. induction n. reflexivity. nonsense.')
        : check(PROOF.replace('intros n m.', `${comment} intros n m.`)),
  );
  const run = await runQuod(['agent', 'a.v', ...options, 'repairSeconds=0', '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toContain(comment);
  expect(run.stdout).toContain('Lemma second : forall n m, n + S m = S (n + m).\nProof.');
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).not.toContain('Admitted');
  expect(await runQuod(['check', 'a.v'], folder)).toMatchObject({ exitCode: 0 });
  const shown = await runQuod(['show', 'last'], folder);
  expect(shown.stdout).toMatch(/the gate says accepted[\s\S]*executor[\s\S]*second: recorded as proved/u);
  expect((await runQuod(['runs'], folder)).stdout).toMatch(/proved +1\/1/u);
  expect((await runQuod(['run', 'export', 'last'], folder)).stdout).toContain(
    '## second: recorded as proved',
  );
});

const BODY = PROOF.replace(/^Proof\.|Qed\.$/gu, '').trim();
const call = (name: string, input: object): Reply => ({
  calls: [{ name, arguments: JSON.stringify(input) }],
});

test.each([
  ['rocq_step', { script: BODY }],
  ['rocq_step with its closing command', { script: `${BODY} Qed.` }],
  ['rocq_step with more than is needed', { script: `${BODY} reflexivity.` }],
  ['rocq_try', { alternatives: ['lia.', BODY] }],
  ['rocq_check_proof with more than is needed', { proof: `Proof. ${BODY} reflexivity. Qed.` }],
])('a proof that is closed by %s goes to the gate by itself', async (tool, input) => {
  const options = await serve(() => call(tool.split(' ')[0] ?? '', input));
  const run = await runQuod(['agent', 'a.v', ...options, 'toolCallsPerPlan=1', 'plansExecuted=1'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(server?.requests.filter(({ body }) => body.tools !== undefined)).toHaveLength(1);
  expect(run.stdout).toContain('Qed.');
});

test('the goal of a failed script goes to the search first: what was accepted stays, the rest is found', async () => {
  const options = await serve(() =>
    check('Proof. intros n m. induction n as [|n IH]. - reflexivity. - nonsense. Qed.'),
  );
  const run = await runQuod(['agent', 'a.v', ...options, 'toolCallsPerPlan=1', 'plansExecuted=1'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain('the goal is closed without a model');
  expect(run.stdout).toContain('induction n as [|n IH].');
});

test('a helper lemma is proved, used, judged and written before the theorem; one that is not used is not', async () => {
  const replies: readonly Reply[] = [
    call('lemma_prove', { statement: 'Lemma unused : forall n : nat, n = n.', proof: 'reflexivity.' }),
    call('lemma_prove', { statement: 'Lemma wrong : forall n : nat, n = 0.', proof: 'reflexivity.' }),
    call('lemma_prove', { statement: 'Axiom cheat : False.' }),
    // Behind it the theorem would speak of another thing.
    call('lemma_prove', { statement: 'Lemma S : Type.', proof: 'exact unit. Defined.' }),
    // Whoever prints the file would see another statement.
    call('lemma_prove', {
      statement: 'Lemma helper : forall n m, (* \u001b[8m *) n + S m = S (n + m).',
      proof: PROOF,
    }),
    call('lemma_prove', { statement: 'Lemma helper : forall n m, n + S m = S (n + m).', proof: PROOF }),
    call('rocq_check_proof', { proof: 'intros n m. apply helper.' }),
  ];
  const options = await serve(
    ({ messages }) => replies[messages.filter(({ role }) => role === 'tool').length] ?? {},
  );
  const run = await runQuod(['agent', 'a.v', ...options, 'toolCallsPerLemma=0', 'searchSeconds=2'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toMatch(/lemma wrong is not proved: it is false for n = 1/u);
  expect(run.stdout).toMatch(/^Local Lemma helper [^]*Qed\.\n\nLemma second [^]*apply helper/u);
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(FILE);
  const before = server?.requests.length;
  const resumed = await runQuod(['resume', 'last', '--write'], folder);
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
  expect(server?.requests.length).toBe(before);
  const written = readFileSync(join(folder, 'a.v'), 'utf8');
  expect(written).toMatch(/Qed\.\n\nLocal Lemma helper [^]*\n\nLemma second [^]*apply helper/u);
  expect(written).not.toMatch(/unused|wrong|cheat|Admitted|(?!\n)\p{Cc}/u);
  expect(await runQuod(['check', 'a.v'], folder)).toMatchObject({ exitCode: 0 });
});

test('a helper lemma with the name of something of a library changes nothing in files that import it', async () => {
  writeFileSync(join(folder, '_CoqProject'), '-R . P\n');
  const replies: readonly Reply[] = [
    call('lemma_prove', { statement: '#[global] Lemma False : Prop.', proof: 'exact True. Defined.' }),
    call('lemma_prove', { statement: 'Lemma False : Prop.', proof: 'exact True. Defined.' }),
    check(PROOF.replace('intros n m.', 'intros n m. pose (h := False). clear h.')),
  ];
  const options = await serve(
    ({ messages }) => replies[messages.filter(({ role }) => role === 'tool').length] ?? {},
  );
  const run = await runQuod(['agent', 'a.v', ...options, '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toContain('\n\nLocal Lemma False : Prop.');
  const using = (statement: string, proof: string) =>
    writeFileSync(
      join(folder, 'b.v'),
      `From P Require Import a.\nLemma b : ${statement}. Proof. ${proof} Qed.\n`,
    );
  using('True', 'pose (h := False). exact I.');
  expect(await runQuod(['build'], folder)).toMatchObject({ exitCode: 0 });
  expect(await runQuod(['check', 'b.v'], folder)).toMatchObject({ exitCode: 0 });
  using('False', 'exact I.');
  expect(await runQuod(['check', 'b.v'], folder)).toMatchObject({ exitCode: 1 });
});

test('a log that says of a false theorem that it is proved is not believed: the gate judges again', async () => {
  const theorem = (name: string, statement: string): string =>
    `Theorem ${name} : forall n : nat, ${statement}. Proof. Admitted.\n`;
  writeFileSync(join(folder, 'a.v'), theorem('one', 'n = n'));
  const options = await serve(() => check('Proof. intros n. reflexivity. Qed.'));
  expect(await runQuod(['agent', 'a.v', ...options], folder)).toMatchObject({ exitCode: 0 });
  const asked = server?.requests.length;
  // The twin: an honest run that is finished ends as before, and nobody is asked.
  const honest = await runQuod(['resume', 'last'], folder);
  expect(honest, honest.stderr).toMatchObject({ exitCode: 0 });
  expect(honest.stdout).toContain('reflexivity');
  expect(honest.stderr).toContain('1 of 1 proved');
  expect(server?.requests.length).toBe(asked);
  const runs = runsFolder(folder, {});
  const log = join(runs, listRuns(runs).at(-1) ?? '', 'events.jsonl');
  const before = readFileSync(join(folder, 'a.v'), 'utf8');
  const text = theorem('one', 'n = 0');
  writeFileSync(join(folder, 'a.v'), text);
  const hash = (of: string): string => createHash('sha256').update(of).digest('hex');
  writeFileSync(
    log,
    readFileSync(log, 'utf8')
      .replaceAll(hash(before), hash(text))
      .replaceAll(JSON.stringify(before).slice(1, -1), JSON.stringify(text).slice(1, -1)),
  );
  const forged = await runQuod(['resume', 'last', '--write', '--set', 'tool-calls-per-plan=1'], folder);
  expect(forged.exitCode, forged.stderr).not.toBe(0);
  expect(forged.stdout).toBe('');
  expect(forged.stderr).not.toMatch(/1 of 1 (theorem )?proved/u);
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(text);
  // What its log records is told as recorded.
  expect((await runQuod(['show', 'last'], folder)).stdout).toMatch(
    /^As the log has it, which is no evidence/u,
  );
});

test('a run is not gone on with where its file is not what its log began with, whatever the log says of it', async () => {
  const text = (one: string, value: string): string =>
    `Definition one := ${one}.\nTheorem t : one + 1 = ${value}.\nProof.\nAdmitted.\n`;
  const file = join(folder, 'a.v');
  const inJson = (of: string): string => JSON.stringify(of).slice(1, -1);
  const hash = (of: string): string => createHash('sha256').update(of).digest('hex');
  writeFileSync(file, text('1', '2'));
  const run = await runQuod(['agent', 'a.v'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  const runs = runsFolder(folder, {});
  const log = join(runs, listRuns(runs).at(-1) ?? '', 'events.jsonl');
  const honest = readFileSync(log, 'utf8');
  const lines = honest.trimEnd().split('\n');
  const unended = `${lines.slice(0, -1).join('\n')}\n`;
  const proof = lines
    .map((line) => JSON.parse(line) as { event?: { kind: string; proof?: string } })
    .find(({ event }) => event?.kind === 'theorem-ended')?.event?.proof;
  expect(proof).toBeTypeOf('string');
  const admitted = inJson('Proof.\nAdmitted.');
  const written = (of: string): string =>
    `${lines
      .slice(0, -1)
      .concat(
        JSON.stringify({
          ...(JSON.parse(lines.at(-1) ?? '') as object),
          event: { kind: 'written', key: 't', fileHash: hash(of) },
        }),
      )
      .join('\n')}\n`;
  const cases: [string, string, string][] = [
    // The proof that it records stands in the file, of another statement.
    ['false statement, recorded hole', unended.replaceAll(inJson(proof ?? ''), admitted), text('1', '3')],
    // It records that it wrote the file as it is now.
    ['false statement, recorded as written', written(text('1', '3')), text('1', '3')],
    ['another definition, recorded as written', written(text('2', '2')), text('2', '2')],
    // A false statement in the log, a true one in the file.
    ['false statement in the log', honest.replaceAll('one + 1 = 2', 'one + 1 = 3'), text('1', '2')],
    [
      'false statement in the log of an earlier text',
      unended
        .replaceAll('Theorem t : one + 1 = 2', 'Theorem t : one + 1 = 3')
        .replaceAll(inJson(text('1', '3')), inJson(text('1', '2'))),
      text('1', '2'),
    ],
  ];
  for (const [name, forged, now] of cases) {
    writeFileSync(log, forged);
    writeFileSync(file, now);
    const resumed = await runQuod(['resume', 'last', '--write'], folder);
    expect(resumed, `case of a ${name}: ${resumed.stderr}`).toMatchObject({ exitCode: 2, stdout: '' });
    expect(resumed.stderr, name).toContain('file-changed');
    expect(resumed.stderr, name).not.toMatch(/refuted|1 of 1/u);
    expect(readFileSync(file, 'utf8')).toBe(now);
  }
  // The twins: as it was, and as the run writes it without recording that it did.
  writeFileSync(log, unended);
  writeFileSync(file, text('1', '2'));
  expect(await runQuod(['resume', 'last', '--write'], folder)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(file, 'utf8')).not.toBe(text('1', '2'));
  writeFileSync(log, unended);
  const again = await runQuod(['resume', 'last', '--write'], folder);
  expect(again, again.stderr).toMatchObject({ exitCode: 0 });
});

test('a hole of a sketch becomes a lemma that is proved, used and written; a sketch that fails says where', async () => {
  writeFileSync(join(folder, 'a.v'), SKETCHED);
  const replies: readonly Reply[] = [
    check('Proof. intros l. admit. nonsense. Qed.'),
    check('Proof. intros l. admit. admit. Qed.'),
    check(
      'Proof. intros l. unfold rev. assert (G : forall k m, length (revonto k m) = length k + length m). ' +
        '{ admit. } rewrite G. symmetry. apply plus_n_O. Qed.',
    ),
  ];
  const heard: string[] = [];
  const options = await serve(({ messages }) => {
    if (JSON.stringify(messages.slice(0, 2)).includes('length_rev_part_1'))
      return check(
        'Proof. intros l k. induction k as [|x k IH]; intros m. reflexivity. simpl. rewrite IH. simpl. ' +
          'rewrite <- plus_n_Sm. reflexivity. Qed.',
      );
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    heard.splice(0, heard.length, ...answers);
    return replies[answers.length] ?? {};
  });
  const quick = ['searchSeconds=0.1', 'repairSeconds=0', 'refuteSeconds=0', 'plansExecuted=1'];
  const run = await runQuod(['agent', 'a.v', ...options, ...quick, '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toContain('lemma length_rev_part_1 is proved');
  expect(heard).toEqual([
    expect.stringContaining('The sketch fails'),
    expect.stringContaining('Hole 2 stands where no goal is open'),
  ]);
  const written = readFileSync(join(folder, 'a.v'), 'utf8');
  expect(written).toMatch(
    /Local Lemma length_rev_part_1 :[^]*Lemma length_rev : [^]*exact \(@length_rev_part_1 l\)/u,
  );
  expect(await runQuod(['check', 'a.v'], folder)).toMatchObject({ exitCode: 0 });
});

test('a false theorem is refuted before any model is asked', async () => {
  writeFileSync(join(folder, 'a.v'), FILE.replace('n + S m = S (n + m)', 'n + S m = S (n + n)'));
  const options = await serve(() => ({ text: 'nothing' }));
  const run = await runQuod(['agent', 'a.v', ...options], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 1 });
  expect(server?.requests).toEqual([]);
  expect(stateOfLast().theorems).toMatchObject([
    { outcome: 'refuted', reason: expect.stringContaining('it is false for') as string },
  ]);
});

test('a run ends when its file is another one: nothing is tried in it, and nothing is refuted', async () => {
  const stated = 'Definition zero := 0.\nTheorem t : forall n : nat, n + zero = n.\nProof.\nAdmitted.\n';
  writeFileSync(join(folder, 'a.v'), stated);
  const options = await serve(() => {
    writeFileSync(join(folder, 'a.v'), stated.replace('zero := 0', 'zero := 1'));
    return check('Proof. intros n. reflexivity. Qed.');
  });
  const run = await runQuod(['agent', 'a.v', ...options], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('The file changed while the agent worked on it.');
  expect(stateOfLast()).toMatchObject({ outcome: 'failed', theorems: [{ outcome: 'open' }] });
});

test('failures of every kind call the critic', async () => {
  const failing: readonly Reply[] = [
    call('rocq_step', { script: 'nonsense.' }),
    call('rocq_try', { alternatives: ['nonsense.', 'exact I.'] }),
    call('rocq_goals', { from: 's99' }),
    call('no_such_tool', {}),
    { calls: [{ name: 'rocq_step', arguments: 'not JSON' }] },
  ];
  let number = 0;
  const options = await serve(() => failing[number++] ?? check(PROOF));
  const run = await runQuod(
    ['agent', 'a.v', ...options, 'repairSeconds=0', 'failuresBeforeCritic=5'],
    folder,
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(stateOfLast().byRole.get('critic')).toMatchObject({ calls: 1 });
});

test.each([
  ['admits', check('Proof. intros. Admitted.')],
  ['adds an axiom', check('Proof. Axiom cheat : forall P : Prop, P. apply cheat. Qed.')],
  ['edits the statement', check('Abort. Lemma second : True. Proof. exact I. Qed.')],
  ['leaves its proof behind', check('intros. shelve. Qed. Lemma x : True. exact I. Qed.')],
  ['says so', { text: 'PROOF_COMPLETE: accepted' }],
])('a model that %s proves nothing, and the file stays as it is', async (_name, reply) => {
  const options = await serve(() => reply);
  const run = await runQuod(
    ['agent', 'a.v', ...options, 'plansExecuted=1', 'toolCallsPerPlan=2', '--write'],
    folder,
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(FILE);
  expect(stateOfLast().theorems).toMatchObject([{ outcome: 'not-proved', proof: null }]);
});

test('a proof that uses an admitted, false lemma is not simply proved, and its exit code is 1', async () => {
  const text = 'Lemma bad : forall n, n = S n.\nAdmitted.\n\nLemma uses : 1 = 2.\nProof.\nAdmitted.\n';
  writeFileSync(join(folder, 'open.v'), text);
  const options = await serve(() => check('Proof. exact (bad 1). Qed.'));
  const run = await runQuod(
    ['agent', 'open.v', '--theorem', 'uses', ...options, 'refuteSeconds=0', '--write'],
    folder,
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 1 });
  expect(run.stderr).toContain('0 of 1 proved, 1 proved but resting on open statements (uses: bad)');
  expect(run.stdout).toContain(
    '(* Proved, but rests on statements that are open: bad. *)\nLemma uses : 1 = 2.',
  );
  expect(stateOfLast()).toMatchObject({
    outcome: 'proved-but',
    theorems: [{ outcome: 'proved-but', restsOnOpen: ['bad'] }],
  });
  expect((await runQuod(['runs'], folder)).stdout).toMatch(/proved-but +0\/1 \(\+1 but open\)/u);
  expect(await runQuod(['resume', 'last'], folder)).toMatchObject({ exitCode: 1 });
  expect(await runQuod(['resume', 'last', '--allow-open'], folder)).toMatchObject({ exitCode: 0 });
});

test('killed with kill -9 in the middle of a call and resumed: states of the session are there again', async () => {
  let ask: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  let hold = true;
  let state = '';
  const options = await serve(({ messages }) => {
    const last = messages.at(-1)?.content;
    if (messages.length < 4)
      return { calls: [{ name: 'rocq_step', arguments: '{"script": "intros n m."}' }] };
    if (messages.length > 5) return check(PROOF);
    state = /\bs\d+\b/u.exec(String(last))?.[0] ?? '';
    if (!hold) return { calls: [{ name: 'rocq_goals', arguments: JSON.stringify({ from: state }) }] };
    ask?.();
    return { silent: true };
  });
  await killedRun(options, asked);
  hold = false;
  const before = server?.requests.length ?? 0;
  const run = await runQuod(['resume', 'last', '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  // The call that was under way, and the one that found the proof: nothing that was answered is asked again.
  expect((server?.requests.length ?? 0) - before).toBe(2);
  expect(stateOfLast()).toMatchObject({ lostCalls: 1, outcome: 'proved', theorems: [{ outcome: 'proved' }] });
  const runs = runsFolder(folder, {});
  const goals = readRun(runs, listRuns(runs).at(-1) ?? '').find(
    ({ event }) => event.kind === 'tool-answered' && event.tool === 'rocq_goals',
  );
  expect(JSON.stringify(goals)).toContain('n + S m = S (n + m)');
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).not.toContain('Admitted');
});

const TWO = ['one', 'two']
  .map(
    (name) =>
      `Theorem ${name} : ${name === 'one' ? 1 : 2} = 0 + ${name === 'one' ? 1 : 2}.\nProof.\nAdmitted.\n`,
  )
  .join('');

test('a written proof that somebody takes out again is not counted, and not said to be refused', async () => {
  writeFileSync(join(folder, 'a.v'), TWO);
  const options = await serve(() => {
    // Nothing was written before the first answer.
    writeFileSync(join(folder, 'a.v'), TWO);
    return check('reflexivity.');
  });
  const run = await runQuod(['agent', 'a.v', ...options, '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 1 });
  expect(run.stderr).toContain('2 of 2 proved, 1 taken out of the file since (one)');
  const runs = runsFolder(folder, {});
  const ended = readRun(runs, listRuns(runs).at(-1) ?? '').at(-1)?.event;
  expect(ended).toMatchObject({ kind: 'run-ended', outcome: 'not-proved', takenOut: ['one'] });
  expect(ended).not.toHaveProperty('replaced');
  expect(run.stderr).toContain('a.v: 1 proof written');
  expect(run.stderr).toMatch(/a\.v: not there any more, taken out: one$/mu);
  expect(run.stderr).toContain('2 of 2 theorems proved, 1 of them not written');
  expect(run.stderr).not.toContain('not accepted together');
  expect(readFileSync(join(folder, 'a.v'), 'utf8').match(/Admitted/gu)).toHaveLength(1);
});

test('a proof that is taken out before the run is resumed is not counted as written', async () => {
  writeFileSync(join(folder, 'a.v'), TWO);
  let isHeld = true;
  let ask: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const options = await serve(() => {
    if (readFileSync(join(folder, 'a.v'), 'utf8') === TWO || !isHeld) return check('reflexivity.');
    ask?.();
    return { silent: true };
  });
  await killedRun(options, asked);
  isHeld = false;
  writeFileSync(join(folder, 'a.v'), TWO);
  const run = await runQuod(['resume', 'last', '--set', 'write=false'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr).not.toContain('proof written');
  expect(run.stderr).toMatch(/a\.v: not there any more, taken out: one$/mu);
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(TWO);
  const again = await runQuod(['resume', 'last', '--write'], folder);
  expect(again, again.stderr).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toContain('a.v: 2 proofs written');
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).not.toContain('Admitted');
});

test('Ctrl+C ends it with 130 and says how to go on; a file that changed is not gone on with', async () => {
  let ask: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const options = await serve(() => {
    ask?.();
    return { silent: true };
  });
  const started = startQuod(['agent', 'a.v', ...options], folder);
  await asked;
  started.child.kill('SIGINT');
  const run = await started.finished;
  expect(run, run.stderr).toMatchObject({ exitCode: 130 });
  expect(run.stderr).toMatch(/Go on with: quod resume/u);
  expect(run.stderr).not.toMatch(/ failed: |aborted/u);
  expect(started.survivors()).toEqual([]);
  writeFileSync(join(folder, 'a.v'), FILE.replace('second', 'other'));
  const resumed = await runQuod(['resume', 'last'], folder);
  expect(resumed).toMatchObject({ exitCode: 2 });
  expect(resumed.stderr).toMatch(/file-changed/u);
});

test('without a model the offline search proves it', async () => {
  const run = await runQuod(['agent', 'a.v'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(FILE);
  // A log that names a file of somebody else's, by its path or by a link, or what Quod keeps for itself.
  const elsewhere = join(folder, '..', `${basename(folder)}-elsewhere`);
  mkdirSync(elsewhere);
  folders.push(elsewhere);
  writeFileSync(join(elsewhere, 'a.v'), FILE);
  symlinkSync(elsewhere, join(folder, 'link'));
  writeFileSync(join(folder, '.quod', 'a.v'), FILE);
  const runs = runsFolder(folder, {});
  const log = join(runs, listRuns(runs).at(-1) ?? '', 'events.jsonl');
  const honest = readFileSync(log, 'utf8');
  for (const place of [elsewhere, join(folder, 'link'), join(folder, '.quod')]) {
    writeFileSync(log, honest.replaceAll(`${folder}/a.v`, `${place}/a.v`));
    const forged = await runQuod(['resume', 'last', '--write'], folder);
    expect(forged, forged.stderr).toMatchObject({ exitCode: 2, stdout: '' });
    expect(forged.stderr).toContain(
      place.endsWith('.quod')
        ? 'What Quod keeps for itself (`.quod`) is no file to work on.'
        : 'names a file that is not of this folder',
    );
    expect(readFileSync(join(place, 'a.v'), 'utf8')).toBe(FILE);
  }
  writeFileSync(log, honest.replaceAll(`${folder}/a.v`, `${elsewhere}/a.v`));
  const meant = await runQuod(['resume', 'last', '--write', '--outside'], folder);
  expect(meant, meant.stderr).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(elsewhere, 'a.v'), 'utf8')).not.toBe(FILE);
});

test('what is wrong is said before anything is started', async () => {
  const wrong = async (...options: string[]) => (await runQuod(['agent', 'a.v', ...options], folder)).stderr;
  expect(await wrong('--model', 'gpt-4o')).toMatch(/does not name a model.*provider\/model/u);
  expect(await wrong('--model', 'openai/gpt-4o', '--no-search-first')).toMatch(/OPENAI_API_KEY/u);
  expect(await wrong('--no-search-first')).toMatch(/no model is named, and the offline search is off/u);
  expect(await wrong('--set', 'plan=2')).toMatch(/no setting/u);
  expect(await wrong('--theorem', 'secnd')).toMatch(/Did you mean second\?/u);
  expect(readdirSync(folder).filter((name) => name !== 'a.v' && name !== '.quod')).toEqual([]);
  expect((await runQuod(['agent', '--set', 'plans=2', 'a.v'], folder)).stderr).toMatch(
    /no setting.*before --set/u,
  );
  mkdirSync(join(folder, '.quod'), { recursive: true });
  writeFileSync(join(folder, '.quod', 'agent.json'), '{"tool-calls-per-plan": 7}');
  const printed = await runQuod(['agent', '--print-config', '--set', 'plans=3'], folder);
  expect(JSON.parse(printed.stdout)).toMatchObject({ plans: 3, toolCallsPerPlan: 7 });
  writeFileSync(join(folder, '.quod', 'agent.json'), '{"toolCallsPerPlans": 7}');
  for (const written of ['{"plans": 100000}', '{"providers": {"kk": {"url": "no address"}}}']) {
    writeFileSync(join(folder, '.quod', 'agent.json'), written);
    expect(await wrong()).toMatch(
      /agent\.json: The settings of the agent are wrong: (?:plans|providers\.kk\.url): /u,
    );
  }
  writeFileSync(join(folder, '.quod', 'agent.json'), '{"toolCallsPerPlans": 7}');
  expect(await wrong()).toMatch(/agent\.json: There is no setting .*\(did you mean tool-calls-per-plan\?\)/u);
});

test('a run takes away the caches that it made, leaves those that were there, and ends with what it took', async () => {
  writeFileSync(
    join(folder, 'a.v'),
    'Require Import Lia.\nLemma two : forall n m : nat, n < m -> n + 1 <= m.\nProof.\nAdmitted.\n',
  );
  const options = await serve(() => check('Proof. lia. Qed.'));
  const run = await runQuod(['agent', 'a.v', ...options], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr.trim().split('\n').at(-1)).toMatch(
    /^1 of 1 theorem proved; .* tokens in \(0 cached\), \d+ out; \$0\.0000$/u,
  );
  expect(readdirSync(folder).filter((name) => name.endsWith('.cache'))).toEqual([]);
  writeFileSync(join(folder, '.lia.cache'), '');
  await runQuod(['agent', 'a.v', ...options], folder);
  expect(readdirSync(folder)).toContain('.lia.cache');
}, 600_000);

test('the user’s own list of prices is heard, and there is a cap where nobody said one', async () => {
  const own = { QUOD_CONFIG: join(folder, 'own') };
  const config = async (...options: string[]) => {
    const { stdout } = await runQuod(
      ['agent', '--print-config', '--model', 'openai/new', ...options],
      folder,
      own,
    );
    return JSON.parse(stdout) as { maxCost: number | null; prices: object };
  };
  expect(await config()).toMatchObject({ maxCost: null, prices: {} });
  const list = '{"date": "2027-01-01", "prices": {"openai/new": {"input": 1, "output": 2}}}';
  // Of the folder it is somebody else's word.
  mkdirSync(join(folder, '.quod'));
  writeFileSync(join(folder, '.quod', 'prices.json'), list);
  expect(await config()).toMatchObject({ maxCost: null, prices: {} });
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, 'own', 'prices.json'), list);
  expect(await config()).toMatchObject({ maxCost: 5, prices: { 'openai/new': { input: 1, output: 2 } } });
  expect(await config('--max-cost', '9')).toMatchObject({ maxCost: 9 });
  expect(await config('--set', 'max-cost=null')).toMatchObject({ maxCost: null });
}, 600_000);
