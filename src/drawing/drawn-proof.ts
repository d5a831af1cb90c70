/**
 * A proof as data to be drawn: goals are nodes, tactics the edges to what they left, and beside the tree each
 * sentence with the goals behind it. What several goals share stands once, in tables: goals name hypotheses by
 * their place there, nodes and sentences name goals. Pure: the workbench and the exports read the same.
 */

export const NODE_STATUSES = ['closed', 'open', 'given-up', 'elsewhere', 'together', 'broken'] as const;

/**
 * What became of a goal by itself: a step was run on it; nothing was; it was admitted; another goal's step decided
 * it; it went away in a sentence that dealt with several goals at once; the sentence for it was refused.
 */
export type NodeStatus = (typeof NODE_STATUSES)[number];

export const PROOF_OUTCOMES = ['finished', 'admitted', 'unfinished', 'refused'] as const;

/**
 * How the proof ends: closed by the prover, by `Admitted` or `Abort`, not at all, or at a sentence that does not
 * work.
 */
export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];

export interface DrawnHypothesis {
  readonly name: string;
  readonly type: string;
  readonly body: string | null;
}

export interface DrawnGoal {
  readonly hypotheses: readonly number[];
  readonly conclusion: string;
}

export interface DrawnNode {
  readonly goal: number;
  /** Null at a root. */
  readonly parent: number | null;
  readonly children: readonly number[];
  readonly status: NodeStatus;
  /** What was run on it; null where nothing was. */
  readonly tactic: string | null;
  /** The place of that in `sentences`; null where nothing was run. */
  readonly sentence: number | null;
  readonly seconds: number | null;
}

export interface DrawnSentence {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Goals in focus behind it, in order. */
  readonly goals: readonly number[];
  /** How many goals stand outside of the focus behind it. */
  readonly elsewhere: number;
  readonly shelved: number;
  readonly given_up: number;
  readonly seconds: number;
}

export interface DrawnProof {
  readonly file: string;
  readonly theorem: string;
  readonly statement: string;
  readonly outcome: ProofOutcome;
  /** Why a sentence was refused, with its place in the file. */
  readonly error: string | null;
  readonly hypotheses: readonly DrawnHypothesis[];
  readonly goals: readonly DrawnGoal[];
  readonly nodes: readonly DrawnNode[];
  readonly sentences: readonly DrawnSentence[];
}

export interface WrittenGoal {
  readonly hypotheses: readonly DrawnHypothesis[];
  readonly conclusion: string;
}

type Tables = Pick<DrawnProof, 'hypotheses' | 'goals'>;

/** A goal by its place in the table; undefined when the data has no such goal. */
export function goalAt({ goals, hypotheses }: Tables, place: number): WrittenGoal | undefined {
  const goal = goals[place];
  if (goal === undefined) return undefined;
  return {
    conclusion: goal.conclusion,
    hypotheses: goal.hypotheses.flatMap((one) => hypotheses[one] ?? []),
  };
}

/** The hypotheses of a goal that another one has not, by name, type and value: what a step brought or changed. */
export function changedHypotheses(proof: Tables, before: number | null, after: number): ReadonlySet<number> {
  const own = proof.goals[after]?.hypotheses ?? [];
  if (before === null) return new Set();
  const known = new Set(proof.goals[before]?.hypotheses ?? []);
  return new Set(own.filter((one) => !known.has(one)));
}

/** Goals, hypotheses in tables, each once. */
export class GoalTables {
  readonly hypotheses: DrawnHypothesis[] = [];
  readonly goals: DrawnGoal[] = [];
  readonly #hypothesisAt = new Map<string, number>();
  readonly #goalAt = new Map<string, number>();

  /** The place of the goal, which is put there if it is new. */
  placeOf(goal: WrittenGoal): number {
    const hypotheses = goal.hypotheses.map((one) => this.#placeOfHypothesis(one));
    const key = JSON.stringify([hypotheses, goal.conclusion]);
    const known = this.#goalAt.get(key);
    if (known !== undefined) return known;
    const place = this.goals.push({ hypotheses, conclusion: goal.conclusion }) - 1;
    this.#goalAt.set(key, place);
    return place;
  }

  #placeOfHypothesis({ name, type, body }: DrawnHypothesis): number {
    const key = JSON.stringify([name, type, body]);
    const known = this.#hypothesisAt.get(key);
    if (known !== undefined) return known;
    const place = this.hypotheses.push({ name, type, body }) - 1;
    this.#hypothesisAt.set(key, place);
    return place;
  }
}
