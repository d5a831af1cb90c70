/** What a project file says in vain is told by all that looks at its project, and keeps none of it from working. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationNamed } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import { passedOverFor } from './passed-over.ts';

let caller: Caller;

beforeAll(async () => {
  caller = await openCaller({
    _CoqProject: '-Q . Shop\n-Qq bags Bag\nA.v\nGone.v\n',
    'A.v': 'Lemma good : True.\nProof. exact I. Qed.\n',
    'B.v': 'Lemma fine : True.\nProof. exact I. Qed.\n',
  });
});
afterAll(async () => {
  await caller.close();
});

test.for([
  ['proof_check', { file: 'A.v' }],
  ['proof_status', {}],
  ['proof_status', { check: true }],
  ['proof_build', {}],
] as const)('%s %j', async ([name, input]) => {
  const answer = await caller.call(name, input);
  expect(answer['passed_over']).toEqual([
    expect.objectContaining({ file: '_CoqProject', line: 4 }),
    expect.objectContaining({ file: '_CoqProject', line: 2 }),
  ]);
  const read = operationNamed(name)?.readAnswer(answer);
  expect(read?.conclusion()?.match(/^_CoqProject:\d: warning: .*$/gmu)).toEqual([
    expect.stringContaining('Gone.v, and there is no such file'),
    expect.stringContaining('`-Qq bags Bag`. Did you mean -Q?'),
  ]);
  if (!('check' in input) && name === 'proof_status') return;
  expect(read?.holds()).toBe(true);
});

test('a project file that breaks while others work costs their answers nothing', async () => {
  await mkdir(join(caller.folder, 'broken'));
  await caller.write('broken/_CoqProject', '-Q "theories Shop\n');
  const paths = ['broken/C.v', 'A.v'].map((name) => join(caller.folder, name));
  expect((await passedOverFor(paths)).map(({ line }) => line)).toEqual([4, 2]);
});
