/** What a lemma would state that says what a goal asks for: its hypotheses and its conclusion, as Rocq prints them. */
import type { Goal, Hypothesis } from '../../../core/proof-state.ts';

/** As Rocq prints a hole that a later step is to fill. */
const UNKNOWN = /(?<![\p{L}\p{N}_'])\?[\p{L}_]/u;

/**
 * Undefined where something in it is not known yet (`?x`).
 * @param known Names of hypotheses that are left out, since they are there without it.
 */
export function goalStatement(
  { hypotheses, conclusion }: Goal,
  known: ReadonlySet<string> = new Set(),
): string | undefined {
  const binders = bindersOf(hypotheses.filter(({ name }) => !known.has(name)));
  const statement = binders === '' ? conclusion : `forall ${binders},\n  ${conclusion}`;
  return UNKNOWN.test(statement) ? undefined : statement;
}

/** Neighbours of one type stand in one pair of parentheses. */
function bindersOf(hypotheses: readonly Hypothesis[]): string {
  const groups: { names: string; type: string; body: string | undefined }[] = [];
  for (const { name, type, body } of hypotheses) {
    const last = groups.at(-1);
    if (last?.type === type && last.body === undefined && body === undefined) last.names += ` ${name}`;
    else groups.push({ names: name, type, body });
  }
  return groups
    .map(({ names, type, body }) => `(${names} : ${type}${body === undefined ? '' : ` := ${body}`})`)
    .join(' ');
}
