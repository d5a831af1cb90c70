/** Notices a model that makes the same call again and again where nothing that its answer depends on has changed. */
import type { ToolCall } from '../models/conversation.ts';

/** How often the same call may follow itself before it is answered without being made. */
const SAME_CALLS = 2;

export const REPEATED =
  'Not called: the same call was made before, and its answer would be the same. Do something else.';

export class Repetition {
  #latest: ToolCall | undefined;
  #answer: string | undefined;
  #times = 0;

  /** True when the call should not be made any more. */
  notes(call: ToolCall): boolean {
    const same = this.#latest?.name === call.name && this.#latest.input === call.input;
    this.#times = same ? this.#times + 1 : 0;
    if (!same) this.#answer = undefined;
    this.#latest = call;
    return this.#times >= SAME_CALLS;
  }

  /** What the latest call was answered, where a session moves on: with another answer it was another call. */
  answered(text: string): void {
    if (this.#answer !== undefined && this.#answer !== text) this.#times = 0;
    this.#answer = text;
  }

  /** Another theorem, another session, another context, or what may have changed the answers: all calls are new. */
  forget(): void {
    this.#latest = undefined;
    this.#answer = undefined;
    this.#times = 0;
  }
}
