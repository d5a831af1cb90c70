/**
 * A live session on a theorem, as a model works in it: its tools, automation and search at a goal where it failed, and
 * proofs with holes. Every script that leaves no goal is told as a whole proof.
 */
import { orNothing, orZero } from '../../core/entry.ts';
import { errorText } from '../../core/errors.ts';
import type { Repair, Sketched, ToolAnswer, ToolSession } from '../../agent/target.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { toolNamed, type Closing } from '../agent-tools.ts';
import { goesOnAfter, type OperationCalls } from '../operation-calls.ts';
import { runSketch } from './rocq-sketch.ts';
import { TOOLS } from './rocq-tools.ts';

/** What is tried first at the goal of a failed check: it takes milliseconds where it fails. */
const AUTOMATION = (
  'easy|auto|lia|congruence|tauto|eauto|now simpl|simpl; auto|simpl; lia|intros; easy|intros; lia|intuition auto|' +
  'intuition lia|ring|field|nia|firstorder'
)
  .split('|')
  .map((tactic) => `${tactic}.`);

/** The theorem that a session is about. */
export interface SessionTarget {
  readonly file: string;
  readonly theorem: string;
  /** The answer of a reading tool; undefined for other tools. @throws QuodError. */
  read(tool: string, input: unknown): Promise<string | undefined>;
}

export class RocqToolSession implements ToolSession {
  readonly state: string;
  readonly #calls: OperationCalls;
  readonly #target: SessionTarget;
  readonly #session: string;

  constructor(calls: OperationCalls, target: SessionTarget, session: string, state: string) {
    // Without the session's name, which is another one in a run that is resumed.
    this.state = state.replace(/^Session \S+, state/u, 'State');
    this.#calls = calls;
    this.#target = target;
    this.#session = session;
  }

  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    try {
      const read = await this.#target.read(tool, input);
      if (read !== undefined) return { text: read, check: null };
      const called = toolNamed(TOOLS, tool);
      const answer = await called.call(this.#calls, input, this.#place(called.operation, input), signal);
      const proof = await this.#wholeProof(answer.closings, signal);
      if (proof === undefined) return { text: answer.text, check: answer.check };
      return {
        text: `${answer.text}\n\nNo goal is left: this is the whole proof.\n${proof}`,
        check: { outcome: 'proved', proof, goal: null },
      };
    } catch (error) {
      if (!goesOnAfter(error, signal)) throw error;
      const check = { outcome: error.reason, proof: null, goal: null };
      return { text: `Error [${error.reason}]: ${error.toString()}`, check };
    }
  }

  /** Automation first, then the search, on the goals in focus; what was accepted before them stays. */
  async repair(from: string, seconds: number, signal: AbortSignal): Promise<Repair> {
    try {
      return await this.#searched(from, seconds, signal);
    } catch (error) {
      if (!goesOnAfter(error, signal)) throw error;
      return {
        proof: null,
        closing: null,
        text: `Nothing could be tried without you from state ${from}: ${error.message}`,
      };
    }
  }

  async sketch(script: string, signal: AbortSignal): Promise<Sketched> {
    try {
      return await runSketch(this.#calls, this.#session, script, signal);
    } catch (error) {
      if (!goesOnAfter(error, signal)) throw error;
      return {
        kind: 'refused',
        text: `Error [${error.reason}]: ${error.toString()}`,
        goal: null,
        state: null,
      };
    }
  }

  async #searched(from: string, seconds: number, signal: AbortSignal): Promise<Repair> {
    const place = { session_id: this.#session, from };
    const limits = { sentence_timeout: Math.min(2, seconds) };
    const tried = await this.#calls.call(
      'rocq_try',
      { ...place, alternatives: AUTOMATION, ...limits },
      signal,
    );
    const closing = tried.results.find(({ accepted, goals_total }) => accepted && goals_total === 0);
    if (closing?.state != null) return this.#closed(from, closing.script, closing.state, signal);
    const { results, closed } = await this.#calls.call('proof_search', { ...place, budget: seconds }, signal);
    if (closed !== null) return this.#closed(from, closed.script, closed.state, signal);
    const [result] = results;
    const nearest = tried.results
      .filter(({ accepted }) => accepted)
      .toSorted((one, other) => one.goals_left - other.goals_left)
      .slice(0, 2)
      .map(({ script, goals_left, first_goal, state }) => {
        const goal = first_goal === null ? '' : `, first ${first_goal.conclusion}`;
        return `- ${script} leaves ${goals_left} (state ${orNothing(state)})${goal}`;
      });
    const best = result?.goals_left == null ? '' : `, at best ${result.goals_left} goals left`;
    return {
      ...{ proof: null, closing: null },
      text: [
        `Tried without you from state ${from}: automation, and a search of ${seconds} s (${orZero(result?.nodes)} nodes${best}). Neither closes the goal.`,
        ...(nearest.length === 0 ? [] : ['Nearest:', ...nearest]),
      ].join('\n'),
    };
  }

  async #closed(from: string, script: string, state: string, signal: AbortSignal): Promise<Repair> {
    const proof = (await this.#wholeProof([{ from, script }], signal)) ?? null;
    const rest = proof === null ? `Go on from state ${state}.` : `This is the whole proof:\n${proof}`;
    return {
      proof,
      closing: script,
      text: `From state ${from} the goal is closed without you by:\n${script}\n${rest}`,
    };
  }

  /** The proof from its beginning, where a script that was run left no goal; undefined where no closing is accepted. */
  async #wholeProof(closings: readonly Closing[], signal: AbortSignal): Promise<string | undefined> {
    for (const { from, script } of closings) {
      const place = { session_id: this.#session, ...(from !== undefined && { from }) };
      const { proof } = await this.#calls.call('rocq_check_proof', { ...place, proof: script }, signal);
      if (proof !== null) return proof;
    }
    return undefined;
  }

  async close(): Promise<void> {
    try {
      await this.#calls.call('rocq_close', { session_id: this.#session }, new AbortController().signal);
    } catch (error) {
      // It ends with the process at the latest.
      if (!(error instanceof Error)) throw new Error(errorText(error), { cause: error });
    }
  }

  #place({ name, input }: AnyOperation, said: unknown): Record<string, unknown> {
    // From the start the whole file is searched for what helps; from a state the session goes on.
    const isFromState = typeof said === 'object' && said !== null && 'from' in said && said.from !== 's0';
    if (name === 'proof_search' && !isFromState)
      return { file: this.#target.file, theorems: [this.#target.theorem] };
    return 'session_id' in input.shape ? { session_id: this.#session } : {};
  }
}
