/**
 * Cuts what `Print All` prints into objects. Rocq prints some of them with nothing in between (`… a : Alen : nat`),
 * so the cuts are found by the names: an object begins with a name that the text before the place mentions, or with
 * one that Rocq makes from such a name, in front of a colon, where no blank stands before it but a line's beginning.
 */
import { onOneLine } from '../../../core/sentence.ts';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';

/** What Rocq appends to the name of an inductive type for its principles. */
const MADE = ['_rect', '_ind', '_rec', '_sind', '_rect2', '_ind2', '_rec2', '_caset', '_case', '_equation'];

const NAME_BEFORE_COLON = /[\p{L}_][\p{L}\p{M}\p{N}_']*(?=\s+:(?!=))/gu;

/** Axioms and variables stand in `*** [ … ]`; what is no constant begins with a keyword at the start of a line. */
const ASSUMPTION_OR_BLOCK =
  /\*\*\* \[|^(?:Inductive|CoInductive|Variant|Record|Structure|Class|Module|Scheme|Notation)\b/gmu;

/** The names that objects may have, of those which the sentences mention. */
export function mentionedNames(sentences: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const sentence of sentences) {
    for (const { kind, text } of significantTokens(sentence)) {
      if (kind !== 'identifier') continue;
      names.add(text);
      for (const ending of MADE) names.add(`${text}${ending}`);
    }
  }
  return names;
}

/** One line for each object; an inductive type keeps what is said of its arguments on lines of its own. */
export function objectsIn(printed: string, names: ReadonlySet<string>): string[] {
  const cuts = new Set([0]);
  for (const { index, 0: word } of printed.matchAll(NAME_BEFORE_COLON)) {
    const before = printed.charAt(index - 1);
    if (!names.has(word)) {
      const glued = gluedName(word, names);
      if (glued !== undefined) cuts.add(index + word.length - glued.length);
    } else if (before === '\n' || !/[\s([{,@|&]/u.test(before)) cuts.add(index);
  }
  for (const { index } of printed.matchAll(ASSUMPTION_OR_BLOCK)) cuts.add(index);
  const places = [...cuts].sort((one, other) => one - other);
  return places
    .map((start, index) => tidy(printed.slice(start, places[index + 1])))
    .filter((object) => object !== '');
}

/** The longest name with which a word ends that is itself no name. */
function gluedName(run: string, names: ReadonlySet<string>): string | undefined {
  for (let at = 1; at < run.length; at += 1) if (names.has(run.slice(at))) return run.slice(at);
  return undefined;
}

function tidy(object: string): string {
  return object
    .split(/\n\n|\n(?=Arguments )/u)
    .map(onOneLine)
    .filter((part) => part !== '')
    .join('\n');
}
