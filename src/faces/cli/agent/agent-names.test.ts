/**
 * Several statements of one short name in a file, for a user of `quod agent`: what is proved and written is the one that is
 * open, and no other, in every way to work. A real Rocq; scripted models over real HTTP, and a stand-in for other agents.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { foldRun } from '../../../agent/runs/fold.ts';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { writeStandIn } from '../../../agent/testing/stand-in-driver.ts';
import type { StandInStep } from '../../../agent/testing/stand-in-driver.ts';
import { runQuod, type QuodRun } from '../testing/run-quod.ts';

const LONG = 600_000;
const MINE = 'Lemma x : 2 = 2.\nProof. (* mine *) exact (eq_refl 2). Qed.\n';
const given = (statement: string, end = 'Abort'): string => `Lemma x : ${statement}.\nProof.\n${end}.\n`;
const inModule = (text: string, name = 'A', kind = 'Module'): string =>
  `${kind} ${name}.\n${text}End ${name.split(' ')[0] ?? name}.\n`;
const proved = (statement: string, proof: string): string =>
  `Lemma x : ${statement}.\nProof.\n  ${proof}\nQed.\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-names-'));
  writeFileSync(join(folder, 'TASK.md'), '## Targets\n- a.v\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (): string => readFileSync(join(folder, 'a.v'), 'utf8');
const agent = async (text: string, ...options: string[]): Promise<QuodRun> => {
  writeFileSync(join(folder, 'a.v'), text);
  return await runQuod(
    ['agent', 'a.v', '--write', ...options, '--set', 'search-seconds=3', 'refute-seconds=0'],
    folder,
  );
};
const outcomes = (): readonly (readonly string[])[] => {
  const runs = runsFolder(folder, {});
  const state = foldRun(readRun(runs, listRuns(runs).at(-1) ?? ''));
  return state?.theorems.map(({ theorem, outcome }) => [theorem, outcome]) ?? [];
};

/** A model that says this of every theorem, as a whole proof or by a tool. */
async function modelSaying(proof: string): Promise<string[]> {
  const server = await startModelServer(({ tools }) =>
    tools === undefined
      ? { text: `\`\`\`coq\nProof. ${proof} Qed.\n\`\`\`` }
      : { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }] },
  );
  onTestFinished(() => server.close());
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  return [
    '--model',
    'scripted/rocq',
    '--no-search-first',
    ...['--set', `providers=${providers}`, 'refute-seconds=0', 'repair-seconds=0', 'commit=false'],
    ...['samples=1', 'contexts=1', 'handoff-messages=4', 'planning=direct', 'plans=1'],
  ];
}

test.each([
  ['in a module', MINE + inModule(given('False')), 'A.x'],
  ['without a proof', MINE + inModule('Lemma x : False.\nAbort.\n'), 'A.x'],
  ['in a module type', MINE + inModule(given('False', 'Admitted'), 'T', 'Module Type'), 'T.x'],
  [
    'in a functor',
    `${MINE}Module Type E.\nEnd E.\n${inModule(given('False', 'Admitted'), 'F (Y : E)')}`,
    'F.x',
  ],
  ['behind a module', inModule(MINE) + given('False'), 'x'],
])(
  'a hole of the name of a finished theorem is not proved by that: %s',
  async (_, text, name) => {
    const run = await agent(text);
    expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(`${name}: Lemma x : False.`);
    expect(written()).toBe(text);
    expect(outcomes()).toEqual([[name, 'not-proved']]);
  },
  LONG,
);

