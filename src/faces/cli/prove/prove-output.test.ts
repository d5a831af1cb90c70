/** How proofs stand on stdout. */
import { expect, it } from 'vitest';
import type { TheoremResult } from '../../../search/prove-file.ts';
import { proofsText } from './prove-output.ts';

const PROVED: TheoremResult = {
  ...{ theorem: 't', line: 2, statement: 'Theorem t :\n    True.', nodes: 1, elapsedMs: 0, times: {} },
  outcome: {
    ...{ kind: 'proved', script: 'Proof.\n    exact I.\n  Qed.', axioms: [], warnings: [] },
    replacement: { span: { start: 0, end: 0 }, text: '' },
  },
};

it.each(['\n', '\r\n'])('indents a statement as its proof is in the file, whose lines end in %j', (end) => {
  const file = ['Module M.', '  Theorem t :', '    True.', '  Proof.', '  Admitted.', 'End M.', ''].join(end);
  expect(proofsText([PROVED], file)).toBe('  Theorem t :\n    True.\n  Proof.\n    exact I.\n  Qed.\n');
});
