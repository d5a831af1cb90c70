import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { specSchema } from '../agent/evaluation/spec.ts';
import { openBenchTask } from './bench-tasks.ts';

const FILE = `Module A.
Lemma t : 1 = 1.
Proof. reflexivity. Qed.
End A.
Module B.
Lemma t : 2 = 2.
Proof. reflexivity. Qed.
Lemma u : 3 = 3.
Proof. reflexivity. Qed.
End B.
`;

function tasksOf(text: string) {
  const home = mkdtempSync(join(tmpdir(), 'quod-bench-tasks-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, 'a.v'), text);
  return (theorem: string, hideNames: boolean) => {
    const spec = specSchema.parse({
      name: 'it',
      theorems: { 'a.v': [theorem] },
      hideNames,
      methods: [{ name: 'one', settings: {} }],
    });
    return openBenchTask({ file: 'a.v', theorem }, { spec, home });
  };
}

test.each([
  ['Definition f : nat.\nProof. exact 0. Defined.', true],
  ['Definition f : nat.\nProof. exact 0. Qed.', true],
  ['Lemma f : nat.\nProof. exact 0. (* shown *) Defined.', true],
  ['Lemma f : 1 = 1.\nProof. reflexivity. Qed.', false],
])('whether it may be a value is known: %j', async (text, isValue) => {
  const open = tasksOf(`${text}\n`);
  expect(await open('f', false)).toMatchObject({ isValue });
});

test('what is not read of a file is told to whoever lists a theorem there', async () => {
  const open = tasksOf(
    'Lemma t : 1 = 1.\nProof. reflexivity. Qed.\n(* open\nLemma u : 1 = 1.\nProof. reflexivity. Qed.\n',
  );
  await expect(open('u', false)).rejects.toMatchObject({
    remedy: 'Its theorems: t. The comment that starts at 3:0 has no end, so that nothing behind it is read.',
  });
});

test('a name of several theorems means none of them, and a qualified one means its own', async () => {
  const open = tasksOf(FILE);
  await expect(open('t', true)).rejects.toThrow('The file states several theorems t.');
  await expect(open('v', true)).rejects.toThrow('There is no theorem v.');
  expect((await open('B.t', true)).text).toContain('Lemma goal_to_prove : 2 = 2.');
  expect(await open('B.t', false)).toMatchObject({
    name: 'a.v#B.t',
    theorem: 'B.t',
    text: expect.stringMatching(/Lemma t : 2 = 2\.\nProof\.\nAdmitted\.\nEnd B\.\n$/u) as unknown,
  });
  expect((await open('u', true)).text).toContain('Lemma goal_to_prove : 3 = 3.');
});
