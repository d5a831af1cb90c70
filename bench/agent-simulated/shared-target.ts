/**
 * A target whose prover, search and gate are asked once for each distinct question, however many runs ask it: runs with
 * the same model on one theorem differ in what they ask, not in what is answered. So a run costs what is new in it,
 * and two runs that ask the same are told the same, however busy the machine is.
 */
import type { HelperTarget, Helpers, Target, ToolSession } from '../../src/agent/target.ts';

export class SharedTarget {
  readonly target: Target;
  readonly #inner: Target;
  readonly #answers: Map<string, Promise<unknown>>;
  readonly #closings: (() => Promise<void>)[] = [];

  constructor(inner: Target) {
    this.#inner = inner;
    this.#answers = new Map();
    const { prover, theorem, statement, file, tools, helpers } = inner;
    this.target = {
      ...{ prover, theorem, statement, file, tools },
      openToolSession: () => this.#session(),
      context: (signal) => this.#once(['context'], () => inner.context(signal)),
      similarProofs: (goal, wanted, signal) =>
        this.#once(['similar', goal, wanted], () => inner.similarProofs(goal, wanted, signal)),
      search: (seconds, seed, signal) =>
        this.#once(['search', seconds, seed], () => inner.search(seconds, seed, signal)),
      judge: (proof, signal, before) =>
        this.#once(['judge', proof, before], () => inner.judge(proof, signal, before)),
      write: () => Promise.reject(new Error('Nothing is written here.')),
      ...(helpers !== undefined && { helpers: this.#helpers(helpers) }),
    };
  }

  /** Ends its sessions, and those behind lemmas. */
  async close(): Promise<void> {
    for (const close of this.#closings.splice(0).toReversed()) await close();
  }

  async #session(): Promise<ToolSession> {
    const inner = await this.#once(['session'], async () => {
      const session = await this.#inner.openToolSession(new AbortController().signal);
      this.#closings.push(() => session.close());
      return session;
    });
    const repair = inner.repair?.bind(inner);
    const sketch = inner.sketch?.bind(inner);
    return {
      state: inner.state,
      call: (tool, input, signal) => this.#once(['call', tool, input], () => inner.call(tool, input, signal)),
      ...(repair !== undefined && {
        repair: (state, seconds, signal) =>
          this.#once(['repair', state, seconds], () => repair(state, seconds, signal)),
      }),
      ...(sketch !== undefined && {
        sketch: (script, signal) => this.#once(['sketch', script], () => sketch(script, signal)),
      }),
      close: () => Promise.resolve(),
    };
  }

  #helpers(inner: Helpers): Helpers {
    const shared = async (question: unknown, open: () => Promise<HelperTarget>): Promise<HelperTarget> => {
      const target = await this.#once(['helpers', question], async () => {
        const opened = await open();
        const behind = new SharedTarget(opened.target);
        this.#closings.push(opened.close, () => behind.close());
        return behind.target;
      });
      return { target, close: () => Promise.resolve() };
    };
    return {
      state: (statement, known, signal) =>
        shared(['state', statement, known], () => inner.state(statement, known, signal)),
      with: (known, signal) => shared(['with', known], () => inner.with(known, signal)),
    };
  }

  #once<Value>(question: readonly unknown[], ask: () => Promise<Value>): Promise<Value> {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const answer = ask();
    this.#answers.set(key, answer);
    return answer;
  }
}
