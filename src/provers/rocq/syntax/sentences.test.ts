import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocqText } from './testing/random-text.ts';
import { onlyFocuses, skipBlanksAndComments, splitSentences } from './sentences.ts';

function texts(text: string): string[] {
  return splitSentences(text).sentences.map((sentence) => sentence.text);
}

function roles(text: string): string[] {
  return splitSentences(text).sentences.map(({ role }) => role);
}

describe('where a sentence ends', () => {
  it.each([
    ['a qualified name', 'Check Nat.add_comm. Check 1.', ['Check Nat.add_comm.', 'Check 1.']],
    ['a dot at the end of the text', 'Check 1.', ['Check 1.']],
    ['a line end of any kind', 'Check 1.\r\nCheck 2.\rCheck 3.\nCheck 4.\tCheck 5.', 5],
    ['a projection', 'Check x.(fst). Check y.', ['Check x.(fst).', 'Check y.']],
    ['a decimal number', 'Check 1.5. Check 2.', ['Check 1.5.', 'Check 2.']],
    [
      'two dots of a recursive notation',
      'Notation "[ x ; .. ; y ]" := (cons x .. (cons y nil) ..). Check 1.',
      2,
    ],
    ['two dots before a blank', 'auto; [> auto | .. ]. idtac.', ['auto; [> auto | .. ].', 'idtac.']],
    ['three dots', 'auto... idtac.', ['auto...', 'idtac.']],
    ['a suffix of MathComp', 'rewrite -[n.+1]addn1 x.1. done.', ['rewrite -[n.+1]addn1 x.1.', 'done.']],
    ['a dot in a string', 'idtac "a. b"" c. ". done.', ['idtac "a. b"" c. ".', 'done.']],
    ['a dot in a comment', 'idtac (* a. *) . done.', ['idtac (* a. *) .', 'done.']],
    ['nested comments', 'idtac (* a (* b. *) c. *). done.', 2],
    ['a string in a comment', 'idtac (* "*)" . *) . done.', ['idtac (* "*)" . *) .', 'done.']],
    ['a doubled quote in a string in a comment', 'idtac (* "a""*)" *). done.', 2],
    ['a dot directly before a comment', 'exact I.(* no end *) idtac.', 1],
    ['a form feed, which is no blank', 'idtac.\fdone.', 1],
    ['a no-break space, which is no blank', 'idtac.\u00a0done.', 1],
    ['a quotation of Elpi', 'Elpi Accumulate lp:{{ a :- b. c "x. }}. Check 1.', 2],
    ['braces nested in a quotation', 'Elpi Query lp:{{ coq.say {{ nat }}. x. }}. Check 1.', 2],
    ['three braces around a quotation', 'Elpi Query lp:{{{ }}. }}}. Check 1.', 2],
    ['a quotation ending with four braces', 'Elpi Query lp:{{ f {{ g }}}}. Check 1.', 2],
    ['attributes', '#[local, using="A. B"] Lemma a : True. Check 1.', 2],
    ['letters beyond the first plane', 'Definition 𝒜 := 1. Check 𝒜.', ['Definition 𝒜 := 1.', 'Check 𝒜.']],
  ])('%s', (_, text, expected) => {
    if (typeof expected === 'number') expect(texts(text)).toHaveLength(expected);
    else expect(texts(text)).toEqual(expected);
  });

  it('skips a byte order mark at the start and nowhere else', () => {
    expect(texts('\ufeffCheck 1.')).toEqual(['Check 1.']);
    expect(splitSentences('Check 1. \ufeff').unterminated).toBeDefined();
  });
});

describe('bullets and braces', () => {
  it.each([
    [
      'bullets',
      '- split. -- auto. + auto. *** auto.',
      ['-', 'split.', '--', 'auto.', '+', 'auto.', '***', 'auto.'],
    ],
    ['bullets and braces without blanks', '-{auto. }+auto.', ['-', '{', 'auto.', '}', '+', 'auto.']],
    ['different bullets in a row', '-+*auto.', ['-', '+', '*', 'auto.']],
    ['braces in a row', '{{auto. }}', ['{', '{', 'auto.', '}', '}']],
    ['a brace with a selector', '2: { auto. }', ['2: {', 'auto.', '}']],
    ['a brace with a selector, no blank', '2:{auto. }', ['2:{', 'auto.', '}']],
    ['a brace with a named selector', "[ x' ]: { auto. }", ["[ x' ]: {", 'auto.', '}']],
    ['comments in a selector', '1 (* c *) : (* d *) { auto. }', ['1 (* c *) : (* d *) {', 'auto.', '}']],
    ['a selector of a tactic', '1-3, 5: auto. all: auto. [x]: auto.', 3],
    ['a tactic that begins like a selector', 'all_tac : { x }. [> auto | auto ].', 2],
    ['a sign behind a comment', '(* c *) - (* d *) auto.', ['-', 'auto.']],
    ['a sign inside a sentence', 'rewrite - foo. exact (a * b + { c }).', 2],
    ['a record', 'exact {| a := 1 |}. Check {x | x = 1}.', 2],
  ])('%s', (_, text, expected) => {
    if (typeof expected === 'number') expect(texts(text)).toHaveLength(expected);
    else expect(texts(text)).toEqual(expected);
  });

  it('tells them apart', () => {
    expect(roles('- 2: { auto. } all: auto.')).toEqual([
      'bullet',
      'open-brace',
      'command',
      'close-brace',
      'command',
    ]);
  });

  it.each([
    ['-', true],
    ['***', true],
    ['{', true],
    ['2: {', true],
    ['[x]:{', true],
    ['}', true],
    ['auto.', false],
    ['2: auto.', false],
    ['- auto.', false],
    ['{ x', false],
    ['', false],
  ])('tells whether %j only focuses', (text, expected) => {
    expect(onlyFocuses(text)).toBe(expected);
  });
});

