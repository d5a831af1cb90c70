/**
 * Where helper lemmas stand in a file: before the first theorem that uses them, each once. One that stands there
 * already, since another theorem was written with it, is not written again; one that stands further down is moved up.
 */
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { FoundProof } from '../../agent/target.ts';
import type { Replacement } from '../../core/replacement.ts';
import { applyReplacements, type SourceFile } from '../../operations/files/source-file.ts';
import { splice } from '../../operations/rocq/proof/splice.ts';
import { statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';

/** The text of a file with a proof in its place and the lemmas that it uses before its statement. */
export function withProof(source: SourceFile, theorem: string, { proof, before }: FoundProof): string {
  const outline = outlineOf(source.text);
  const item = statementOf(outline, theorem);
  const lemmas = before === undefined || before === '' ? [] : lemmaReplacements(outline, item, before);
  return applyReplacements(source, [...lemmas, splice(outline, item, proof)]);
}

/** @throws QuodError `not-found`. */
export function insertion(text: string, theorem: string, lemmas: readonly string[]): Replacement {
  const outline = outlineOf(text);
  return insertionBefore(outline, statementOf(outline, theorem), lemmas);
}

function insertionBefore(outline: FileOutline, item: TheoremItem, lemmas: readonly string[]): Replacement {
  const { start } = spanOf(outline, item);
  return { span: { start, end: start }, text: lemmas.map((lemma) => `${lemma}\n\n`).join('') };
}

function lemmaReplacements(outline: FileOutline, item: TheoremItem, before: string): Replacement[] {
  const asked = outlineOf(before);
  const missing: string[] = [];
  const moved: Replacement[] = [];
  for (const lemma of asked.statements) {
    const span = spanOf(asked, lemma);
    const text = before.slice(span.start, span.end);
    const standing = outline.statements.find(
      (one) => one.name === lemma.name && isSame(outline, one, asked, lemma),
    );
    const isThere = standing !== undefined && standing.sentence < item.sentence && isVisible(standing, item);
    if (isThere) continue;
    missing.push(text);
    if (standing === undefined || standing.sentence < item.sentence) continue;
    const { start, end } = spanOf(outline, standing);
    const blank = /^\s*/u.exec(outline.text.slice(end));
    moved.push({ span: { start, end: end + orNothing(blank?.[0]).length }, text: '' });
  }
  return missing.length === 0 ? moved : [insertionBefore(outline, item, missing), ...moved];
}

/** The same statement, proved. */
function isSame(outline: FileOutline, one: TheoremItem, asked: FileOutline, lemma: TheoremItem): boolean {
  const statement = (of: FileOutline, { sentence }: TheoremItem): string | undefined => {
    const text = of.sentences[sentence]?.text;
    return text === undefined ? undefined : withoutComments(text).trim();
  };
  return one.hole === undefined && statement(outline, one) === statement(asked, lemma);
}

/** By its short name, from inside of the sections and modules that the item stands in. */
function isVisible({ path }: TheoremItem, item: TheoremItem): boolean {
  return path.every((name, index) => item.path[index] === name);
}

function statementOf(outline: FileOutline, theorem: string): TheoremItem {
  const item = statementNamed(outline, theorem);
  if (item === undefined) throw new QuodError('not-found', `There is no theorem ${theorem}.`);
  return item;
}

/** Of a statement with its proof. */
function spanOf(
  { sentences }: FileOutline,
  { sentence, closing, body }: TheoremItem,
): { readonly start: number; readonly end: number } {
  const first = sentences[sentence];
  const last = sentences[closing ?? Math.max(sentence, body.end - 1)];
  if (first === undefined || last === undefined)
    throw new QuodError('internal', 'A theorem is not in its outline.');
  return { start: first.span.start, end: last.span.end };
}
