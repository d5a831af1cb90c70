/**
 * Theorems of the standard library and of ext-lib with proofs of at least 5 sentences, as tasks, and what the
 * simulated model knows of them. Where a proof uses a lemma of its file that nothing else of the task uses, the file
 * of the task lacks that lemma: the model has to state it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onOneLine } from '../../src/core/sentence.ts';
import { entryAt } from '../../src/core/entry.ts';
import { parseSpec } from '../../src/agent/evaluation/spec.ts';
import { openBenchTask, type BenchTask } from '../../src/agent-targets/bench-tasks.ts';
import type { KnownLemma, KnownProof } from '../../src/agent/testing/simulated-model.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { coqFolder } from '../search/coqc.ts';
import { libraryNamed } from '../search/task.ts';
import { theoremsOf, type LibraryTheorem } from '../search/theorems.ts';

export interface SimulatedTask {
  /** Relative to the library's folder: `theories/Lists/List.v#in_nth`. */
  readonly name: string;
  readonly length: number;
  /** The variants of which the first one that Rocq accepts the author's proof in is used. */
  readonly variants: readonly { readonly task: BenchTask; readonly proof: KnownProof }[];
}

type Folders = Readonly<Record<'stdlib' | 'ext-lib', readonly string[]>>;

const FOLDERS: Folders = {
  stdlib: 'Lists Arith Bool Relations Sets Sorting Logic Wellfounded Program'
    .split(' ')
    .map((folder) => `theories/${folder}`),
  'ext-lib': ['user-contrib/ExtLib'],
};
/** Few lemmas rest on one that nothing else uses. */
const FOLDERS_OF_CHAINED: Folders = {
  ...FOLDERS,
  stdlib: [
    ...FOLDERS.stdlib,
    ...'ZArith NArith PArith QArith Strings Vectors Structures Classes Numbers MSets FSets Reals Init'
      .split(' ')
      .map((folder) => `theories/${folder}`),
  ],
};
/** What stands before the theorem is replayed for each lemma and each judgement. */
const MOST_CHARACTERS = 12_000;
const SHORTEST = 5;
const LONGEST = 12;
/** Of the proof of a lemma that the file lacks. */
const LONGEST_LEMMA = 8;
const STATEMENTS = new Set(['Lemma', 'Theorem', 'Fact', 'Remark', 'Corollary', 'Proposition']);

/** The same ones every time; every other one lacks a lemma, as long as there are such. */
export async function simulatedTasks(count: number): Promise<readonly SimulatedTask[]> {
  const { withLemma, without } = await allTasks(FOLDERS);
  const mixed = without.flatMap((task, at) => (withLemma[at] === undefined ? [task] : [withLemma[at], task]));
  return mixed.slice(0, count);
}

/** Those whose file lacks a lemma, and the lemma that the proof of that one uses. */
export async function chainedTasks(): Promise<readonly SimulatedTask[]> {
  const { withLemma } = await allTasks(FOLDERS_OF_CHAINED);
  return withLemma.flatMap((task) => {
    const { task: lacking, proof } = entryAt(task.variants, 0, 'variant');
    const { lemma } = proof;
    if (lemma === undefined) return [];
    const below = withoutLemma(lacking, { statement: '', sentences: lemma.sentences });
    if (below?.proof.lemma === undefined) return [];
    const chained = { ...proof, lemma: { ...lemma, lemma: below.proof.lemma } };
    return [{ ...task, variants: [{ task: below.task, proof: chained }] }];
  });
}

interface AllTasks {
  readonly withLemma: readonly SimulatedTask[];
  readonly without: readonly SimulatedTask[];
}

