import { expect, it } from 'vitest';
import { dataFindings } from './data-findings.ts';
import type { StoredTheorem, TheoryData } from './theory-data.ts';

const theory = (theorems: Readonly<Record<string, StoredTheorem['kind']>>): TheoryData => ({
  ...{ name: 'x', sha1: '', parents: [] },
  theorems: new Map(
    Object.entries(theorems).map(([name, kind]) => [
      name,
      { statement: 'T', kind, oracles: [], hasHypotheses: false },
    ]),
  ),
});

it('every finding names what it is about, since faces show its message alone', () => {
  const policy = {
    ...{ allowsAxiom: () => false, allowsOracle: () => true },
    ...{ definitionsMayChange: [], helperLemmas: false },
  };
  const target = theory({ lost: 'theorem', same: 'theorem' });
  const submission = theory({ same: 'theorem', ax: 'axiom', helper: 'theorem' });
  const said = dataFindings('xScript.sml', target, submission, policy);
  expect(said.map(({ kind, message }) => [kind, message.split(':')[0]])).toEqual([
    ['missing', 'lost'],
    ['new-axiom', 'x$ax'],
    ['helper-not-allowed', 'helper'],
  ]);
});
