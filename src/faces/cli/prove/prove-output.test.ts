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

it('does not say of what a judge lacks that it is not installed: the search has loaded what the file requires', () => {
  const unjudged: TheoremResult = {
    ...PROVED,
    outcome: {
      ...{ kind: 'not-judged', script: 'Proof. exact I. Qed.', reason: 'library-missing', message: 'words' },
      replacement: { span: { start: 0, end: 0 }, text: '' },
    },
  };
  const why = 'a library that is needed is not there, or cannot be used as it is';
  expect(proofsText([unjudged], '')).toMatch(`(* Found, but not judged: ${why}.\n`);
});

it.each(['\n', '\r\n'])('indents a statement as its proof is in the file, whose lines end in %j', (end) => {
  const file = ['Module M.', '  Theorem t :', '    True.', '  Proof.', '  Admitted.', 'End M.', ''].join(end);
  expect(proofsText([PROVED], file)).toBe('  Theorem t :\n    True.\n  Proof.\n    exact I.\n  Qed.\n');
});
