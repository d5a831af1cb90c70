/** Sentences that follow one another on one goal, fewer of them. Each is a guess by the text alone. */
import { orNothing } from '../../../core/entry.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import { tacticWords } from '../../../provers/rocq/goals/names.ts';
import type { ProofStyle, WantedStyle } from './file-style.ts';
import { PLAIN_CLOSERS, REWRITE, goesByLibrary } from './plainer-sentences.ts';

/** Without a step, or without two rewrites of one chain of which one undoes the other. */
export function* withoutDetours(sentences: readonly string[], { style }: WantedStyle): Generator<string[]> {
  for (const [index, sentence] of sentences.entries()) {
    if (!sentence.startsWith('rewrite ')) continue;
    for (let other = index + 1; sentences[other]?.startsWith('rewrite ') === true; other += 1)
      yield sentences.toSpliced(other, 1).toSpliced(index, 1);
  }
  if (sentences.length === 1) return;
  for (const [index, sentence] of sentences.entries())
    if (style === 'terse' || !INTRODUCTION.test(sentence)) yield sentences.toSpliced(index, 1);
}

const UNFOLD = /^unfold (?<names>[^;]+?)(?<place> in [^;]+)?$/u;
const DESTRUCT = /^destruct (?<subjects>(?:(?! as | in | eqn:| using )[^;])+)$/u;
const POSED = /^pose proof (?<term>\([^;]*\)|[^\s;]+)(?: as \S+)?$/u;
/** A step that is about one hypothesis whose name no author chose. */
const USED =
  /^(?<head>(?:now |by )?(?:destruct|case|induction|inversion|apply|exact|rewrite)(?: <-)?) H\d*(?<rest>;.*)?$/u;
/** What takes a tactic for the goals that it leaves. */
const SIMPLIFIER = /^(?:firstorder|intuition)$/u;
const ENDS = /^(?:auto|eauto|easy|done|trivial|assumption|congruence|lia|discriminate)$/u;
const INTRODUCTION = /^(?:intros|intro|move=>) ?(?<names>[^;:]*)$/u;

export function* joinedSentences(
  sentences: readonly string[],
  wantedStyle: WantedStyle,
): Generator<string[]> {
  for (const [index, one] of sentences.entries()) {
    const pieces = splitTopLevel(one, ';');
    for (const joined of joinedNeighbours(pieces, wantedStyle))
      yield sentences.with(index, joined.join('; '));
  }
  yield* joinedNeighbours(sentences, wantedStyle);
}

function* joinedNeighbours(steps: readonly string[], wantedStyle: WantedStyle): Generator<string[]> {
  for (const [index, one] of steps.entries()) {
    const other = steps[index + 1];
    if (other === undefined) return;
    for (const joined of joinedPair(one, other, wantedStyle)) yield steps.toSpliced(index, 2, joined);
  }
}

