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
    [hard('hard', 'f'), {}, hard('again', 'g'), {}],
    ['toolCallsPerLemma=1', 'refuteSeconds=0'],
  );
  expect(ended.map(({ theorem, name, proof }) => [theorem, name, proof])).toEqual([
    ['one', 'hard', null],
    ['two', 'again', null],
  ]);
  expect(ended[0]?.claim).toBe(ended[1]?.claim);
  expect(heard.find((text) => text.includes('tried before with as much'))).toBeDefined();
  expect(ofLemmas).toHaveLength(1);
}, 300_000);
