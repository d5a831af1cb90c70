/**
 * What a proof that is checked may consist of: tactics, bullets, and commands that only look. Everything else, from
 * `Admitted` to a new axiom, is named with its place and not run, so that a session cannot be led astray by its client.
 */
import { orNothing, orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { capitalised } from '../../../core/sentence.ts';
import type { Span } from '../../../core/position.ts';
import { classify, type CommandClass, onlyLooks } from '../../../gate/rocq/text/commands.ts';
import { commandPlace } from '../../../gate/rocq/text/restricted-text.ts';
import { GOING_BACK } from '../../../gate/rocq/text/text-findings.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { sentenceHead } from '../../../provers/rocq/syntax/sentence-head.ts';
import { splitSentences, type Sentence } from '../../../provers/rocq/syntax/sentences.ts';
import { rangeIn } from './positions.ts';
import type { RocqFile } from './rocq-file.ts';

export interface ForbiddenSentence {
  readonly what: string;
  /** In the script. */
  readonly span: Span;
}

/** How a proof ends that is not finished. */
const LEFT_OPEN = ['Admitted', 'Abort'];

/** @param tactics Capitalised words that the file's own proofs use as tactics. */
export function forbiddenInProof(
  script: string,
  tactics: ReadonlySet<string>,
): ForbiddenSentence | undefined {
  for (const sentence of splitSentences(script).sentences) {
    if (sentence.role !== 'command') continue;
    const { span } = sentence;
    const head = sentenceHead(sentence);
    if (head.kind === 'holes') {
      const [hole] = head.holes;
      return {
        what: hole?.tactic ?? 'admit',
        span: {
          start: span.start + orZero(hole?.span.start),
          end: span.start + (hole?.span.end ?? sentence.text.length),
        },
      };
    }
    const tokens = significantTokens(sentence.text).map(({ text }) => text);
    // Only in their plain form: `Redirect "file" Qed.` closes the proof and writes a file.
    if (head.kind === 'proof' && tokens[0] === 'Proof') continue;
    if (head.kind === 'close') {
      if (LEFT_OPEN.includes(head.word)) return { what: head.word, span };
      if (head.word === 'Proof term' && tokens[0] === 'Proof') continue;
      if (tokens.filter((token) => token !== 'Time').join(' ') === `${head.word} .`) continue;
      return { what: `the command ${sentence.text.replace(/\s+/gu, ' ')}`, span };
    }
    const { kind } = classify(tokens, { inProof: true, inSection: false }, tactics);
    if (kind === 'tactic') continue;
    if (onlyLooks(tokens)) continue;
    return { what: `the command ${orNothing(tokens[0])}`, span };
  }
  return undefined;
}

/**
 * The first command of a script that reaches beyond the prover (files, plugins, processes) or switches its checks
 * off. It is looked for to keep it from being run and to name it; what is not found here is still judged.
 */
export function forbiddenCommand(
  script: string,
  tactics: ReadonlySet<string>,
): ForbiddenSentence | undefined {
  for (const sentence of splitSentences(script).sentences) {
    const command = classOf(sentence, tactics, true);
    const { span } = sentence;
    if (command?.kind === 'forbidden') return { what: command.what, span };
    if (command?.kind === 'checks-disabled') return { what: 'a command that switches checks off', span };
  }
  return undefined;
}

/** What in a script leaves a proof open that then looks finished: a closing command, or a tactic that gives goals up. */
export function leftOpenBy(script: string): string | undefined {
  for (const sentence of splitSentences(script).sentences) {
    if (sentence.role !== 'command') continue;
    const head = sentenceHead(sentence);
    if (head.kind === 'holes') return head.holes[0]?.tactic ?? 'admit';
    if (head.kind === 'close' && LEFT_OPEN.includes(head.word)) return head.word;
  }
  return undefined;
}

/**
 * What may be no tactic in the proof, however Rocq cuts the text: a command stays in the file and acts on what follows, and
 * behind a notation that looks like a comment another one can stand.
 */
export function noTactic(script: string, tactics: ReadonlySet<string>): ForbiddenSentence | undefined {
  const command = commandIn(script, tactics);
  if (command !== undefined) return command;
  const start = commandPlace(script, new Set([...tactics, ...LEFT_OPEN]));
  if (start === undefined) return undefined;
  return {
    what: 'what may be a command, even in a comment or a string,',
    span: { start, end: script.length },
  };
}

/** The first sentence of a script that is neither a tactic nor the end of a proof. */
export function commandIn(script: string, tactics: ReadonlySet<string>): ForbiddenSentence | undefined {
  for (const sentence of splitSentences(script).sentences) {
    if (sentence.role !== 'command') continue;
    const { kind } = sentenceHead(sentence);
    if (kind === 'close' || kind === 'proof' || kind === 'holes') continue;
    const command = classOf(sentence, tactics, true);
    if (command === undefined || command.kind === 'tactic') continue;
    const word = orNothing(significantTokens(sentence.text)[0]?.text);
    return { what: `the command ${word}`, span: sentence.span };
  }
  return undefined;
}

/** What in a sentence reaches beyond the prover, or may: a command that is not known. */
export function reachOf(
  sentence: Sentence,
  tactics: ReadonlySet<string>,
  inProof: boolean,
): string | undefined {
  const command = classOf(sentence, tactics, inProof);
  return command?.kind === 'forbidden' ? command.what : undefined;
}

/** Undefined for bullets and braces. */
function classOf(
  { role, text }: Sentence,
  tactics: ReadonlySet<string>,
  inProof: boolean,
): CommandClass | undefined {
  if (role !== 'command') return undefined;
  const tokens = significantTokens(text).map((token) => token.text);
  if (asksForFile(tokens))
    return {
      kind: 'forbidden',
      what: 'the command Locate File (it tells which files there are)',
      word: 'Locate',
    };
  return classify(tokens, { inProof, inSection: false }, tactics);
}

/** `Locate File "/etc/shadow".`, whatever stands before it. */
function asksForFile(tokens: readonly string[]): boolean {
  return tokens.some(
    (token, at) =>
      token === 'Locate' && tokens[at + 1] === 'File' && tokens[at + 2]?.startsWith('"') === true,
  );
}

/** What goes back in a session; it chooses the words of the refusal, and refuses nothing. */
const TAKEN_BACK: ReadonlySet<string> = new Set(
  [...GOING_BACK, 'Abort'].map((word) => `the command ${word}`),
);

/** @throws QuodError `invalid-input` for commands that reach beyond the prover. */
export function refuseForbidden(script: string, tactics: ReadonlySet<string>): void {
  const forbidden = forbiddenCommand(script, tactics);
  if (forbidden === undefined) return;
  const { line, column } = rangeIn(script, forbidden.span);
  throw new QuodError(
    'invalid-input',
    `${capitalised(forbidden.what)} is not run in a session (${line}:${column}).`,
    {
      remedy: TAKEN_BACK.has(forbidden.what)
        ? 'Every state stays as it was: go back by stepping from an earlier one, named in `from`.'
        : 'Put what reaches beyond the prover (files, plugins, processes) into the file itself.',
    },
  );
}

const NONE: ReadonlySet<string> = new Set();

export function tacticWordsOf(file: RocqFile | undefined): ReadonlySet<string> {
  return file?.tacticWords() ?? NONE;
}
