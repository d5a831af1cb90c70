/**
 * What is asked about a compiled submission: what its statements rest on, and whether the separate checker accepts it.
 * Both are begun as early as possible, beside the target's compilation, and broken off when the verdict needs them no more.
 */
import type { AssumptionsAnswer, CompiledUnit, RecheckAnswer } from './backends/judge-backend.ts';
import { type JudgeSettings, limitsOf } from './judgement.ts';

export class SubmissionQuestions {
  readonly #unit: CompiledUnit;
  readonly #settings: JudgeSettings;
  readonly #noLongerNeeded = new AbortController();
  readonly #assumptions = new Map<string, Promise<AssumptionsAnswer>>();
  #rechecked: Promise<RecheckAnswer> | undefined;

  constructor(unit: CompiledUnit, settings: JudgeSettings) {
    const { signal } = settings;
    const stop = this.#noLongerNeeded.signal;
    this.#unit = unit;
    this.#settings = { ...settings, signal: signal === undefined ? stop : AbortSignal.any([signal, stop]) };
  }

  /** Asks what will be asked most likely: `names` are those that the submission itself declares. */
  begin(names: readonly string[]): void {
    if (this.#unit.asksSlowly === true) return;
    void this.assumptions(names).catch(() => undefined);
    void this.recheck().catch(() => undefined);
  }

  /** @param names statements by their names in the file; the same ones are asked about once. */
  assumptions(names: readonly string[]): Promise<AssumptionsAnswer> {
    const key = JSON.stringify([...names].sort());
    let answer = this.#assumptions.get(key);
    if (answer === undefined) {
      const { inDetail = false } = this.#settings;
      answer = this.#unit.assumptions(names, limitsOf(this.#settings), { printed: inDetail });
      this.#assumptions.set(key, answer);
    }
    return answer;
  }

  recheck(): Promise<RecheckAnswer> {
    this.#rechecked ??= this.#askChecker();
    return this.#rechecked;
  }

  async #askChecker(): Promise<RecheckAnswer> {
    const { policy, project } = this.#settings;
    const missing = (message: string): RecheckAnswer => ({ status: 'missing', message });
    if (policy?.recheck === 'never') return missing('The policy asks for no second check.');
    if (this.#unit.recheck === undefined) return missing('This prover has no separate checker.');
    if (project.arguments.includes('-type-in-type'))
      return missing('The separate checker knows no -type-in-type.');
    return this.#unit.recheck(limitsOf(this.#settings));
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    this.#noLongerNeeded.abort();
    await Promise.allSettled([...this.#assumptions.values(), this.#rechecked]);
  }
}
