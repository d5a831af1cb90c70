/** Keeps a search from using section variables that the proof's `Proof using` does not allow. */
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { scriptSentences, type ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { tacticWords } from '../../provers/rocq/goals/names.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';

export interface Hidden {
  readonly state: StateId;
  /** The variables that were cleared, in the order of the context. */
  readonly names: readonly string[];
}

/** The state with the variables cleared that the clause leaves out, as far as nothing in the goal depends on them. */
export async function hideUnused(
  session: ProverSession,
  root: StateId,
  theorem: TheoremItem,
): Promise<Hidden> {
  const { using, binders } = theorem;
  if (using === undefined || /\b(?:All|Collection)\b|[*~-]/u.test(using)) return { state: root, names: [] };
  const allowed = new Set(tacticWords(`${using} ${binders}`).map(({ text }) => text));
  const [goal] = (await session.goals(root))?.goals ?? [];
  const names: string[] = [];
  let state = root;
  for (const { name } of goal?.hypotheses.toReversed() ?? []) {
    if (allowed.has(name)) continue;
    const cleared = await session.run(state, asSentence(`clear ${name}.`));
    if (cleared.status !== 'done') continue;
    state = cleared.state;
    names.unshift(name);
  }
  return { state, names };
}

/**
 * The script, as it can stand where nothing is hidden. Automation may pick up a variable that was hidden when the
 * script was found; then the script begins with clearing them.
 */
export async function withHidden(
  session: ProverSession,
  root: StateId,
  names: readonly string[],
  script: ScriptTree,
): Promise<ScriptTree> {
  if (names.length === 0) return script;
  let state = root;
  for (const sentence of [...scriptSentences(script), 'Qed.']) {
    const result = await session.run(state, asSentence(sentence), { timeoutMs: STEP_TIMEOUT_MS });
    if (result.status !== 'done') return { sentences: [`clear ${names.join(' ')}`], children: [script] };
    state = result.state;
  }
  return script;
}

const STEP_TIMEOUT_MS = 10_000;
