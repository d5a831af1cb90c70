import { expect, it } from 'vitest';
import { FalseStatements, meansOneOf, speaksOf } from './avoided-statements.ts';

const NAMES = new Set(['M.wrong', 'plain']);
const NONE = new Set<string>();

it('a name means a statement however much of its path is written', () => {
  for (const name of ['M.wrong', 'wrong', '@wrong', '@M.wrong', 'plain', '@plain'])
    expect(meansOneOf(NAMES, name), name).toBe(true);
  for (const name of ['rong', 'N.wrong', 'wrong.M', 'plainly', 'M', ''])
    expect(meansOneOf(NAMES, name), name).toBe(false);
  expect(meansOneOf(NONE, 'wrong')).toBe(false);
});

it('a text speaks of a statement by a word of its own, which no hypothesis hides', () => {
  for (const text of ['apply wrong.', 'rewrite <- (M.wrong n).', 'exact (@plain nat).'])
    expect(speaksOf(text, NAMES, NONE), text).toBe(true);
  for (const text of ['apply wrongly.', 'rewrite M.wrong_too.', 'auto.'])
    expect(speaksOf(text, NAMES, NONE), text).toBe(false);
  expect(speaksOf('apply plain.', NAMES, new Set(['plain']))).toBe(false);
});

it('of open statements those are told that are known to be false', () => {
  const statements = new FalseStatements();
  statements.add('wrong');
  statements.add(undefined);
  expect(statements.among(['sound', 'wrong'])).toEqual(['wrong']);
  expect([...statements.names]).toEqual(['wrong']);
});
