/** The finished proofs of a file, read from its text alone: nothing of it is run. */
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { closedStatementOf, proofSpanOf } from '../provers/rocq/syntax/theorem-text.ts';
import { tacticsOfProof } from './distance/tactic-list.ts';
import type { ProvedStatement } from './proved-statement.ts';

export interface WrittenStatement extends ProvedStatement {
  /** The sentence that states it. */
  readonly statement: string;
  /** From behind the statement to the closing word. */
  readonly proof: string;
  /** Where the statement starts. */
  readonly offset: number;
  /** Where its proof ends. */
  readonly end: number;
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
  const span = proofSpanOf(outline, item);
  if (item.name === undefined || stated === undefined || span === undefined) return undefined;
  const proof = text.slice(span.start, span.end);
  return {
    name: item.name,
    origin,
    goal: { id: '', hypotheses: [], conclusion: closedStatementOf(item).replace(/\s+/gu, ' ') },
    tactics: tacticsOfProof(proof),
    statement: stated.text,
    proof,
    offset: stated.span.start,
    end: span.end,
  };
}
