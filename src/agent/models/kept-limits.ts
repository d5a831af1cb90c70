/**
 * Which models keep to `max-output-tokens`: only of those is known what a call costs at most, so that calls can be made
 * at once within a budget. Trust grows with what was shown. As many answers as have kept to the limit, and one, are
 * waited for at once: a server that then bills more is found out by no more calls than it has shown.
 */
interface Kept {
  answers: number;
  underWay: number;
  /** An answer was billed with more, or its bill could not be believed: that may happen again. */
  isBroken: boolean;
}

export class KeptLimits {
  readonly #kept = new Map<string, Kept>();

  note(model: string, isKept: boolean): void {
    const kept = this.#of(model);
    if (isKept) kept.answers += 1;
    else kept.isBroken = true;
  }

  /** Whether one more call is sure to keep to the limit, as far as anybody can know. */
  isSureOf(model: string): boolean {
    const { answers, underWay, isBroken } = this.#of(model);
    return !isBroken && answers > 0 && underWay <= answers;
  }

  async during<Result>(model: string, ask: () => Promise<Result>): Promise<Result> {
    const kept = this.#of(model);
    kept.underWay += 1;
    try {
      return await ask();
    } finally {
      kept.underWay -= 1;
    }
  }

  #of(model: string): Kept {
    const kept = this.#kept.get(model) ?? { answers: 0, underWay: 0, isBroken: false };
    this.#kept.set(model, kept);
    return kept;
  }
}
