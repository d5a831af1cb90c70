/** The files of a project with their holes, errors and what they rest on. */
import { z } from 'zod';
import { inColumns, listLines, rowsOfLines } from '../definition/columns.ts';
import { counted, someOf } from '../../core/counted.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import { QuodError, withRemedy } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { LineIndex } from '../../core/position.ts';
import { holdsSoFar, stoppedBy, stoppedSchema, stoppedText } from '../definition/cut-off.ts';
import { defineOperation, type Saying } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';
import { errorsText, holesText, isCutOff, openAmong, type CheckReport } from '../files/check-report.ts';
import { passedOverAnswer, passedOverFor, passedOverSchema, passedOverText } from '../files/passed-over.ts';
import { readSourceFile } from '../files/source-file.ts';
import { COMPILED_STATES, type CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import { notCompiled, type ProjectSource } from '../../provers/rocq/build/project-sources.ts';
import { readsCompiled } from '../../provers/rocq/build/uncompiled.ts';
import { BrokenSources } from '../rocq/check/broken-sources.ts';
import { rangeSchema } from '../rocq/session/positions.ts';
import { checkSource } from './check-source.ts';
import { pathsNamed, unreadSchema, unreadText } from './named-files.ts';
import { knownByTextText } from './known-by-text.ts';
import { projectStatus, type FileStatus } from './project-status.ts';

const SENTENCE_TIMEOUT_MS = 60_000;

const outputSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      language: z.string(),
      holes: z
        .array(z.string())
        .describe('What each hole leaves open, in the order of the text: once for each gap in it.'),
      open: z.int().describe('How many are open, however many gaps each of them has.'),
      superseded: z
        .array(z.string())
        .describe(
          'What is told of statements that are given up (`Abort`) and are no holes, since something else has their name.',
        ),
      read_from: z
        .enum(['text', 'compiled', 'run'])
        .describe(
          'From what the holes are known. A text does not show what a loaded file admits, or what a command leaves to be proved.',
        ),
      errors: z
        .int()
        .nullable()
        .describe('null: the file was not run, or not to its end and without an error until then.'),
      following: z
        .int()
        .describe(
          'Errors that follow from others, which `errors` does not count: names that these left out.',
        ),
      first_error: z
        .object({ message: z.string(), ...rangeSchema.pick({ line: true, column: true }).shape })
        .nullable()
        .describe('With `check`: the first of them that the prover refused, and where it is.'),
      unchecked: z
        .object({ reason: z.string(), message: z.string() })
        .nullable()
        .describe('With `check`: why it was not run to its end.'),
      compiled: z
        .enum(COMPILED_STATES)
        .nullable()
        .describe(
          'Of a Rocq source of a project: whether what was compiled is of the source as it is now (by the hash in the `.glob` beside it, and no older) and no older than what it loads and requires, directly or through others. `not-known`: nothing says from which text it was compiled. `no-module-name`: Rocq compiles nothing under this name.',
        ),
      stale: z
        .array(z.string())
        .describe(
          'With `check`: the files that it requires, directly or through others, and that changed since they were compiled, or never were. It was run against what was compiled before.',
        ),
      rests_on: z
        .array(z.object({ file: z.string(), holes: z.int() }))
        .describe('The files with holes that it requires, directly or through others.'),
    }),
  ),
  holes: z.int().describe('With each gap.'),
  open: z.int().describe('How many are open in all files.'),
  errors: z.int().nullable().describe('null: of no file it is known.'),
  following: z.int().describe('Of all files.'),
  not_checked: z
    .int()
    .describe(
      'Files that are not compiled as they are now and were not run: nobody looked for errors in them. `check` does.',
    ),
  unread: unreadSchema,
  passed_over: passedOverSchema,
  stopped: stoppedSchema,
});

type Status = z.output<typeof outputSchema>;

