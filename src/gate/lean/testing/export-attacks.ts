/**
 * Attacks on the check of exports, as data: what the file declares, what is asked of it, and what must be said. `twin` is the
 * innocent file that looks like it. Both stand on the small library (judge/testing/small-library.ts), of which `edits`
 * change the text.
 */
import type { FindingKind } from '../../verdict.ts';

/** `theorem NAME TYPE VALUE`, and so on: the arguments of `ModuleBuilder`. */
export type Step =
  | readonly ['theorem' | 'definition' | 'opaque', name: string, type: string, value: string]
  | readonly ['axiom', name: string, type: string]
  | readonly ['inductive', name: string, type: string, constructors: Readonly<Record<string, string>>]
  /** Leaves out a constant of the library, with its constructors and recursors. */
  | readonly ['remove', name: string];

/** A change of the text of the export, which has one line for each declaration. */
export type Edit =
  | { readonly kind: 'cut-before'; readonly declaration: string }
  | { readonly kind: 'cut-bytes'; readonly bytes: number }
  | { readonly kind: 'append'; readonly text: string }
  | { readonly kind: 'repeat'; readonly declaration: string }
  | { readonly kind: 'meta'; readonly line: string };

export interface ExportAttack {
  readonly name: string;
  readonly expectation: FindingKind | 'unknown';
  /** Asked for; `t` when nothing else is said. */
  readonly theorems?: readonly string[];
  readonly axioms?: readonly string[];
  readonly target?: readonly Step[];
  readonly submission: readonly Step[];
  readonly edits?: readonly Edit[];
  readonly twin: readonly Step[];
  readonly twinEdits?: readonly Edit[];
}

const STATEMENT = '∀ (n : Nat), Eq.{1} Nat n n';
const PROOF = 'fun (n : Nat) => Eq.refl.{1} Nat n';
const HONEST: Step = ['theorem', 't', STATEMENT, PROOF];
const FROM_FALSE = (proof: string): Step => [
  'theorem',
  't',
  STATEMENT,
  `False.rec.{0} (fun (h : False) => ${STATEMENT}) ${proof}`,
];

