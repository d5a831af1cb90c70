/** What `rocq_fill` says of a proof that nobody judged, and how the version of the file is named. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../../core/sha256.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

const OPEN = 'Theorem t : 1 = 2.\nProof.\nAdmitted.\n';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({});
});
afterAll(() => caller.close());

const fill = (proof: string, more = {}) =>
  caller.call('rocq_fill', { file: 'unjudged.v', theorem: 't', proof, unjudged: true, ...more });

it.each([
  ['reflexivity. Qed.', 'Nobody judged the proof.'],
  ['Admitted.', 'Nobody judged the proof.'],
  ['reflexivity.', 'Nobody judged the proof: it ends with `Admitted.`'],
])('a proof that nobody judged is told as such, whatever its end: %s', async (proof, told) => {
  await caller.write('unjudged.v', OPEN);
  const { written, notes } = await fill(proof);
  expect([written, notes]).toEqual([true, expect.arrayContaining([told])]);
});

it('the version of the file is meant in whatever letters its digest is written', async () => {
  const path = await caller.write('unjudged.v', OPEN);
  const { new_file_hash: becomes } = await fill('Admitted.', { dry_run: true });
  const hashes = { file_hash: sha256(OPEN).toUpperCase(), expected_hash: String(becomes).toUpperCase() };
  expect(await fill('Admitted.', hashes)).toMatchObject({ written: true });
  expect(sha256(await readFile(path))).toBe(becomes);
});
