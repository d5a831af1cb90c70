/**
 * How a proof that may use helper lemmas is put into a text: before the first theorem that uses them, each once. One that
 * stands there already, since another theorem was written with it, is not written again; one that stands further down is
 * moved up.
 */
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Replacement } from '../../../core/replacement.ts';
import { withoutComments } from '../../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { splice } from './splice.ts';

export interface ProofWithLemmas {
  readonly proof: string;
  /** Helper lemmas that it uses, as they stand before the statement. */
  readonly before?: string | undefined;
}

/** A proof in its place, and the lemmas that it uses before its statement. */
export function proofReplacements(
  outline: FileOutline,
  item: TheoremItem,
  { proof, before = '' }: ProofWithLemmas,
): Replacement[] {
  const lemmas = before === '' ? [] : lemmaReplacements(outline, item, before);
  return [...lemmas, splice(outline, item, proof)];
}

export function insertionBefore(
  outline: FileOutline,
  item: TheoremItem,
  lemmas: readonly string[],
): Replacement {
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
    if (standing === undefined || standing.sentence < item.sentence) {
      missing.push(text);
      continue;
    }
    const { start, end } = spanOf(outline, standing);
    // With the proof that it has there, which may be somebody's own.
    missing.push(outline.text.slice(start, end));
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
