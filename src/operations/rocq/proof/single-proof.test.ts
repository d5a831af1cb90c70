import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { readSentProof, refusalText } from './single-proof.ts';

const FILE = `Lemma a (n : nat) : n = n. (* why *)
Proof. reflexivity. Qed.
Lemma hole : True.
Admitted.
Definition d : nat.
Proof. exact 1. Defined.
`;

function of(name: string) {
  const outline = outlineOf(FILE);
  const item = outline.statements.find((one) => one.name === name);
  if (item === undefined) throw new Error(`no ${name}`);
  return { outline, item };
}

const sent = (proof: string, name = 'a') => readSentProof(proof, of(name));

describe('what honest senders wrap around a proof', () => {
  it.each([
    ['nothing', 'Proof.\n  reflexivity.\nQed.', 'Proof.\n  reflexivity.\nQed.', []],
    ['a closing command alone', 'reflexivity. Qed.', 'reflexivity. Qed.', []],
    ['a missing dot', 'intros. reflexivity', 'intros. reflexivity.', ['A dot was added']],
    ['a missing dot behind Qed', 'reflexivity. Qed\n', 'reflexivity. Qed.', ['A dot was added']],
    ['code fences', '```coq\nreflexivity.\n```', 'reflexivity.', ['The code fences around']],
    ['a fence that stays open', '```\nreflexivity.', 'reflexivity.', ['The code fences around']],
    ['words of an answer', 'Here it is:\n```rocq\nauto.\n```\nIt works.', 'auto.', ['and the words outside']],
    [
      'the statement',
      'Lemma a (n : nat) :  n = n.\nProof. auto. Qed.',
      'Proof. auto. Qed.',
      ['The statement'],
    ],
    [
      'all at once',
      '```coq\nLemma a (n : nat) : n = n. (* so *)\nProof.\n  auto\n```',
      '(* so *)\nProof.\n  auto.',
      ['The code fences', 'The statement', 'A dot'],
    ],
    ['words that are no fences', 'idtac "```". auto.', 'idtac "```". auto.', []],
  ])('is taken off: %s', (_, proof, script, notes) => {
    const read = sent(proof);
    if (read.kind !== 'proof') throw new Error(read.what);
    expect(read.script.trim()).toBe(script);
    expect(read.notes).toEqual(notes.map((note) => expect.stringContaining(note) as string));
  });

  it('is blanked out, so that places stay what they were', () => {
    const proof = '```coq\nLemma a (n : nat) : n = n.\nProof. auto. Qed.\n```';
    const read = sent(proof);
    if (read.kind !== 'proof') throw new Error(read.what);
    expect(read.script.indexOf('auto')).toBe(proof.indexOf('auto'));
    expect(read.script.split('\n')).toHaveLength(proof.split('\n').length);
  });

  it('is nothing where a proof is one already', () => {
    const sentence = fc.constantFrom(
      'auto.',
      'split.',
      '- easy.',
      '(* Qed. *) idtac "Qed.".',
      '{ auto. }',
      'exact (f 1.5).',
    );
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1 }), fc.constantFrom('', ' Qed.'), (sentences, end) => {
        const proof = `Proof. ${sentences.join('\n')}${end}`;
        expect(sent(proof)).toEqual({ kind: 'proof', script: proof, notes: [] });
      }),
    );
  });
});

describe('what is not one proof', () => {
  it.each([
    ['reflexivity. Qed. Qed.', 'the proof ends with a second `Qed`', 18],
    ['reflexivity. Qed. Axiom bad : False.', 'the proof ends with `Qed.` and goes on behind it', 18],
    ['reflexivity. Time Qed. Lemma x : True.', 'goes on behind it', 23],
    ['Proof eq_refl. auto.', 'goes on behind it', 15],
    ['Abort. Lemma a : True. Proof. exact I. Qed.', 'goes on behind it', 7],
    ['reflexivity. Qed. (* and', 'the comment that starts here has no end', 18],
    ['idtac "x. reflexivity.', 'the string that starts here has no end', 0],
    ['reflexivity. Defined.', '`Defined` where the file has `Qed`', 13],
    [
      'Lemma a (n : nat) : 0 = 0. Proof. auto. Qed.',
      'a repeated statement that is not the one of the file',
      0,
    ],
    ['```\na.\n```\nor\n```\nb.\n```', 'code fences', 14],
    ['auto. (* \u202E *)', 'a character that changes the order', 9],
    ['auto. (* \u001b[2F *)', 'a control character (U+001B) stands in the proof', 9],
    ['idtac "a\b".', 'a control character (U+0008)', 8],
    ['auto. (* \rexact *)', 'a control character (U+000D)', 9],
    ['auto. (* \u0000 *)', 'a control character (U+0000)', 9],
    ['auto. (* \u007f *)', 'a control character (U+007F)', 9],
    ['auto. (* \u009b *)', 'a control character (U+009B)', 9],
    ['```\nauto.\f\n```', 'a control character (U+000C)', 9],
  ])('is refused with its cause and its place: %s', (proof, what, start) => {
    const read = sent(proof);
    expect(read).toMatchObject({ kind: 'refused', what: expect.stringContaining(what) as string });
    if (read.kind !== 'refused') throw new Error('It was taken.');
    expect(read.span.start).toBe(start);
    expect(read.remedy).toMatch(/\.$|:/u);
  });

  it('is not a proof with tabs and line ends of Windows', () => {
    expect(sent('auto.\r\n\t(* done *)\r\n')).toMatchObject({ kind: 'proof' });
  });

  it('is said in one line, with the place in what was sent', () => {
    const read = sent('auto.\nQed.\nQed.');
    if (read.kind !== 'refused') throw new Error('It was taken.');
    expect(refusalText(read, 'auto.\nQed.\nQed.')).toBe(
      'The proof ends with a second `Qed` (3:0). Send one proof: a single closing command, and nothing behind it.',
    );
  });

  it('is not a proof that ends with Defined where the file leaves that open, or has it so', () => {
    expect(sent('exact I. Defined.', 'hole')).toMatchObject({ kind: 'proof' });
    expect(sent('exact 2. Defined.', 'd')).toMatchObject({ kind: 'proof' });
  });

  it('never makes the rest of the file a part of the proof', () => {
    const part = fc.constantFrom(
      'auto.',
      'Qed.',
      '(*',
      '*)',
      '"',
      '```\n',
      'Defined',
      '{{',
      'lp:',
      '.',
      ' ',
      '\n',
      '.(',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const read = sent(parts.join(''));
        if (read.kind === 'refused') return;
        const before = outlineOf(`${read.script}\nLemma next : True.`);
        expect(before.unterminated).toBeUndefined();
        expect(before.sentences.at(-1)?.text).toBe('Lemma next : True.');
      }),
    );
  });
});
