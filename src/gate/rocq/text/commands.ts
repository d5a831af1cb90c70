/**
 * Which sentences a submission may add to the target: a closed list of what is allowed, never of what is forbidden.
 * What is not recognised is refused.
 *
 * The list keeps out what reaches beyond the prover (files, processes, plugins), what declares things without proof, and
 * what switches kernel checks off. It does not carry the soundness of the verdict by itself: whatever these commands do
 * to names, notations or hints, the compiled result is compared afterwards.
 */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { assumedNames } from '../../../provers/rocq/syntax/assumption-head.ts';

export type CommandClass =
  | { readonly kind: 'tactic' }
  | { readonly kind: 'command' }
  /** A statement or definition in its plain form, which does not change how anything else is read. */
  | { readonly kind: 'plain-declaration' }
  /** `names`: what it declares. */
  | { readonly kind: 'axiom'; readonly names: readonly string[] }
  /** `Admitted`, which ends a proof, or `Admit Obligations`. */
  | { readonly kind: 'admitted'; readonly closesProof: boolean }
  | { readonly kind: 'checks-disabled' }
  /** `word` is what a policy calls it by. */
  | { readonly kind: 'forbidden'; readonly what: string; readonly word: string };

const PLAIN_DECLARATIONS = new Set(
  'Theorem Lemma Fact Remark Corollary Proposition Property Definition Example Fixpoint CoFixpoint'.split(
    ' ',
  ),
);

/** First words of allowed commands that need no second look. */
const COMMANDS = new Set(
  (
    'Proof Qed Defined Save Abort Let Inductive CoInductive Variant Record Structure Class Instance Notation Infix Ltac ' +
    'Abbreviation ' +
    'Ltac2 Hint Arguments Import Export Require From Open Close Delimit Bind Undelimit Section End Opaque Transparent ' +
    'Strategy Coercion Canonical Existing Generalizable Scheme Functional Combined Function Check About Locate Search ' +
    'SearchPattern SearchRewrite Compute Eval Goal Show Implicit Prenex Program Obligation Next Final Solve Equations ' +
    'Reserved Create Remove Typeclasses Derive Lemma Succeed Focus Unfocus Unfocused Guarded Unshelve Grab Existential Module ' +
    'Include Identity Comments Collection Universe Universes Constraint Inspect Test Type ' +
    // Mtac2's `Proof`; no sentence where no such plugin is loaded.
    'MProof'
  ).split(' '),
);

/** Commands that do nothing but to the proof they stand in. */
const PROOF_COMMANDS = new Set('Focus Unfocus Unfocused Guarded Unshelve Show Grab Existential'.split(' '));

/** Commands that only look, or move the focus. */
const LOOKING = new Set(
  (
    'Check About Locate Search SearchPattern SearchRewrite Compute Eval Print Show Guarded Validate Focus Unfocus ' +
    'Unfocused Unshelve Grab Existential'
  ).split(' '),
);

/** No command's name has a dot: a tactic of another module. */
const QUALIFIED = /^\p{L}[^.]*\.[\p{L}\p{Nl}_]/u;

/** Commands of several words. */
const COMMAND_PHRASES: readonly (readonly string[])[] = [
  ['Print', 'Notation'],
  ['Pwd'],
  ['Reset', 'Ltac', 'Profile'],
  ['Tactic', 'Notation'],
  ['Declare', 'Scope'],
  ['Declare', 'Custom', 'Entry'],
  ['Declare', 'Module'],
  ['Add', 'Parametric', 'Morphism'],
  ['Add', 'Morphism'],
  ['Add', 'Parametric', 'Relation'],
  ['Add', 'Relation'],
  ['Add', 'Ring'],
  ['Add', 'Field'],
  ['Add', 'Printing'],
  ['Remove', 'Printing'],
  ['Number', 'Notation'],
  ['String', 'Notation'],
  ['Declare', 'Reduction'],
  ['Declare', 'Equivalent', 'Keys'],
  ['Declare', 'Left', 'Step'],
  ['Declare', 'Right', 'Step'],
  ['Add', 'Search', 'Blacklist'],
  ['Optimize', 'Proof'],
  ['Optimize', 'Heap'],
  ['Enable', 'Notation'],
  ['Disable', 'Notation'],
  ['Validate', 'Proof'],
  // What is extracted is no part of a proof. Printing it, `printsExtracted` allows.
  ['Extract', 'Constant'],
  ['Extract', 'Inductive'],
  ['Extract', 'Inlined', 'Constant'],
  ['Reset', 'Extraction'],
];

