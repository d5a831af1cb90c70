/**
 * Which proofs of a file need not be run to stand at a hole behind them: what they prove is used by its statement
 * alone. A search begins so much sooner where they are left out. Where that is wrong it costs proofs, never a wrong
 * answer: the gate compiles the file as it is.
 */
import { scopesAround, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { THEOREM_WORDS } from '../provers/rocq/syntax/statement-head.ts';

/** Of a command, that it begins with a capital letter. So does some author's tactic, whose proof is then run. */
const COMMAND = /^\p{Lu}/u;

/** Answers for theorems in front of `hole`. */
export function skippedBefore(outline: FileOutline, hole: TheoremItem): (theorem: TheoremItem) => boolean {
  return (theorem) => {
    const { keyword, prefixes, attributes, closingWord, hole: open, body, sentence, using } = theorem;
    if (!THEOREM_WORDS.has(keyword) || prefixes.length > 0 || attributes.length > 0) return false;
    if (closingWord !== 'Qed' || open !== undefined) return false;
    // When its section is closed, the statement gets the variables that the proof uses.
    const isGeneralised = scopesAround(outline, sentence).some(
      ({ kind, closed = Infinity }) => kind === 'section' && closed < hole.sentence,
    );
    if (isGeneralised && using === undefined) return false;
    return !outline.sentences
      .slice(body.first, body.end)
      .some(({ text, role }) => role === 'command' && COMMAND.test(text));
  };
}
