/**
 * What every role is told of a theorem first, in the same words: so that each sees the definitions that the theorem
 * is about, and a provider's cache finds the beginning of each question again.
 */
import { estimateTokens } from '../models/prices.ts';
import type { Message } from '../models/conversation.ts';
import type { Prompts } from '../prompt-files.ts';
import type { Settings } from '../settings.ts';
import type { Target } from '../target.ts';
import { packContext, type ContextPiece } from './pack.ts';

/** The part of what a model takes that the file may have. */
const FILE_SHARE = 1 / 3;
/** Tokens for a question about which nothing is known. */
const PLENTY = 100_000;

export class Briefing {
  readonly #prompts: Prompts;
  readonly #target: Target;
  readonly #goals: string;
  readonly #pieces: readonly ContextPiece[];
  readonly #settings: Pick<Settings, 'fileTokens'>;
  readonly #packed = new Map<number, string>();

  constructor(
    { prompts, settings }: { readonly prompts: Prompts; readonly settings: Pick<Settings, 'fileTokens'> },
    target: Target,
    goals: string,
    pieces: readonly ContextPiece[],
  ) {
    this.#prompts = prompts;
    this.#settings = settings;
    this.#target = target;
    this.#goals = goals;
    this.#pieces = pieces;
  }

  /** What of the file and its project fits. */
  fileText(room: number | undefined): string {
    const { fileTokens } = this.#settings;
    const tokens = room === undefined ? fileTokens : Math.min(fileTokens, Math.floor(room * FILE_SHARE));
    const known = this.#packed.get(tokens);
    if (known !== undefined) return known;
    const { text } = packContext(this.#pieces, tokens);
    this.#packed.set(tokens, text);
    return text;
  }

  message(room: number | undefined): Message {
    const { file, statement } = this.#target;
    const context = this.fileText(room);
    return {
      role: 'system',
      text: this.#prompts.fill('theorem', { file, statement, goals: this.#goals, context }),
    };
  }

  /** A question behind it. @param ask Is told how many tokens there are for it. */
  question(ask: (left: number) => string): (room: number | undefined) => readonly Message[] {
    return (room) => {
      const briefing = this.message(room);
      const left = room === undefined ? PLENTY : Math.max(200, room - estimateTokens(briefing.text));
      return [briefing, { role: 'user', text: ask(left) }];
    };
  }
}

/** The part of a question that a text of any length may have. */
const TEXT_SHARE = 0.7;
const LONGEST_TEXT = 40_000;

/** The end of a long text, where there is no room for all of it: what came last matters most. */
export function tailOf(text: string, left: number): string {
  const most = Math.min(LONGEST_TEXT, Math.floor(left * TEXT_SHARE * 4));
  return text.length <= most ? text : `…${text.slice(-most)}`;
}
