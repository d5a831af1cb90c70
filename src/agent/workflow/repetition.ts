/** Notices a model that makes the same call again and again. */
import type { ToolCall } from '../models/conversation.ts';

/** How often the same call may follow itself before it is answered without being made. */
const SAME_CALLS = 2;

export const REPEATED =
  'Not called: the same call was made before, and its answer would be the same. Do something else.';

export class Repetition {
  #latest: ToolCall | undefined;
  #times = 0;

  /** True when the call should not be made any more. */
  notes(call: ToolCall): boolean {
    const same = this.#latest?.name === call.name && this.#latest.input === call.input;
    this.#times = same ? this.#times + 1 : 0;
    this.#latest = call;
    return this.#times >= SAME_CALLS;
  }
}
