/**
 * A command that takes proof text as it is: `- reflexivity.` begins with a bullet and `-- why` is a comment, where
 * commander sees an option that there is not. No option has a blank behind its dashes.
 */
import { EventEmitter } from 'node:events';
import { Command, type ParseOptionsResult } from 'commander';

/** Stands before such a word while options are looked for; no word of a command line has this character. */
const MARK = '\0';

export class TextCommand extends Command {
  override parseOptions(words: string[]): ParseOptionsResult {
    const marked = words.map((word) => (/^-+\s/u.test(word) ? `${MARK}${word}` : word));
    const { operands, unknown } = super.parseOptions(marked);
    return { operands: operands.map(unmarked), unknown: unknown.map(unmarked) };
  }

  /** By events commander hands the values to their options; it is an emitter, though its types do not say so. */
  emit(event: string, ...values: unknown[]): boolean {
    const plain = values.map((value) => (typeof value === 'string' ? unmarked(value) : value));
    return EventEmitter.prototype.emit.call(this as unknown as EventEmitter, event, ...plain);
  }
}

function unmarked(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word;
}
