/**
 * `quod prove`: finds proofs and prints them, prints a patch, or writes them into the file. Whatever was found is
 * always told: also after Ctrl+C, and also when the file changed meanwhile and is therefore not written.
 */
import { dirname, resolve } from 'node:path';
import { isFolder } from '../../../process/foreign-folder/is-folder.ts';
import { counted } from '../../../core/counted.ts';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { errorOfFile } from '../../../operations/files/error-of-file.ts';
import { cureMissingLibrary, isMissingLibrary } from '../../../operations/rocq/check/missing-library.ts';
import { nearestNames } from '../../../core/names/nearest-names.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { passedOverAnswer, passedOverFor, passedOverText } from '../../../operations/files/passed-over.ts';
import { requireReplaceable } from '../../../operations/files/replace-file.ts';
import { readSourceFile, type SourceFile } from '../../../operations/files/source-file.ts';
import { sourceLanguageOf, unknownLanguage } from '../../../operations/files/source-language.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import {
  holeMeant,
  severalMeant,
  tellingName,
  type HoleMeant,
} from '../../../provers/rocq/syntax/named-statements.ts';
import { unreadRest } from '../../../provers/rocq/syntax/unread-rest.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import type { TheoremResult } from '../../../search/prove-file.ts';
import { buildDependencies } from './build-first.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { worstExitCode } from '../exit/exit-codes.ts';
import { fromHere } from '../terminal/from-here.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { BrokenSources } from '../../../operations/rocq/check/broken-sources.ts';
import { filesNamed, type NamedFile } from '../../../operations/project/named-files.ts';
import { printError } from '../terminal/print-error.ts';
import {
  finishedAlready,
  finishedAlreadyLine,
  outdatedNote,
  staleNote,
  summaryText,
  type OutlinedFile,
} from './prove-output.ts';
import { removingNewCaches } from '../terminal/new-caches.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
import { readsCompiled } from '../../../provers/rocq/build/uncompiled.ts';
import { inOrderOfNeed } from './in-order-of-need.ts';
import { OwnWrites } from './own-writes.ts';
import { tellUnsearched } from './prove-unsearched.ts';
import { FileSearch, type ProvedFile, type ProveOptions } from './file-search.ts';

/** The options, with what of the project files was told already, and which of its sources are broken. */
interface ProveRun extends ProveOptions {
  readonly broken: BrokenSources;
  readonly told: Set<string>;
  /** Of a run over several files. */
  readonly writes?: OwnWrites;
}

/** @param names Files, or folders of which the files with holes are meant. */
export async function proveCommand(names: readonly string[], asked: ProveOptions): Promise<ExitCode> {
  const options: ProveRun = { ...asked, told: new Set(), broken: new BrokenSources() };
  const interrupt = listenForInterrupt({
    told:
      options.write === true
        ? 'Stopping; what was found so far is judged and written, within seconds. Ctrl+C again ends without.'
        : 'Stopping; what was found so far is judged and told, within seconds. Ctrl+C again ends at once.',
    withReader: true,
  });
  try {
    if (options.watch === true) {
      const prove = async ({ name }: NamedFile, signal: AbortSignal): Promise<ExitCode> => {
        try {
          return (await proveOne(name, { ...options, heading: names.length > 1 }, signal)).exitCode;
        } catch (error) {
          return printError(error, { json: options.json === true });
        }
      };
      const { proveWatching } = await import('./watch.ts');
      return await proveWatching(names, prove, interrupt.signal);
    }
    const [name, ...others] = names;
    if (name !== undefined && others.length === 0 && !(await isFolder(name)))
      return (await proveOne(name, options, interrupt.signal)).exitCode;
    const { files, told } = await inOrderOfNeed(await filesNamed(names));
    for (const line of told) console.error(line);
    return await (options.theorem === undefined
      ? proveMany(files, options, interrupt.signal)
      : proveNamed(files, { ...options, theorem: options.theorem }, interrupt.signal));
  } finally {
    interrupt.stop();
  }
}

/** The theorems of that name, in whichever files they stand. @throws QuodError `not-found` for a name in none. */
async function proveNamed(
  files: readonly NamedFile[],
  options: ProveRun & { readonly theorem: readonly string[] },
  signal: AbortSignal,
): Promise<ExitCode> {
  const named = new Map<string, NamedIn>();
  for (const { name, unread } of files) {
    if (unread !== undefined || sourceLanguageOf(name) !== 'rocq') continue;
    named.set(name, namedIn(await readSourceFile(name), options.theorem));
  }
  requireNames(options.theorem, [...named.values()], 'these files');
  return proveMany(
    files.map((file) => {
      const here = named.get(file.name);
      const theorem = here === undefined ? [] : openNames(here, options);
      return { ...file, holes: theorem.length, theorem };
    }),
    options,
    signal,
  );
}

