/**
 * What somebody sends who may only send a proof, and wants what a whole cheating file would have brought: the file's
 * cheating sentences, sent as the proof of the target's first hole.
 */
import { outlineOf, type FileOutline, type TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { LookedAt } from './independent-look.ts';
import { Script } from '../text/script.ts';
import { proofSpan } from '../text/reference-text.ts';

export interface SmuggledProofs {
  /** The statement of the target that they are sent for. */
  readonly theorem: string;
  readonly proofs: readonly string[];
  /** The submission is the target with one of the proofs in it, and nothing else. */
  readonly isProofAlone: boolean;
}

/** @returns undefined where the target has no open statement with a name. */
export function smuggledProofs(target: string, submission: string): SmuggledProofs | undefined {
  const outline = outlineOf(target);
  const item = outline.statements.find(({ hole, name }) => hole !== undefined && name !== undefined);
  if (item?.name === undefined) return undefined;
  const theorem = item.name;
  const alone = proofAlone(outline, item, submission);
  if (alone !== undefined) return { theorem, proofs: [alone], isProofAlone: true };
  const proofs = [
    differingPart(outline, outlineOf(submission)),
    ...withAdditions(outline, theorem, submission),
  ];
  return {
    theorem,
    proofs: [...new Set(proofs)].filter((proof) => proof.trim() !== ''),
    isProofAlone: false,
  };
}

function proofAlone(outline: FileOutline, item: TheoremItem, submission: string): string | undefined {
  const { start, end } = proofSpan(outline, item);
  const [before, after] = [outline.text.slice(0, start), outline.text.slice(end)];
  const isLonger = submission.length >= before.length + after.length;
  return isLonger && submission.startsWith(before) && submission.endsWith(after)
    ? submission.slice(before.length, submission.length - after.length)
    : undefined;
}

/** From the first sentence that is not the target's to the last one. */
function differingPart(target: FileOutline, submission: FileOutline): string {
  const [ours, theirs] = [target, submission].map(({ sentences }) => sentences.map(({ text }) => text));
  if (ours === undefined || theirs === undefined) return '';
  const shorter = Math.min(ours.length, theirs.length);
  let before = 0;
  while (before < shorter && ours[before] === theirs[before]) before += 1;
  let after = 0;
  while (after < shorter - before && ours.at(-1 - after) === theirs.at(-1 - after)) after += 1;
  const start = before === 0 ? 0 : submission.sentences[before - 1]?.span.end;
  return submission.text.slice(start, submission.sentences.at(-1 - after)?.span.end);
}

/** The submission's own proof of the statement, behind everything else that it has and the target has not. */
function withAdditions(target: FileOutline, theorem: string, submission: string): readonly string[] {
  const outline = outlineOf(submission);
  const item = outline.statements.find(({ name }) => name === theorem);
  if (item === undefined) return [];
  const { start, end } = proofSpan(outline, item);
  const known = new Set(target.sentences.map(({ text }) => text));
  const statement = outline.sentences[item.sentence];
  const additions = outline.sentences.filter(
    (sentence) =>
      sentence !== statement &&
      !known.has(sentence.text) &&
      (sentence.span.end <= start || sentence.span.start >= end),
  );
  const own = submission
    .slice(start, end)
    .trim()
    .replace(/^Proof\s*\./u, '');
  return [`Proof. ${additions.map(({ text }) => text).join('\n')}\n${own}`];
}

/** What somebody who trusts no part of the gate looks at, in a target whose first hole is `theorem`. */
export function lookedAt(id: string, target: string, theorem: string): LookedAt {
  // What stands in a module begins no line with its keyword.
  const declared = /^(?:Definition|Fixpoint|Inductive|Record|Structure|Class|Parameter|Axiom)\s+([\w']+)/gmu;
  const { statements } = new Script({ path: 'Target.v', text: target });
  const inFile = statements.find(({ item }) => item.name === theorem)?.name;
  return { id, theorem: inFile ?? theorem, own: [...target.matchAll(declared)].map(([, name = '']) => name) };
}
