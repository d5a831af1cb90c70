/** Lemmas of a whole run with a real Rocq: what is proved for one theorem is there for the next, and stands in the file once. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer, type Reply } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const call = (name: string, input: object): Reply => ({
  calls: [{ name, arguments: JSON.stringify(input) }],
});
const check = (proof: string): Reply => call('rocq_check_proof', { proof });
const lemma = (statement: string, proof?: string): Reply => call('lemma_prove', { statement, proof });

const INDUCTION = 'induction n as [|n IH]; intros m. reflexivity. simpl. rewrite IH. reflexivity.';

/** Quod on a file, with a model that says what it is told to, one answer after the other, whatever the theorem is. */
async function prove(text: string, replies: readonly Reply[], settings: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'quod-agent-lemmas-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.v'), text);
  let next = 0;
  const heard: string[] = [];
  const ofLemmas: string[] = [];
  const server = await startModelServer(({ tools, messages }) => {
    if (tools === undefined) return { text: '{"score": 5}' };
    const said = JSON.stringify(messages);
    if (!said.includes('"name":"lemma_prove"') && !JSON.stringify(tools).includes('lemma_prove')) {
      ofLemmas.push(said);
      return {};
    }
    heard.push(String(messages.at(-1)?.content));
    return replies[next++] ?? {};
  });
  onTestFinished(() => server.close());
  const run = await runQuod(
    [
      ...['agent', 'a.v', '--model', 'scripted/rocq', '--no-search-first', '--write', '--set'],
      `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`,
      ...['planning=direct', 'plans=1', 'plansExecuted=1', 'repairSeconds=0', 'searchSeconds=0.1'],
      ...['silentMessages=1', 'toolCallsPerLemma=0', ...settings],
    ],
    folder,
  );
  const runs = runsFolder(folder, {});
  const ended = readRun(runs, listRuns(runs).at(-1) ?? '').flatMap(({ event }) =>
    event.kind === 'lemma-ended' ? [event] : [],
  );
  return { run, ended, heard, ofLemmas, written: readFileSync(join(folder, 'a.v'), 'utf8'), folder };
}

