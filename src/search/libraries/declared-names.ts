/**
 * What a sentence declares, besides theorems, that proofs can use: axioms, rules of inductive predicates, fields of
 * records. What a section assumes stands among the hypotheses of its goals and is not listed here.
 */
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_']*`;
const PREFIX = String.raw`^\s*(?:(?:#\[[^\]]*\]|Local|Global|Polymorphic|Monomorphic|Cumulative|NonCumulative|Private)\s+)*`;
const AXIOM = new RegExp(`${PREFIX}(?:Axioms?|Parameters?|Conjectures?)\\s+(?<rest>[^]*)$`, 'u');
const PREDICATE = new RegExp(
  `${PREFIX}(?:Inductive|CoInductive|Variant)\\b[^]*?\\bProp\\s*:=(?<rest>[^]*)$`,
  'u',
);
const RECORD = new RegExp(
  `${PREFIX}(?:Record|Structure|Class)\\b[^]*?:=\\s*(?:${NAME}\\s*)?\\{(?<rest>[^]*)\\}`,
  'u',
);

export function declaredNames(sentence: string): string[] {
  const text = withoutComments(sentence);
  const axioms = AXIOM.exec(text)?.groups?.['rest'];
  if (axioms !== undefined) {
    // `(a b : A) (c : C)` or `a b : A`.
    const groups = axioms.startsWith('(')
      ? [...axioms.matchAll(/\(([^:()]*):/gu)]
      : [/^([^:]*):/u.exec(axioms)];
    return groups.flatMap((group) => group?.[1]?.match(new RegExp(NAME, 'gu')) ?? []);
  }
  const rules = PREDICATE.exec(text)?.groups?.['rest'];
  if (rules !== undefined) return topLevelParts(rules, '|').flatMap(firstName);
  const fields = RECORD.exec(text)?.groups?.['rest'];
  if (fields !== undefined) return topLevelParts(fields, ';').flatMap(firstName);
  return [];
}

function firstName(part: string): string[] {
  return new RegExp(`^\\s*(${NAME})`, 'u').exec(part)?.slice(1, 2) ?? [];
}

/** Splits outside brackets. `;;` and `||` are notations, and belong to what they stand in. */
function topLevelParts(text: string, separator: ';' | '|'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const match of text.matchAll(/[([{]|[)\]}]|;+|\|+/gu)) {
    if ('([{'.includes(match[0])) depth += 1;
    else if (')]}'.includes(match[0])) depth -= 1;
    else if (match[0] === separator && depth === 0) {
      parts.push(text.slice(start, match.index));
      start = match.index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
