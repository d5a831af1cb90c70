/** What `quod prove` prints on stdout: the proofs as Rocq text, a patch that `patch -p1` takes, or JSON lines. */
import { BYTE_ORDER_MARK } from '../../../process/foreign-folder/byte-order-mark.ts';
import { REASON_CODES } from '../../../core/reason.ts';
import { restsOnFalseText, restsOnOpenText } from '../../../core/rests-on.ts';
import { someOf } from '../../../core/counted.ts';
import { orNothing, orZero } from '../../../core/entry.ts';
import { foreignName, foreignText, inertJson } from '../../../core/foreign-text.ts';
import { isInside } from '../../../core/inside.ts';
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { ProverIdentity } from '../../../core/prover.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import type { TheoremResult } from '../../../search/prove-file.ts';
import { errorBeforeText, PROVE_PHASES } from '../../../search/prove-request.ts';
import { replaced } from '../../../core/replacement.ts';
import { restsOn } from '../../../operations/definition/rests-on.ts';
import { filePatch } from '../../../operations/files/file-patch.ts';
import { nothingFound, searchResultOf } from '../../../operations/proof/search-result.ts';
import type { FileOutline, TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { titleOf } from '../../../provers/rocq/syntax/named-statements.ts';
import { statementOf } from '../../../provers/rocq/syntax/theorem-text.ts';
import { LineIndex } from '../../../core/position.ts';
import { formatDuration } from '../../../core/duration.ts';
import { fromHere } from '../terminal/from-here.ts';
import { namesOf, type StaleLibraries } from './own-writes.ts';

/** Said where nothing is searched for want of open proofs. */
export const NO_HOLES = 'The file has no holes: every proof in it is finished.';

/** Said of a theorem that is asked for by its name and is no hole. */
export function finishedAlready(theorem: string, fileName: string): string {
  const file = foreignName(fileName);
  return `${file}: ${foreignText(theorem)} has a finished proof already, which is left as it is; \`quod check ${file}\` says whether it compiles.`;
}

type NotJudged = Extract<TheoremResult['outcome'], { readonly kind: 'not-judged' }>;

/** A file with what its text says. */
export interface OutlinedFile {
  readonly source: SourceFile;
  readonly outline: FileOutline;
}

/**
 * As the line of a theorem that was searched, with an outcome of its own: no gate has looked at its proof.
 * @param asked Undefined where no prover was asked. `stale`: sources that changed after they were compiled.
 */
export function finishedAlreadyLine(
  { source, outline }: OutlinedFile,
  item: TheoremItem,
  asked?: { readonly prover: ProverIdentity; readonly stale: readonly string[] },
): string {
  const { span, text } = statementOf(outline, item);
  const file = { file: source.name, hash: source.hash };
  return inertJson({
    theorem: titleOf(outline, item),
    line: new LineIndex(source.text).printedAt(span.start).line,
    ...{ statement: text, outcome: 'finished' },
    ...nothingFound(),
    message: 'It has a finished proof already, which is left as it is.',
    ...{ nodes: 0, seconds: 0, times: [] },
    rests_on:
      asked === undefined
        ? {
            ...{ prover: 'rocq', version: null, backend: null },
            ...{ file: file.file, file_hash: file.hash, stale: null },
          }
        : restsOn(asked.prover, file, asked.stale),
  });
}

/** What the gate accepted, and nothing else: this is what may be written. */
export function replacementsOf(results: readonly TheoremResult[]) {
  return results.flatMap(({ outcome }) =>
    outcome.kind === 'proved' || outcome.kind === 'proved-but' ? [outcome.replacement] : [],
  );
}

/**
 * Statement and proof of each theorem that one was found for, in the order of the file and indented as there. A proof
 * that could not be judged stands in a comment that says so: what is not in comments was accepted.
 * @param text Of the file.
 */
export function proofsText(results: readonly TheoremResult[], text: string): string {
  const lines = text.split('\n');
  return results
    .flatMap((result) => proofText(result, blanksBefore(orNothing(lines[result.line - 1]))))
    .join('\n')
    .replaceAll('\r\n', '\n');
}

function blanksBefore(line: string): string {
  return line.slice(0, line.search(/[^ \t]|$/u));
}

/** @param margin The blanks in front of the statement: all lines but the first of a text of the file have theirs. */
function proofText({ theorem, statement, outcome }: TheoremResult, margin: string): string[] {
  if (outcome.kind === 'not-proved') {
    const { restsOnFalse = [] } = outcome;
    return restsOnFalse.length === 0
      ? []
      : [`(* ${theorem} is not proved: what was found ${restsOnFalseText(restsOnFalse)}. *)\n`];
  }
  if (outcome.kind === 'refuted') return [`(* False, as this proves: *)\n${outcome.negation}\n`];
  const proof = `${margin}${statement.trim()}\n${margin}${outcome.script.trim()}\n`;
  switch (outcome.kind) {
    case 'proved':
      return [proof];
    case 'proved-but':
      return [`(* Proved, but ${restsOnOpenText(outcome.restsOnOpen)}. *)\n${proof}`];
    case 'not-judged':
      return [`(* Found, but not judged: ${whyNotJudged(outcome)}.\n${proof}*)\n`];
  }
}

/** Without the gate's own words, which may hold anything, also the end of a comment: they stand in the line on stderr. */
export function whyNotJudged({ errorBefore, reason }: NotJudged): string {
  if (errorBefore !== undefined) return errorBeforeText(reason, errorBefore);
  if (reason === 'does-not-compile') return 'the file does not compile';
  const words = REASON_CODES[reason];
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1).replace(/\.$/u, '')}`;
}

/**
 * From the current folder; of a file outside of it from the top of its repository or its own folder, since tools
 * refuse patches that lead out of the folder to which they are applied.
 */
function patchPath(path: string): string {
  const folder = isInside(process.cwd(), path)
    ? process.cwd()
    : (repositoryOf(dirname(path)) ?? dirname(path));
  return relative(folder, path).split(sep).join('/');
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** A unified patch from the file to the file with the proofs; empty when there are none. */
export async function patchText(source: SourceFile, results: readonly TheoremResult[]): Promise<string> {
  const replacements = replacementsOf(results);
  if (replacements.length === 0) return '';
  const mark = source.byteOrderMark ? BYTE_ORDER_MARK : '';
  const path = patchPath(source.path);
  return filePatch(path, mark + source.text, mark + replaced(source.text, replacements));
}

/** @param stale sources that changed after they were compiled, with those that this run changed. */
export function staleNote(fileName: string, { stale, own }: StaleLibraries): string {
  const byRun = own.length === 0 ? '' : ` This run itself changed ${namesOf(own)}.`;
  return foreignText(
    `${foreignName(fileName)}: warning: what was compiled is not of the source as it is now: ${namesOf(stale)}.${byRun} What is proved rests on what was compiled. Give --build, or run quod build.`,
  );
}

/** @param paths Sources whose compiled files the run made older than they are. */
export function outdatedNote(paths: readonly string[]): string {
  const names = paths.map((path) => foreignName(fromHere(path)));
  return foreignText(
    `What was compiled of ${someOf(names)} is of the text before this run; quod build compiles it again.`,
  );
}

/** One line for one theorem, with what the answer rests on. */
export function resultLine(
  source: SourceFile,
  prover: ProverIdentity,
  result: TheoremResult,
  stale: readonly string[],
): string {
  return inertJson({
    ...searchResultOf(result, source.text),
    rests_on: restsOn(prover, { file: source.name, hash: source.hash }, stale),
  });
}

interface SearchEnd {
  readonly interrupted: boolean;
  /** How many holes there are to search; default: those with a result. */
  readonly holes?: number;
  /** What an interrupted search did not come to: theorems, or files. */
  readonly notBegun?: readonly string[];
  /** Some were not tried because what their file requires is not compiled. */
  readonly needsBuild?: boolean;
}

/** What there is to do where a search ended for want of time; undefined where none did. */
export function adviceText(results: readonly TheoremResult[], file: string): string | undefined {
  const isOut = results.some(
    ({ outcome }) => outcome.kind === 'not-proved' && outcome.reason === 'budget-exhausted',
  );
  if (!isOut) return undefined;
  return `What was not found may be with a lemma before it that says what it rests on, with more time (\`--budget\`, \`--nodes\`), with the proofs of a library (\`quod index\`), or with a model (\`quod agent ${foreignName(file)}\`).`;
}

