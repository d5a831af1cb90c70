import { describe, expect, it } from 'vitest';
import { missingDotHint, withLastDot } from './missing-dot.ts';

describe('the dot of the last sentence', () => {
  it.each([
    ['simpl. auto', 'simpl. auto.'],
    ['- rewrite app_nil_r \n', '- rewrite app_nil_r.'],
    ['auto (* so *)', 'auto (* so *).'],
  ])('is added where it is missing: %s', (sent, script) => {
    expect(withLastDot(sent)).toEqual({
      script,
      notes: ['A dot was added at the end of the last sentence.'],
    });
  });

  it.each(['simpl. auto.', '', '{', 'auto. (* open', 'idtac "open'])('is not added otherwise: %s', (sent) => {
    expect(withLastDot(sent)).toEqual({ script: sent, notes: [] });
  });
});

describe('a dot in the middle', () => {
  const hint = (before: string, sentence: string) =>
    missingDotHint(`${before}${sentence}`, { start: before.length, end: before.length + sentence.length });

  it.each([
    ['', 'reflexivity\nQed.', '`Qed`, at 2:0'],
    ['Goal True.\n', 'Lemma a : 1 = 1\n  Proof.', '`Proof`, at 3:2'],
    ['', 'Require Import List\nImport ListNotations\nLemma a : True.', '`Import`, at 2:0'],
    ['', 'simpl (* Qed\nQed *)\nEnd s.', '`End`, at 3:0'],
  ])('may be missing before a line that begins a sentence: %s%s', (before, sentence, where) => {
    expect(hint(before, sentence)).toBe(`Is a dot missing before ${where}?`);
  });

  it.each([
    'Lemma a : True.',
    'apply\n  Lemmas.',
    'Lemma a : True Proof.',
    'idtac "\nQed".',
    'idtac (*\nQed *).',
  ])('is not asked for elsewhere: %s', (sentence) => {
    expect(hint('', sentence)).toBeUndefined();
  });
});
