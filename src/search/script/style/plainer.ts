/**
 * What an author would rather write in one place of a proof. Each is a guess by the text alone, and most are wrong: the
 * prover is asked about all of them. Every change makes the proof smaller in the order of {@link weightOf}, so
 * there is an end to them.
 */
import { countOf, orNothing } from '../../../core/entry.ts';
import type { ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import type { FileStyle, ProofStyle } from './file-style.ts';

export interface WantedStyle {
  readonly style: ProofStyle;
  readonly file: FileStyle;
}

/** Scripts with one place changed, the changes that matter most first. */
export function* plainerScripts(script: ScriptTree, wantedStyle: WantedStyle): Generator<ScriptTree> {
  const { sentences, children } = script;
  for (const [index, sentence] of sentences.entries())
    for (const plain of plainerSentences(sentence))
      yield { ...script, sentences: sentences.with(index, plain) };
  for (const shorter of withoutDetours(sentences, wantedStyle)) yield { ...script, sentences: shorter };
  for (const joined of joinedSentences(sentences, wantedStyle)) yield { ...script, sentences: joined };
  for (const finished of finishedAtOnce(script, wantedStyle)) yield finished;
  yield* joinedBranches(script, wantedStyle);
  for (const [index, child] of children.entries())
    for (const plain of plainerScripts(child, wantedStyle))
      yield { ...script, children: children.with(index, plain) };
}

/** The same script with what follows one another on one goal in one list. */
export function flattened({ sentences, children }: ScriptTree): ScriptTree {
  const inner = children.map(flattened);
  const [only] = inner;
  if (only === undefined || inner.length > 1) return { sentences, children: inner };
  return { sentences: [...sentences, ...only.sentences], children: only.children };
}

function* plainerSentences(sentence: string): Generator<string> {
  if (/^induction\s[^;]*$/u.test(sentence)) {
    const analysis = sentence.replace(/^induction/u, 'destruct');
    // Names for hypotheses of an induction would go to something else.
    yield analysis.replace(/ as \[.*\]/u, '');
    yield analysis.replace(/ IH[\p{L}\p{N}_']*/gu, '');
  }
  const [, tried] = /^try ([^;[\]]+)$/u.exec(sentence) ?? [];
  if (tried !== undefined) yield tried;
  if (/^solve \[[^]*\]$/u.test(sentence))
    yield* splitTopLevel(sentence.slice('solve ['.length, -1), '|').filter((one) => one !== '');
  yield* plainerAutomation(sentence);
  if (/^(?:destruct|case)\b[^;]* eqn:\S+$/u.test(sentence)) yield sentence.replace(/ eqn:\S+$/u, '');
  if (/^(?:simpl|cbn|unfold [^;]+) in \*$/u.test(sentence)) yield sentence.replace(/ in \*$/u, '');
  for (const [long, short] of SHORTER_HEADS)
    if (sentence === long || (sentence.startsWith(`${long} `) && !sentence.includes(';')))
      yield short + sentence.slice(long.length);
  // `(lemma x y)`: Rocq mostly finds the arguments itself.
  const { head, lemma, rest } =
    /^(?<head>(?:rewrite|apply|eapply|exact)(?: <-)?) \(@?(?<lemma>[\p{L}_][\p{L}\p{N}_.']*) [^;]*\)(?<rest> in [^;\s]+)?$/u.exec(
      sentence,
    )?.groups ?? {};
  if (head !== undefined && lemma !== undefined)
    yield `${head === 'exact' ? 'apply' : head} ${lemma}${orNothing(rest)}`;
}

const SHORTER_HEADS = [
  ['econstructor', 'constructor'],
  ['eapply', 'apply'],
  ['eassumption', 'assumption'],
  ['repeat intro', 'intros'],
] as const;

/** One lemma that is one step is said as that step. */
function* plainerAutomation(sentence: string): Generator<string> {
  const { tactic, lemmas } =
    /^(?<tactic>e?auto(?: \d+)?) using (?<lemmas>[^;|]+)$/u.exec(sentence)?.groups ?? {};
  if (tactic !== undefined && lemmas !== undefined) {
    yield 'auto';
    if (!lemmas.includes(',')) yield `apply ${lemmas}`;
    if (tactic !== 'auto') yield `auto using ${lemmas}`;
    if (/ \d+$/u.test(tactic)) yield `eauto using ${lemmas}`;
    return;
  }
  const [, wide] = /^(e?auto) \d+$/u.exec(sentence) ?? [];
  if (wide !== undefined) yield wide;
  if (wide === 'eauto' || sentence === 'eauto') yield 'auto';
}

/** Without a step, or without two rewrites of one chain of which one undoes the other. */
function* withoutDetours(sentences: readonly string[], { style }: WantedStyle): Generator<string[]> {
  for (const [index, sentence] of sentences.entries()) {
    if (!sentence.startsWith('rewrite ')) continue;
    for (let other = index + 1; sentences[other]?.startsWith('rewrite ') === true; other += 1)
      yield sentences.toSpliced(other, 1).toSpliced(index, 1);
  }
  if (sentences.length === 1) return;
  for (const [index, sentence] of sentences.entries())
    if (style === 'terse' || !INTRODUCTION.test(sentence)) yield sentences.toSpliced(index, 1);
}

const REWRITE = /^rewrite (?<steps>[^;]+?)(?<place> in [^;]+)?$/u;
const UNFOLD = /^unfold (?<names>[^;]+?)(?<place> in [^;]+)?$/u;
const INTRODUCTION = /^(?:intros|intro|move=>) ?(?<names>[^;:]*)$/u;

function* joinedSentences(sentences: readonly string[], wantedStyle: WantedStyle): Generator<string[]> {
  for (const [index, one] of sentences.entries()) {
    const other = sentences[index + 1];
    if (other === undefined) return;
    for (const joined of joinedPair(one, other, wantedStyle)) yield sentences.toSpliced(index, 2, joined);
  }
}

function* joinedPair(one: string, other: string, { file }: WantedStyle): Generator<string> {
  const [first, second] = [REWRITE.exec(one)?.groups, REWRITE.exec(other)?.groups];
  const steps = [first?.['steps'], second?.['steps']];
  if (steps[0] !== undefined && steps[1] !== undefined && first?.['place'] === second?.['place']) {
    // `rewrite a by t` speaks of its own premises.
    if (!steps.some((step) => step?.includes(' by ')))
      yield `rewrite ${steps.join(file.ssreflect && !steps.some(hasComma) ? ' ' : ', ')}${orNothing(first?.['place'])}`;
  }
  const [here, there] = [UNFOLD.exec(one)?.groups, UNFOLD.exec(other)?.groups];
  if (here?.['names'] !== undefined && there?.['names'] !== undefined && here['place'] === there['place'])
    yield `unfold ${here['names']}, ${there['names']}${orNothing(here['place'])}`;
  const names = [INTRODUCTION.exec(one)?.groups?.['names'], INTRODUCTION.exec(other)?.groups?.['names']];
  const [before, behind] = names;
  if (before !== undefined && behind !== undefined && before !== '' && behind !== '')
    yield `${one.startsWith('move') ? 'move=>' : 'intros'} ${before} ${behind}`;
}

function hasComma(text: string | undefined): boolean {
  return text?.includes(',') === true || text?.includes('<-') === true;
}

/** `a. easy.` is `now a`, where the file says so. */
function* finishedAtOnce({ sentences, children }: ScriptTree, { file }: WantedStyle): Generator<ScriptTree> {
  const [step, end] = sentences.slice(-2);
  if (children.length > 0 || step === undefined || end === undefined || file.finisher === undefined) return;
  if (!ENDINGS.has(end) || !canBeFinished(step)) return;
  yield { sentences: [...sentences.slice(0, -2), `${file.finisher} ${step}`], children };
}

const ENDINGS = new Set([
  'easy',
  'done',
  'auto',
  'trivial',
  'reflexivity',
  'assumption',
  'congruence',
  'discriminate',
]);

function canBeFinished(step: string): boolean {
  return !/[;[]|^(?:now|by|try|solve|first|do|repeat)\b/u.test(step);
}

/** `a. - c. - c.` is `a; c`; and where most branches end alike, `a; try c` leaves the others. */
function* joinedBranches(
  { sentences, children }: ScriptTree,
  { style, file }: WantedStyle,
): Generator<ScriptTree> {
  const last = sentences.at(-1);
  if (last === undefined || children.length < 2) return;
  const before = sentences.slice(0, -1);
  const endings = children.map((child) =>
    child.children.length === 0 && child.sentences.length === 1 ? child.sentences[0] : undefined,
  );
  const known = endings.filter((ending) => ending !== undefined);
  const closer = mostFrequent(known);
  if (closer === undefined) return;
  if (known.length === endings.length) {
    if (file.finisher !== undefined && known.every((ending) => ENDINGS.has(ending)) && canBeFinished(last))
      yield { sentences: [...before, `${file.finisher} ${last}`], children: [] };
    const common = known.every((ending) => EASY.test(ending)) ? ['auto', 'eauto'] : [];
    for (const one of new Set([closer, ...common].filter(isPlain)))
      yield { sentences: [...before, `${last}; ${one}`], children: [] };
    return;
  }
  const left = children.filter((_, index) => endings[index] !== closer);
  if (style !== 'terse' || !isPlain(closer) || children.length - left.length < 2) return;
  const tried = [...before, `${last}; try ${closer}`];
  const [only] = left;
  yield left.length === 1 && only !== undefined
    ? { sentences: [...tried, ...only.sentences], children: only.children }
    : { sentences: tried, children: left };
}

/** What the automation does as well. */
const EASY = /^(?:e?auto|e?assumption|easy|trivial|reflexivity|e?constructor)$/u;

function isPlain(closer: string): boolean {
  return !/[;[|]|^(?:try|by|now|do|repeat)\b/u.test(closer);
}

function mostFrequent(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, countOf(counts, word) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}
