/**
 * What may be given to Rocq where there is no sandbox: a text in which nothing can begin a command that reaches beyond the
 * prover, however Rocq cuts it into sentences.
 *
 * Promise: no cut is trusted. A notation can make `.(` a token, and then what looks like a comment is code; so every place
 * where Rocq could begin a sentence is looked at, in comments and strings too: the beginning, behind each dot that a blank or
 * the end follows (Rocq's lexer refuses all other dots that stand alone), behind each `*)`, and from each of these on
 * behind bullets, braces, goal selectors, attributes and words that stand before commands. What stands there must be a
 * tactic or a command of the closed list (commands.ts). Prose in comments that reads like an unknown command is
 * refused with the rest: the answer is then that nobody looked, never that the submission is wrong.
 */
import { LineIndex, type PrintedPosition } from '../../../core/position.ts';
import { classify } from './commands.ts';

export type ConfinedText =
  | { readonly ok: true }
  | { readonly ok: false; readonly position: PrintedPosition; readonly message: string };

export const NO_SANDBOX_REMEDY =
  'Install bubblewrap (bwrap), or allow unprivileged user namespaces: in a sandbox the text is no matter.';

/** `allowed`: commands that the policy lets a submission use. They may reach what they like then. */
export function confinedText(text: string, allowed: readonly string[] = []): ConfinedText {
  for (const start of possibleStarts(text)) {
    const refusal = refusalAt(text, start, new Set(allowed));
    if (refusal === undefined) continue;
    return {
      ok: false,
      position: new LineIndex(text).printedAt(refusal.at),
      message: `${refusal.what} could be run here, and there is no sandbox.`,
    };
  }
  return { ok: true };
}

/**
 * True when no sentence of a proof can be anything but a tactic or the end of the proof, however Rocq cuts the text. For
 * proofs before text that cannot be compiled: what a command does to names would not be seen there.
 *
 * @param tactics Capitalised words that are tactics in the file.
 */
export function canOnlyBeTactics(proof: string, tactics?: ReadonlySet<string>): boolean {
  return commandPlace(proof, tactics) === undefined;
}

/** The first place of a proof where something else may stand, as `canOnlyBeTactics` has it. */
export function commandPlace(proof: string, tactics: ReadonlySet<string> = new Set()): number | undefined {
  for (const start of possibleStarts(proof)) {
    let at = start;
    for (let next: number | undefined = at; next !== undefined;) {
      at = next;
      next = endOf(SKIPPED, proof, at) ?? endOf(SELECTOR, proof, at);
    }
    if (proof.startsWith('#', at)) return at;
    const end = endOf(WORD, proof, at);
    if (end === undefined) continue;
    const word = proof.slice(at, end);
    if (!/^\p{Lu}/u.test(word) || isQualified(proof, end) || OF_PROOFS.has(word) || tactics.has(word))
      continue;
    return at;
  }
  return undefined;
}

/** Commands that do nothing but to the proof they stand in. */
const OF_PROOFS = new Set('Proof Qed Defined Focus Unfocus Unfocused Guarded Unshelve Show Grab'.split(' '));

/** More characters than Rocq takes for blanks: a place too many is looked at sooner than one too few. */
const BEHIND_A_SENTENCE = /\.(?=[\s\p{C}\p{Z}]|$)|\*\)/gu;

function possibleStarts(text: string): number[] {
  return [0, ...[...text.matchAll(BEHIND_A_SENTENCE)].map(({ 0: end, index }) => index + end.length)];
}

interface Refusal {
  readonly at: number;
  readonly what: string;
}

