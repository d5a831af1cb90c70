import { describe, it } from 'vitest';
import { findRocq } from '../find-rocq.ts';
import { findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { describeRocqPort } from './rocq-port.ts';

if (findCoqidetop() === undefined) {
  describe('the prover port over coqidetop', () => {
    it.skip('needs coqidetop, which is not on this machine', () => {});
  });
} else {
  describeRocqPort('coqidetop', { open: () => findRocq('coqidetop') });
  describeRocqPort('coqidetop in a long document', {
    open: () => findRocq('coqidetop'),
    sentencesBefore: 300,
  });
}