/** The last line for people. */
export function summaryText(
  results: readonly TheoremResult[],
  elapsedMs: number,
  { interrupted, holes = results.length, notBegun = [], needsBuild = false }: SearchEnd,
): string {
  if (holes === 0) return interrupted ? 'Interrupted before the first theorem.' : NO_HOLES;
  const count = (kind: TheoremResult['outcome']['kind']): number =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  const more = [
    [count('proved-but'), 'proved but resting on open statements'],
    [count('not-judged'), 'found but not judged'],
    [count('refuted'), 'false'],
  ] as const;
  const phases = phasesText(
    Object.fromEntries(
      PROVE_PHASES.map((phase) => [phase, results.reduce((sum, { times }) => sum + orZero(times[phase]), 0)]),
    ),
  );
  const untried = holes - results.length;
  const named = notBegun.length === 0 ? '' : foreignText(` (${someOf(notBegun)})`);
  return [
    `${count('proved')} of ${Math.max(holes, results.length)} proved`,
    ...more.flatMap(([number, what]) => (number === 0 ? [] : [`, ${number} ${what}`])),
    ...(untried > 0
      ? [
          `, ${untried} ${interrupted ? `not begun${named}` : 'not tried'}${needsBuild ? ' (not compiled: use --build)' : ''}`,
        ]
      : []),
    ` in ${formatDuration(elapsedMs)}${interrupted ? ' (interrupted)' : ''}`,
    // Proofs are looked for and judged side by side, and are judged together: the sums say more than the clock.
    phases === '' ? '' : `; their own times, added up: ${phases}`,
  ].join('');
}

/** Less is not worth a word. */
const NOTEWORTHY_MS = 50;

/** What each phase took, those left out that took next to nothing. */
export function phasesText(times: TheoremResult['times']): string {
  return PROVE_PHASES.flatMap((phase) => {
    const elapsedMs = times[phase];
    return elapsedMs === undefined || elapsedMs < NOTEWORTHY_MS
      ? []
      : [`${phase} ${formatDuration(elapsedMs)}`];
  }).join(', ');
}
