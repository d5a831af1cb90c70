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

test('a name of several theorems means none of them, and a qualified one means its own', async () => {
  const home = mkdtempSync(join(tmpdir(), 'quod-bench-tasks-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, 'a.v'), FILE);
  const open = (theorem: string, hideNames: boolean) => {
    const spec = specSchema.parse({
      name: 'it',
      theorems: { 'a.v': [theorem] },
      hideNames,
      methods: [{ name: 'one', settings: {} }],
    });
    return openBenchTask({ file: 'a.v', theorem }, { spec, home });
  };
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
