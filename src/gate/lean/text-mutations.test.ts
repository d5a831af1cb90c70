/** A few of the mutations of bench/lean/text-mutations.ts, with a fixed seed. */
import { expect, it } from 'vitest';
import { TextJudge } from './testing/judged-text.ts';
import { lookAt, lookedUpName } from './testing/independent-look.ts';
import { randomNumbers } from './testing/mutation.ts';
import { smallExport } from './testing/recorded-exports.ts';
import { mutateText } from './testing/text-mutation.ts';
import { type Step, writtenExport } from './testing/written-export.ts';

it('the independent look tells statements, definitions and axioms apart', () => {
  const theorem = lookedUpName(['t']);
  const look = (...steps: readonly Step[]) => lookAt(writtenExport(steps), theorem);
  const claim = (value: string): Step => ['definition', 'Claim', 'Prop', value];
  const proof = (value: string): Step => ['theorem', 't', 'Claim', value];
  const honest = look(claim('True'), proof('True.intro'));
  expect(honest.meaning).toBeDefined();
  expect(look(claim('True'), ['axiom', 'lie', 'True'], proof('lie'))).toEqual({
    meaning: honest.meaning,
    axioms: new Set([lookedUpName(['lie'])]),
  });
  expect(look(claim('False'), proof('True.intro')).meaning).not.toBe(honest.meaning);
  expect(look(claim('True')).meaning).toBeUndefined();
});

it.each(['025_peano3', '090_ruleK', '118_quotLiftReduction', '119_quotIndReduction'])(
  'no change of the text of %s is accepted that means something else',
  (name) => {
    const { text } = smallExport(name);
    const judge = new TextJudge(text);
    const random = randomNumbers(20);
    const kinds = new Set<string>();
    try {
      expect(judge.judge(text)).toEqual({ kind: 'accepted', wrong: undefined });
      for (let count = 0; count < 120; count++) {
        const mutation = mutateText(text, random);
        const { kind, wrong } = judge.judge(mutation.text);
        kinds.add(kind);
        expect(wrong, mutation.what).toBeUndefined();
      }
    } finally {
      judge.end();
    }
    expect(kinds.has('unknown')).toBe(true);
    expect(kinds.has('rejected')).toBe(true);
  },
);
