/**
 * What an embedded Rocq worked. Coq looks for interrupts at fixed places of its work, so how often it did is the same
 * in every run; but some tactics hardly ever look (nia, what is computed by the virtual machine). What those use up is
 * told by the processor time of the thread, as soon as that is far more than the looks say.
 */

/** Measured on tactics of all kinds: from 0.4 (nia) over 7 (eauto) to 40 (congruence). */
const POLLS_PER_MS = 5;
/** So many times more processor time than looks tell of: what looks as it should never gets there. */
const RARE = 4;

export class WorkMeter {
  #settledMs = 0;
  #polls = 0;
  #processor: { readonly before: number; readonly now: number } | undefined;

  /** A request begins. @param polls How often Coq has looked until now. */
  begin(polls: number): void {
    this.#polls = polls;
    this.#processor = undefined;
  }

  /** @param milliseconds What the thread has used since it was started; told now and then while a request runs. */
  told(milliseconds: number): void {
    this.#processor = { before: this.#processor?.before ?? milliseconds, now: milliseconds };
  }

  end(polls: number): void {
    this.#settledMs = this.until(polls);
    this.begin(polls);
  }

  /** Milliseconds of a machine that has nothing else to do, since the thread was started. */
  until(polls: number): number {
    const { before, now } = this.#processor ?? { before: 0, now: 0 };
    return this.#settledMs + Math.max((polls - this.#polls) / POLLS_PER_MS, (now - before) / RARE);
  }
}
