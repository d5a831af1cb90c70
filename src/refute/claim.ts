/**
 * What it means that a theorem of a file is false. The claim is the negation of the theorem's own statement, where
 * the theorem stands. Inside a section the statement is about the section's variables, and it is false when it
 * fails for some of them that satisfy the section's hypotheses: the claim is the negation of the statement with all
 * of them quantified, behind the end of the section.
 *
 * How the claim is written is a proposal: the file's notations decide how it is read. The texts to be judged state the theorem, too, so
 * that what the kernel has of both can be compared.
 */
import { orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { closedStatementOf, statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import { significantTokens, tokenEnd } from '../provers/rocq/syntax/lexer.ts';
import type { Sentence } from '../provers/rocq/syntax/sentences.ts';
import {
  isInSection,
  scopesAround,
  type FileOutline,
  type TheoremItem,
} from '../provers/rocq/syntax/outline.ts';

export interface Claim {
  /** Of the theorem that says that the statement is false. */
  readonly name: string;
  /** Of the definition that holds the statement where it stands in a section. */
  readonly definition: string;
  /** By which the judged texts state the theorem. */
  readonly theorem: string;
  /** Whether it has no name of its own, like a goal. */
  readonly isUnnamed: boolean;
  /** The theorem's own sentence. */
  readonly original: string;
  /** `Polymorphic `, an attribute that says so, or nothing: what stands before the keyword. */
  readonly polymorphism: string;
  /** `@{u}`, where the statement declares universe levels: what stands behind the name. */
  readonly levels: string;
  /** The statement, closed under the theorem's own binders. */
  readonly statement: string;
  /** The text of the file before the theorem. */
  readonly before: string;
  /** The text from the theorem on. */
  readonly after: string;
  /** Open sections there, the innermost first. */
  readonly sections: readonly string[];
  /** Open modules there, the innermost first. */
  readonly modules: readonly string[];
}

/** Why nothing could be tried. */
export interface Untried {
  readonly kind: 'not-tried';
  readonly message: string;
}

export function claimOf(outline: FileOutline, theorem: TheoremItem): Claim | Untried {
  const { statement, otherNames } = theorem;
  if (statement.trim() === '')
    return untried('it has no statement in the file (an obligation, or a definition without a type)');
  if (otherNames.length > 0) return untried('it is stated together with others (`with`)');
  const sentence = statementOf(outline, theorem);
  const levels = levelsOf(sentence, theorem);
  if (levels !== '' && isInSection(outline, theorem.sentence))
    return untried(
      'it names universe levels (`@{…}`) in a section, behind which it is stated for a choice of them',
    );
  const base = theorem.name ?? 'goal';
  return {
    name: nameNotIn(`${base}_false`, outline.text),
    definition: nameNotIn(`${base}_statement`, outline.text),
    theorem: theorem.name ?? nameNotIn('goal_stated', outline.text),
    isUnnamed: theorem.name === undefined,
    original: sentence.text,
    polymorphism: polymorphism(theorem),
    levels,
    statement: closedStatementOf(theorem),
    before: outline.text.slice(0, sentence.span.start),
    after: outline.text.slice(sentence.span.start),
    ...openScopes(outline, theorem.sentence),
  };
}

/** Of a statement that could stand where a theorem of the file does. */
export function claimOfStatement(outline: FileOutline, sentence: number, statement: string): Claim {
  const name = nameNotIn('stated', `${outline.text} ${statement}`);
  const start = orZero(outline.sentences[sentence]?.span.start);
  return {
    ...{ name, definition: `${name}_statement`, theorem: name, isUnnamed: false },
    original: `Theorem ${name} : ${statement}.`,
    ...{ polymorphism: '', levels: '', statement },
    before: outline.text.slice(0, start),
    after: outline.text.slice(start),
    ...openScopes(outline, sentence),
  };
}

/** The universe levels that a statement declares behind its name (`@{u v | u < v}`); empty where there are none. */
function levelsOf({ text, span }: Sentence, { nameSpan }: TheoremItem): string {
  if (nameSpan === undefined) return '';
  const behind = text.slice(nameSpan.end - span.start);
  const tokens = significantTokens(behind);
  const isOpened = tokens[0]?.text === '@{' || (tokens[0]?.text === '@' && tokens[1]?.text === '{');
  const end = tokens.find((token) => token.text === '}' || token.text === '|}');
  return isOpened && end !== undefined ? behind.slice(0, tokenEnd(end)).trim() : '';
}

/** With its levels a statement is polymorphic, or is not, as it says itself; what is said of it has to be so, too. */
function polymorphism({ prefixes, attributes }: TheoremItem): string {
  const said = prefixes.find((prefix) => prefix === 'Polymorphic' || prefix === 'Monomorphic');
  if (said !== undefined) return `${said} `;
  const attribute = attributes.find((one) => /\b(?:poly|mono)morphic\b/u.test(one));
  return attribute === undefined ? '' : `#[${attribute}] `;
}

/** By which the judged texts know what is to be compared, with the modules around it. */
export interface NamesOfClaim {
  readonly claim: string;
  readonly statement: string;
  readonly definition?: string;
}

export function namesOf({ name, theorem, definition, sections, modules }: Claim): NamesOfClaim {
  const inside = (of: string): string => [...modules.toReversed(), of].join('.');
  return {
    claim: inside(name),
    statement: inside(theorem),
    ...(sections.length > 0 && { definition: inside(definition) }),
  };
}

export function untried(because: string): Untried {
  // What Rocq says ends with a stop of its own.
  return { kind: 'not-tried', message: `I could not try this, because ${because.replace(/\.$/u, '')}.` };
}

function openScopes(
  outline: FileOutline,
  sentence: number,
): { readonly sections: readonly string[]; readonly modules: readonly string[] } {
  const open = scopesAround(outline, sentence).reverse();
  return {
    sections: open.filter(({ kind }) => kind === 'section').map(({ name }) => name),
    modules: open.filter(({ kind }) => kind !== 'section').map(({ name }) => name),
  };
}

function nameNotIn(wish: string, text: string): string {
  for (let count = 0; count < 1000; count += 1) {
    const name = count === 0 ? wish : `${wish}_${count}`;
    if (!new RegExp(`(?<![\\p{L}\\p{N}_'])${name}(?![\\p{L}\\p{N}_'])`, 'u').test(text)) return name;
  }
  throw new QuodError('internal', `There is no name like ${wish} left in the file.`);
}

/** The sentences from in front of the theorem to the one that states the claim. */
export interface StatedClaim {
  /** What is to stand before: the statement as a definition; empty outside of sections. */
  readonly definitions: readonly string[];
  /** The ends of the sections. */
  readonly ends: readonly string[];
  /** What is negated there. */
  readonly negated: string;
  /** A theorem's keyword and name, with what has to stand around them for what it speaks of. */
  readonly head: string;
  /** The ways to write the theorem that says so, the plainest first: `Theorem foo_false : ~ (…).` */
  readonly theorems: readonly WrittenNegation[];
  /** The definition to unfold; absent where the statement stands for itself. */
  readonly unfold?: string;
}

function headOf({ polymorphism, name, levels }: Claim): string {
  return `${polymorphism}Theorem ${name}${levels}`;
}

/** @param variables Of the sections, in order; with values (`Let`) left out. */
export function stateClaim(claim: Claim, variables: readonly string[]): StatedClaim {
  const { name, definition, statement, sections } = claim;
  if (sections.length === 0)
    return {
      ...{ definitions: [], ends: [], negated: statement, head: headOf(claim) },
      theorems: negations(headOf(claim), statement),
    };
  const negated =
    variables.length === 0
      ? definition
      : `forall ${variables.join(' ')}, @${definition} ${variables.join(' ')}`;
  return {
    // Hypotheses that the statement does not mention could be used by a proof of it.
    definitions: [`#[using="All"] Definition ${definition} : Prop := ${statement}.`],
    ends: sections.map((section) => `End ${section}.`),
    negated,
    head: `Theorem ${name}`,
    theorems: negations(`Theorem ${name}`, negated),
    unfold: definition,
  };
}

export interface WrittenNegation {
  readonly sentence: string;
  /** Tactics. Where it is read as it is meant one of them holds of its goal, as far as the file's own words can tell. */
  readonly isMeant: readonly string[];
}

/** Of the names of the type without a proof, the one that Rocq knows. */
const ABSURDITIES = ['Coq.Init.Logic.False', 'Corelib.Init.Logic.False'] as const;

/** `~` is for propositions; what it and the arrow mean, and the short name, a file can change. */
function negations(head: string, negated: string): readonly WrittenNegation[] {
  const written = (statement: string, falsehoods: readonly string[]): WrittenNegation => ({
    sentence: `${head} : ${statement}.`,
    isMeant: falsehoods.map(
      (falsehood) =>
        `match goal with |- ?quod_goal => unify quod_goal ((forall _ : (${negated}), ${falsehood}) : Type) end.`,
    ),
  });
  return [
    written(`~ (${negated})`, ABSURDITIES),
    written(`(${negated}) -> False`, ABSURDITIES),
    ...ABSURDITIES.map((falsehood) => written(`forall _ : (${negated}), ${falsehood}`, [falsehood])),
  ];
}

/**
 * Texts with the claim beside the theorem, to be judged; `proof` is what follows the claim. The theorem stands behind it, where a proof
 * of the claim cannot use it, or in its section; one that rests on it does not count. The first text ends there. A module that must
 * have what comes later (it has a signature) is not complete there: for it there is a second, with all that follows.
 *
 * @param theorem the claim's own sentence.
 */
export function claimTexts(
  claim: Claim,
  { definitions, ends }: StatedClaim,
  theorem: string,
  proof: readonly string[],
): string[] {
  const { before, after, sections, modules, isUnnamed } = claim;
  const claimed = [theorem, ...proof];
  const original = isUnnamed ? `Theorem ${claim.theorem} : ${claim.statement}.` : claim.original;
  const open = [original, 'Proof.', 'Admitted.'];
  const sentences =
    sections.length === 0 ? [...claimed, ...open] : [...definitions, ...open, ...ends, ...claimed];
  const closing = modules.map((name) => `End ${name}.`);
  const ended = `${before}${[...sentences, ...closing].join('\n')}\n`;
  const whole = `${before}${[...claimed, ...(isUnnamed ? open : [])].join('\n')}\n${after}`;
  return modules.length > 0 && sections.length === 0 ? [ended, whole] : [ended];
}