/** Options that may be set or unset; a word stands for all options that begin with it. */
const OPTIONS: readonly string[] = [
  'Implicit Arguments',
  'Strict Implicit',
  'Strongly Strict Implicit',
  'Maximal Implicit Insertion',
  'Contextual Implicit',
  'Reversible Pattern Implicit',
  'Manual Implicit',
  'Default Goal Selector',
  'Default Proof Using',
  'Default Timeout',
  'Default Proof Mode',
  'Bullet Behavior',
  'Asymmetric Patterns',
  'Keyed Unification',
  'Primitive Projections',
  'Elimination Schemes',
  'Nonrecursive Elimination Schemes',
  'Case Analysis Schemes',
  'Boolean Equality Schemes',
  'Decidable Equality Schemes',
  'Universe Polymorphism',
  'Polymorphic Inductive Cumulativity',
  'Universe Minimization ToSet',
  'Private Polymorphic Universes',
  'Strict Universe Declaration',
  'Inline Level',
  'Mangle Names',
  'Silent',
  'Program Mode',
  'Program Cases',
  'Program Generalized Coercion',
  'Transparent Obligations',
  'Hide Obligations',
  'Typeclasses',
  'Typeclass Resolution For Conversion',
  'Printing',
  'Short Module Printing',
  'Search Output Name Only',
  'Ltac',
  'Ltac2',
  'Firstorder',
  'Congruence',
  'Intuition',
  'Loose Hint Behavior',
  'SsrRewrite',
  'SsrIdents',
  'SsrHave',
  'SsrOldRewriteGoalsOrder',
  'Rewriting Schemes',
  'Structural Injection',
  'Keep Proof Equalities',
  'Solve Unification Constraints',
  'Suggest Proof Using',
  'Regular Subst Tactic',
  'Refine Instance Mode',
  'Apply With Renaming',
  'Info',
  'Info Auto',
  'Info Eauto',
  'Info Trivial',
  'Warnings',
  'Lia',
  'Nia',
  'Nra',
  'Simplex',
  'Equations',
  'Nested Proofs Allowed',
  'Automatic Coercions Import',
  'Uniform Inductive Parameters',
  'Automatic Proposition Inductives',
  'Dependent Proposition Eliminators',
  'Depth Scheme All',
  'Generate Goal Names',
  'Default Clearing Used Hypotheses',
  'Keep Equalities',
  'Rewrite Output Constraints',
  'SimplIsCbn',
  'Debug Auto',
  'Debug Eauto',
  'Debug Trivial',
  'Hyps Limit',
  'Search Blacklist Locals',
  'Extraction Optimize',
  'Extraction KeepSingleton',
  'Extraction AutoInline',
  'Extraction Conservative Types',
  'Extraction SafeImplicits',
  'Extraction TypeExpand',
  'Extraction Flag',
];

/** Whether the closed list has nothing of the word, or something that begins with it reaches beyond the prover. */
export function mayReachOut(word: string): boolean {
  const isListed =
    COMMANDS.has(word) || COMMAND_PHRASES.some(([first]) => first === word) || ATTRIBUTES.has(word);
  return (
    !isListed || word === 'Declare' || [...REACH.keys()].some((reaching) => reaching.split(' ')[0] === word)
  );
}

