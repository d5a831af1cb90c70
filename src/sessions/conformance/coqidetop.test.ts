import { describe, it } from 'vitest';
import { findRocq } from '../find-rocq.ts';
import { findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { describePort } from './rocq-port.ts';

if (findCoqidetop() === undefined) {
  describe('the prover port over coqidetop', () => {
    it.skip('needs coqidetop, which is not on this machine', () => {});
  });
} else {
  describePort('coqidetop', { open: () => findRocq('coqidetop') });
  describePort('coqidetop in a long document', { open: () => findRocq('coqidetop'), sentencesBefore: 300 });
}
