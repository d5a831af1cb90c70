/**
 * Whether a text of a file is another one with proofs of a run in it and nothing else, to the byte. What else differs is
 * somebody else's, and no run may commit it.
 */
import type { FoundProof } from '../agent/target.ts';
import { withoutByteOrderMark } from '../process/foreign-folder/byte-order-mark.ts';
import { orNone } from './own-proofs.ts';

export interface Change {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Of the run, by theorem. */
  readonly proofs: ReadonlyMap<string, FoundProof>;
}

/** As a run commits it. */
export interface ChangeOfRun extends Pick<Change, 'from' | 'to'> {
  /** Undefined where another program wrote them. */
  readonly proofs: ReadonlyMap<string, FoundProof> | undefined;
}

interface Texts {
  readonly before: string;
  readonly after: string;
}

/** How a prover's files are read and written. */
interface WrittenProofs {
  /** All that stands behind a statement; undefined where there is none, or nothing behind it. */
  readonly proofIn: (text: string, theorem: string) => string | undefined;
  /** A text with a proof in its place, as the run writes it. @throws QuodError where there is no such place. */
  readonly withProof: (text: string, theorem: string, found: FoundProof) => string;
  /** Whether more was changed than the proofs of the theorems, and what may stand beside them. */
  readonly isChangedElsewhere: (texts: Texts) => boolean;
}

/** Without proofs those of the theorems may be any. */
export function addsOnlyProofs(
  { from, to, proofs }: ChangeOfRun,
  theorems: readonly string[],
  file: WrittenProofs,
): boolean {
  const texts = textsOf(from, to);
  if (texts === undefined) return false;
  if (proofs === undefined) return !file.isChangedElsewhere(texts);
  const { before, after } = texts;
  let text = before;
  for (const [theorem, found] of proofs) {
    if (!theorems.includes(theorem)) continue;
    // What an earlier commit has is not put there again.
    if (file.proofIn(text, theorem) === file.proofIn(after, theorem)) continue;
    const filled = orNone(() => file.withProof(text, theorem, found));
    if (filled === undefined) return false;
    text = filled;
  }
  return text === after;
}

/** All that stands behind a statement in the earlier text and in the later one; undefined where there is no such place. */
export interface ProofInBoth {
  readonly was: string | undefined;
  readonly now: string | undefined;
}

/** Those of the theorems whose proof is neither the one that the earlier text has nor the one of the run. */
export function otherProofs(
  { from, to, proofs }: Change,
  theorems: readonly string[],
  proofInBoth: (texts: Texts, theorem: string) => ProofInBoth,
): readonly string[] {
  const texts = textsOf(from, to);
  if (texts === undefined) return theorems;
  return theorems.filter((theorem) => {
    const { was, now } = proofInBoth(texts, theorem);
    return now !== was && (now === undefined || now.trim() !== proofs.get(theorem)?.proof.trim());
  });
}

/** Without a byte order mark that both have; undefined where one of them is no text, or only one has a mark. */
function textsOf(from: Uint8Array, to: Uint8Array): Texts | undefined {
  const [before, after] = [decoded(from), decoded(to)];
  if (before === undefined || after === undefined) return undefined;
  const texts = { before: withoutByteOrderMark(before), after: withoutByteOrderMark(after) };
  return (texts.before === before) === (texts.after === after) ? texts : undefined;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