/** What does the same as two sentences of which one follows the other. */
export function* joinedPair(one: string, other: string, { style, file }: WantedStyle): Generator<string> {
  const [first, second] = [REWRITE.exec(one)?.groups, REWRITE.exec(other)?.groups];
  const steps = [first?.['steps'], second?.['steps']];
  if (steps[0] !== undefined && steps[1] !== undefined && first?.['place'] === second?.['place']) {
    // What closes the premises of one may close those of both, or there are none.
    const closings = new Set([first?.['closed'], second?.['closed']].filter((one) => one !== undefined));
    const [closed] = closings;
    if (closings.size < 2)
      yield `rewrite ${steps.join(file.ssreflect && !steps.some(hasComma) ? ' ' : ', ')}${orNothing(first?.['place'])}${orNothing(closed)}`;
  }
  const [here, there] = [UNFOLD.exec(one)?.groups, UNFOLD.exec(other)?.groups];
  if (here?.['names'] !== undefined && there?.['names'] !== undefined && here['place'] === there['place'])
    yield `unfold ${here['names']}, ${there['names']}${orNothing(here['place'])}`;
  const subjects = [one, other].map((sentence) => DESTRUCT.exec(sentence)?.groups?.['subjects']);
  if (subjects.every((subject) => subject !== undefined)) yield `destruct ${subjects.join(', ')}`;
  yield* broughtInAs(one, other, style);
  // `a; [b|]. c.`
  const most = /^(?<most>[^]*); \[(?<closers>[^[\]]*)\]$/u.exec(one)?.groups;
  if (most?.['most'] !== undefined)
    for (const closer of new Set([other, ...splitTopLevel(String(most['closers']), '|')]))
      if (/^[^;[|]+$/u.test(closer)) yield `${most['most']}; ${closer}`;
  const posed = POSED.exec(one)?.groups;
  const used = USED.exec(other)?.groups;
  if (posed?.['term'] !== undefined && used?.['head'] !== undefined)
    yield `${used['head']} ${posed['term']}${orNothing(used['rest'])}`;
  if (posed?.['term'] !== undefined && ENDS.test(other)) yield* applied(posed['term'], other);
  if (SIMPLIFIER.test(one) && ENDS.test(other)) yield `${one} ${other}`;
  const names = [INTRODUCTION.exec(one)?.groups?.['names'], INTRODUCTION.exec(other)?.groups?.['names']];
  const [before, behind] = names;
  if (before !== undefined && behind !== undefined && before !== '' && behind !== '')
    yield `${one.startsWith('move') ? 'move=>' : 'intros'} ${before} ${behind}`;
}

/** `pose proof (l x). auto.` is `apply l`, or has premises that `auto` closes. */
function* applied(term: string, closer: string): Generator<string> {
  const lemma = /^\(?@?(?<name>[\p{L}_][\p{L}\p{N}_.']*)/u.exec(term)?.groups?.['name'];
  if (lemma === undefined) return;
  for (const one of new Set([lemma, term])) yield `apply ${one}`;
  for (const one of new Set([lemma, term])) yield `apply ${one}; ${closer}`;
}

/** `intros H. subst.` is `intros ->.`, and `intros H. destruct H.` is `intros [].` */
function* broughtInAs(one: string, other: string, style: ProofStyle): Generator<string> {
  const names = /^intros(?<names> [^;:]*)?$/u.exec(one)?.groups?.['names'];
  const { finisher, step, rest } =
    /^(?<finisher>(?:now |by )?)(?<step>subst|destruct \S+?)(?<rest>;.*)?$/u.exec(other)?.groups ?? {};
  if (!/^intros\b/u.test(one) || step === undefined) return;
  const written = (pattern: string): string => `${orNothing(finisher)}intros${pattern}${orNothing(rest)}`;
  if (step === 'subst') {
    if (names === undefined) yield written(' ->');
    for (const { start, end } of tacticWords(orNothing(names)).toReversed())
      for (const arrow of ['->', '<-'])
        yield written(orNothing(names).slice(0, start) + arrow + orNothing(names).slice(end));
  } else if (style === 'terse' && names?.endsWith(step.replace('destruct', '')) === true)
    yield written(`${names.slice(0, names.lastIndexOf(' '))} []`);
}

function hasComma(text: string | undefined): boolean {
  return text?.includes(',') === true || text?.includes('<-') === true;
}

/** Where the last steps go by lemmas of libraries, automation that names none may do as well. */
export function* plainlyClosed(sentences: readonly string[], { file }: WantedStyle): Generator<string[]> {
  for (let from = Math.max(0, sentences.length - MOST_CLOSED); from < sentences.length; from += 1)
    if (sentences.slice(from).some((sentence) => goesByLibrary(sentence, file.ownLemmas)))
      for (const closer of PLAIN_CLOSERS) yield [...sentences.slice(0, from), closer];
}

/** Steps that are tried to be closed at once. */
const MOST_CLOSED = 3;
