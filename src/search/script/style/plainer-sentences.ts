/** What an author would rather write for one sentence. Each is a guess by the text alone. */
import { orNothing } from '../../../core/entry.ts';
import { tacticWords } from '../../../provers/rocq/goals/names.ts';
import { alternativesOf, splitTopLevel } from '../../candidates/authored-tactic.ts';
import { plainerRounds } from './plainer-rounds.ts';

export const REWRITE = /^rewrite (?<steps>[^;]+?)(?<place> in [^;]+?)?(?<closed> by [^;]+)?$/u;

/** Automation that takes no names, the plainest first. */
export const PLAIN_CLOSERS: readonly string[] = ['auto', 'easy', 'lia', 'congruence', 'reflexivity'];

/** Each piece of `a; b; c` may have a plainer form. */
export function* plainerSentences(sentence: string): Generator<string> {
  const pieces = splitTopLevel(sentence, ';');
  for (const [index, piece] of pieces.entries())
    for (const plain of plainerPieces(piece)) yield pieces.with(index, plain).join('; ');
  // It has goals left, so it may be a conjunction that is taken apart.
  if (pieces.length > 1 && /^e?constructor$/u.test(String(pieces[0])))
    yield pieces.with(0, 'split').join('; ');
}

/** Without brackets that say nothing: `auto` for `solve [auto]` that closes all it is run on, `destruct c` for `destruct (c)`. */
export function withoutBrackets(sentence: string): string {
  return splitTopLevel(sentence, ';')
    .map((piece) =>
      piece
        .replace(/^solve \[(?<only>[\p{L}_]+)\]$/u, '$<only>')
        .replace(
          /^(?<analysis>destruct|induction|inversion) \((?<name>[\p{L}_][\p{L}\p{N}_']*)\)/u,
          '$<analysis> $<name>',
        ),
    )
    .join('; ');
}

/** Induction, and the case analysis that may do as well. */
const ANALYSES = [
  [/^induction\b/u, 'destruct'],
  [/^elim:/u, 'case:'],
] as const;

function* plainerPieces(piece: string): Generator<string> {
  for (const [analysis, cases] of ANALYSES) {
    if (!analysis.test(piece)) continue;
    const plain = piece.replace(analysis, cases);
    // Names for hypotheses of an induction would go to something else.
    yield plain.replace(/ as \[.*\]/u, '');
    yield plain.replace(/ IH[\p{L}\p{N}_']*/gu, '');
  }
  const tried = /^try (?<tactic>[^[\]]+)$/u.exec(piece)?.groups?.['tactic'];
  if (tried !== undefined) yield tried;
  yield* alternativesOf(piece)?.filter((one) => one !== '') ?? [];
  yield* plainerAutomation(piece);
  if (/^(?:destruct|case)\b.* eqn:\S+$/u.test(piece)) yield piece.replace(/ eqn:\S+$/u, '');
  if (/^(?:simpl|cbn|unfold .+) in \*$/u.test(piece)) yield piece.slice(0, -' in *'.length);
  for (const [long, short] of SHORTER_HEADS)
    if (piece === long || piece.startsWith(`${long} `)) yield short + piece.slice(long.length);
  yield* plainerRounds(piece);
  yield* fewerSubjects(piece);
  yield* withoutArguments(piece);
  yield* plainerRewrites(piece);
}

/** Of `destruct a, b` only one may be needed. */
function* fewerSubjects(piece: string): Generator<string> {
  const subjects = /^destruct (?<subjects>[^;]+)$/u.exec(piece)?.groups?.['subjects'];
  const all = subjects === undefined ? [] : atTopLevel(subjects);
  if (all.length < 2) return;
  for (const index of all.keys()) yield `destruct ${all.toSpliced(index, 1).join(', ')}`;
}

/** `(lemma x y)`: Rocq mostly finds the arguments itself. */
function* withoutArguments(piece: string): Generator<string> {
  // `(@lemma _ _ x)`
  if (EXPLICIT.test(piece)) {
    yield piece.replace(EXPLICIT, '($<name>');
    yield piece.replace(EXPLICIT, '($<name>$<arguments>');
  }
  const { head, lemma, rest } =
    /^(?<head>(?:rewrite|apply|eapply|exact)(?: <-)?) \(@?(?<lemma>[\p{L}_][\p{L}\p{N}_.']*) [^;]*\)(?<rest> in [^;\s]+)?$/u.exec(
      piece,
    )?.groups ?? {};
  if (head !== undefined && lemma !== undefined)
    yield `${head === 'exact' ? 'apply' : head} ${lemma}${orNothing(rest)}`;
}

const EXPLICIT = /\(@(?<name>[\p{L}_][\p{L}\p{N}_.']*)(?<arguments>(?: _)+)/u;

const SHORTER_HEADS = [
  ['econstructor', 'constructor'],
  ['eapply', 'apply'],
  ['eassumption', 'assumption'],
  ['repeat intro', 'intros'],
] as const;

/** One lemma that is one step is said as that step. */
function* plainerAutomation(piece: string): Generator<string> {
  const { head, inner } = /^(?<head>firstorder|intuition) \((?<inner>[^]*)\)$/u.exec(piece)?.groups ?? {};
  if (head !== undefined && inner !== undefined) {
    yield head;
    for (const one of splitTopLevel(inner, ';')) yield `${head} ${one.includes(' ') ? `(${one})` : one}`;
  }
  const { tactic, lemmas } =
    /^(?<tactic>e?auto(?: \d+)?) using (?<lemmas>[^;|]+)$/u.exec(piece)?.groups ?? {};
  if (tactic !== undefined && lemmas !== undefined) {
    yield 'auto';
    yield 'constructor';
    if (!lemmas.includes(',')) yield `apply ${lemmas}`;
    if (tactic !== 'auto') yield `auto using ${lemmas}`;
    if (/ \d+$/u.test(tactic)) yield `eauto using ${lemmas}`;
    return;
  }
  const { bare, bases } = /^(?<bare>e?auto)(?: \d+)?(?<bases> with .+)?$/u.exec(piece)?.groups ?? {};
  if (bare === undefined) return;
  const plain = [bare, `auto${orNothing(bases)}`, `${bare}${orNothing(bases)}`, 'auto'];
  yield* new Set(plain.filter((one) => one.length < piece.length));
}

/**
 * Of a chain: without a step, without two of which one undoes the other, and a step that is made again and again said
 * once.
 */
function* plainerRewrites(piece: string): Generator<string> {
  const { steps, place, closed } = REWRITE.exec(piece)?.groups ?? {};
  if (steps === undefined) return;
  const behind = orNothing(place) + orNothing(closed);
  if (closed !== undefined) yield `rewrite ${steps}${orNothing(place)}`;
  if (/(?:^| )(?:\?|-> ?)/u.test(steps))
    yield `rewrite ${steps.replace(/(^| )(?:\?|-> ?)/gu, '$1')}${behind}`;
  const { chain, separator } = chainOf(steps);
  for (const [index, step] of chain.entries())
    if (step.startsWith('!')) yield `rewrite ${chain.with(index, step.slice(1)).join(separator)}${behind}`;
  const written = (changed: readonly string[]): string => `rewrite ${changed.join(separator)}${behind}`;
  if (chain.length < 2) return;
  for (const index of chain.keys()) yield written(chain.toSpliced(index, 1));
  for (const index of chain.keys())
    if (chain.length > 2 && index + 1 < chain.length) yield written(chain.toSpliced(index, 2));
  for (const [index, step] of chain.entries())
    if (chain[index + 1] === step || chain[index + 1] === `!${step}`)
      yield written(chain.toSpliced(index, 2, step.startsWith('!') ? step : `!${step}`));
}

/** `a, b` has its steps behind commas, `a b` of SSReflect behind blanks. */
function chainOf(steps: string): { readonly chain: readonly string[]; readonly separator: ', ' | ' ' } {
  if (/^[^()[\]{}<>,]+$/u.test(steps) && steps.includes(' '))
    return { chain: steps.split(' '), separator: ' ' };
  return { chain: atTopLevel(steps), separator: ', ' };
}

/** What commas outside brackets separate. */
function atTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/** Whether a sentence goes by a lemma of a library, which a reader may have to look up. */
export function goesByLibrary(sentence: string, ownLemmas: ReadonlySet<string>): boolean {
  return (
    LEMMA_USERS.test(sentence) &&
    tacticWords(sentence).some(({ text }) => LIBRARY_NAME.test(text) && !ownLemmas.has(text))
  );
}

const LEMMA_USERS = /^(?:rewrite|e?apply|exact|refine|pose proof|case|elim|e?auto(?: \d+)? using)\b/u;
/** Hypotheses are hardly called so. */
const LIBRARY_NAME = /[._]/u;
