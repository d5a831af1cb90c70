/** Where a sentence stands in a file, by the definition; and that a text which is only long is judged, or refused as too large. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../../core/position.ts';
import { TooLarge } from '../compiled/ocaml-values.ts';
import { Script } from './script.ts';

const scriptOf = (text: string): Script => new Script({ path: 'S.v', text });

const sentence = fc.constantFrom(
  'Section s.',
  'Module M.',
  'Module Type T.',
  'End s.',
  'Lemma a : True.',
  'Lemma b : True.',
  'Set Nested Proofs Allowed.',
  'exact I.',
  'Qed.',
  'Admitted.',
);

describe('of every sentence', () => {
  it('it is known what is around it', () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 30 }), (sentences) => {
        const script = scriptOf(sentences.join(' '));
        const { scopes } = script.outline;
        for (let index = 0; index < script.length; index += 1) {
          const around = scopes.filter(({ opened, closed = Infinity }) => opened < index && index < closed);
          const modules = around.filter(({ kind }) => kind !== 'section').map(({ name }) => name);
          const inSection = around.some(({ kind }) => kind === 'section');
          expect(script.placeOf({ sentence: index })).toEqual({ modules, inSection });
          expect(script.isInside(index, 'module-type')).toBe(
            around.some(({ kind }) => kind === 'module-type'),
          );
          expect(script.enclosing(index)).toBe(
            script.statements.find(({ item, after }) => item.sentence <= index && index < after),
          );
        }
        for (const name of ['a', 'M.a', 'c'])
          expect(script.statementNamed(name)).toBe(
            script.statements.find(({ names }) => names.includes(name)),
          );
      }),
    );
  });

  it('the column is the same, in whatever order it is asked for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '∀', '𝒜', ' ') });
    fc.assert(
      fc.property(text, fc.array(fc.nat(30)), (written, offsets) => {
        const lines = new LineIndex(written);
        for (const offset of offsets)
          expect(lines.printedAt(offset)).toEqual(new LineIndex(written).printedAt(offset));
      }),
    );
  });
});

describe('a text that is only long', () => {
  it('has modules as deep as it likes', () => {
    const script = scriptOf('Module M. '.repeat(30_000));
    expect(script.outline.scopes.at(-1)?.path.length).toBe(29_999);
    expect(script.placeOf({ sentence: 29_999 }).modules.length).toBe(29_999);
  });

  it('is too large when its names are', () => {
    expect(() => scriptOf('Module M. Lemma a : True. exact I. Qed. '.repeat(10_000))).toThrow(TooLarge);
  });

  it('may be one line, and one sentence', () => {
    const blanks = scriptOf(`${'a (* *) '.repeat(100_000)}.`);
    expect(blanks.key(0)).toBe(`${'a '.repeat(100_000)}.`);
    const lemmas = scriptOf('Lemma a : True. '.repeat(40_000));
    expect(lemmas.statements.at(-1)?.position).toEqual({ line: 1, column: 39_999 * 16 });
  });
});
