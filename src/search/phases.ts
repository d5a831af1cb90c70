/** Takes the time of the phases of one theorem, one after the other, and tells when each begins. */
import { orZero } from '../core/entry.ts';
import type { ProvePhase } from './prove-request.ts';

export class Phases {
  readonly #onBegin: (phase: ProvePhase) => void;
  readonly #times: Partial<Record<ProvePhase, number>>;
  #current: { readonly phase: ProvePhase; readonly since: number } | undefined;

  /** @param before What there was of them already. */
  constructor(
    onBegin: (phase: ProvePhase) => void,
    before: Readonly<Partial<Record<ProvePhase, number>>> = {},
  ) {
    this.#onBegin = onBegin;
    this.#times = { ...before };
  }

  /** Ends the phase before; answers the time. */
  begin(phase: ProvePhase): number {
    const since = this.#stop();
    this.#current = { phase, since };
    this.#onBegin(phase);
    return since;
  }

  /** Milliseconds of each phase that there was. */
  end(): Readonly<Partial<Record<ProvePhase, number>>> {
    this.#stop();
    this.#current = undefined;
    return { ...this.#times };
  }

  #stop(): number {
    const now = performance.now();
    if (this.#current !== undefined) {
      const { phase, since } = this.#current;
      this.#times[phase] = orZero(this.#times[phase]) + now - since;
    }
    return now;
  }
}
