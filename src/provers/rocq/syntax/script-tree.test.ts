import { expect, it } from 'vitest';
import { BULLETS, scriptSentences, scriptText, type ScriptTree } from './script-tree.ts';

const leaf = (sentence: string): ScriptTree => ({ sentences: [sentence], children: [] });
const tree: ScriptTree = {
  sentences: ['induction n'],
  children: [
    leaf('reflexivity'),
    { sentences: ['simpl'], children: [{ sentences: ['split'], children: [leaf('auto'), leaf('lia')] }] },
  ],
};

it('writes branches with bullets and chains without', () => {
  expect(scriptText(tree, { indent: '  ', newline: '\n', bullets: BULLETS }, '  ')).toBe(
    ['  induction n.', '  - reflexivity.', '  - simpl.', '    split.', '    + auto.', '    + lia.'].join(
      '\n',
    ),
  );
});

it('writes braces where bullets may be taken', () => {
  expect(scriptText(tree, { indent: '  ', newline: '\r\n', bullets: [] }, '')).toBe(
    ['induction n.', '{ reflexivity. }', '{ simpl.', '  split.', '  { auto. }', '  { lia. } }'].join('\r\n'),
  );
});

it('runs as focused sentences', () => {
  expect(scriptSentences(tree)).toEqual([
    'induction n.',
    '{',
    'reflexivity.',
    '}',
    '{',
    'simpl.',
    'split.',
    '{',
    'auto.',
    '}',
    '{',
    'lia.',
    '}',
    '}',
  ]);
});