export const proofStatus = defineOperation({
  name: 'proof_status',
  area: 'proof',
  title: 'State of a project',
  summary:
    'Lists the files of a project with their holes, whether they are compiled, and the holes of what they require.',
  details:
    'Runs no prover; with `check` it runs each Rocq, HOL4 and F* file, counts its errors and asks what is open. Without it, holes are known from compiled Rocq files, else from the text alone.',
  input: z.object({
    paths: z.array(z.string()).min(1).default(['.']).describe('Files or folders.'),
    check: z.boolean().default(false).describe('Also run the files and count their errors.'),
  }),
  output: outputSchema,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  // As a build, which looks at as much.
  defaultTimeout: 24 * 3600,
  longestTimeout: 24 * 3600,
  positional: ['paths'],
  render: tableOf,
  conclude: ({ files, holes, open, errors, following, not_checked, unread, passed_over }, say) => {
    const resting = files.filter(({ rests_on }) => rests_on.length > 0).length;
    const wrong = errors === null ? '' : `, ${errorsText(errors, following)}`;
    const found = `${counted(files.length, 'file')}, ${holesText(open, holes)}${wrong}, ${counted(resting, 'file')} resting on holes of others`;
    const byText = files.filter(({ read_from, unchecked }) => read_from === 'text' && unchecked === null);
    // In these, as in all that is not compiled, nobody looked for errors: that is said with them.
    const isUnchecked = (count: number): boolean => count === not_checked;
    const more = knownByTextText(byText, isUnchecked, say);
    const others = byText.filter(({ language }) => language !== 'lean').length;
    return [
      ...passedOverText(passed_over),
      ...[found, ...uncheckedText(files), ...staleFilesText(files, say), ...unreadText(unread)],
      ...files.flatMap(({ file, superseded }) =>
        superseded.map((told) => `${foreignName(file)}: ${foreignText(told)}`),
      ),
      ...[...(isUnchecked(others) ? [] : notCheckedText(not_checked)), ...more],
    ].join('\n');
  },
  holds: ({ files, unread }) => {
    const each = files.map(fileHolds);
    if (each.includes(false)) return false;
    return unread.length > 0 || each.includes(undefined) ? undefined : true;
  },
  run: async (input, { workspace, signal, progress }) => {
    const named = await Promise.all(input.paths.map((path) => workspace.resolve(path)));
    const { paths, unread } = await pathsNamed(named, signal);
    const files: Status['files'] = [];
    // Many rest on the same file.
    const names = new Map<string, string>();
    const nameOf = (path: string): string => {
      const name = names.get(path) ?? workspace.nameOf(path);
      names.set(path, name);
      return name;
    };
    const known = await projectStatus(paths, signal);
    const changed = await changedBelow(input.check ? known : []);
    const broken = new BrokenSources();
    for (const { path, language, holes, readFrom, compiled, requires, restsOn, ...found } of known) {
      const name = workspace.nameOf(path);
      if (input.check) progress({ message: name, done: files.length, total: paths.length });
      const { report, firstError, againstCompiled, unchecked } =
        input.check && language !== 'lean' ? await lookedAt(path, { workspace, signal, broken }) : NOT_ASKED;
      const refused = report?.errors.filter((error) => !isCutOff(error));
      const following = orZero(refused?.filter(({ follows }) => follows !== undefined).length);
      const errors = refused === undefined ? undefined : refused.length - following;
      files.push({
        ...{ file: name, language, compiled: compiled ?? null },
        holes: report === undefined ? [...holes] : report.holes.map(({ theorem }) => theorem),
        open: report === undefined ? found.open : openAmong(report.holes),
        superseded: [...found.superseded],
        read_from: report === undefined || report.partial ? readFrom : 'run',
        errors: errors === undefined || (errors === 0 && unchecked !== null) ? null : errors,
        following,
        ...{ first_error: firstError, unchecked },
        stale: (againstCompiled ? requires : [])
          .filter((needed) => changed.has(needed))
          .map(({ path }) => nameOf(path)),
        rests_on: restsOn.map((below) => ({ file: nameOf(below.path), holes: below.holes })),
      });
    }
    return {
      files,
      holes: files.reduce((sum, file) => sum + file.holes.length, 0),
      open: files.reduce((sum, file) => sum + file.open, 0),
      errors: files.every(({ errors }) => errors === null)
        ? null
        : files.reduce((sum, { errors }) => sum + orZero(errors), 0),
      following: files.reduce((sum, { following }) => sum + following, 0),
      not_checked: input.check ? 0 : files.filter(mayHaveErrors).length,
      stopped: files.some(({ unchecked }) => unchecked !== null) ? stoppedBy(signal) : null,
      unread: unread.map(({ path, why }) => ({ file: workspace.nameOf(path), why })),
      passed_over: passedOverAnswer(await passedOverFor(paths), nameOf),
    };
  },
});

