/** The gate's word on proofs of a Rocq file that may come with helper lemmas. */
import type { FoundProof, Grounds, Judgement } from '../../agent/target.ts';
import { asLines, type Verdict } from '../../gate/verdict.ts';
import { judgeProof, verify } from '../../gate/verify.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import {
  axiomsByAsked,
  openStatementsOf,
  type AskedStatement,
} from '../../operations/rocq/proof/open-statements.ts';
import {
  nameInModules,
  sameStatementIn,
  severalMeant,
  statementMeant,
  statementNamed,
} from '../../provers/rocq/syntax/named-statements.ts';
import { attemptsIn } from '../../provers/rocq/syntax/attempts.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { statementOf } from '../../provers/rocq/syntax/theorem-text.ts';
import { unreadRest } from '../../provers/rocq/syntax/unread-rest.ts';
import { misleadingFinding } from '../misleading-proof.ts';
import { noSuchTheorem } from '../operation-calls.ts';
import { withProof } from './rocq-lemma-places.ts';

/** A proof in its place with the lemmas that it uses. @returns the text that was judged, too. */
export async function judgeWithLemmas(
  source: SourceFile,
  theorem: string,
  found: FoundProof,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly judgement: Judgement }> {
  const text = withProof(source, theorem, found);
  const misleading = misleadingFinding(found);
  if (misleading !== undefined)
    return { text, judgement: { verdict: 'rejected', findings: [misleading], restsOnOpen: [] } };
  const item = itemOf(source, theorem);
  const items = [item];
  const verdict = await judgeProof(
    { target: source, text, statements: [item.sentence], lemmas: lemmasOf(found) },
    { signal },
  );
  const restsOnOpen = verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, items).flat() : [];
  const [grounds] = groundsOf(verdict, items);
  return { text, judgement: { verdict: verdict.kind, findings: findingsOf(verdict), restsOnOpen, grounds } };
}

/** Whether a file has all that an earlier text of it states, as that states it, and the proofs of these theorems. */
export async function provesStill(
  source: SourceFile,
  earlier: string,
  theorems: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { path, text } = source;
  const outline = outlineOf(earlier);
  const now = outlineOf(text);
  // What is given up is not declared: the gate has nothing to compare with what stands under its name.
  const attempts = attemptsIn(outline);
  const saidIn = (of: FileOutline, one: TheoremItem): string => withoutComments(statementOf(of, one).text);
  const isStated = (was: TheoremItem): boolean => {
    if (was.hole !== 'aborted' || was.name === undefined || attempts.has(was)) return true;
    const is = sameStatementIn(now, was);
    return is !== undefined && saidIn(now, is) === saidIn(outline, was);
  };
  if (!outline.statements.every(isStated)) return false;
  const named = theorems.flatMap((theorem) => {
    const item = statementNamed(outline, theorem);
    return item === undefined ? [] : (nameInModules(outline, item) ?? []);
  });
  if (named.length < theorems.length) return false;
  const policy = { theorems: named };
  const verdict = await verify({ path, text: earlier }, { path, text }, { policy, signal });
  return verdict.kind === 'accepted';
}

/** The names of the helper lemmas that come with a proof. */
export function lemmasOf({ before = '' }: FoundProof): readonly string[] {
  return outlineOf(before).statements.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

function itemOf({ text, path }: SourceFile, theorem: string): TheoremItem {
  return statementAsked(outlineOf(text), theorem, path);
}

/** The one statement that a name means. @throws QuodError `not-found`, `invalid-input` where it means several. */
export function statementAsked(
  outline: Pick<FileOutline, 'statements' | 'text' | 'unterminated'>,
  theorem: string,
  file: string,
): TheoremItem {
  const meant = statementMeant(outline, theorem);
  if (meant.kind === 'several') throw severalMeant(theorem, meant.names, file);
  if (meant.kind === 'one') return meant.item;
  const names = outline.statements.flatMap(({ name }) => name ?? []);
  throw noSuchTheorem(theorem, names, file, unreadRest(outline));
}

export function findingsOf(verdict: Verdict): string[] {
  switch (verdict.kind) {
    case 'rejected':
      return asLines(verdict.findings);
    case 'unknown':
      return [`${verdict.reason}: ${verdict.message}`];
    case 'accepted':
      return [];
  }
}

/** What each of some accepted proofs rests on, in their order; empty when they were not accepted. */
export function groundsOf(verdict: Verdict, asked: readonly AskedStatement[]): Grounds[] {
  if (verdict.kind !== 'accepted') return [];
  return axiomsByAsked(verdict.statements, asked).map((axioms) => ({
    axioms,
    warnings: warningsOf(verdict),
  }));
}

/** What a verdict that accepts says against itself. */
export function warningsOf(verdict: Verdict): string[] {
  return verdict.kind === 'accepted' ? asLines(verdict.restsOn.warnings ?? []) : [];
}
