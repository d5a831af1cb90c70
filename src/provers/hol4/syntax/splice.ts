/** Replaces the proof of one theorem in a script, and nothing else. */
import { QuodError } from '../../../core/errors.ts';
import type { LineEnd } from '../../../core/position.ts';
import { clause } from '../../../core/sentence.ts';
import { holTokens } from './lexer.ts';
import type { Script, ScriptTheorem } from './script-parts.ts';
import { parseScript } from './script.ts';

/**
 * The text of the script with another proof of the theorem, on lines of its own, indented by two blanks. Parsed
 * again it has the same declarations around the same theorem, or the splice is refused: a proof with `QED` in
 * column zero, an open comment or a parenthesis too many would swallow what follows. @throws QuodError `invalid-input`.
 */
export function spliceProof(
  script: Script,
  theorem: ScriptTheorem,
  proof: string,
  lineEnd: LineEnd = '\n',
): string {
  const { proof: place } = theorem;
  if (place === undefined) {
    throw new QuodError('invalid-input', `${theorem.name} has no proof that could be replaced.`, {
      remedy: 'Only theorems that are proved by a tactic have one.',
    });
  }
  const inOldStyle = theorem.form === 'store_thm' || theorem.form === 'prove';
  const indented = proof.trim().replace(/\r?\n/g, `${lineEnd}  `);
  const layout = `${lineEnd}  ${indented}${inOldStyle ? '' : lineEnd}`;
  const { text } = script;
  const spliced = text.slice(0, place.start) + layout + text.slice(place.end);
  const growth = layout.length - (place.end - place.start);
  const refused = (why: string): QuodError =>
    new QuodError('invalid-input', `The proof cannot be put into the file: ${why}.`, {
      remedy:
        'Close every parenthesis, comment and quotation, and put no keyword at the beginning of a line.',
    });
  if (!isBalanced(proof)) throw refused('its parentheses do not match');
  const again = parseScript(spliced);
  const index = script.theorems.indexOf(theorem);
  const same = again.theorems[index];
  if (again.items.length !== script.items.length || again.theorems.length !== script.theorems.length) {
    throw refused('it would change what the rest of the file declares');
  }
  if (same?.name !== theorem.name || same.proof === undefined)
    throw refused('it would change its own theorem');
  if (same.proof.start !== place.start || same.proof.end !== place.end + growth) {
    throw refused('its end would not be where it ends');
  }
  if (again.problems.length > script.problems.length) {
    throw refused(clause(again.problems[0]?.message.toLowerCase() ?? 'something in it is not closed'));
  }
  return spliced;
}

const CLOSERS: Readonly<Partial<Record<string, string>>> = { '(': ')', '[': ']', '{': '}', let: 'end' };

function isBalanced(code: string): boolean {
  const open: string[] = [];
  for (const { kind, span } of holTokens(code)) {
    if (kind !== 'punctuation' && kind !== 'word') continue;
    const word = code.slice(span.start, span.end);
    const closer = CLOSERS[word];
    if (closer !== undefined) open.push(closer);
    else if ([')', ']', '}', 'end'].includes(word) && open.pop() !== word) return false;
  }
  return open.length === 0;
}
