/** The finished proofs of a file, read from its text alone: nothing of it is run. */
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { tacticsOfProof } from './distance/tactic-list.ts';
import type { ProvedStatement } from './proved-statement.ts';

export interface WrittenStatement extends ProvedStatement {
  /** The sentence that states it. */
  readonly statement: string;
  /** From behind the statement to the closing word. */
  readonly proof: string;
  /** Where the statement starts. */
  readonly offset: number;
}

/** In the order of the file. @param origin What the answers call the file. */
export function finishedStatements(outline: FileOutline, origin: string): WrittenStatement[] {
  return outline.statements.flatMap((item) => {
    const written = item.hole === undefined ? writtenStatement(outline, item, origin) : undefined;
    return written === undefined || item.closingWord === 'none' ? [] : [written];
  });
}

/** Undefined when it has no name or no proof. */
export function writtenStatement(
  outline: FileOutline,
  item: TheoremItem,
  origin: string,
): WrittenStatement | undefined {
  const { sentences, text } = outline;
  const stated = sentences[item.sentence];
  const first = sentences[item.sentence + 1];
  const last = sentences[item.closing ?? item.body.end - 1];
  if (item.name === undefined || stated === undefined || first === undefined || last === undefined)
    return undefined;
  if (last.span.end <= first.span.start) return undefined;
  const proof = text.slice(first.span.start, last.span.end);
  const binders = item.binders.trim();
  const conclusion = binders === '' ? item.statement : `forall ${binders}, ${item.statement}`;
  return {
    name: item.name,
    origin,
    goal: { id: '', hypotheses: [], conclusion: conclusion.replace(/\s+/gu, ' ').trim() },
    tactics: tacticsOfProof(proof),
    statement: stated.text,
    proof,
    offset: stated.span.start,
  };
}