const CONTROL = new Set(['Time', 'Fail', 'Succeed', 'Instructions']);
const UNDOING = new Set(['Fail', 'Succeed']);
const MODIFIERS = new Set([
  'Local',
  'Global',
  'Polymorphic',
  'Monomorphic',
  'Cumulative',
  'NonCumulative',
  'Private',
  'Export',
]);
/** Before others `Export` is a command: it takes the names of modules. */
const AFTER_EXPORT = new Set('Set Unset Hint Instance Existing Arguments Obligation Program'.split(' '));
const AXIOMS = new Set('Axiom Axioms Parameter Parameters Conjecture Conjectures'.split(' '));
/** Axioms outside a section, hypotheses within. */
const SECTION_AXIOMS = new Set('Variable Variables Hypothesis Hypotheses Context'.split(' '));
const ATTRIBUTES = new Set(
  (
    'local global export polymorphic monomorphic universes template program canonical using refine deprecated warnings ' +
    'projections cumulative primitive private reversible nonuniform clearbody note mode only yes no since use warn cats ' +
    'schemes default none register'
  ).split(' '),
);
const CHECK_OPTIONS = /^(Guard|Positivity|Universe) Checking$/;

/** `inProof`: a proof is open before the sentence. `inSection`: a section is. `tactics`: capitalised names of tactics. */
export function classify(
  tokens: readonly string[],
  place: { readonly inProof: boolean; readonly inSection: boolean },
  tactics: ReadonlySet<string>,
): CommandClass {
  let at = 0;
  let plain = true;
  let isUndone = false;
  for (;;) {
    const word = orNothing(tokens[at]);
    if (word === '#' && tokens[at + 1] === '[') {
      const close = squareBracketEnd(tokens, at + 1);
      // What `use =` names is none of them.
      const words = tokens
        .slice(at + 2, close)
        .filter(
          (token, place, all) =>
            /^\p{L}/u.test(token) && !(all[place - 2] === 'use' && all[place - 1] === '='),
        );
      if (words.includes('bypass_check')) return { kind: 'checks-disabled' };
      const strange = words.find((attribute) => !ATTRIBUTES.has(attribute));
      if (strange !== undefined)
        return { kind: 'forbidden', what: `the attribute ${strange}`, word: strange };
      plain = false;
      at = close + 1;
    } else if (CONTROL.has(word)) {
      at += 1;
      // What it does is undone.
      if (UNDOING.has(word)) isUndone = true;
    } else if (word === 'Timeout') at += 2;
    else if (MODIFIERS.has(word) && !(word === 'Export' && !AFTER_EXPORT.has(orNothing(tokens[at + 1])))) {
      at += 1;
      plain = false;
    } else break;
  }
  const found = classifyWord(tokens, at, { plain, place, tactics });
  return isUndone && (found.kind === 'admitted' || found.kind === 'axiom') ? { kind: 'command' } : found;
}

function classifyWord(
  tokens: readonly string[],
  at: number,
  {
    plain,
    place,
    tactics,
  }: {
    readonly plain: boolean;
    readonly place: { readonly inProof: boolean; readonly inSection: boolean };
    readonly tactics: ReadonlySet<string>;
  },
): CommandClass {
  const word = orNothing(tokens[at]);
  const isCommandWord = /^\p{Lu}/u.test(word);
  const isTactic = !isCommandWord || tactics.has(word) || QUALIFIED.test(word) || PROOF_COMMANDS.has(word);
  if (place.inProof && isTactic) return { kind: 'tactic' };
  if (word === 'Admitted') return { kind: 'admitted', closesProof: true };
  if (word === 'Admit' && tokens[at + 1] === 'Obligations') return { kind: 'admitted', closesProof: false };
  if (AXIOMS.has(word) || (SECTION_AXIOMS.has(word) && !place.inSection))
    return { kind: 'axiom', names: assumedNames(tokens.slice(at + 1)) };
  if (word === 'Declare' && tokens[at + 1] === 'Instance')
    return { kind: 'axiom', names: assumedNames(tokens.slice(at + 2)).slice(0, 1) };
  if (SECTION_AXIOMS.has(word)) return { kind: 'command' };
  if (word === 'Set' || word === 'Unset') return classifyOption(tokens, at + 1, word);
  if (PLAIN_DECLARATIONS.has(word)) return plain ? { kind: 'plain-declaration' } : { kind: 'command' };
  if (COMMANDS.has(word)) return { kind: 'command' };
  // With a string, `Print Universes` writes a file.
  if (word === 'Print' && !tokens.some((token) => token.startsWith('"'))) return { kind: 'command' };
  if (COMMAND_PHRASES.some((phrase) => phrase.every((part, index) => tokens[at + index] === part))) {
    return { kind: 'command' };
  }
  if (printsExtracted(tokens.slice(at)) || registersName(tokens.slice(at))) return { kind: 'command' };
  if (word === 'Declare' && tokens[at + 1] === 'ML') {
    const plugin = orNothing(tokens.slice(at).find((token) => token.startsWith('"')));
    return {
      kind: 'forbidden',
      what: `the plugin ${plugin} (machine code)`,
      word: plugin.replaceAll('"', ''),
    };
  }
  const reach = REACH.get(word) ?? REACH.get(`${word} ${orNothing(tokens[at + 1])}`);
  const what = word === '' ? 'an empty sentence' : `the command ${word}`;
  return { kind: 'forbidden', what: reach === undefined ? what : `${what} (${reach})`, word };
}

