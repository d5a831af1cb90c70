/** A proof with a step less, wherever the step stands. Each is a guess by the text alone. */
import { orNothing } from '../../../core/entry.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import type { ProofStyle } from './file-style.ts';
import { PLAIN_CLOSERS } from './plainer-sentences.ts';

/** A case distinction is tried first: it is what a reader wonders about, and leaves every step behind it once. */
const ANALYSIS = /^(?:destruct|induction|case|elim|inversion)\b/u;
const BRINGS_IN = /^(?:intros?|move=>)/u;
/** A branch that speaks of a hypothesis of the induction cannot do without it. */
const OF_INDUCTION = /\bIH/u;

/** What is taken apart may have had to be brought in. */
const OF_ONE = /^(?:destruct|induction) (?<name>[\p{L}_][\p{L}\p{N}_']*)$/u;

/** `b; c`, `a; c` and `a; b` for `a; b; c`, and `intros n` for `destruct n`. */
export function* fewerPieces(sentence: string, style: ProofStyle): Generator<string> {
  const finisher = orNothing(/^(?:now|by) /u.exec(sentence)?.[0]);
  const pieces = splitTopLevel(sentence.slice(finisher.length), ';');
  if (pieces.length < 2) return;
  for (const index of analysesFirst(pieces)) {
    // Where names are to be said, what brings them in stays.
    if (style === 'readable' && BRINGS_IN.test(String(pieces[index]))) continue;
    yield finisher + pieces.toSpliced(index, 1).join('; ');
    const { name } = OF_ONE.exec(String(pieces[index]))?.groups ?? {};
    if (name !== undefined) yield finisher + pieces.with(index, `intros ${name}`).join('; ');
  }
}

/** What one branch does may be enough without the cases. */
export function* withoutCases({ sentences, children }: ScriptTree): Generator<ScriptTree> {
  const pieces = splitTopLevel(String(sentences.at(-1)), ';');
  if (children.length < 2 || !pieces.some((piece) => ANALYSIS.test(piece))) return;
  const left = pieces.filter((piece) => !ANALYSIS.test(piece));
  const before = [...sentences.slice(0, -1), ...(left.length === 0 ? [] : [left.join('; ')])];
  if (children.some(speaksOfInduction)) return;
  for (const branch of children)
    // A goal that automation alone closes was hardly taken apart.
    if (left.length > 0 || branch.sentences.some((sentence) => !PLAIN_CLOSERS.includes(sentence)))
      yield { sentences: [...before, ...branch.sentences], children: branch.children };
}

function speaksOfInduction({ sentences, children }: ScriptTree): boolean {
  return sentences.some((sentence) => OF_INDUCTION.test(sentence)) || children.some(speaksOfInduction);
}

function analysesFirst(pieces: readonly string[]): number[] {
  const isOther = (index: number): number => (ANALYSIS.test(String(pieces[index])) ? 0 : 1);
  return [...pieces.keys()].sort((one, other) => isOther(one) - isOther(other) || one - other);
}

const GROUPS = [4, 3, 2];
/** A rewrite and another that takes it back may have computing between them. */
const COMPUTES = /^(?:simpl|cbn)\b/u;

/** Without several steps of which none can be left out alone: neighbours, or two rewrites around what computes. */
export function* withoutGroups(sentences: readonly string[], style: ProofStyle): Generator<string[]> {
  const mayGo = (sentence: string): boolean => style === 'terse' || !BRINGS_IN.test(sentence);
  for (const [index, sentence] of sentences.entries()) {
    const next = sentences[index + 1];
    if (!sentence.startsWith('rewrite ') || next === undefined || !COMPUTES.test(next)) continue;
    if (sentences[index + 2]?.startsWith('rewrite ') === true)
      yield sentences.toSpliced(index + 2, 1).toSpliced(index, 1);
  }
  for (const size of GROUPS)
    for (let start = 0; start + size < sentences.length; start += 1)
      if (sentences.slice(start, start + size).every(mayGo)) yield sentences.toSpliced(start, size);
}
