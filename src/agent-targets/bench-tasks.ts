/**
 * A theorem of an installed or a user's file as a task: the file cut at the theorem, in a folder of its own, with
 * nothing of its proof and nothing that stands after it. Where names are hidden, the theorem and the file are
 * called the same in every task; with `after`, the state behind the first sentences of the author's proof is the
 * statement.
 */
import { statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isInside } from '../core/inside.ts';
import { orNothing, orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { listedTheorems } from '../agent/evaluation/spec.ts';
import type { BenchSpec } from '../agent/evaluation/spec.ts';
import { strangeOptions } from '../gate/rocq/judgement.ts';
import { closeGoal } from '../mining/statement.ts';
import { readSourceFile } from '../operations/files/source-file.ts';
import { coqProjectText, parseCoqProject, projectFileLine } from '../provers/rocq/project/coq-project.ts';
import { findRocqProject } from '../provers/rocq/project/project.ts';
import { withoutComments } from '../provers/rocq/syntax/lexer.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { isLemma } from '../provers/rocq/syntax/statement-head.ts';
import type { TargetHost } from './target-host.ts';
import { OperationCalls } from './operation-calls.ts';
import { statementAsked } from './rocq/rocq-judgement.ts';

export interface BenchTask {
  /** `file#theorem` as it was listed. */
  readonly name: string;
  /** Sentences of the author's proof. */
  readonly length: number;
  /** Whether it may be a value that is asked for, of which any of its type counts, and not a proof. */
  readonly isValue: boolean;
  /** Text of the cut file. */
  readonly text: string;
  readonly fileName: string;
  readonly theorem: string;
  readonly project: string;
}

const HIDDEN_NAME = 'goal_to_prove';

/** Where a specification lies: what it names begins there. */
export interface PlacedSpec {
  readonly spec: BenchSpec;
  /** Absolute. */
  readonly home: string;
}

/**
 * Every file and folder that a specification names.
 * @throws QuodError `invalid-input` where an argument for Rocq may name a file that cannot be told from its words.
 */
export function pathsNamed({ spec, home }: PlacedSpec): readonly string[] {
  const folders = Object.values(spec.loadPath).flatMap((words) => {
    const {
      loadPath,
      ocamlPath,
      arguments: others,
    } = parseCoqProject(projectFileLine(words), home, 'loadPath');
    const [strange] = strangeOptions(others);
    if (strange !== undefined)
      throw new QuodError('invalid-input', `The benchmark hands an option of its own to Rocq: ${strange}.`, {
        remedy: 'If you mean it: quod bench run SPEC --outside.',
      });
    return [...loadPath.map(({ physical }) => physical), ...ocamlPath];
  });
  return [...listedTheorems(spec).map(({ file }) => resolve(home, file)), ...folders];
}

/**
 * A theorem that is listed twice would count twice, however its file is spelled or linked.
 * @throws QuodError `invalid-input` that names both.
 */
export function requireDistinctTheorems({ spec, home }: PlacedSpec): void {
  const seen = new Map<string, string>();
  for (const { file, theorem } of listedTheorems(spec)) {
    const path = resolve(home, file);
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    const key = `${found === undefined ? path : `${found.dev}:${found.ino}`} ${theorem}`;
    const name = `${file}#${theorem}`;
    const other = seen.get(key);
    if (other !== undefined)
      throw new QuodError(
        'invalid-input',
        `The specification lists one theorem twice: ${other} and ${name}.`,
        {
          remedy: 'List it once; `repeats` measures it several times.',
        },
      );
    seen.set(key, name);
  }
}

/** @throws QuodError `not-found`, `invalid-input`: why the theorem cannot be a task. */
export async function openBenchTask(
  listed: { readonly file: string; readonly theorem: string },
  { spec, home }: PlacedSpec,
): Promise<BenchTask> {
  const file = resolve(home, listed.file);
  const { text } = await readSourceFile(file);
  const outline = outlineOf(text);
  const item = statementAsked(outline, listed.theorem, file);
  if (item.closing === undefined || item.hole !== undefined)
    throw new QuodError('invalid-input', 'It has no finished proof.', { place: { file } });
  const theorem = spec.hideNames ? HIDDEN_NAME : listed.theorem;
  const before = textBefore(outline, item, spec.hideNames ? theorem : undefined);
  const opening =
    item.proofSentence === undefined ? 'Proof.' : (outline.sentences[item.proofSentence]?.text ?? 'Proof.');
  const endings = [...item.path]
    .reverse()
    .map((name) => `End ${name}.\n`)
    .join('');
  return {
    name: `${listed.file}#${listed.theorem}`,
    length: proofSentences(outline, item).length,
    isValue: mayBeValue(outline, item),
    text: `${before}\n${opening}\nAdmitted.\n${endings}`,
    fileName: spec.hideNames ? 'task.v' : basename(file),
    theorem,
    project: await projectText(file, { spec, home }),
  };
}

/** By the word that states it, or by the author's own, who let others look into it. */
function mayBeValue({ sentences }: FileOutline, item: TheoremItem): boolean {
  const closing = item.closing === undefined ? undefined : sentences[item.closing];
  return !isLemma(item) || /^Defined\b/u.test(withoutComments(orNothing(closing?.text)).trim());
}

/** @param shown What it is called there, where that is not its own name. */
function textBefore(outline: FileOutline, item: TheoremItem, shown: string | undefined): string {
  const statement = outline.sentences[item.sentence];
  const start = orZero(statement?.span.start);
  const head = outline.text.slice(0, start);
  const own = outline.text.slice(start, statement?.span.end ?? start);
  const { name } = item;
  if (shown === undefined || name === undefined) return head + own;
  return head + own.replace(new RegExp(`\\b${name}(?![\\w'])`, 'u'), shown);
}

function proofSentences(outline: FileOutline, item: TheoremItem): readonly string[] {
  return outline.sentences
    .slice(item.body.first, item.body.end)
    .flatMap(({ role, text }) => (role === 'command' ? [text] : []));
}

/** With absolute paths: the task lies in another folder. */
async function projectText(file: string, { spec, home }: PlacedSpec): Promise<string> {
  const own = Object.entries(spec.loadPath).find(([folder]) => isInside(resolve(home, folder), file));
  const project =
    own === undefined
      ? await findRocqProject(file)
      : parseCoqProject(projectFileLine(own[1]), home, 'loadPath');
  return coqProjectText(project);
}

/** @returns the path of the cut file. */
export async function writeBenchTask(
  folder: string,
  { fileName, text, project }: BenchTask,
): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (project !== '') await writeFile(join(folder, '_CoqProject'), project);
  const file = join(folder, fileName);
  await writeFile(file, text);
  return file;
}

