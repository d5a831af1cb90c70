/** What a prover shows of an open proof, the same shape for every prover. */

/** One name of a context. A prover's `n, m : nat` is two hypotheses. */
export interface Hypothesis {
  readonly name: string;
  readonly type: string;
  /** The value of a local definition `x := body : type`. */
  readonly body?: string;
}

export interface Goal {
  /** The prover's own name for the goal (an evar in Rocq); stable while the goal is open, not across sessions. */
  readonly id: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly conclusion: string;
}

/**
 * The goals in focus, in order, and how many others there are. All zero and no goals: only the closing command is
 * left.
 */
export interface ProofState {
  readonly goals: readonly Goal[];
  /** Number of goals set aside by each open focus (bullet or brace), innermost first. */
  readonly unfocused: readonly number[];
  readonly shelved: number;
  readonly givenUp: number;
}

/** The goals that a {@link ProofState} only counts. */
export interface BackgroundGoals {
  readonly unfocused: readonly (readonly Goal[])[];
  readonly shelved: readonly Goal[];
  readonly givenUp: readonly Goal[];
}

/** All goals of an open proof, as a prover that is asked for everything shows them. */
export interface AllGoals extends BackgroundGoals {
  readonly focused: readonly Goal[];
}

/** The state that they describe, background goals only counted. */
export function proofStateOf(goals: AllGoals): ProofState {
  return {
    goals: goals.focused,
    unfocused: goals.unfocused.map((level) => level.length),
    shelved: goals.shelved.length,
    givenUp: goals.givenUp.length,
  };
}

/** Everything that is still to be proved or was given up, in focus or not. */
export function openGoalCount({ goals, unfocused, shelved, givenUp }: ProofState): number {
  return goals.length + unfocused.reduce((sum, count) => sum + count, 0) + shelved + givenUp;
}

/** True when nothing stands between this state and the closing command. Not yet `proved`: `Qed` may still refuse. */
export function isClosed(state: ProofState): boolean {
  return openGoalCount(state) === 0;
}

/** A goal in one text, for comparing and searching. */
export function sequentText(goal: Goal): string {
  const hypotheses = goal.hypotheses.map(({ name, type, body }) =>
    body === undefined ? `${name} : ${type}` : `${name} := ${body} : ${type}`,
  );
  return [...hypotheses, `|- ${goal.conclusion}`].join('\n');
}

/** Whether goals say the same, whatever the prover calls them. */
export function sameGoals(some: readonly Goal[], others: readonly Goal[]): boolean {
  return (
    some.length === others.length &&
    some.every((goal, place) => {
      const other = others[place];
      return other !== undefined && sequentText(goal) === sequentText(other);
    })
  );
}
