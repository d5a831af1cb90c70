import { describe, expect, it } from 'vitest';
import { shorterSentences, splitTopLevel } from './minimise.ts';

describe('splitTopLevel', () => {
  it.each([
    ['a; b; c', ';', ['a', 'b', 'c']],
    ['a; [b; c | d]; e', ';', ['a', '[b; c | d]', 'e']],
    [
      'repeat match goal with | H : _ |- _ => a; b end; c',
      ';',
      ['repeat match goal with | H : _ |- _ => a; b end', 'c'],
    ],
    [
      'lazymatch goal with |- _ => a; b end; multimatch goal with |- _ => c; d end',
      ';',
      ['lazymatch goal with |- _ => a; b end', 'multimatch goal with |- _ => c; d end'],
    ],
    ['auto | lia || ring | easy', '|', ['auto', 'lia || ring', 'easy']],
    ['idtac "a;b"; rematch', ';', ['idtac "a;b"', 'rematch']],
  ] as const)('splits %s', (text, separator, parts) => {
    expect(splitTopLevel(text, separator)).toEqual(parts);
  });
});

it('offers what is posed without precautions', () => {
  expect([...shorterSentences('try pose proof (@app_length _ l k); lia')]).toEqual([
    'lia',
    'try pose proof (@app_length _ l k)',
    'pose proof (@app_length _ l k); lia',
    'try pose proof (app_length l k); lia',
  ]);
});

it('offers each alternative alone and each chain without one piece', () => {
  expect([...shorterSentences('solve [auto | lia]')]).toEqual(['auto', 'lia']);
  expect([...shorterSentences('intros; simpl; auto')]).toEqual([
    'simpl; auto',
    'intros; auto',
    'intros; simpl',
  ]);
});
