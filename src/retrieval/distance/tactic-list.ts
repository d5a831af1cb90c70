/**
 * A proof as the list of its tactics: sentences without bullets, braces and final dot, cut at every semicolon that
 * stands outside of brackets, comments left out and blanks collapsed. Cutting at semicolons is what the definition
 * of the distance needs: the example of RocqStar's appendix C.1 is 0.32 with it and 0.52 without.
 */
import { onOneLine } from '../../core/sentence.ts';
import { bracketChange, tokenise, withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { splitSentences } from '../../provers/rocq/syntax/sentences.ts';

const OPENING = /^Proof\b/u;
const CLOSING = /^(?:Qed|Defined|Admitted|Abort|Save)\b/u;

/** From the text of a proof, with or without `Proof` and the closing word. */
export function tacticsOfProof(proof: string): string[] {
  return splitSentences(proof.endsWith('.') ? `${proof}\n` : proof).sentences.flatMap(({ role, text }) =>
    role !== 'command' ||
    CLOSING.test(text) ||
    (OPENING.test(text) && !PROOF_TERM.test(withoutComments(text)))
      ? []
      : tacticsOfSentence(text),
  );
}

/** `Proof term.` is a tactic in all but name. */
const PROOF_TERM = /^Proof\s+(?!using\b|with\b)\S/u;

/** From one sentence or a chain without its final dot. */
export function tacticsOfSentence(sentence: string): string[] {
  const tactics: string[] = [];
  let tactic = '';
  let depth = 0;
  for (const { kind, text } of tokenise(sentence)) {
    if (kind === 'comment' || kind === 'blank') {
      tactic += ' ';
      continue;
    }
    if (kind === 'symbol') depth += bracketChange(text);
    if (kind === 'symbol' && text === ';' && depth <= 0) {
      tactics.push(tactic);
      tactic = '';
    } else tactic += text;
  }
  tactics.push(tactic.replace(/\.(?:\.\.)?\s*$/u, ''));
  return tactics.map(onOneLine).filter((one) => one !== '');
}
