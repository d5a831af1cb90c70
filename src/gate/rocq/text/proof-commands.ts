/**
 * What in a proof is no part of a proof. A proof that is put into a file is made of tactics: a command in it would stay in the
 * file and act on what follows, in this file and in those that require it, where no comparison of this file could see it.
 *
 * That the sentences are those which the prover reads, the prover confirms when it compiles them (`confirmCuts`).
 */
import { orNothing } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { sentenceHead } from '../../../provers/rocq/syntax/sentence-head.ts';
import type { Finding } from '../../verdict.ts';
import { classify, goesBack, onlyLooks } from './commands.ts';
import type { Script } from './script.ts';
import { tacticWords } from './text-findings.ts';

/** What they stand before is run as it is. */
const MODIFIERS = new Set(['Time', 'Succeed', 'Fail']);

/** @param proofs where the proofs are in the submission's text. */
export function commandFindings(target: Script, submission: Script, proofs: readonly Span[]): Finding[] {
  const tactics = tacticWords(target);
  const findings: Finding[] = [];
  for (const [index, sentence] of submission.outline.sentences.entries()) {
    const { span, role } = sentence;
    if (role !== 'command') continue;
    if (!proofs.some(({ start, end }) => start <= span.start && span.start < end)) continue;
    const { kind } = sentenceHead(sentence);
    // Closing words are those of one proof; what `Admitted` leaves open is found in the compiled file.
    if (kind === 'close') continue;
    const command = commandIn(sentence.text, tactics);
    if (command === undefined) continue;
    findings.push({
      kind: 'forbidden-command',
      file: submission.source.path,
      position: submission.positionOf(index),
      ...against(command, goesBack(submission.tokens(index))),
    });
  }
  return findings;
}

function against(command: string, isGoingBack: boolean): Pick<Finding, 'message' | 'remedy'> {
  if (isGoingBack)
    return {
      message: `The command ${command} goes back in the proof: it would stay in the file, with what it takes back.`,
      remedy: 'Leave it out, and what it takes back.',
    };
  return {
    message: `The command ${command} is no part of a proof: it would stay in the file and act on what follows.`,
    remedy: 'Prove it with tactics alone, or put the command into the file first, outside of proofs.',
  };
}

function commandIn(text: string, tactics: ReadonlySet<string>): string | undefined {
  let tokens = significantTokens(text).map((token) => token.text);
  while (MODIFIERS.has(orNothing(tokens[0])) || tokens[0] === 'Timeout')
    tokens = tokens.slice(tokens[0] === 'Timeout' ? 2 : 1);
  if (classify(tokens, { inProof: true, inSection: false }, tactics).kind === 'tactic') return undefined;
  const [word = ''] = tokens;
  return onlyLooks(tokens) || (word === 'Proof' && !tokens.some((token) => token.startsWith('"')))
    ? undefined
    : word;
}
