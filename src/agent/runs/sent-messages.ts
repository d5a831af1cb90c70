/**
 * What was sent to models, as a log keeps it: a question that repeats the beginning of an earlier one names that
 * one, so that a conversation of a hundred turns is not written a hundred times.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../models/conversation.ts';
import type { Role } from '../settings.ts';
import type { EventOf, RunRecord } from './events.ts';

type Sent = NonNullable<EventOf<'model-called'>['sent']>;

export class SentMessages {
  readonly #byKey = new Map<string, readonly Message[]>();
  readonly #latest = new Map<Role, string>();

  constructor(past: readonly RunRecord[] = []) {
    for (const { event } of past) {
      if (event.kind !== 'model-called' || event.sent === undefined) continue;
      this.#remember(event.key, event.role, this.messagesOf(event.sent));
    }
  }

  /** What is recorded of a question. */
  add(key: string, role: Role, messages: readonly Message[]): Pick<Sent, 'like' | 'kept' | 'messages'> {
    const candidates = [this.#latest.get(role), ...this.#latest.values()].filter((one) => one !== undefined);
    let like: string | null = null;
    let kept = 0;
    for (const candidate of new Set(candidates)) {
      const shared = sharedBeginning(this.#byKey.get(candidate) ?? [], messages);
      if (shared > kept) [like, kept] = [candidate, shared];
    }
    this.#remember(key, role, messages);
    return { like, kept, messages: messages.slice(kept).map(plain) };
  }

  /** All that was sent. */
  messagesOf({ like, kept, messages }: Pick<Sent, 'like' | 'kept' | 'messages'>): readonly Message[] {
    const before = like === null ? [] : (this.#byKey.get(like) ?? []).slice(0, kept);
    return [...before, ...messages];
  }

  #remember(key: string, role: Role, messages: readonly Message[]): void {
    this.#byKey.set(key, messages);
    this.#latest.set(role, key);
  }
}

function sharedBeginning(one: readonly Message[], other: readonly Message[]): number {
  let length = 0;
  while (length < one.length && length < other.length && isDeepStrictEqual(one[length], other[length]))
    length++;
  return length;
}

function plain(message: Message): Sent['messages'][number] {
  if (message.role !== 'assistant') return message;
  const { thoughts, ...rest } = message;
  return { ...rest, calls: [...message.calls], ...(thoughts !== undefined && { thoughts: [...thoughts] }) };
}
