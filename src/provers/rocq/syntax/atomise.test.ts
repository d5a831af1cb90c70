import { describe, expect, it } from 'vitest';
import { atomise } from './atomise.ts';

describe('atomise', () => {
  it('takes a chain apart, with what runs before each part', () => {
    expect(atomise('induction n; simpl; auto')).toEqual({
      first: ['induction n'],
      cuts: [
        { prefix: 'induction n', steps: ['simpl'] },
        { prefix: 'induction n; simpl', steps: ['auto'] },
      ],
    });
  });

  it('gives each goal its branch', () => {
    expect(atomise('split; [auto | lia]')).toEqual({
      first: ['split'],
      cuts: [{ prefix: 'split', steps: ['auto', 'lia'] }],
    });
  });

  it('takes rewrite lists apart in both languages, under by and now', () => {
    expect(atomise('rewrite A, <- B in H').cuts).toEqual([
      { prefix: 'rewrite A in H', steps: ['rewrite <- B in H'] },
    ]);
    expect(atomise('by rewrite A (B x) -C').cuts.map(({ steps }) => steps[0])).toEqual([
      'rewrite (B x)',
      'rewrite -C',
    ]);
    expect(atomise('now rewrite A').first).toEqual(['rewrite A']);
  });

  it('leaves a single tactic alone', () => {
    expect(atomise('apply le_n')).toEqual({ first: [], cuts: [] });
  });
});