/** Whether a command leaves no trace in the file. With a string, some of them write files. */
export function onlyLooks(tokens: readonly string[]): boolean {
  return LOOKING.has(orNothing(tokens[0])) && !tokens.some((token) => token.startsWith('"'));
}

/** Whether it goes back in the proof that it stands in, as far as to its beginning: it leaves no more than is not there. */
export function goesBack(tokens: readonly string[]): boolean {
  return /^(?:Restart|Undo|Undo \d+) \.$/u.test(tokens.join(' '));
}

/** Forms of `Extraction` that write files or start programs. */
const EXTRACTING = new Set(['Library', 'TestCompile']);

/** Whether what it extracts is printed, if it extracts anything. */
function printsExtracted(tokens: readonly string[]): boolean {
  const [word, next] = tokens[0] === 'Recursive' ? tokens.slice(1) : tokens;
  const isName = /^[\p{L}_]/u.test(orNothing(next)) && !EXTRACTING.has(orNothing(next));
  return word === 'Extraction' && isName && !tokens.some((token) => token.startsWith('"'));
}

/** Whether tactics and plugins are told what a name stands for, and the kernel is not. */
function registersName([word, what, ...rest]: readonly string[]): boolean {
  if (word !== 'Register' || what === 'Inline') return false;
  const as = rest.indexOf('as');
  return what === 'Scheme' || (as >= 0 && /^(?!kernel\b)[\p{L}_]/u.test(orNothing(rest[as + 1])));
}

/** What commands do that are forbidden for what they do, and not only because nobody needs them. */
const REACH: ReadonlyMap<string, string> = new Map([
  ['Redirect', 'it writes a file'],
  ['Extraction', 'it writes files, or starts programs'],
  ['Recursive', 'it writes files'],
  ['Separate', 'it writes files'],
  ['Print', 'with a string it writes a file'],
  ['Cd', 'it leaves the folder'],
  ['Load', 'it reads another file'],
  ...['Add LoadPath', 'Add Rec', 'Add ML'].map((phrase) => [phrase, 'it reaches for other files'] as const),
  ['Elpi', 'it runs programs'],
  ['Drop', 'it leaves the prover'],
  ['Rewrite', 'it extends conversion by rules that nobody proved'],
  ['Symbol', 'it declares something without a proof'],
  ['Primitive', 'it declares something without a proof'],
  ['Register', 'it tells the kernel what names stand for, or its virtual machine how to compute'],
]);

function classifyOption(tokens: readonly string[], at: number, word: 'Set' | 'Unset'): CommandClass {
  const name: string[] = [];
  for (let index = at; /^\p{L}/u.test(orNothing(tokens[index])); index += 1)
    name.push(entryAt(tokens, index, 'token'));
  const option = name.join(' ');
  if (CHECK_OPTIONS.test(option)) return { kind: word === 'Set' ? 'command' : 'checks-disabled' };
  return OPTIONS.some((allowed) => option === allowed || option.startsWith(`${allowed} `))
    ? { kind: 'command' }
    : { kind: 'forbidden', what: `the option ${option}`, word: option };
}

function squareBracketEnd(tokens: readonly string[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    if (tokens[index] === '[') depth += 1;
    else if (tokens[index] === ']') depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}
