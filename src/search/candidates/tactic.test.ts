import fc from 'fast-check';
import { expect, it } from 'vitest';
import { piecesOf } from './authored-tactic.ts';
import {
  atom,
  beginningOf,
  first,
  hypothesisStep,
  partsOf,
  sequence,
  solve,
  tacticText,
  using,
  withParts,
  written,
  type Tactic,
} from './tactic.ts';

const TACTICS = fc.letrec<{ tactic: Tactic }>((tie) => ({
  tactic: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(atom('auto'), atom('destruct', 'n as [|m]'), using('eauto 7', ['a', 'b'])),
    fc.array(tie('tactic'), { minLength: 1, maxLength: 3 }).map((parts) => sequence(...parts)),
    fc.array(tie('tactic'), { minLength: 1, maxLength: 3 }).map((parts) => solve(...parts)),
    fc.array(tie('tactic'), { minLength: 1, maxLength: 3 }).map((parts) => first(...parts)),
    tie('tactic').map((finish): Tactic => ({ kind: 'some-hypothesis', use: 'invert', finish })),
    tie('tactic').map((leaf): Tactic => ({ kind: 'firstorder', leaf })),
    fc
      .boolean()
      .chain((tidies) =>
        tie('tactic').map((step): Tactic => ({ kind: 'rounds', times: 2, steps: [step], tidies })),
      ),
  ),
})).tactic;

it.each<[string, Tactic]>([
  [
    'intros; solve [auto | eauto 7 using a, b]',
    sequence(atom('intros'), solve(atom('auto'), using('eauto 7', ['a', 'b']))),
  ],
  ['eauto 7', using('eauto 7', [])],
  [
    'do 2 try first [rewrite a | rewrite b]',
    { kind: 'rounds', times: 2, steps: [atom('rewrite', 'a'), atom('rewrite', 'b')], tidies: false },
  ],
  [
    'do 6 try (first [auto]; subst; try discriminate)',
    { kind: 'rounds', times: 6, steps: [atom('auto')], tidies: true },
  ],
  [
    'match goal with H : _ |- False => solve [eapply H; auto] end',
    { kind: 'some-hypothesis', use: 'refute', finish: atom('auto') },
  ],
  [
    'match goal with K : odd _ |- _ => destruct K end',
    { kind: 'derivations', use: 'destruct', predicates: ['odd'], places: 1, known: 'IHeven' },
  ],
  [
    'repeat match goal with K : even _ |- _ => let H := fresh "IHeven" in pose proof (IHeven _ K) as H; revert K end',
    { kind: 'derivations', use: 'note', predicates: ['even'], places: 1, known: 'IHeven' },
  ],
  [
    'try pose proof (@lemma _ x)',
    { kind: 'try', tactic: { kind: 'pose', lemma: 'lemma', everyArgument: true, arguments: ['_', 'x'] } },
  ],
  ['try (left; auto)', { kind: 'try', tactic: sequence(atom('left'), atom('auto')) }],
  ['firstorder (subst; eauto)', { kind: 'firstorder', leaf: sequence(atom('subst'), using('eauto', [])) }],
])('is written %s', (text, tactic) => {
  expect(tacticText(tactic)).toBe(text);
});

it('is a sequence without sequences in it', () => {
  fc.assert(
    fc.property(TACTICS, TACTICS, (one, other) => {
      const both = sequence(one, other);
      expect(partsOf(both).every(({ kind }) => kind !== 'sequence')).toBe(true);
      expect(tacticText(both)).toBe(`${tacticText(one)}; ${tacticText(other)}`);
      expect(beginningOf(both)).toEqual(beginningOf(one));
    }),
  );
});

it('has parts that can be put back', () => {
  fc.assert(
    fc.property(TACTICS, (tactic) => {
      expect(withParts(tactic, (part) => part)).toEqual(tactic);
    }),
  );
});

it('is taken apart alike as a value and as its text', () => {
  fc.assert(
    fc.property(TACTICS, (tactic) => {
      const asWritten = piecesOf(written(tacticText(tactic)));
      expect(asWritten.map(tacticText)).toEqual(piecesOf(tactic).map(tacticText));
    }),
  );
});

it('has one way to use a hypothesis, whichever it is', () => {
  expect(tacticText(hypothesisStep('invert', 'H1'))).toBe('inversion H1; subst');
  expect(tacticText(hypothesisStep('refute', 'H1'))).toBe('eapply H1');
});
