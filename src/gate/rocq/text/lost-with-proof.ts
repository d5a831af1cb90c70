/**
 * What stands in a proof besides its steps, and would be lost with it: a declaration, another proof, a command that acts on
 * what follows. No other proof is put in the place of such a one.
 */
import { entryAt } from '../../../core/entry.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { PrintedPosition } from '../../../core/position.ts';
import { onOneLine } from '../../../core/sentence.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { UnknownVerdict } from '../../verdict.ts';
import { classify, onlyLooks } from './commands.ts';
import type { Script } from './script.ts';
import { tacticWords } from './text-findings.ts';

export interface LostWithProof {
  readonly position: PrintedPosition;
  /** Says what is lost, and what to do. */
  readonly message: string;
}

/** What is undone at once, or goes back in the proof. */
const WITHOUT_TRACE = new Set(['Undo', 'Restart', 'Fail', 'Succeed']);

/** What they do to printing changes no proof. */
const OPTIONS = new Set(['Set', 'Unset']);

/** Characters of a sentence in a message. */
const LONGEST_SHOWN = 80;

const NONE: ReadonlySet<string> = new Set();

/** Undefined when nothing but the proof is lost. */
export function lostWithProof(script: Script, item: TheoremItem): LostWithProof | undefined {
  const index = lostSentence(script, item);
  if (index === undefined) return undefined;
  const position = script.positionOf(index);
  const whole = onOneLine(entryAt(script.outline.sentences, index, 'sentence').text);
  const shown = whole.length > LONGEST_SHOWN ? `${whole.slice(0, LONGEST_SHOWN)} …` : whole;
  const { name = 'a statement without a name' } = item;
  const message =
    `The proof of ${name} in the file has more than tactics in it, from ${position.line}:${position.column} on: ${shown} ` +
    'That would be lost with another proof in its place. Move it out of the proof first.';
  return { position, message };
}

/** For proofs that were replaced, of the statements at these sentences. */
export function lostWithProofs(script: Script, sentences: readonly number[]): UnknownVerdict | undefined {
  for (const item of script.outline.statements) {
    const lost = sentences.includes(item.sentence) ? lostWithProof(script, item) : undefined;
    if (lost !== undefined) return { kind: 'unknown', reason: 'unsupported', ...lost };
  }
  return undefined;
}

/** The first between a statement and the end of its proof that is more than a step of this proof. */
function lostSentence(script: Script, item: TheoremItem): number | undefined {
  const { sentences, heads } = script.outline;
  const tactics = lazyConstant(() => tacticWords(script));
  const isTactic = (tokens: readonly string[], words: ReadonlySet<string>): boolean =>
    classify(tokens, { inProof: true, inSection: false }, words).kind === 'tactic';
  const end = item.closing ?? item.body.end;
  for (let index = item.sentence + 1; index < end; index += 1) {
    const { role, text } = entryAt(sentences, index, 'sentence');
    const kind = heads[index]?.kind;
    if (role !== 'command' || kind === 'proof' || kind === 'close' || kind === 'holes') continue;
    let tokens = significantTokens(text).map((token) => token.text);
    if (isTactic(tokens, NONE) || isTactic(tokens, tactics())) continue;
    while (tokens[0] === 'Time' || tokens[0] === 'Timeout')
      tokens = tokens.slice(tokens[0] === 'Time' ? 1 : 2);
    const [word = '', next] = tokens;
    if (WITHOUT_TRACE.has(word) || onlyLooks([word]) || (OPTIONS.has(word) && next === 'Printing')) continue;
    return index;
  }
  return undefined;
}
