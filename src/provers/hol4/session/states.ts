/** The states of a HOL4 session as paths of sentences: what leads to each, and what one has to do to get there. */
import type { StateId } from '../../../core/prover.ts';
import type { TacticStep } from '../syntax/tactic.ts';
import type { Sentence } from './sentence.ts';

export type Executed = Exclude<Sentence, { kind: 'invalid' }>;
export type Declaration = Extract<Sentence, { kind: 'declaration' }>;
export type Opening = Extract<Sentence, { kind: 'open' }>;

export interface State {
  readonly id: StateId;
  /** HOL knows a proof state by this number. */
  readonly number: number;
  readonly parent: State | undefined;
  readonly sentence: Executed | undefined;
  readonly elapsedMs: number;
  /** The state outside of proofs that this one is or stands on. */
  readonly world: State | undefined;
  /** Inside of a proof: how it was opened, and how many goals each open focus set aside, innermost first. */
  readonly proof:
    { readonly opening: Opening; readonly focus: readonly number[]; readonly cheats: number } | undefined;
}

/** The theorem as it stands in a file when `QED` follows a state. */
export function theoremBefore(last: State): Declaration {
  const parts: string[] = [];
  for (let at: State | undefined = last; at?.proof !== undefined; at = at.parent)
    if (at.sentence !== undefined) parts.push(at.sentence.text);
  const name = last.proof?.opening.name ?? '';
  const ask = /^[A-Za-z][\w']*$/.test(name) ? `;val () = Quod_Port.tell_theorem ${name}` : '';
  const text = `${parts.toReversed().join('\n')}\nQED\n${ask}`;
  return { kind: 'declaration', text, modules: [], isTheorem: true, isExpression: false };
}

export function placeOf({ proof, sentence }: State): 'outside' | 'beginning' | 'behind' {
  if (proof === undefined) return 'outside';
  if (sentence?.kind === 'open') return 'beginning';
  return sentence?.kind === 'step' && sentence.focus === 'deeper' ? 'beginning' : 'behind';
}

export function isAncestor(ancestor: State, state: State): boolean {
  for (
    let at: State | undefined = state;
    at !== undefined;
    at = at.proof === undefined ? worldBefore(at) : at.world
  )
    if (at === ancestor) return true;
  return false;
}

/** The state outside of proofs before a declaration; for a theorem closed by `QED`, before its proof. */
function worldBefore({ parent }: State): State | undefined {
  return parent?.proof === undefined ? parent : parent.world;
}

export function pathBetween(ancestor: State, state: State): readonly State[] {
  const path: State[] = [];
  for (let at: State | undefined = state; at !== undefined && at !== ancestor; at = worldBefore(at))
    path.push(at);
  return path.toReversed();
}

/** How many goals each open focus sets aside after steps; `opened` are the goals that there were at each opening. */
export function focusAfter(
  before: readonly number[],
  steps: readonly TacticStep[],
  opened: readonly number[],
): readonly number[] {
  const focus = [...before];
  const counts = [...opened];
  for (const step of steps) {
    if (step.kind === 'close') focus.shift();
    if (step.kind !== 'open') continue;
    const goals = counts.shift() ?? 0;
    focus.unshift(step.focus === 'first' || step.focus === 'list' ? Math.max(0, goals - 1) : 0);
  }
  return focus;
}
