/**
 * What it means that a theorem of a file is false. The claim is the negation of the theorem's own statement, where
 * the theorem stands. Inside a section the statement is about the section's variables, and it is false when it
 * fails for some of them that satisfy the section's hypotheses: the claim is the negation of the statement with all
 * of them quantified, behind the end of the section.
 */
import { QuodError } from '../core/errors.ts';
import { closedStatementOf, statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';

export interface Claim {
  /** Of the theorem that says that the statement is false. */
  readonly name: string;
  /** Of the definition that holds the statement where it stands in a section. */
  readonly definition: string;
  /** The theorem's own sentence. */
  readonly original: string;
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
  const base = theorem.name ?? 'goal';
  return {
    name: nameNotIn(`${base}_false`, outline.text),
    definition: nameNotIn(`${base}_statement`, outline.text),
    original: sentence.text,
    statement: closedStatementOf(theorem),
    before: outline.text.slice(0, sentence.span.start),
    after: outline.text.slice(sentence.span.start),
    ...openScopes(outline, theorem),
  };
}

export function untried(because: string): Untried {
  return { kind: 'not-tried', message: `I could not try this, because ${because}.` };
}

function openScopes(
  { scopes }: FileOutline,
  { sentence }: TheoremItem,
): { readonly sections: readonly string[]; readonly modules: readonly string[] } {
  const open = scopes
    .filter(({ opened, closed }) => opened < sentence && (closed === undefined || closed > sentence))
    .reverse();
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
  /** What is to stand before: the statement as a definition and the ends of the sections; empty outside of sections. */
  readonly preparation: readonly string[];
  /** What is negated there. */
  readonly negated: string;
  /** `Theorem foo_false : ~ (…).` */
  readonly theorem: string;
  /** The same of a statement that is no proposition. */
  readonly theoremOfType: string;
  /** The definition to unfold; absent where the statement stands for itself. */
  readonly unfold?: string;
}

/** @param variables Of the sections, in order; with values (`Let`) left out. */
export function stateClaim(claim: Claim, variables: readonly string[]): StatedClaim {
  const { name, definition, statement, sections } = claim;
  if (sections.length === 0) {
    return { preparation: [], negated: statement, ...negations(name, statement) };
  }
  const negated =
    variables.length === 0
      ? definition
      : `forall ${variables.join(' ')}, @${definition} ${variables.join(' ')}`;
  return {
    preparation: [
      // Hypotheses that the statement does not mention could be used by a proof of it.
      `#[using="All"] Definition ${definition} : Prop := ${statement}.`,
      ...sections.map((section) => `End ${section}.`),
    ],
    negated,
    ...negations(name, negated),
    unfold: definition,
  };
}

function negations(name: string, negated: string): Pick<StatedClaim, 'theorem' | 'theoremOfType'> {
  return {
    theorem: `Theorem ${name} : ~ (${negated}).`,
    theoremOfType: `Theorem ${name} : (${negated}) -> False.`,
  };
}

/**
 * Texts with the claim in the theorem's place, to be judged; `proof` is what follows the claim. The first ends
 * behind the claim. A module that must have what comes later (it has a signature) is not complete there: for it
 * there is a second, with all that follows.
 */
export function claimTexts(claim: Claim, stated: StatedClaim, proof: readonly string[]): string[] {
  const { before, after, sections, modules } = claim;
  const claimed = `${before}${[...stated.preparation, stated.theorem, ...proof].join('\n')}\n`;
  const ended = claimed + modules.map((name) => `End ${name}.\n`).join('');
  return modules.length > 0 && sections.length === 0 ? [ended, claimed + after] : [ended];
}