test('a lemma that was proved for one theorem is taken for the next, whatever it is called, and written once', async () => {
  const { run, ended, heard, written, folder } = await prove(
    `Lemma one : forall n m, n + S m = S (n + m).
Proof.
Admitted.
Lemma two : forall a b, S (a + b) = a + S b.
Proof.
Admitted.
`,
    [
      lemma('Lemma base : forall m : nat, m = m.', 'reflexivity.'),
      lemma(
        'Lemma helper : forall n m : nat, n + S m = S (n + m).',
        `pose proof (base 0) as B. ${INDUCTION}`,
      ),
      check('Proof. intros n m. apply helper. Qed.'),
      // Nothing proves it here but what was proved before.
      lemma('Lemma other : forall (i : nat) (j : nat), i + (S j) = S (i + j).'),
      check('Proof. intros a b. symmetry. apply helper. Qed.'),
    ],
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(ended.map(({ theorem, name, by }) => [theorem, name, by])).toEqual([
    ['one', 'base', 'script'],
    ['one', 'helper', 'script'],
    ['two', 'helper', 'known'],
  ]);
  expect(heard.find((text) => text.startsWith('These are proved for other theorems'))).toContain(
    'Lemma helper',
  );
  expect(written.match(/Lemma helper/gu)).toHaveLength(1);
  expect(written).toMatch(/^Local Lemma base [^]*Local Lemma helper [^]*Lemma one [^]*Lemma two /u);
  expect(written).not.toContain('Lemma other');
  expect(await runQuod(['check', 'a.v'], folder)).toMatchObject({ exitCode: 0 });
}, 300_000);

test('what was tried in vain is not tried again with as much, also under another name and for another theorem', async () => {
  const hard = (name: string, variable: string): Reply =>
    lemma(
      `Lemma ${name} : forall ${variable} : nat -> nat, (forall n, ${variable} (S n) = ${variable} n) -> forall n, ${variable} (n * n) = ${variable} 0.`,
    );
  const { ended, heard, ofLemmas } = await prove(
    `Lemma one : forall P Q : Prop, P \\/ Q -> Q \\/ P.
Proof.
Admitted.
Lemma two : forall P Q : Prop, P /\\ Q -> Q /\\ P.
Proof.
Admitted.
`,
    [hard('hard', 'f'), {}, hard('again', 'g'), hard('third', 'h'), hard('fourth', 'i'), {}],
    ['toolCallsPerLemma=1', 'refuteSeconds=0', 'lemmaDepth=1'],
  );
  expect(ended.map(({ theorem, name, proof }) => [theorem, name, proof])).toEqual([
    ['one', 'hard', null],
    ['two', 'again', null],
    ['two', 'third', null],
    ['two', 'fourth', null],
  ]);
  expect(ended[0]?.claim).toBe(ended[1]?.claim);
  // However often it is stated, that is said once.
  const again = `It was tried before with as much: ${ended[0]?.reason ?? ''}`;
  expect(ended.slice(1).map(({ reason }) => reason)).toEqual([again, again, again]);
  expect(heard.filter((text) => text.includes(again))).toHaveLength(3);
  expect(ofLemmas).toHaveLength(1);
}, 300_000);

/** The script of a model that plays every prover of the run: what it says to which statement, in which turn. */
type Parts = Readonly<Record<string, readonly Reply[]>>;

/** Quod on a file, with a model whose answer depends on nothing but what is proved and what was said of it. */
async function play(text: string, parts: Parts, settings: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'quod-agent-split-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = (): void => writeFileSync(join(folder, 'a.v'), text);
  start();
  const asked: string[] = [];
  const heard: string[] = [];
  const server = await startModelServer(({ tools, messages }) => {
    if (tools === undefined) return { text: '{"score": 5}' };
    const [, name = ''] = /Lemma (\w+)/u.exec(JSON.stringify(messages[0]?.content)) ?? [];
    asked.push(name);
    heard.push(String(messages.at(-1)?.content));
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    return parts[name]?.[turn] ?? {};
  });
  onTestFinished(() => server.close());
  const options = [
    ...['--set', `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`],
    ...['planning=direct', 'plans=1', 'plansExecuted=1', 'repairSeconds=0', 'searchSeconds=0.1'],
    ...['silentMessages=1', 'refuteSeconds=0', ...settings],
  ];
  const first = ['agent', 'a.v', '--model', 'scripted/rocq', '--no-search-first', '--write', ...options];
  const run = await runQuod(first, folder);
  const runs = runsFolder(folder, {});
  const [name = ''] = listRuns(runs);
  const ended = () =>
    readRun(runs, name).flatMap(({ event }) => (event.kind === 'lemma-ended' ? [event] : []));
  return { run, asked, heard, ended, start, folder, log: join(runs, name, 'events.jsonl') };
}

/** What a search of a tenth of a second does not prove. */
const constant = (claim: string): string =>
  `forall f : nat -> nat, (forall n, f (S n) = f n) -> forall n, ${claim}`;
const OPEN = `Lemma goal : ${constant('f (S (S (n * n))) = f 0 /\\ f 0 = f 0')}.
Proof.
Admitted.
Lemma later : ${constant('f 0 = f (n * n)')}.
Proof.
Admitted.
`;
const OUTER = constant('f (n * n) = f 0 /\\ f (S (n * n)) = f 0');
const SPLIT: Parts = {
  goal: [
    lemma(`Lemma outer : ${OUTER}.`),
    check('Proof. intros f H n. split; [rewrite H; apply (outer f H n) | reflexivity]. Qed.'),
  ],
  outer: [
    // What it is itself for, under another name; then what it needs.
    lemma(`Lemma round : ${OUTER}.`),
    lemma(`Lemma inner : ${constant('f (n * n) = f 0')}.`),
    check('Proof. intros f H n. split; [ | rewrite H]; apply inner, H. Qed.'),
  ],
  inner: [
    // It is deep enough.
    lemma('Lemma deepest : forall n : nat, n = n.', 'reflexivity.'),
    check('Proof. intros f H n. induction (n * n) as [|k IH]; [ | rewrite H, IH]; reflexivity. Qed.'),
  ],
  later: [
    lemma(`Lemma again : ${constant('f (n * n) = f 0').replace(/\bf\b/gu, 'g')}.`),
    check('Proof. intros f H n. symmetry. apply inner, H. Qed.'),
  ],
};

test('a lemma is split into lemmas of its own, to a depth and without a circle; each is proved once, and resumed', async () => {
  const { run, asked, heard, ended, start, folder, log } = await play(OPEN, SPLIT, []);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  const told = ended().map(({ theorem, name, by }) => [theorem, name, by]);
  expect(told).toEqual([
    ['goal', 'round', null],
    ['goal', 'inner', 'model'],
    ['goal', 'outer', 'model'],
    ['later', 'inner', 'known'],
  ]);
  expect(heard.join('\n')).toContain('it says what it is stated for');
  expect(heard.join('\n')).toContain('There is no tool lemma_prove');
  expect(asked).toEqual(['goal', 'outer', 'outer', 'inner', 'inner', 'outer', 'goal', 'later', 'later']);
  const written = readFileSync(join(folder, 'a.v'), 'utf8');
  expect(written).toMatch(/^Local Lemma inner [^]*Local Lemma outer [^]*Lemma goal [^]*Lemma later /u);
  expect(written.match(/Lemma inner/gu)).toHaveLength(1);
  expect(await runQuod(['check', 'a.v'], folder)).toMatchObject({ exitCode: 0 });
  // Stopped behind the inner lemma, before the outer one is proved: nothing is asked again.
  const lines = readFileSync(log, 'utf8').split('\n');
  const until = lines.findIndex((line) => line.includes('"lemma-ended"') && line.includes('"inner"'));
  writeFileSync(log, `${lines.slice(0, until + 1).join('\n')}\n`);
  start();
  asked.length = 0;
  const resumed = await runQuod(['resume', 'last', '--write'], folder);
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
  expect(asked).toEqual(['outer', 'goal', 'later', 'later']);
  expect(ended().map(({ theorem, name, by }) => [theorem, name, by])).toEqual(told);
  expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(written);
}, 600_000);

test('the lemmas of lemmas count as lemmas of the theorem', async () => {
  const { run, ended, heard } = await play(OPEN, SPLIT, ['lemmas=1', '--theorem', 'goal']);
  expect(run.exitCode).toBe(1);
  expect(heard.join('\n')).toContain('No more lemmas');
  expect(ended().map(({ name, proof }) => [name, proof])).toEqual([['outer', null]]);
}, 600_000);
