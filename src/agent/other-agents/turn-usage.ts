/**
 * The messages of a turn and their tokens, as they are told one after the other. Claude Code tells a message in parts, one
 * for each block of its content, and with each part the usage of the whole message as far as it is known: a message counts
 * once, with the most that was told of it.
 */
import { plusUsage, type Usage } from '../models/prices.ts';
import type { DriverEvent } from './driver-stream.ts';

type Said = Omit<Extract<DriverEvent, { readonly kind: 'said' }>, 'kind' | 'results'>;

export class TurnUsage {
  /** By the names of messages; those without one stand for themselves. */
  readonly #told = new Map<string | symbol, Usage>();
  #messages = 0;
  #written = 0;

  add({ id, message, usage, text, calls }: Said): void {
    this.#written += [text, ...calls.flatMap(({ name, input }) => [name, input])].join('').length;
    const name = id ?? Symbol('message');
    const before = this.#told.get(name);
    if (message && before === undefined) this.#messages++;
    this.#told.set(name, mostOf(before ?? plusUsage(undefined, undefined), usage));
  }

  /** How many messages of the model there were. */
  get messages(): number {
    return this.#messages;
  }

  /** Characters that the model wrote. */
  get written(): number {
    return this.#written;
  }

  get total(): Usage {
    return [...this.#told.values()].reduce(plusUsage, plusUsage(undefined, undefined));
  }
}

function mostOf(one: Usage, other: Usage | undefined): Usage {
  if (other === undefined) return one;
  return {
    inputTokens: Math.max(one.inputTokens, other.inputTokens),
    cachedTokens: Math.max(one.cachedTokens, other.cachedTokens),
    outputTokens: Math.max(one.outputTokens, other.outputTokens),
  };
}
