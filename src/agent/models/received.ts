/**
 * What has arrived of one answer: it is paid for, also when the answer fails, is cut off or never ends. An answer
 * that grows beyond what may be paid for is not read any further.
 */

/** However free a model is: what no answer of a model needs. */
const MOST_CHARACTERS = 16_000_000;

/** What a stream may send besides the answer: beginnings, signs of life, thoughts in cipher, all of it once more. */
const MOST_BESIDES = 8_000_000;
/** Bytes of an event that tells one character. */
const MOST_FOR_A_CHARACTER = 1000;

/** Bytes of a character in an event that tells the answer once more: `\\u0000`. */
const MOST_FOR_A_REPEATED_CHARACTER = 6;

const NO_ANSWER = 'what is sent is no answer, and does not end';
const LONG_EVENT = 'one event of it is longer than any answer';

/** The answer was longer than what is left to pay for it, or than what was asked for. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

export class Received {
  #hasBegun = false;
  #characters = 0;
  #streamed = 0;
  #event = 0;
  readonly #most: number;
  readonly #why: string;
  readonly #onBegin: () => void;

  /** @param most Characters. @param why Said when there are more. @param onBegin Called when the answer begins. */
  constructor(most: number = Number.POSITIVE_INFINITY, why = '', onBegin: () => void = () => undefined) {
    this.#most = Math.min(most, MOST_CHARACTERS);
    this.#why = most < MOST_CHARACTERS ? why : 'it does not end';
    this.#onBegin = onBegin;
  }

  /** The server began to answer, and not with a refusal. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
    this.#onBegin();
  }

  get characters(): number {
    return this.#characters;
  }

  /** What is paid for of it. An event that is too long was not read: all of it may have been answer. */
  get payable(): number {
    return this.#characters + (this.#isEventTooLong ? this.#event : 0);
  }

  get isTooLong(): boolean {
    return (
      this.#characters > this.#most ||
      this.#streamed > MOST_BESIDES + MOST_FOR_A_CHARACTER * this.#characters ||
      this.#isEventTooLong
    );
  }

  get #isEventTooLong(): boolean {
    return this.#event > MOST_BESIDES + MOST_FOR_A_REPEATED_CHARACTER * this.#characters;
  }

  get #whyTooLong(): string {
    if (this.#characters > this.#most) return this.#why;
    return this.#isEventTooLong ? LONG_EVENT : NO_ANSWER;
  }

  /** @throws AnswerTooLong. */
  add(characters: number): void {
    this.#characters += characters;
    this.requireRoom();
  }

  /**
   * Bytes of a stream, of which the answer itself is told to `add`.
   * @param event All bytes of the event that has not ended: it is kept until then.
   * @throws AnswerTooLong.
   */
  addStreamed(bytes: number, event: number): void {
    this.#streamed += bytes;
    this.#event = event;
    this.requireRoom();
  }

  /** @throws AnswerTooLong. */
  requireRoom(): void {
    if (this.isTooLong) throw new AnswerTooLong(`The answer was not read to its end: ${this.#whyTooLong}.`);
  }
}
