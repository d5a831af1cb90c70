import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import { classify } from './commands.ts';
import { confinedText } from './restricted-text.ts';

const HONEST = `Require Import Arith List.
Import ListNotations.
(* The sum of two numbers. it does not change when they are swapped *)
#[local] Hint Resolve Nat.add_comm : core.
Definition f (n : nat) (* a number *) : nat := n + 1.
Time Lemma l : forall n, f n = S n.
Proof.
  intros n; unfold f.
  - { rewrite Nat.add_comm. reflexivity. }
  all: Nat.order.
  1-2, 3: try lia.
  [a]: auto.
Qed.
Print l. Check l. Print Assumptions l.
Local Open Scope nat_scope. Program Definition g : nat := 1. Next Obligation. Export List.
`;

const DANGEROUS = [
  'Redirect "f" Print nat.',
  'Declare ML Module "x".',
  'Elpi Program p lp:{{ }}.',
  'Load "secret".',
  'Extraction "f" nat.',
  'Extraction nat.',
  'Recursive Extraction nat.',
  'Extraction TestCompile nat.',
  'Cd "/".',
  'Add LoadPath "/".',
  'Print Universes "f".',
  'Drop.',
  'Write State "f".',
  'Set Dump Bytecode.',
];

describe('a text for Rocq without a sandbox', () => {
  it('is let through when it is an honest one', () => {
    expect(confinedText(HONEST)).toEqual({ ok: true });
    expect(confinedText('')).toEqual({ ok: true });
  });

  it.each([
    ['as it is', (command: string) => command],
    ['behind a sentence', (command: string) => `Check nat. ${command}`],
    [
      'in what looks like a comment (a notation with the token `.(`)',
      (command: string) => `Notation "a .( b )" := (a + b) (only parsing). Check 1.(* 0 ) . ${command} (* *)`,
    ],
    ['behind the end of a comment', (command: string) => `Check nat. (* one . *) (* two *)${command}`],
    ['behind a comment with a string', (command: string) => `(* " *) " *) ${command}`],
    ['in what looks like a string', (command: string) => `Check 1."a . ${command} "`],
    ['behind a bullet', (command: string) => `Goal True. -+*${command}`],
    ['behind braces', (command: string) => `Goal True. { { }${command}`],
    ['behind a selector', (command: string) => `Goal True. 1 , 2 - 3 : ${command}`],
    ['behind a row that Rocq takes for no selector', (command: string) => `Goal True. 1all: { ${command}`],
    ['behind a divided selector', (command: string) => `Goal True. [ (* *) x ] (* *): ${command}`],
    ['behind Time', (command: string) => `Time Fail Timeout 5 ${command}`],
    ['behind a divided Timeout', (command: string) => `Timeout (* *) 5 ${command}`],
    ['behind Time and a comment', (command: string) => `Time (* *) ${command}`],
    ['behind Local', (command: string) => `Local Program ${command}`],
    ['behind attributes', (command: string) => `#[local, universes(polymorphic=no)] #[export]\n${command}`],
    ['behind attributes with a string', (command: string) => `#[deprecated(note="]")] ${command}`],
    ['behind a blank of another kind', (command: string) => `Check nat.\f${command}\u00a0`],
    ['at the end', (command: string) => `Check nat.\n${command.slice(0, -1)}.`],
  ])('is refused with a command that reaches out, %s', (_, hidden) => {
    for (const command of DANGEROUS)
      expect(confinedText(hidden(command)), hidden(command)).toMatchObject({ ok: false });
  });

  it('tells the place and the command', () => {
    expect(confinedText('Check nat.\n  Redirect "f" Print nat.')).toEqual({
      ok: false,
      position: { line: 2, column: 2 },
      message: 'The command Redirect (it writes a file) could be run here, and there is no sandbox.',
    });
  });

  it('may use what the policy allows', () => {
    expect(confinedText('Elpi Query lp:{{ true }}.', ['Elpi'])).toEqual({ ok: true });
    expect(confinedText('Elpi Query lp:{{ true }}. Load "x".', ['Elpi'])).toMatchObject({ ok: false });
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '. ',
      '.\n',
      '.',
      '(*',
      '*)',
      '"',
      '{',
      '}',
      '- ',
      '+',
      '1: ',
      'all: ',
      'all',
      ' ',
      '\n',
      '.(',
      '1',
      '[x]: ',
      '#[local] ',
    ],
    ...['Time ', 'Timeout 3 ', 'Local ', 'intros', 'Check nat', 'Qed', 'Proof', 'x', ':=', 'Lemma l : True'],
    ...[
      'Redirect "f" Print nat',
      'Load "x"',
      'Elpi Query',
      'Print Universes "f"',
      'Set Dump Bytecode',
      'Cd "/"',
    ],
  ),
  fc.string({ maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

/** The first words that classify as reaching out, by one way to cut. */
function reachesOut(source: string): boolean {
  return splitSentences(source).sentences.some(({ role, span }) => {
    if (role !== 'command') return false;
    const tokens = significantTokens(source.slice(span.start, span.end)).map((token) => token.text);
    const found = classify(tokens, { inProof: true, inSection: true }, new Set());
    return found.kind === 'forbidden' && /^\p{Lu}/u.test(found.word);
  });
}

describe('whatever the text', () => {
  it('no sentence of what is let through reaches out, cut as Quod cuts', () => {
    fc.assert(
      fc.property(text, (source) => {
        if (confinedText(source).ok) expect(reachesOut(source)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('nor when comments and strings are none, or begin elsewhere', () => {
    fc.assert(
      fc.property(text, fc.nat(100), (source, from) => {
        if (!confinedText(source).ok) return;
        for (const other of [source.replaceAll('(*', '( '), source.replaceAll('"', ';')])
          expect(reachesOut(other)).toBe(false);
        // As if a comment had ended anywhere where one can.
        const ends = [...source.matchAll(/\*\)/g)].map(({ index }) => index + 2);
        const end = ends[from % Math.max(1, ends.length)];
        if (end !== undefined) expect(reachesOut(source.slice(end))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