/**
 * The task whose statement is the state after the first sentences of the author's proof.
 * @throws QuodError `invalid-input` when that is no single goal that can be stated by itself.
 */
export async function taskAfter(
  host: TargetHost,
  task: BenchTask,
  {
    source,
    scratch,
    after,
    signal,
  }: {
    readonly source: string;
    readonly scratch: string;
    readonly after: number;
    readonly signal: AbortSignal;
  },
): Promise<BenchTask> {
  const { text } = await readSourceFile(source);
  const outline = outlineOf(text);
  const original = task.name.slice(task.name.lastIndexOf('#') + 1);
  const item = statementAsked(outline, original, source);
  if (item.path.length > 0) throw new QuodError('invalid-input', 'It stands in a section or module.');
  const sentences = proofSentences(outline, item).slice(0, after);
  if (task.length <= after) throw new QuodError('invalid-input', `Its proof has ${task.length} sentences.`);
  const calls = new OperationCalls(host);
  const file = await writeBenchTask(scratch, task);
  const opened = await calls.call('rocq_open', { file, theorem: task.theorem }, signal);
  const session = { session_id: opened.session_id };
  try {
    const stepped = await calls.call('rocq_step', { ...session, script: sentences.join('\n') }, signal);
    const { goals } = stepped;
    const [goal, second] = goals;
    if (goal === undefined || second !== undefined)
      throw new QuodError('invalid-input', `${goals.length} goals are open there.`);
    const hypotheses = goal.hypotheses.map(({ name, type, body }) => ({
      ...{ name, type },
      ...(body !== null && { body }),
    }));
    const closed = closeGoal({ id: '', hypotheses, conclusion: goal.conclusion }, new Set());
    if (closed.kind === 'open')
      throw new QuodError('invalid-input', `The goal cannot be stated: ${closed.why}.`);
    const statement = outline.sentences[item.sentence];
    const head = outline.text.slice(0, orZero(statement?.span.start));
    return {
      ...task,
      length: task.length - after,
      text: `${head}\nLemma ${task.theorem} ${closed.text}.\nProof.\nAdmitted.\n`,
    };
  } finally {
    await calls.call('rocq_close', session, new AbortController().signal);
  }
}