/** What some of the files require, and what is not compiled as it is now: each is looked at once. */
async function changedBelow(files: readonly FileStatus[]): Promise<ReadonlySet<ProjectSource>> {
  const needed = new Set<ProjectSource>();
  for (const { requires } of files) for (const source of requires) needed.add(source);
  return new Set(await notCompiled([...needed]));
}

function fileHolds(file: Status['files'][number]): boolean | undefined {
  const { holes, errors, unchecked, stale, read_from } = file;
  const soFar = holdsSoFar({
    isRefused: orZero(errors) > 0,
    isCutOff: unchecked !== null && isCutOff(unchecked),
  });
  if (soFar !== true) return soFar;
  if (holes.length > 0) return false;
  return unchecked !== null || read_from === 'text' || stale.length > 0 ? undefined : true;
}

/** A file with errors has more to be told of. */
function isOlder({ stale, errors }: Status['files'][number]): boolean {
  return stale.length > 0 && orZero(errors) === 0;
}

/**
 * Which files were run against what was compiled of older ones is told in the table. A build helps those alone below which no file
 * is seen to be broken: one cause, with its place, for all that require it.
 */
function staleFilesText(files: Status['files'], say: Saying): readonly string[] {
  const withErrors = new Map(files.flatMap((one) => (one.first_error === null ? [] : [[one.file, one]])));
  const brokenBelow = ({ stale }: Status['files'][number]): string | undefined =>
    stale.find((below) => withErrors.has(below));
  const blocked = Map.groupBy(files, brokenBelow);
  const toBuild = (blocked.get(undefined) ?? []).filter(({ stale }) => stale.length > 0);
  const older = toBuild.filter(isOlder).length;
  const without = toBuild.length - older;
  return [
    ...[...withErrors.values()].flatMap(({ file, first_error }) => {
      const above = (blocked.get(file) ?? []).map((one) => foreignName(one.file));
      if (above.length === 0 || first_error === null) return [];
      const { line, column, message } = first_error;
      return [
        `${foreignName(file)}:${line}:${column}: ${foreignText(message)}\n  It is the cause that ${someOf(above)} cannot be compiled: mend it first.`,
      ];
    }),
    ...(older === 0
      ? []
      : [`${counted(older, 'file')} checked against older files: compile the project, then check again`]),
    ...(without === 0
      ? []
      : [
          `${counted(without, 'file')} with errors ${without === 1 ? 'requires' : 'require'} what is not compiled as it is now: ${say('compile the project first (`proof_build`), then check again')}`,
        ]),
  ];
}

/** What is compiled has no errors. Of Lean none are looked for. */
function mayHaveErrors({ language, compiled }: Status['files'][number]): boolean {
  return compiled !== 'yes' && language !== 'lean';
}

/** No column of errors says as little of a file without any as of one in which nobody looked for them. */
function notCheckedText(count: number): readonly string[] {
  if (count === 0) return [];
  const one = count === 1;
  return [
    `Nobody looked for errors in ${counted(count, 'file')}, which ${one ? 'is' : 'are'} neither compiled as ${one ? 'it is' : 'they are'} now nor checked: ask with --check`,
  ];
}

/** One line for the files that were not run to their ends for the same reason. */
function uncheckedText(files: Status['files']): readonly string[] {
  const byCause = Map.groupBy(
    files.filter(({ unchecked }) => unchecked !== null),
    ({ unchecked }) => `${orNothing(unchecked?.message)} [${orNothing(unchecked?.reason)}]`,
  );
  return [...byCause].map(
    ([cause, those]) =>
      `Not run to the end: ${someOf(those.map(({ file }) => foreignName(file)))}. ${foreignText(cause)}`,
  );
}

interface LookedAt {
  /** Of what was run. */
  readonly report?: CheckReport;
  readonly firstError: Status['files'][number]['first_error'];
  /** Whether it was run against what was compiled of the files that it requires. */
  readonly againstCompiled: boolean;
  readonly unchecked: Status['files'][number]['unchecked'];
}

