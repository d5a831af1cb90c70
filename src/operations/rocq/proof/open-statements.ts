/**
 * Which open statements of its file, and which axioms, each of several proofs rests on, as the gate says. A statement of
 * the verdict belongs to the one asked about whose name is the last part of its own; where that cannot be told
 * (statements without a name) the proof is said to rest on everything that is left over, never on less.
 */
import { lastPart } from '../../../core/qualified-name.ts';
import type { JudgedStatement } from '../../../gate/verdict.ts';

/** What is known of a statement that was asked about; both are of `TheoremItem`. */
export interface AskedStatement {
  readonly name?: string;
  readonly otherNames: readonly string[];
}

/** For each statement asked about, in their order, the names of the open ones. */
export function openStatementsOf(
  judged: readonly JudgedStatement[],
  asked: readonly AskedStatement[],
): string[][] {
  return byAsked(judged, asked, ({ openStatements }) => openStatements);
}

/** For each statement asked about, in their order, the axioms, and what was not checked. */
export function axiomsByAsked(
  judged: readonly JudgedStatement[],
  asked: readonly AskedStatement[],
): string[][] {
  return byAsked(judged, asked, ({ assumptions }) => assumptions);
}

function byAsked(
  judged: readonly JudgedStatement[],
  asked: readonly AskedStatement[],
  names: (statement: JudgedStatement) => readonly string[],
): string[][] {
  const namesOf = ({ name, otherNames }: AskedStatement): readonly string[] =>
    name === undefined ? [] : [name, ...otherNames];
  const wanted = new Set(asked.flatMap(namesOf));
  const unclaimed = judged.filter(({ name }) => !wanted.has(lastPart(name)));
  return asked.map((statement) => {
    const called = new Set(namesOf(statement));
    const own = judged.filter(({ name }) => called.has(lastPart(name)));
    const from = own.length > 0 ? own : unclaimed.length > 0 ? unclaimed : judged;
    return [...new Set(from.flatMap(names))];
  });
}
