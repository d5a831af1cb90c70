/**
 * The messages of a turn and their tokens. Claude Code tells a message in parts, one for each block of its content, and with
 * each part the usage of the whole message as far as it is known: the most that was told of it counts.
 */
import { plusUsage, type Usage } from '../models/prices.ts';
import { TurnMessages } from '../runs/turn-messages.ts';
import type { DriverEvent } from './driver-stream.ts';

type Said = Omit<Extract<DriverEvent, { readonly kind: 'said' }>, 'kind' | 'results'>;

export class TurnUsage {
  /** By the names of messages; those without one stand for themselves. */
  readonly #told = new Map<string | symbol, Usage>();
  readonly messages = new TurnMessages();
  #written = 0;

  add({ id, message, usage, text, calls }: Said): void {
    this.messages.add({ id, message });
    this.#written += calls.reduce((sum, { name, input }) => sum + name.length + input.length, text.length);
    const name = id ?? Symbol('message');
    this.#told.set(name, mostOf(this.#told.get(name) ?? plusUsage(undefined, undefined), usage));
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