const NOT_ASKED: LookedAt = { firstError: null, againstCompiled: false, unchecked: null };

/** One look at many files. */
interface Looking {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  readonly broken: BrokenSources;
}

/** What keeps one file from being run keeps nothing from being told of the others. */
async function lookedAt(path: string, looking: Looking): Promise<LookedAt> {
  const { signal } = looking;
  const stopped = (): LookedAt['unchecked'] => {
    const reason = stoppedBy(signal);
    return reason === null ? null : { reason, message: stoppedText(reason) };
  };
  try {
    const { report, identity, firstError } = await checkOf(path, looking);
    const ran = { report, firstError, againstCompiled: readsCompiled(identity) };
    if (report.partial && signal.aborted) return { ...ran, unchecked: stopped() };
    const { reason, message } = report.errors.find(isCutOff) ?? {};
    const unchecked = reason === undefined ? null : { reason, message: orNothing(message) };
    return { ...ran, unchecked };
  } catch (error) {
    if (signal.aborted) return { ...NOT_ASKED, unchecked: stopped() };
    if (!(error instanceof QuodError)) throw error;
    return { ...NOT_ASKED, unchecked: { reason: error.reason, message: withRemedy(error) } };
  }
}

async function checkOf(path: string, { workspace, signal, broken }: Looking) {
  signal.throwIfAborted();
  const { text } = await readSourceFile(workspace.nameOf(path), path);
  const request = { file: path, text, backend: 'auto', timeoutMs: SENTENCE_TIMEOUT_MS, signal } as const;
  const { report, identity } = await checkSource(request, broken);
  // What cannot load a library is not what is broken.
  const isLoaded = report.errors.every(({ reason }) => reason !== 'library-missing');
  const first = report.errors.find(
    ({ reason, follows }) => isLoaded && reason === undefined && follows === undefined,
  );
  const firstError = first && {
    message: first.message,
    ...new LineIndex(text).printedAt(first.span.start),
  };
  return { report, identity, firstError: firstError ?? null };
}

const COMPILED_WORDS: Readonly<Record<CompiledState, string>> = {
  ...{ yes: 'yes', no: 'no', 'not-known': 'not known', 'no-module-name': 'cannot be: its name' },
};

const COLUMNS = ['file', 'holes', 'errors', 'compiled', 'checked against older', 'rests on holes of'];

function stateCells({ errors, following, unchecked, compiled }: Status['files'][number]): readonly string[] {
  return [
    unchecked !== null
      ? errors === null
        ? 'not known'
        : `${errors} or more`
      : orZero(errors) + following === 0
        ? ''
        : `${orZero(errors)}${following === 0 ? '' : ` and ${following} that follow`}`,
    compiled === null ? '' : COMPILED_WORDS[compiled],
  ];
}

/** Each once where its gaps stand one behind the other, with how many these are. */
function withGaps(holes: readonly string[]): readonly string[] {
  const runs: { readonly name: string; gaps: number }[] = [];
  for (const name of holes) {
    const last = runs.at(-1);
    if (last?.name === name) last.gaps += 1;
    else runs.push({ name, gaps: 1 });
  }
  return runs.map(({ name, gaps }) => (gaps === 1 ? name : `${name} (${gaps})`));
}

/** Columns in which no file has anything are left out. */
function tableOf({ files }: Status): string {
  const named = (one: readonly string[]): readonly string[] => one.map(foreignName);
  const rows = files.flatMap((one) => {
    const count = one.holes.length === 0 ? '' : `${one.open}: `;
    return rowsOfLines([
      [foreignName(one.file)],
      listLines(named(withGaps(one.holes))).map(
        (line, at) => (at === 0 ? count : ' '.repeat(count.length)) + line,
      ),
      ...stateCells(one).map((cell) => [cell]),
      isOlder(one) ? [foreignName(someOf(one.stale))] : [],
      listLines(named(one.rests_on.map((below) => `${below.file} (${below.holes})`))),
    ]);
  });
  const isShown = (at: number): boolean => at === 0 || rows.some((row) => row[at] !== '');
  const table = [COLUMNS, ...rows].map((row) => row.filter((_, at) => isShown(at)));
  return inColumns(table).join('\n');
}
