/**
 * Reads what authors write. Steps and closers that come from a file or its libraries are carried as their authors'
 * text; here that text is taken apart as far as the search looks into tactics at all. Tactics that the search built
 * are values already, and are answered for as such, so that both kinds can be asked the same questions.
 */
import { atom, beginningOf, first, solve, tacticText, withParts, written, type Tactic } from './tactic.ts';

/** Splits at a separator outside brackets, quotes and `match … end`. */
export function splitTopLevel(text: string, separator: ';' | '|' | ' '): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (isWordStart(text, at) && /^(?:lazy|multi)?match\b/u.test(text.slice(at, at + 10))) depth += 1;
    else if (text.startsWith('end', at) && isWordStart(text, at) && !isLetter(text.charAt(at + 3)))
      depth -= 1;
    else if (
      character === separator &&
      depth === 0 &&
      text.charAt(at + 1) !== separator &&
      text.charAt(at - 1) !== separator
    ) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}_']/u.test(character);
}

function isWordStart(text: string, at: number): boolean {
  return !isLetter(text.charAt(at - 1));
}

/** The tactics that follow one another: of `a; b; c` all three, of anything else itself. */
export function piecesOf(tactic: Tactic): readonly Tactic[] {
  if (tactic.kind === 'sequence') return tactic.parts.flatMap(piecesOf);
  if (tactic.kind !== 'written') return [tactic];
  const pieces = splitTopLevel(tactic.text, ';');
  return pieces.length === 1 ? [tactic] : pieces.map(written);
}

/** What one piece is, where that can be told: alternatives of an author's `solve` and `first` as tactics. */
export function shapeOf(piece: Tactic): Tactic {
  if (piece.kind !== 'written') return piece;
  const { text } = piece;
  const alternatives = alternativesOf(text)?.map(written);
  if (alternatives === undefined) return piece;
  return text.startsWith('solve') ? solve(...alternatives) : first(...alternatives);
}

/** Of `solve [a | b]` or `first [a | b]`; undefined for any other text. */
export function alternativesOf(text: string): string[] | undefined {
  const inside = /^(?:solve|first) \[(?<inside>.*)\]$/su.exec(text)?.groups?.['inside'];
  return inside === undefined ? undefined : splitTopLevel(inside, '|');
}

/** `t` for `solve [t]`, where `t` has no brackets or bars of its own: it does the same. */
export function onlyAlternative(tactic: Tactic): Tactic | undefined {
  const shape = shapeOf(tactic);
  if (shape.kind !== 'solve' || shape.alternatives.length !== 1) return undefined;
  const [inner] = shape.alternatives;
  return inner === undefined || /[|[\]]/u.test(tacticText(inner)) ? undefined : inner;
}

/**
 * What a try of a tactic, in Ltac `text`, is remembered by: a closer that fails under one name is not tried under
 * the other.
 */
export function attemptKey(tactic: Tactic, text: string): string {
  const inner = onlyAlternative(tactic);
  return inner === undefined ? text : tacticText(inner);
}

const BEFORE_INDUCTION = new Set(['revert', 'generalize', 'remember']);
const INDUCTION = new Set(['induction', 'fix', 'functional', 'elim', 'elim:', 'by elim:']);
const AUTHORED_INDUCTION = /^(?:(?:revert|generalize|remember)\b[^;]*;\s*)*(?:by\s+)?(?:induction|elim)\b/u;

/** Whether it is an induction, perhaps on what was made general before. */
export function beginsWithInduction(tactic: Tactic): boolean {
  if (tactic.kind === 'written') return AUTHORED_INDUCTION.test(tactic.text);
  const steps = tactic.kind === 'sequence' ? tactic.parts : [tactic];
  const start = steps.find((step) => step.kind !== 'atom' || !BEFORE_INDUCTION.has(step.head));
  return start?.kind === 'atom' && INDUCTION.has(start.head);
}

const USES = new Set(['rewrite', 'apply', 'apply:', 'eapply']);
const AUTHORED_USE = /^(?:rewrite|e?apply)\b[^;]*\bIH/u;

/** Whether it begins with applying an induction hypothesis, or with rewriting with one. */
export function usesInductionHypothesis(tactic: Tactic): boolean {
  const start = beginningOf(tactic);
  if (start.kind === 'written') return AUTHORED_USE.test(start.text);
  return start.kind === 'atom' && USES.has(start.head) && /\bIH/u.test(start.argument);
}

/** The same for all names of lemmas and definitions in it: what is made alike for other goals. */
export function withoutNames(tactic: Tactic): Tactic {
  if (tactic.kind === 'using') return { ...tactic, lemmas: [] };
  if (tactic.kind === 'atom') return tactic.head === 'unfold' ? atom('unfold') : tactic;
  if (tactic.kind === 'written') return written(tactic.text.replace(/ using [^|)\]]*/gu, ''));
  return withParts(tactic, withoutNames);
}