describe('what has no end', () => {
  it.each([
    ['sentence', 'Check 1. Check 2', 9],
    ['comment', 'Check 1. (* a (* b *)', 9],
    ['comment', 'Check 1. Check (* a', 9],
    ['string', 'Check 1. idtac "a. ""', 9],
    ['quotation', 'Check 1. Elpi Query lp:{{ a. }', 9],
    ['comment', 'Check 1. (* a *) (* " *)', 17],
  ])('a %s', (inside, text, start) => {
    const { sentences, unterminated } = splitSentences(text);
    expect(sentences.map((sentence) => sentence.text)).toEqual(['Check 1.']);
    expect(unterminated).toEqual({ inside, span: { start, end: text.length } });
  });

  it('is nothing in an empty text and in one of blanks and comments', () => {
    expect(splitSentences('')).toEqual({ sentences: [] });
    expect(splitSentences(' (* a. *)\r\n\t')).toEqual({ sentences: [] });
  });
});

describe('for any text', () => {
  it('leaves only blanks and comments between sentences', () => {
    fc.assert(
      fc.property(rocqText, (text) => {
        const { sentences, unterminated } = splitSentences(text);
        let place = text.startsWith('\ufeff') ? 1 : 0;
        for (const { span, text: own } of sentences) {
          expect(skipBlanksAndComments(text, place)).toBe(span.start);
          expect(own).toBe(text.slice(span.start, span.end));
          expect(own).not.toBe('');
          place = span.end;
        }
        if (unterminated === undefined) expect(skipBlanksAndComments(text, place)).toBe(text.length);
        else expect(unterminated.span.start).toBeGreaterThanOrEqual(place);
      }),
    );
  });

  it('finds the sentences of a beginning of the text again when more text follows', () => {
    fc.assert(
      fc.property(rocqText, rocqText, (text, more) => {
        const { sentences } = splitSentences(text);
        const longer = splitSentences(text + more).sentences;
        // The last sentence may have ended only because the text did.
        const certain = sentences.filter(({ span }) => span.end < text.length);
        expect(longer.slice(0, certain.length)).toEqual(certain);
      }),
    );
  });

  it('goes on from any sentence as it did', () => {
    fc.assert(
      fc.property(rocqText, fc.nat(), (text, choice) => {
        const { sentences } = splitSentences(text);
        if (sentences.length === 0) return;
        const index = choice % sentences.length;
        const start = sentences[index]?.span.end ?? 0;
        expect(splitSentences(text, { start }).sentences).toEqual(sentences.slice(index + 1));
      }),
    );
  });
});

const TRAPS = `(* é " *) " *) Require Import List. Import ListNotations.
#[local] Definition é := 1. (* 𝒜 *) Definition x:=(fst(1,2)).
Notation "[[ x ; .. ; y ]]" := (cons x .. (cons y nil) ..).
Lemma a : True /\\ True. Proof with auto.
split. (* c. *) -{ exact I. }
  - split...
Qed.
Lemma b : True /\\ True.
split. 2: { exact I. } Fail exact 0. 1 (* c *):{exact I...
}
Abort.
Section S. Variable y:nat. Lemma d: y=y. Proof using y.\r
 { { auto. } } Qed. End S.
Goal True /\\ True. split;[idtac "a. b""." | (* . *) idtac ]. -- exact I. -- exact I. Qed.
Time Check 2. Check x.
`;

const coqc = spawnSync('coqc', ['--version']).status === 0;

describe('compared with coqc on this machine', () => {
  // Without an installed coqc there is nothing to compare with; bench/splitter.ts has the figures of a full run.
  it.skipIf(!coqc)('cuts the traps as coqc -time does', () => {
    const directory = mkdtempSync(join(tmpdir(), 'quod-sentences-'));
    try {
      writeFileSync(join(directory, 'traps.v'), TRAPS);
      const printed = execFileSync('coqc', ['-q', '-time', 'traps.v'], { cwd: directory, encoding: 'utf8' });
      const theirs = [...printed.matchAll(/^Chars (\d+) - (\d+) \[/gm)].map((match) => [
        Number(match[1]),
        Number(match[2]),
      ]);
      const bytes = (end: number): number => Buffer.byteLength(TRAPS.slice(0, end));
      const ours = splitSentences(TRAPS).sentences.map(({ span }) => [bytes(span.start), bytes(span.end)]);
      expect(theirs.length).toBeGreaterThan(40);
      expect(ours).toEqual(theirs);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