async function allTasks(libraries: Folders): Promise<AllTasks> {
  const where = coqFolder();
  const candidates = Object.entries(libraries)
    .flatMap(([name, folders]) => theoremsOf({ ...libraryNamed(name), folders }, where))
    .filter(({ length, source }) => length >= SHORTEST && length <= LONGEST && !source.includes('Setoid'))
    .map((theorem) => ({ theorem, order: createHash('sha256').update(theorem.name).digest('hex') }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1));
  const outlines = new Map<string, FileOutline>();
  const read = (source: string): FileOutline => {
    const outline = outlines.get(source) ?? outlineOf(readFileSync(join(where, source), 'utf8'));
    outlines.set(source, outline);
    return outline;
  };
  const withLemma: SimulatedTask[] = [];
  const without: SimulatedTask[] = [];
  for (const { theorem } of candidates) {
    const task = await taskOf(theorem, { where, outline: read(theorem.source) });
    if (entryAt(task.variants, 0, 'variant').task.text.length > MOST_CHARACTERS) continue;
    (task.variants.length > 1 ? withLemma : without).push(task);
  }
  return { withLemma, without };
}

async function taskOf(
  { source, name }: LibraryTheorem,
  { where, outline }: { readonly where: string; readonly outline: FileOutline },
): Promise<SimulatedTask> {
  const file = join(where, source);
  const spec = parseSpec(
    { name: 'simulated', hideNames: true, theorems: [{ file, theorem: name }], methods: [{ name: 'it' }] },
    file,
  );
  const task = await openBenchTask({ file: source, theorem: name }, { spec, home: where });
  const item = outline.statements.find((statement) => statement.name === name);
  if (item === undefined) throw new Error(`${source} has no ${name}.`);
  const statement = entryAt(outline.sentences, item.sentence, 'sentence').text;
  const proof: KnownProof = {
    statement: statement.slice(statement.indexOf(name) + name.length),
    sentences: bodyOf(outline, item),
  };
  const lacking = withoutLemma(task, proof);
  return {
    name: task.name,
    length: task.length,
    variants: [...(lacking === undefined ? [] : [lacking]), { task, proof }],
  };
}

/** One line each, as the model says them. */
function bodyOf(outline: FileOutline, item: TheoremItem): readonly string[] {
  return outline.sentences
    .slice(item.body.first, item.body.end)
    .flatMap(({ role, text }) => (role === 'command' ? [text.replace(/\s+/gu, ' ')] : []));
}

function withoutLemma(task: BenchTask, proof: KnownProof): SimulatedTask['variants'][number] | undefined {
  const outline = outlineOf(task.text);
  const uses = (text: string, name: string): boolean =>
    new RegExp(`(?<![\\w'.])${name}(?![\\w'])`, 'u').test(text);
  for (const item of outline.statements.toReversed()) {
    const { name, closing, keyword, statement } = item;
    if (name === undefined || closing === undefined || !STATEMENTS.has(keyword) || statement === '') continue;
    if (!proof.sentences.some((sentence) => uses(sentence, name))) continue;
    const { start } = entryAt(outline.sentences, item.sentence, 'sentence').span;
    const { end } = entryAt(outline.sentences, closing, 'sentence').span;
    const text = task.text.slice(0, start) + task.text.slice(end);
    const sentences = bodyOf(outline, item);
    if (uses(text, name) || sentences.length < 2 || sentences.length > LONGEST_LEMMA) continue;
    const said = item.binders.trim() === '' ? statement : `forall ${item.binders}, ${statement}`;
    const lemma: KnownLemma = {
      name,
      sentence: entryAt(outline.sentences, item.sentence, 'sentence').text.replace(/\s+/gu, ' '),
      claim: onOneLine(said),
      sentences,
    };
    return { task: { ...task, text }, proof: { ...proof, lemma } };
  }
  return undefined;
}

/** What the model knows of a task: the theorem, and the lemma as a theorem of its own. */
export function knownProofs(proof: KnownProof): readonly KnownProof[] {
  const { lemma } = proof;
  if (lemma === undefined) return [proof];
  const statement = lemma.sentence.slice(lemma.sentence.indexOf(lemma.name) + lemma.name.length);
  const { sentences } = lemma;
  return [
    proof,
    ...knownProofs({ statement, sentences, ...(lemma.lemma !== undefined && { lemma: lemma.lemma }) }),
  ];
}