/** One file after the other; what is wrong with one costs no other. */
async function proveMany(
  files: readonly (NamedFile & { readonly theorem?: readonly string[] })[],
  options: ProveRun,
  signal: AbortSignal,
): Promise<ExitCode> {
  const startedAt = performance.now();
  const exitCodes: ExitCode[] = [];
  const results: TheoremResult[] = [];
  const notBegun: string[] = [];
  let needsBuild = false;
  for (const { unread, isInFolder } of files) {
    if (unread === undefined) continue;
    const exitCode = printError(unread, { json: options.json === true });
    // Provers take files without a text; only where one was named, somebody expected more.
    if (unread.reason !== 'invalid-input' || !isInFolder) exitCodes.push(exitCode);
  }
  const withHoles = files.filter(({ holes }) => holes > 0);
  const writes = new OwnWrites(withHoles.map(({ name }) => name));
  for (const { name, holes, theorem } of withHoles) {
    if (signal.aborted) {
      notBegun.push(`all of ${foreignName(name)}`);
      continue;
    }
    console.error(`${foreignName(name)}: ${counted(holes, theorem === undefined ? 'hole' : 'theorem')}`);
    try {
      const proved = await proveOne(
        name,
        { ...options, writes, heading: true, ...(theorem !== undefined && { theorem }) },
        signal,
      );
      exitCodes.push(proved.exitCode);
      appendAll(results, proved.results);
      appendAll(notBegun, proved.notBegun);
      needsBuild ||= proved.needsBuild;
    } catch (error) {
      exitCodes.push(printError(error, { json: options.json === true }));
    }
  }
  const holes = withHoles.reduce((sum, file) => sum + file.holes, 0);
  const told =
    holes === 0
      ? 'nothing was searched'
      : summaryText(results, performance.now() - startedAt, {
          interrupted: signal.aborted,
          ...{ holes, notBegun, needsBuild },
        });
  const unread = files.filter((file) => file.unread !== undefined).length;
  const parts = [
    counted(files.length, 'file'),
    ...(unread > 0 ? [`${unread} not read`] : []),
    options.theorem === undefined
      ? `${withHoles.length} with holes`
      : `${withHoles.length} with what was named`,
  ];
  await tellOutdated(writes, signal);
  console.error(`${parts.join(', ')}: ${told}`);
  return worstExitCode(exitCodes);
}

/** What the run leaves compiled of older texts. */
async function tellOutdated(writes: OwnWrites, signal: AbortSignal): Promise<void> {
  const outdated = await writes.outdated(signal);
  if (outdated.length > 0) console.error(outdatedNote(outdated));
}

interface ProvedInProject extends ProvedFile {
  /** Its search ended at a library of its project that is not compiled. */
  readonly needsBuild: boolean;
}