export const EXPORT_ATTACKS: readonly ExportAttack[] = [
  {
    name: 'the theorem is not there',
    expectation: 'missing',
    submission: [['theorem', 'other', STATEMENT, PROOF]],
    twin: [['theorem', 'other', STATEMENT, PROOF], HONEST],
  },
  {
    name: 'a name that only prints alike',
    expectation: 'missing',
    theorems: ['a.b'],
    submission: [['theorem', '«a.b»', STATEMENT, PROOF]],
    twin: [['theorem', 'a.b', STATEMENT, PROOF]],
  },
  {
    name: 'a name that is a number, and one that is its digits',
    expectation: 'missing',
    theorems: ['a.1'],
    submission: [['theorem', 'a.«1»', STATEMENT, PROOF]],
    twin: [['theorem', 'a.1', STATEMENT, PROOF]],
  },
  {
    name: 'the file was cut before the theorem',
    expectation: 'missing',
    submission: [['definition', 'last', 'Nat', '0'], HONEST],
    edits: [{ kind: 'cut-before', declaration: 't' }],
    twin: [['definition', 'last', 'Nat', '0'], HONEST],
  },
  {
    name: 'the file was cut inside the theorem',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'cut-bytes', bytes: 3 }],
    twin: [HONEST],
  },
  {
    name: 'the last line has no end',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'cut-bytes', bytes: 1 }],
    twin: [HONEST],
  },
  {
    name: 'garbage behind the theorem',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'append', text: 'accepted\n' }],
    twin: [HONEST],
    twinEdits: [{ kind: 'append', text: '\n' }],
  },
  {
    name: 'a term behind the last declaration',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'append', text: '{"ie":1000000,"sort":0}\n' }],
    twin: [HONEST],
  },
  {
    name: 'the theorem is declared a second time, in its own words',
    expectation: 'kernel-rejected',
    submission: [HONEST],
    edits: [{ kind: 'repeat', declaration: 't' }],
    twin: [HONEST],
  },
  {
    name: 'the name stands for an honest theorem first and for an axiom afterwards',
    expectation: 'kernel-rejected',
    submission: [HONEST, ['axiom', 't', 'False']],
    twin: [HONEST, ['axiom', 'unused', 'False']],
  },
  {
    name: 'the theorem is an axiom',
    expectation: 'new-axiom',
    submission: [['axiom', 't', STATEMENT]],
    twin: [HONEST],
  },
  {
    name: 'the theorem is a definition',
    expectation: 'statement-changed',
    submission: [['definition', 't', STATEMENT, PROOF]],
    twin: [HONEST],
  },
  {
    name: 'an axiom of its own',
    expectation: 'new-axiom',
    submission: [['axiom', 'lie', 'False'], FROM_FALSE('lie')],
    twin: [['axiom', 'lie', 'False'], HONEST],
  },
  {
    name: 'an axiom behind a definition',
    expectation: 'new-axiom',
    submission: [['axiom', 'lie', 'False'], ['definition', 'd', 'False', 'lie'], FROM_FALSE('d')],
    twin: [['axiom', 'lie', 'False'], ['definition', 'd', 'False', 'lie'], HONEST],
  },
  {
    name: 'an axiom behind an opaque constant',
    expectation: 'new-axiom',
    submission: [['axiom', 'lie', 'False'], ['opaque', 'o', 'False', 'lie'], FROM_FALSE('o')],
    twin: [['opaque', 'o', 'Nat', '0'], HONEST],
  },
  {
    name: 'an axiom behind another theorem',
    expectation: 'new-axiom',
    submission: [['axiom', 'lie', 'False'], ['theorem', 'lemma', 'False', 'lie'], FROM_FALSE('lemma')],
    twin: [['axiom', 'lie', 'False'], ['theorem', 'lemma', 'False', 'lie'], HONEST],
  },
  {
    name: 'an axiom in the type of a constructor',
    expectation: 'new-axiom',
    submission: [
      ['axiom', 'Empty', 'Prop'],
      ['inductive', 'Box', 'Prop', { mk: 'Empty → Box' }],
      ['theorem', 't', 'Box → Box', 'fun (b : Box) => b'],
    ],
    twin: [
      ['inductive', 'Box', 'Prop', { mk: 'True → Box' }],
      ['theorem', 't', 'Box → Box', 'fun (b : Box) => b'],
    ],
  },
  {
    name: 'sorry',
    expectation: 'admitted',
    submission: [['theorem', 't', STATEMENT, `sorryAx.{0} (${STATEMENT}) Bool.false`]],
    twin: [HONEST],
  },
  {
    name: 'sorry in a definition that computation drops',
    expectation: 'admitted',
    submission: [
      ['definition', 'zero', 'Nat', '(fun (x : Nat) => 0) (sorryAx.{1} Nat Bool.false)'],
      ['theorem', 't', 'Eq.{1} Nat zero 0', 'Eq.refl.{1} Nat 0'],
    ],
    twin: [
      ['definition', 'zero', 'Nat', '(fun (x : Nat) => 0) 1'],
      ['theorem', 't', 'Eq.{1} Nat zero 0', 'Eq.refl.{1} Nat 0'],
    ],
  },
  {
    name: 'compiled code',
    expectation: 'native-code',
    submission: [['theorem', 't', 'True', 'Lean.trustCompiler']],
    twin: [['theorem', 't', 'True', 'True.intro']],
  },
  {
    name: 'a standard axiom that says False',
    expectation: 'new-axiom',
    submission: [['remove', 'propext'], ['axiom', 'propext', 'False'], FROM_FALSE('propext')],
    twin: [
      [
        'theorem',
        't',
        '∀ (a b : Prop), Iff a b → Eq.{1} Prop a b',
        'fun (a : Prop) (b : Prop) (h : Iff a b) => propext a b h',
      ],
    ],
  },
  {
    name: 'a standard axiom whose words are others: Iff holds always',
    expectation: 'new-axiom',
    submission: [
      ['remove', 'propext'],
      ['remove', 'Iff'],
      ['definition', 'Iff', 'Prop → Prop → Prop', 'fun (a : Prop) (b : Prop) => True'],
      ['axiom', 'propext', '∀ {a b : Prop}, Iff a b → Eq.{1} Prop a b'],
      ['theorem', 't', 'Eq.{1} Prop False True', 'propext False True True.intro'],
    ],
    twin: [['theorem', 't', 'Eq.{1} Prop True True', 'Eq.refl.{1} Prop True']],
  },
  {
    name: 'choice without a proof that there is something',
    expectation: 'new-axiom',
    submission: [
      ['remove', 'Classical.choice'],
      ['axiom', 'Classical.choice', 'False'],
      FROM_FALSE('Classical.choice'),
    ],
    twin: [
      [
        'theorem',
        't',
        'Nonempty.{0} True → True',
        'fun (h : Nonempty.{0} True) => Classical.choice.{0} True h',
      ],
    ],
  },
  {
    name: 'an axiom behind a string literal',
    expectation: 'new-axiom',
    submission: [
      ['remove', 'Char.ofNat'],
      ['remove', 'String'],
      ['remove', 'Char'],
      ['inductive', 'Char', 'Type', {}],
      ['axiom', 'character', 'Nat → Char'],
      ['definition', 'Char.ofNat', 'Nat → Char', 'character'],
      ['inductive', 'String', 'Type', { mk: 'List.{0} Char → String' }],
      [
        'definition',
        'contradicts',
        'List.{0} Char → Prop',
        'fun (l : List.{0} Char) => List.rec.{1, 0} Char (fun (l : List.{0} Char) => Prop) True (fun (c : Char) (l : List.{0} Char) (r : Prop) => False) l',
      ],
      [
        'theorem',
        'never',
        '∀ (l : List.{0} Char), contradicts l',
        'fun (l : List.{0} Char) => List.rec.{0, 0} Char contradicts True.intro (fun (c : Char) (l : List.{0} Char) (r : contradicts l) => Char.rec.{0} (fun (c : Char) => False) c) l',
      ],
      [
        'theorem',
        't',
        'False',
        'String.rec.{0} (fun (s : String) => String.rec.{1} (fun (s : String) => Prop) contradicts s) never "a"',
      ],
    ],
    twin: [['theorem', 't', 'Eq.{1} String "a" "a"', 'Eq.refl.{1} String "a"']],
  },
  {
    name: 'another statement than the target has',
    expectation: 'statement-changed',
    target: [['theorem', 't', STATEMENT, `sorryAx.{0} (${STATEMENT}) Bool.false`]],
    submission: [['theorem', 't', 'True', 'True.intro']],
    twin: [HONEST],
  },
  {
    name: 'another definition behind the statement',
    expectation: 'definition-changed',
    target: [
      ['definition', 'Claim', 'Prop', 'False'],
      ['theorem', 't', 'Claim', 'sorryAx.{0} Claim Bool.false'],
    ],
    submission: [
      ['definition', 'Claim', 'Prop', 'True'],
      ['theorem', 't', 'Claim', 'True.intro'],
    ],
    twin: [
      ['definition', 'Claim', 'Prop', 'False'],
      ['theorem', 't', 'Claim', 'sorryAx.{0} Claim Bool.false'],
    ],
    axioms: ['sorryAx'],
  },
  {
    name: 'another inductive type behind the statement',
    expectation: 'definition-changed',
    target: [
      ['inductive', 'Claim', 'Prop', {}],
      ['theorem', 't', 'Claim', 'sorryAx.{0} Claim Bool.false'],
    ],
    submission: [
      ['inductive', 'Claim', 'Prop', { mk: 'Claim' }],
      ['theorem', 't', 'Claim', 'Claim.mk'],
    ],
    twin: [
      ['inductive', 'Claim', 'Prop', {}],
      ['theorem', 't', 'Claim', 'sorryAx.{0} Claim Bool.false'],
    ],
    axioms: ['sorryAx'],
  },
  {
    name: 'a format of the future',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'meta', line: '{"meta":{"format":{"version":"4.0.0"}}}' }],
    twin: [HONEST],
    twinEdits: [{ kind: 'meta', line: '{"meta":{"format":{"version":"3.1.0"}}}' }],
  },
  {
    name: 'no meta line',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'meta', line: '' }],
    twin: [HONEST],
    twinEdits: [{ kind: 'meta', line: '{"meta":{"format":{"version":"3.0.9"},"exporter":7}}' }],
  },
  {
    name: 'a declaration on the meta line, which nobody would read',
    expectation: 'unknown',
    submission: [HONEST],
    edits: [{ kind: 'meta', line: '{"meta":{"format":{"version":"3.1.0"}},"axiom":{}}' }],
    twin: [HONEST],
  },
];
