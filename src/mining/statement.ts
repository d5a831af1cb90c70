/**
 * A goal as a statement of its own: the hypotheses become binders, so that the proof finds them under their names. The
 * variables of an open section stay where they are, because the section's own definitions speak of them.
 */
import type { Goal, Hypothesis } from '../core/proof-state.ts';

/** Why a goal is no statement. */
export type NotAStatement = 'existential' | 'too-long' | 'unnameable';

export type ClosedStatement =
  { readonly kind: 'closed'; readonly text: string } | { readonly kind: 'open'; readonly why: NotAStatement };

const EXISTENTIAL = /(?:^|[^\p{L}\p{N}_'?])\?[\p{L}_]/u;
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_']*$/u;
/** SSReflect keeps such names for itself. */
const RESERVED = /^_[\p{L}\p{N}_']*_$/u;
const LONGEST_STATEMENT = 12_000;

/** The statement is what stands between a name and the final dot. `variables` are not bound. */
export function closeGoal(goal: Goal, variables: ReadonlySet<string>): ClosedStatement {
  const binders: string[] = [];
  let isUnnameable = false;
  for (const { name, type, body } of goal.hypotheses) {
    if (variables.has(name)) continue;
    isUnnameable ||= !IDENTIFIER.test(name) || RESERVED.test(name);
    binders.push(body === undefined ? `(${name} : ${type})` : `(${name} := ${body} : ${type})`);
  }
  const text = [...binders, `: ${goal.conclusion}`].join(' ');
  if (EXISTENTIAL.test(text)) return { kind: 'open', why: 'existential' };
  if (isUnnameable) return { kind: 'open', why: 'unnameable' };
  if (text.length > LONGEST_STATEMENT) return { kind: 'open', why: 'too-long' };
  return { kind: 'closed', text };
}

/** The hypotheses that are variables of the section, unchanged. */
export function variablesIn(goal: Goal, section: readonly Hypothesis[]): ReadonlySet<string> {
  const known = new Map(section.map((variable) => [variable.name, variable]));
  const same = goal.hypotheses.filter((hypothesis) => isSame(hypothesis, known.get(hypothesis.name)));
  return new Set(same.map(({ name }) => name));
}

function isSame(one: Hypothesis, other: Hypothesis | undefined): boolean {
  return other !== undefined && one.type === other.type && one.body === other.body;
}

/** Whether two goals read the same, whatever the order of their hypotheses; `other` may have more of `section`. */
export function readsSame(one: Goal, other: Goal, section: readonly Hypothesis[]): boolean {
  if (one.conclusion !== other.conclusion) return false;
  const wanted = new Map(one.hypotheses.map((hypothesis) => [hypothesis.name, hypothesis]));
  const variables = new Set(section.map(({ name }) => name));
  let met = 0;
  for (const hypothesis of other.hypotheses) {
    const twin = wanted.get(hypothesis.name);
    if (isSame(hypothesis, twin)) met += 1;
    else if (twin !== undefined || !variables.has(hypothesis.name)) return false;
  }
  return met === wanted.size;
}
