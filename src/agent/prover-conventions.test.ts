import { expect, test } from 'vitest';
import { wholeProofOf } from './prover-conventions.ts';

test.each([
  [{ proof: 'auto.' }, 'auto.'],
  [{ proof: '```coq\nauto.\n```', from: 's0' }, 'auto.'],
  [{ proof: 'auto.', from: 's3' }, undefined],
  [{ script: 'auto.' }, undefined],
])('%j holds the whole proof %j', (input, proof) => {
  expect(wholeProofOf(JSON.stringify(input))).toBe(proof);
});
