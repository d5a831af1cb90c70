/** Takes every proof that the search finds: the figures are about the search. */
import type { Judge } from '../../src/search/prove-request.ts';

export const everyProofCounts: Judge = ({ theorems }) =>
  Promise.resolve({
    kind: 'accepted',
    warnings: [],
    restOn: theorems.map(() => ({ openStatements: [], axioms: [] })),
  });