test.each(['search', 'few-shot', 'plan', 'task'])(
  'the proof goes into the place of the hole (%s)',
  async (way) => {
    const text = MINE + inModule(given('3 = 3'));
    const model = way === 'search' ? [] : await modelSaying('auto.');
    writeFileSync(join(folder, 'a.v'), text);
    const run =
      way === 'search'
        ? await agent(text)
        : way === 'task'
          ? await runQuod(['agent', '--task', 'TASK.md', ...model], folder)
          : await runQuod(['agent', 'a.v', '--write', '--mode', way, ...model], folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('A.x: written');
    expect(written().replaceAll(/\s+/gu, ' ')).toBe(
      (MINE + inModule(proved('3 = 3', 'auto.'))).replaceAll(/\s+/gu, ' '),
    );
    expect(outcomes()).toEqual([['A.x', 'proved']]);
  },
  LONG,
);

test(
  'a lemma that a sketch states for it stands before it, under a name that Rocq takes',
  async () => {
    // The first names that it could have are those of lemmas in the file.
    const taken = "Lemma A'_x_part_1 : True. Proof. exact I. Qed.\nDefinition A'_x_part_1_2 := 0.\n";
    const text = taken + MINE + inModule(given('3 = 3 /\\ forall n, n + 0 = n', 'Admitted'));
    writeFileSync(join(folder, 'a.v'), text);
    const model = await modelSaying('split. reflexivity. admit.');
    const run = await runQuod(['agent', 'a.v', '--write', ...model], folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toMatch(
      /exact \(eq_refl 2\)\. Qed\.\nModule A\.\nLocal Lemma A'_x_part_1_3 :[^]*Lemma x : 3 = 3/u,
    );
  },
  LONG,
);

test(
  'lemmas for theorems whose names differ in a dot alone have names of their own',
  async () => {
    const other = 'Lemma A_x : 4 = 4 /\\ forall n m, n + S m = S (n + m).\nProof.\nAdmitted.\n';
    const text = MINE + inModule(`${given('3 = 3 /\\ forall n, n + 0 = n', 'Admitted')}${other}`);
    writeFileSync(join(folder, 'a.v'), text);
    const model = await modelSaying('split. reflexivity. admit.');
    const run = await runQuod(['agent', 'a.v', '--write', ...model], folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toMatch(/Local Lemma A'_x_part_1 :[^]*Local Lemma A_x_part_1 :/u);
  },
  LONG,
);

test(
  'what is given up and stated again in its place is left out, told, and no success',
  async () => {
    const text = given('1 = 2') + MINE;
    const told = 'a.v: x at line 1 is left out: it is given up, and line 4 states another x';
    const run = await agent(text);
    expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(told);
    expect(written()).toBe(text);
    const other = await agent(`${text}Lemma y : 3 = 3.\nProof.\nAdmitted.\n`);
    expect(other, other.stderr).toMatchObject({ exitCode: 1 });
    expect(other.stderr).toContain(told);
    expect(other.stderr).toContain('1 of 1 theorem proved');
    expect(written()).toContain(text);
  },
  LONG,
);

test(
  'a name that may mean a finished theorem or an open one is refused, with names that work',
  async () => {
    const text = MINE + inModule(given('3 = 3'));
    const refused = await agent(text, '--theorem', 'x');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'The file states several theorems x: the one at line 1 is finished, the one at line 4 is open. The open one is called A.x.',
    );
    expect(written()).toBe(text);
    const same = await agent(text, '--theorem', 'A.x', '--theorem', 'A.x');
    expect(same, same.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toContain('(* mine *)');
    const again = await agent(given('1 = 2') + MINE, '--theorem', 'x');
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toContain('Give one of them another name.');
    const none = await agent(text, '--theorem', 'B.x');
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.stderr).toContain('There is no theorem B.x.');
  },
  LONG,
);

test(
  'open theorems of one name are worked on under the names that tell them apart',
  async () => {
    const text = inModule(given('1 = 1', 'Admitted')) + inModule(given('2 = 2', 'Admitted'), 'B');
    const several = await agent(text, '--theorem', 'x');
    expect(several).toMatchObject({ exitCode: 2 });
    expect(several.stderr).toContain('The file states several theorems x. Say which: A.x, B.x.');
    const one = await agent(text, '--theorem', 'B.x');
    expect(one, one.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toBe(inModule(given('1 = 1', 'Admitted')) + inModule(proved('2 = 2', 'auto.'), 'B'));
    const rest = await agent(written());
    expect(rest, rest.stderr).toMatchObject({ exitCode: 0 });
    expect(outcomes()).toEqual([['A.x', 'proved']]);
    const both = await agent(text);
    expect(both, both.stderr).toMatchObject({ exitCode: 0 });
    expect(both.stderr).toContain('everything together: the gate says accepted');
    expect(written()).toBe(inModule(proved('1 = 1', 'auto.')) + inModule(proved('2 = 2', 'auto.'), 'B'));
  },
  LONG,
);

test(
  'a run goes on with the theorem that it began with, and not with another text',
  async () => {
    const text = MINE + inModule(given('3 = 3'));
    writeFileSync(join(folder, 'a.v'), text);
    const found = await runQuod(['agent', 'a.v', '--set', 'search-seconds=3'], folder);
    expect(found, found.stderr).toMatchObject({ exitCode: 0 });
    const resumed = await runQuod(['resume', 'last', '--write'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toBe(MINE + inModule(proved('3 = 3', 'auto.')));
    const again = await runQuod(['resume', 'last'], folder);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    writeFileSync(join(folder, 'a.v'), MINE + inModule(MINE));
    expect(await runQuod(['resume', 'last'], folder)).toMatchObject({ exitCode: 2 });
  },
  LONG,
);

test(
  'a hole without a name is told, and no success',
  async () => {
    const goal = 'Goal 1 = 1.\nProof.\nAdmitted.\n';
    const alone = await agent(goal);
    expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
    expect(alone.stderr).toContain('a.v: 1 hole without a name is left out: Goal at line 1.');
    expect(alone.stderr).not.toContain('no hole.');
    const beside = await agent(`${goal}Lemma y : 3 = 3.\nProof.\nAdmitted.\n`);
    expect(beside, beside.stderr).toMatchObject({ exitCode: 1 });
    expect(beside.stderr).toContain('1 of 1 theorem proved');
    const resumed = await runQuod(['resume', 'last'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 1 });
    expect(resumed.stderr).toContain('Goal at line 1');
  },
  LONG,
);

test(
  'a file of a task with nothing to work on in it is told when the run goes on, too',
  async () => {
    writeFileSync(join(folder, 'a.v'), 'Goal 1 = 1.\nProof.\nAdmitted.\n');
    writeFileSync(join(folder, 'b.v'), 'Lemma y : 3 = 3.\nProof.\nAdmitted.\n');
    writeFileSync(join(folder, 'TASK.md'), '## Targets\n- a.v\n- b.v\n');
    const model = await modelSaying('auto.');
    for (const command of [
      ['agent', '--task', 'TASK.md', ...model],
      ['resume', 'last'],
    ]) {
      const run = await runQuod(command, folder);
      expect(run, run.stderr).toMatchObject({ exitCode: 1 });
      expect(run.stderr).toContain('a.v: 1 hole without a name is left out: Goal at line 1.');
      expect(run.stderr).toContain('1 of 1 theorem proved');
    }
  },
  LONG,
);

async function driven(text: string, steps: readonly StandInStep[]): Promise<QuodRun> {
  writeFileSync(join(folder, 'a.v'), text);
  writeFileSync(join(folder, 'script.json'), JSON.stringify([steps]));
  writeFileSync(join(folder, 'calls.jsonl'), '');
  const settings = [`driver-command=${writeStandIn(folder, 'claude')}`, 'commit=false', 'contexts=1'];
  const command = ['agent', '--task', 'TASK.md', '--fresh', '--driver', 'claude-code', '--set', ...settings];
  return await runQuod(command, folder, {
    STAND_IN_SCRIPT: join(folder, 'script.json'),
    STAND_IN_LOG: join(folder, 'calls.jsonl'),
  });
}
const overwrite = (text: string): StandInStep => ({ overwrite: join(folder, 'a.v'), text });

test(
  'another program that does nothing has proved nothing',
  async () => {
    for (const text of [
      MINE + inModule(given('False')),
      MINE + inModule(given('False', 'Admitted'), 'T', 'Module Type'),
      inModule(MINE) + given('False'),
    ]) {
      const run = await driven(text, [{ say: 'All proved.' }]);
      expect(run, run.stderr).toMatchObject({ exitCode: 1, stdout: '' });
      expect(outcomes().map(([, outcome]) => outcome)).toEqual(['open']);
    }
  },
  LONG,
);

test(
  'another program has proved the statement in its place, and no other of its name',
  async () => {
    const text = inModule(given('3 = 3', 'Admitted'));
    const beside = await driven(text, [overwrite(proved('3 = 3', 'reflexivity.') + text)]);
    expect(beside, beside.stderr).toMatchObject({ exitCode: 1 });
    expect(outcomes()).toEqual([['x', 'open']]);
    const restated = await driven(MINE + inModule(given('False')), [
      overwrite(MINE + inModule(proved('True', 'exact I.'))),
    ]);
    expect(restated, restated.stderr).toMatchObject({ exitCode: 1 });
    const filled = await driven(MINE + inModule(given('3 = 3')), [
      { call: 'rocq_fill', input: { file: 'a.v', theorem: 'A.x', proof: 'auto.' } },
    ]);
    expect(filled, filled.stderr).toMatchObject({ exitCode: 0 });
    expect(written()).toContain(MINE);
    expect(outcomes()).toEqual([['A.x', 'proved']]);
  },
  LONG,
);
