import { expect, test } from 'vitest';
import {
  nameInModules,
  sameStatementIn,
  statedAgain,
  statementMeant,
  statementNamed,
  tellingName,
  titleOf,
} from './named-statements.ts';
import { outlineOf } from './outline.ts';

const DONE = 'Proof. Qed.';

test('the name of a statement means it, and no other of its short name', () => {
  const outline = outlineOf(
    `Lemma x : True. ${DONE} Module A. Lemma x : True. Abort. Section S. Lemma y : True. Admitted. End S. End A. Module B. Lemma x : True. ${DONE} Lemma y : True. ${DONE} Lemma z : True. Abort. End B.`,
  );
  const names = outline.statements.map((item) => tellingName(outline, item));
  expect(names).toEqual(['x', 'A.x', 'A.S.y', 'B.x', 'B.y', 'z']);
  for (const [index, name] of names.entries())
    expect(statementNamed(outline, name ?? '')).toBe(outline.statements[index]);
  expect(statementMeant(outline, 'y')).toEqual({ kind: 'several', names: ['A.S.y', 'B.y'] });
  expect(statementMeant(outline, 'C.x')).toEqual({ kind: 'none' });
  expect(outline.statements.map((item) => nameInModules(outline, item))[2]).toBe('A.y');
});

test('what is given up and stated again has no name; what is stated without one has none', () => {
  const outline = outlineOf(
    `Lemma x : True. Abort. Lemma x : False. Abort. Lemma z : True. Abort. Lemma z : True. ${DONE} Goal True. Abort. Module M. Lemma z : True. Abort. End M.`,
  );
  const { statements } = outline;
  expect(statements.map((item) => tellingName(outline, item))).toEqual([
    undefined,
    'x',
    undefined,
    'z',
    undefined,
    'M.z',
  ]);
  expect(statements.map((item) => statedAgain(outline, item)?.sentence)).toEqual([
    statements[1]?.sentence,
    undefined,
    statements[3]?.sentence,
    undefined,
    undefined,
    undefined,
  ]);
});

test('what is told of statements tells those apart that have one name', () => {
  const outline = outlineOf(
    'Module A. Lemma t : True. Admitted. Lemma u : True. Admitted. End A. Section S. Lemma t : 1 = 1. Admitted. End S. Lemma t : 2 = 2. Admitted. Goal True. Admitted.',
  );
  const titles = outline.statements.map((item) => titleOf(outline, item));
  expect(titles).toEqual(['A.t', 'u', 'S.t', 't', 'Goal']);
});

test('in another text a statement is looked for where it stood', () => {
  const [item] = outlineOf('Module A. Lemma x : True. Admitted. End A.').statements;
  const now = outlineOf(
    `Lemma x : True. ${DONE} Module A. Lemma x : False. Abort. Lemma x : True. ${DONE} End A.`,
  );
  expect(item && sameStatementIn(now, item)).toBe(now.statements[2]);
  expect(item && sameStatementIn(outlineOf(`Lemma x : True. ${DONE}`), item)).toBeUndefined();
});
