import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { splice } from './splice.ts';

function spliced(text: string, name: string, proof: string): string {
  const outline = outlineOf(text);
  const theorem = outline.statements.find((item) => item.name === name);
  if (theorem === undefined) throw new Error(`no ${name}`);
  const { span, text: replacement } = splice(outline, theorem, proof);
  return text.slice(0, span.start) + replacement + text.slice(span.end);
}

describe('splice', () => {
  it.each([
    [
      'an admitted proof',
      'Lemma a : True.\nAdmitted.\nCheck a.',
      'exact I.',
      'Lemma a : True.\nProof.\n  exact I.\nQed.\nCheck a.',
    ],
    [
      'what ends a file without a dot',
      'Lemma a : True.\nProof. Admitted\n',
      'exact I.',
      'Lemma a : True.\nProof.\n  exact I.\nQed.\n',
    ],
    [
      'a whole script',
      'Lemma a : True.\nProof. Abort.',
      'Proof.\n  exact I.\nDefined.',
      'Lemma a : True.\nProof.\n  exact I.\nDefined.',
    ],
    [
      'the using clause of the file',
      '  Lemma a : True.\n  Proof using n. Admitted.\n',
      'exact I.',
      '  Lemma a : True.\n  Proof using n.\n    exact I.\n  Qed.\n',
    ],
    [
      'a definition',
      'Definition d : nat.\nAdmitted.',
      'exact 1.',
      'Definition d : nat.\nProof.\n  exact 1.\nDefined.',
    ],
    [
      'the comments of an open proof, but for those that the script has',
      '  Lemma a : True.\n  (* 0 *)\n  Proof. (* 1 *)\n    idtac. (* 2 (* in *)\n    two *) admit. (* 3 *)\n  Admitted. (* 4 *)',
      '(* 3 *)\nexact I.',
      '  Lemma a : True.\n  (* 0 *)\n  Proof.\n    (* 1 *)\n    (* 2 (* in *)\n    two *)\n    (* 3 *)\n    exact I.\n  Qed. (* 4 *)',
    ],
    [
      'none of a finished proof',
      'Lemma a : True.\nProof. (* by hand *) exact I. Qed.',
      'easy.',
      'Lemma a : True.\nProof.\n  easy.\nQed.',
    ],
    [
      'the comments in front of a term',
      'Lemma a : True.\nAdmitted (* 1 *).',
      'Proof I.',
      'Lemma a : True.\n(* 1 *)\nProof I.',
    ],
    [
      'nothing behind the statement',
      'Lemma a : True.',
      'exact I.',
      'Lemma a : True.\nProof.\n  exact I.\nQed.',
    ],
    [
      'the depths of the lines',
      'Lemma a : True.\nAdmitted.',
      '\n\n    split.\n    - easy.\n\n      easy.\n',
      'Lemma a : True.\nProof.\n  split.\n  - easy.\n\n    easy.\nQed.',
    ],
  ])('takes %s', (_, text, proof, expected) => {
    expect(spliced(text, outlineOf(text).statements[0]?.name ?? '', proof)).toBe(expected);
  });

  it('changes one proof and nothing else', () => {
    const proofOf = fc.constantFrom(
      'Admitted.',
      'Proof. exact I. Qed.',
      'Proof using. admit. Admitted.',
      'Abort.',
      'Proof.\n  easy.\nDefined.',
    );
    const script = fc.array(
      fc.constantFrom('easy.', 'split.', '- easy.', '(* Qed. *) auto.', 'idtac "Qed.".'),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(
        fc.array(proofOf, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        script,
        (proofs, pick, lines) => {
          const text = proofs.map((proof, index) => `Lemma l${index} : True.\n${proof}\n`).join('\n');
          const chosen = pick % proofs.length;
          const after = spliced(text, `l${chosen}`, lines.join('\n'));
          const before = outlineOf(text);
          const now = outlineOf(after);
          expect(now.statements.map(({ name, statement }) => [name, statement])).toEqual(
            before.statements.map(({ name, statement }) => [name, statement]),
          );
          const body = (outline: typeof now, index: number) => {
            const item = outline.statements[index];
            return (
              item &&
              outline.sentences
                .slice(item.body.first, (item.closing ?? item.body.end) + 1)
                .map((one) => one.text)
            );
          };
          for (const index of proofs.keys()) {
            if (index !== chosen) expect(body(now, index)).toEqual(body(before, index));
          }
          const wanted = outlineOf(lines.join('\n')).sentences.map((one) => one.text);
          expect(body(now, chosen)?.slice(0, -1)).toEqual(wanted);
          expect(spliced(after, `l${chosen}`, lines.join('\n'))).toBe(after);
        },
      ),
    );
  });
});
