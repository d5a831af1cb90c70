import { describe, expect, it } from 'vitest';
import { axiomsByAsked, openStatementsOf } from './open-statements.ts';

const judged = (name: string, ...openStatements: string[]) => ({ name, assumptions: [], openStatements });
const named = (name: string, ...otherNames: string[]) => ({ name, otherNames });
const nameless = { otherNames: [] };

describe('the open statements that a proof rests on', () => {
  it('are those of its own statement, also inside a module', () => {
    const verdict = [judged('a', 'x'), judged('M.b', 'y', 'z')];
    expect(openStatementsOf(verdict, [named('b'), named('a')])).toEqual([['y', 'z'], ['x']]);
  });

  it('are those of every part of a mutual statement', () => {
    const verdict = [judged('even', 'x'), judged('odd', 'x', 'y')];
    expect(openStatementsOf(verdict, [named('even', 'odd')])).toEqual([['x', 'y']]);
  });

  it('are those that nobody else claims where a statement has no name', () => {
    const verdict = [judged('a', 'x'), judged('Unnamed_thm', 'y')];
    expect(openStatementsOf(verdict, [nameless, named('a')])).toEqual([['y'], ['x']]);
  });

  it('are all of them where it cannot be told, never fewer', () => {
    expect(openStatementsOf([judged('M.a', 'x'), judged('N.a', 'y')], [named('a')])).toEqual([['x', 'y']]);
    expect(openStatementsOf([judged('renamed', 'x')], [named('a')])).toEqual([['x']]);
    expect(openStatementsOf([judged('a', 'x')], [named('a'), nameless])).toEqual([['x'], ['x']]);
  });
});

describe('the axioms that a proof rests on', () => {
  it('are told for each proof, without what is open in the file or in another one', () => {
    const one = { name: 'M.a', assumptions: ['Coq.ax'], openStatements: ['Lib.open', 'x'] };
    const other = { name: 'b', assumptions: ['own'], openStatements: [] };
    expect(axiomsByAsked([one, other], [named('b'), named('a')])).toEqual([['own'], ['Coq.ax']]);
  });
});
