/**
 * What was sent to models, as a log keeps it: a question that repeats the beginning of an earlier one names that
 * one, so that a conversation of a hundred turns is not written a hundred times.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../models/conversation.ts';
import type { Role } from '../settings.ts';
import type { EventOf, RunRecord } from './events.ts';

type Sent = NonNullable<EventOf<'model-called'>['sent']>;

/** What was sent with a question: the first messages of an earlier one, and others behind them. */
interface Question {
  readonly before: Question | undefined;
  /** How many messages of it. */
  readonly kept: number;
  readonly messages: readonly Message[];
}

/**
 * Questions hold their own messages and point to the earlier one: a log of any length, also one that somebody made, is
 * read in time and memory that grow with its size. Only what a new question is compared with is put together.
 */
export class SentMessages {
  readonly #latest = new Map<Role, { readonly key: string; readonly question: Question }>();

  constructor(past: readonly RunRecord[] = []) {
    const byKey = new Map<string, Question>();
    for (const { event } of past) {
      if (event.kind !== 'model-called' || event.sent === undefined) continue;
      const { like, kept, messages } = event.sent;
      const before = like === null ? undefined : byKey.get(like);
      const question = { before, kept: Math.min(Math.max(kept, 0), lengthOf(before)), messages };
      byKey.set(event.key, question);
      this.#latest.set(event.role, { key: event.key, question });
    }
    for (const [role, { key, question }] of this.#latest) this.#remember(key, role, allOf(question));
  }

  /** What is recorded of a question. */
  add(key: string, role: Role, messages: readonly Message[]): Pick<Sent, 'like' | 'kept' | 'messages'> {
    const own = this.#latest.get(role);
    const candidates = [...(own === undefined ? [] : [own]), ...this.#latest.values()];
    let like: string | null = null;
    let kept = 0;
    for (const candidate of new Set(candidates)) {
      const shared = sharedBeginning(candidate.question.messages, messages);
      if (shared > kept) [like, kept] = [candidate.key, shared];
    }
    this.#remember(key, role, messages);
    return { like, kept, messages: messages.slice(kept).map(plain) };
  }

  #remember(key: string, role: Role, messages: readonly Message[]): void {
    this.#latest.set(role, { key, question: { before: undefined, kept: 0, messages } });
  }
}

function lengthOf(question: Question | undefined): number {
  return question === undefined ? 0 : question.kept + question.messages.length;
}

/** All that was sent. */
function allOf(question: Question): readonly Message[] {
  const parts: (readonly Message[])[] = [];
  let wanted = lengthOf(question);
  for (let at: Question | undefined = question; at !== undefined && wanted > 0; at = at.before) {
    if (wanted > at.kept) parts.push(at.messages.slice(0, wanted - at.kept));
    wanted = Math.min(wanted, at.kept);
  }
  return parts.reverse().flat();
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
