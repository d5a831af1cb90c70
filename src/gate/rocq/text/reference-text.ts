/**
 * The text that is compiled as the reference: the target with its holes admitted, so that it compiles and declares all
 * that it will declare. The target is trusted, and so is what is read from its text here; of a submission nothing is.
 */
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { Script } from './script.ts';

/** What the proof of a statement in a section may use of the section: the words behind `Proof using`. */
export type Using = (item: TheoremItem) => string | undefined;

/**
 * @param isAdmitted the statements whose proofs are left out.
 * @param using for those of them that do not say so themselves.
 */
export function referenceText(
  { outline }: Script,
  isAdmitted: (item: TheoremItem) => boolean,
  using: Using,
): string {
  const { text } = outline;
  // A default for what proofs use holds for those that begin with `Proof`.
  const byDefault = hasDefaultUsing(text) ? ' Proof.' : '';
  const pieces: string[] = [];
  let from = 0;
  for (const item of outline.statements) {
    if (!isAdmitted(item)) continue;
    const { start, end } = proofSpan(outline, item);
    // A proof inside another that is left out is gone with it.
    if (start < from) continue;
    const clause = item.using ?? using(item);
    const isSaid = clause !== undefined && !usingIsAttribute(item);
    const proof = isSaid ? ` Proof using ${clause}.` : byDefault;
    pieces.push(text.slice(from, start), `${proof} Admitted.`);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

/** Whether the target says for all its proofs what they use of their sections. */
export function hasDefaultUsing(text: string): boolean {
  return /Default\s+Proof\s+Using/.test(text);
}

/** From the end of the statement to the end of its proof. */
export function proofSpan(
  { sentences, text }: Script['outline'],
  item: TheoremItem,
): { readonly start: number; readonly end: number } {
  const start = sentences[item.sentence]?.span.end ?? text.length;
  const last = sentences[item.closing ?? item.body.end - 1];
  return { start, end: Math.max(start, last?.span.end ?? start) };
}

const OPAQUE_WORDS = new Set(['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property']);

/** Whether a proof can be left out without what follows noticing: for a first look at the statements alone. */
export function isOpaqueLemma({ keyword, prefixes, attributes, closingWord }: TheoremItem): boolean {
  const isProgram =
    prefixes.includes('Program') || attributes.some((attribute) => /\bprogram\b/.test(attribute));
  return !isProgram && OPAQUE_WORDS.has(keyword) && closingWord === 'Qed';
}

function usingIsAttribute(item: TheoremItem): boolean {
  return item.attributes.some((attribute) => /^using\b/.test(attribute));
}
