import { describe, it } from 'vitest';
import { createCoqidetop, findCoqidetop } from '../coqidetop/adapter.ts';
import { describePort } from './port.ts';

if (findCoqidetop() === undefined) {
  describe('the prover port over coqidetop', () => {
    it.skip('needs coqidetop, which is not on this machine', () => {});
  });
} else {
  describePort('coqidetop', { open: () => createCoqidetop() });
  describePort('coqidetop in a long document', { open: () => createCoqidetop(), sentencesBefore: 300 });
}
