/**
 * The conversation with a model that works with tools. It only grows, so that a provider's cache finds its
 * beginning again; where it would outgrow what the model takes, the oldest turns give way at once to a digest of
 * them, with the states that they reached, and it grows on from there. No call stays without its answer.
 */
import { onOneLine } from '../../core/sentence.ts';
import { entryAt } from '../../core/entry.ts';
import { estimateTokens } from '../models/prices.ts';
import { textOfMessage } from '../models/conversation.ts';
import type { Message } from '../models/conversation.ts';

export interface HistoryLimits {
  /** Tokens of all messages together; undefined: not limited. */
  readonly tokens: number | undefined;
  readonly messages: number;
  /** Latest messages that stay as they are, at most. */
  readonly tail: number;
}

/** What a compaction leaves of the room, so that the next one is far off. */
const LEFT_AFTER_COMPACTION = 0.6;
const DIGEST_SHARE = 0.25;
const DIGEST_TOKENS = 3000;

export class History {
  /** The beginning: what never gives way. */
  readonly #beginning: (room: number | undefined) => readonly Message[];
  readonly #turns: Message[] = [];
  /** Turns before this one are in the digest. */
  #cut = 0;
  #digest = '';

  /** @param beginning Made for the tokens that there are for all messages. It ends in a message of the user. */
  constructor(beginning: (room: number | undefined) => readonly Message[]) {
    this.#beginning = beginning;
  }

  push(message: Message): void {
    this.#turns.push(message);
  }

  /** All that was said and answered, for those who look on. */
  get turns(): readonly Message[] {
    return this.#turns;
  }

  /** What is sent now. */
  messages(limits: HistoryLimits): readonly Message[] {
    const beginning = this.#beginning(limits.tokens);
    const isTooLong = (messages: readonly Message[], share: number): boolean =>
      messages.length > limits.messages ||
      (limits.tokens !== undefined && tokensOf(messages) > limits.tokens * share);
    const now = this.#assembled(beginning);
    if (!isTooLong(now, 1)) return now;
    const digestTokens =
      limits.tokens === undefined ? DIGEST_TOKENS : Math.min(DIGEST_TOKENS, limits.tokens * DIGEST_SHARE);
    const least = this.#turns.length - Math.min(limits.tail, limits.messages - beginning.length);
    for (const cut of this.#places()) {
      if (cut < least || cut <= this.#cut) continue;
      this.#cut = cut;
      this.#digest = turnsDigest(this.#turns.slice(0, cut), digestTokens);
      if (!isTooLong(this.#assembled(beginning), LEFT_AFTER_COMPACTION)) break;
    }
    const after = this.#assembled(beginning);
    return limits.tokens === undefined ? after : squeezed(after, beginning.length, limits.tokens);
  }

  /** Where a cut leaves no answer without its call, the earliest first. The latest turn always stays. */
  *#places(): Generator<number> {
    for (const [index, { role }] of this.#turns.entries()) {
      if (index > 0 && role === 'assistant') yield index;
    }
  }

  #assembled(beginning: readonly Message[]): readonly Message[] {
    if (this.#cut === 0) return [...beginning, ...this.#turns];
    const last = beginning.at(-1);
    const asked = last === undefined ? '' : `${textOfMessage(last)}\n\n`;
    const text = `${asked}What happened until now, in short (states that are named can still be used):\n${this.#digest}`;
    return [...beginning.slice(0, -1), { role: 'user', text }, ...this.#turns.slice(this.#cut)];
  }
}

export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(textOfMessage(message)) + 4, 0);
}

const LINE = 160;

/** One line for each thing said and called, the latest last; the oldest are counted where there is no room for them. */
function turnsDigest(turns: readonly Message[], tokens: number): string {
  const lines = turns.flatMap((message): string[] => {
    switch (message.role) {
      case 'assistant':
        return message.text.trim() === '' ? [] : [`- You said: ${cutLine(message.text)}`];
      case 'tool':
        return [`- ${message.call.name} ${cutLine(message.call.input)} → ${resultLine(message.text)}`];
      case 'user':
        return [`- You were told: ${cutLine(message.text)}`];
      case 'system':
        return [];
    }
  });
  let used = 0;
  let from = lines.length;
  while (from > 0) {
    used += estimateTokens(`${entryAt(lines, from - 1, 'line')}\n`);
    if (used > tokens) break;
    from -= 1;
  }
  const older = from === 0 ? [] : [`- (${from} older lines are left out)`];
  return [...older, ...lines.slice(from)].join('\n');
}

function cutLine(text: string): string {
  const flat = onOneLine(text);
  return flat.length > LINE ? `${flat.slice(0, LINE - 1)}…` : flat;
}

/** The beginning of a result, and the state that it leads to where that stands further on. */
function resultLine(text: string): string {
  const line = cutLine(text);
  const state = /\bstate:? (s\d+)\b/iu.exec(text)?.[1];
  return state === undefined || line.includes(state) ? line : `${line} (state ${state})`;
}

/** The last resort: results of tools are cut, the longest first, until all fits. */
function squeezed(messages: readonly Message[], from: number, tokens: number): readonly Message[] {
  let result = messages;
  for (let most = 4000; most >= 200 && tokensOf(result) > tokens; most = Math.floor(most / 2)) {
    const limit = most;
    result = result.map((message, index) =>
      index >= from && message.role === 'tool' && message.text.length > limit
        ? { ...message, text: `${message.text.slice(0, limit)}\n… (cut: the context is full)` }
        : message,
    );
  }
  return result;
}
