import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { modulesBetween, modulesNamedBy } from './declared-modules.ts';

describe('modulesNamedBy', () => {
  it.each([
    ['Module F (M : MONOID).', ['M']],
    ['Module Type T (Import M N : MONOID) (* (K : GROUP) *) (O : ORDER M).', ['M', 'N', 'O']],
    ['Module G (M : MONOID with Definition t := nat) <: GROUP.', ['M']],
    ['Module N := F A.', ['N']],
    ['Module Import N <: T := F A.', ['N']],
    ['Module N <: T with Definition t := nat.', []],
    ['Module F (M : T) := G M.', ['M']],
    ['Declare Module Import A : GROUP.', ['A']],
    ['Module Plain.', []],
    ['Module Type T.', []],
    ['Lemma l : True.', []],
  ])('%s', (sentence, names) => {
    expect(modulesNamedBy(sentence)).toEqual(names);
  });
});

it('names the modules of the file that are closed, not those around', () => {
  const outline = outlineOf('Module A. Module B. End B. Lemma l : True. Admitted. Section S. End S. End A.');
  expect(modulesBetween(outline, 0, 4)).toEqual(['B']);
  expect(modulesBetween(outline, 4, outline.sentences.length)).toEqual(['A']);
});