/** Blanks, bullets, braces, and colons, since what is before a colon may be a selector that a comment divides. */
const SKIPPED = /[\s\p{C}\p{Z}\-+*{}:!]+/uy;
/** Any row of the parts of a goal selector: at least what our own reader of sentences takes for one. */
const SELECTOR = /(?:[\d\s,!-]|all|par|\[\s*[\p{L}\p{N}_']+\s*\])+:/uy;
const ATTRIBUTES = /#\s*\[[\p{L}\p{N}_\s,=]*(?:\([\p{L}\p{N}_\s,=]*\)[\p{L}\p{N}_\s,=]*)*\]/uy;
const WORD = /[\p{L}_][\p{L}\p{N}\p{M}_']*/uy;
const BLANKS = /\s+/y;
/** They stand before a command, which begins behind them. */
const BEFORE_COMMANDS = new Set(
  'Time Fail Succeed Instructions Timeout Local Global Polymorphic Monomorphic Cumulative NonCumulative Private Program'.split(
    ' ',
  ),
);
/** The list does not have them for what they do to names; nothing of the machine is in their reach. */
const HARMLESS = new Set('Module Include Universe Universes Constraint Undo Restart'.split(' '));
/** Names and nothing else: with a string, `Print` may write a file. */
const PLAIN_PRINT = /Print\s[\p{L}\p{N}_'@.\s]*?\.(?:\s|$)/uy;
/** Beyond it no command of the list is told from another. */
const LOOKED_AT = 300;

function refusalAt(text: string, start: number, allowed: ReadonlySet<string>): Refusal | undefined {
  for (let at = start; ;) {
    const next = endOf(SKIPPED, text, at) ?? endOf(SELECTOR, text, at) ?? endOf(ATTRIBUTES, text, at);
    if (next !== undefined) {
      at = next;
      continue;
    }
    // Attributes that are not simple: it is not known what follows.
    if (text.startsWith('#', at) && /^#\s*\[/u.test(text.slice(at, at + 20)))
      return { at, what: 'A command behind these attributes' };
    const end = endOf(WORD, text, at);
    // No command begins with a symbol or a number. Behind a comment here, its end is a place of its own.
    if (end === undefined) return undefined;
    const word = text.slice(at, end);
    if (!/^\p{Lu}/u.test(word) || isQualified(text, end)) return undefined;
    if (HARMLESS.has(word)) return undefined;
    // Where it ends, and so whether it writes a file, is not known.
    if ((word === 'Extraction' || word === 'Recursive') && !allowed.has(word))
      return { at, what: `The command ${word}` };
    if (BEFORE_COMMANDS.has(word)) {
      const behind = wordBehind(text, end, word);
      if (behind !== undefined) {
        at = behind;
        continue;
      }
      return { at, what: `What stands behind ${word}` };
    }
    if (word === 'Export') {
      // Of commands, only these can stand behind it; else it names modules.
      const exported = wordBehind(text, end, word);
      if (exported === undefined || !/^(?:Set|Unset)\b/u.test(text.slice(exported, exported + 6)))
        return undefined;
      at = exported;
      continue;
    }
    if (word === 'Print') {
      return endOf(PLAIN_PRINT, text, at) === undefined
        ? { at, what: 'Print with more than names' }
        : undefined;
    }
    const tokens = text.slice(at, at + LOOKED_AT).match(/[\p{L}_][\p{L}\p{N}\p{M}_']*|"[^"]*"|\S/gu) ?? [];
    const found = classify(tokens, { inProof: false, inSection: true }, new Set());
    if (found.kind !== 'forbidden' || allowed.has(found.word)) return undefined;
    return { at, what: found.what.replace(/^./u, (letter) => letter.toUpperCase()) };
  }
}

/** A name of another module is a tactic: no command has a dot in its name. */
function isQualified(text: string, end: number): boolean {
  return /^\.[\p{L}\p{Nl}_]/u.test(text.slice(end, end + 3));
}

/** Where the word behind a modifier begins; undefined when anything but blanks (and a number of seconds) is between. */
function wordBehind(text: string, end: number, word: string): number | undefined {
  let at = endOf(BLANKS, text, end);
  if (at !== undefined && word === 'Timeout') {
    const number = endOf(/\d+/y, text, at);
    at = number === undefined ? undefined : endOf(BLANKS, text, number);
  }
  return at !== undefined && endOf(WORD, text, at) !== undefined ? at : undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null || match[0] === '' ? undefined : at + match[0].length;
}