/** One file, with everything that is told about it. */
async function proveOne(fileName: string, options: ProveRun, signal: AbortSignal): Promise<ProvedInProject> {
  const startedAt = performance.now();
  const source = await readSourceFile(fileName);
  const language = sourceLanguageOf(fileName);
  if (language === undefined) {
    const taken = 'It searches Rocq files (`.v`), and lists the holes of `Script.sml`, `.fst` and `.lean`.';
    throw unknownLanguage(fileName, taken);
  }
  if (language !== 'rocq') throw await tellUnsearched(source, language, { json: options.json === true });
  await tellPassedOver(source.path, options.told);
  const outline = outlineOf(source.text);
  if (options.theorem !== undefined) {
    const named = namedIn(source, options.theorem);
    requireNames(options.theorem, [named], 'this file', source.name);
    const open = openNames(named, options);
    requireOneMeant(named, source.name);
    if (open.length === 0) return { exitCode: 0, results: [], notBegun: [], needsBuild: false };
  }
  // Nothing is searched for in vain.
  if (options.write === true && outline.statements.some(({ hole }) => hole !== undefined))
    await requireReplaceable(source);
  const prover = await findRocq(options.backend);
  if (options.build === true && readsCompiled(prover.identity))
    await buildDependencies(fileName, outline, { prover, signal, options });
  const { writes = new OwnWrites([fileName]) } = options;
  const libraries = await writes.madeAnew({
    ...{ fileName, path: source.path, outline },
    ...{ prover, signal, options },
  });
  const { stale } = libraries;
  const { root } = await findRocqProject(source.path);
  const removeNewCaches = removingNewCaches([dirname(source.path), root, process.cwd()]);
  const run = new FileSearch({ source, outline }, options, signal, stale);
  try {
    let failure = await run.search(prover);
    let needsBuild = false;
    if (isMissingLibrary(failure)) {
      const { backend, broken } = options;
      const trouble = { error: failure, file: resolve(fileName), outline, prover, backend, signal, broken };
      const cure = await cureMissingLibrary(trouble);
      if (cure.kind === 'none') {
        ({ needsBuild } = cure);
        failure = errorOfFile(needsBuild ? withBuild(cure.error) : cure.error, fileName);
      } else {
        console.error(`${foreignName(fileName)}: ${cure.note}`);
        failure = await run.search(cure.prover);
        if (isMissingLibrary(failure)) failure = errorOfFile(failure, fileName);
      }
    }
    // A file that could not be run for want of a library is told that already.
    if (stale.length > 0 && failure === undefined) console.error(staleNote(fileName, libraries));
    if (options.write === true) await writes.begin(prover.identity);
    const proved = await run.conclude(failure, performance.now() - startedAt);
    if (proved.written !== undefined) await writes.wrote(source.path, proved.written);
    // Of several files that is told behind the last.
    if (options.writes === undefined) await tellOutdated(writes, signal);
    return { ...proved, needsBuild };
  } finally {
    await removeNewCaches();
  }
}

/** This command can do it by itself. */
function withBuild({ reason, message, place, remedy }: QuodError): QuodError {
  const both = `${orNothing(remedy)} \`quod prove --build\` does both.`.trim();
  return new QuodError(reason, message, { place, remedy: both });
}

/** What its project file says in vain, once for each project. */
async function tellPassedOver(path: string, told: Set<string>): Promise<void> {
  const faults = await passedOverFor([path]);
  const lines = passedOverText(passedOverAnswer(faults, fromHere)).filter((line) => !told.has(line));
  for (const line of lines) {
    told.add(line);
    console.error(line);
  }
}

/** What the names that were asked for mean in a file. */
interface NamedIn extends OutlinedFile {
  readonly meant: ReadonlyMap<string, HoleMeant>;
}

function namedIn(source: SourceFile, wanted: readonly string[]): NamedIn {
  const outline = outlineOf(source.text);
  return { source, outline, meant: new Map(wanted.map((name) => [name, holeMeant(outline, name)])) };
}

/** Those of the names that mean what is open in a file; of what is finished it is told that it stays as it is. */
function openNames(named: NamedIn, { json = false }: ProveOptions): string[] {
  return [...named.meant].flatMap(([name, one]) => {
    if (one.kind === 'finished') {
      console.error(finishedAlready(name, named.source.name));
      if (json) for (const item of one.items) console.log(finishedAlreadyLine(named, item));
    }
    return one.kind === 'one' || one.kind === 'several' ? [name] : [];
  });
}

/** @throws QuodError `invalid-input` for a name that is short for several holes. */
function requireOneMeant({ meant }: NamedIn, file: string): void {
  for (const [name, one] of meant) if (one.kind === 'several') throw severalMeant(name, one.names, file);
}

/** @throws QuodError `not-found` with the nearest names. */
function requireNames(
  wanted: readonly string[],
  files: readonly NamedIn[],
  where: string,
  file?: string,
): void {
  for (const name of wanted) {
    if (files.some(({ meant }) => meant.get(name)?.kind !== 'none')) continue;
    const names = files.flatMap(({ outline }) =>
      outline.statements.flatMap((item) => [item.name ?? [], tellingName(outline, item) ?? []].flat()),
    );
    const nearest = nearestNames(name, names);
    const said =
      nearest.length > 0
        ? `Did you mean ${nearest.join(', ')}?`
        : 'Theorems are named as after Lemma, Theorem, …; `quod check` lists the holes.';
    const unread = files.length === 1 ? files.flatMap(({ outline }) => unreadRest(outline) ?? []) : [];
    throw new QuodError('not-found', `There is no theorem ${name} in ${where}.`, {
      ...(file !== undefined && { place: { file } }),
      remedy: [said, ...unread].join(' '),
    });
  }
}
