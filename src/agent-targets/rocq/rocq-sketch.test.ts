/** Cutting a sketch at its holes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsBetweenHoles } from './rocq-sketch.ts';

const SENTENCES = ['intros n.', 'split.', '-', '{', '}', 'rewrite (admit_lemma n).', 'idtac "admit.".'];
const HOLES = ['admit.', 'give_up.', 'sorry.', '?.'];

test('a script is cut at each sentence that is a hole, and nowhere else', () => {
  const part = fc.array(fc.constantFrom(...SENTENCES), { maxLength: 4 });
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  const layout = fc.record({ hole: fc.constantFrom(...HOLES), frame: fc.boolean() });
  fc.assert(
    fc.property(parts, layout, (texts, { hole, frame }) => {
      const inner = texts.map((sentences) => sentences.join('\n')).join(`\n${hole} (* admit. *)\n`);
      const script = frame ? `Proof.\n${inner}\nQed.\nLemma next : True.` : inner;
      expect(textsBetweenHoles(script)).toEqual(texts.map((sentences) => sentences.join('\n')));
    }),
  );
});
