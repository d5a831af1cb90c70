/**
 * `quod prove`: finds proofs and prints them, prints a patch, or writes them into the file. Whatever was found is always
 * told: also after Ctrl+C, and also when the file changed meanwhile and is therefore not written.
 */
import { resolve } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { judgeFoundProof } from '../../operations/judge-found-proof.ts';
import { nearestNames } from '../../operations/nearest-names.ts';
import { replaceFile } from '../../operations/replace-file.ts';
import type { SourceFile } from '../../operations/source-file.ts';
import { applyReplacements, encode, readSourceFile } from '../../operations/source-file.ts';
import { sourceLanguageOf } from '../../operations/source-language.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import { findRocq } from '../../provers/rocq/discovery.ts';
import type { BackendChoice } from '../../provers/rocq/discovery.ts';
import { missingLibrary, missingLibraryRemedy } from '../../provers/rocq/known-libraries.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { INGREDIENTS } from '../../search/candidate.ts';
import { proveFile } from '../../search/prove-file.ts';
import type { ProveEvent, TheoremResult } from '../../search/prove-file.ts';
import { canRedraw } from './can-redraw.ts';
import { defaultJobs } from './default-jobs.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitCodeOf, worstExitCode } from './exit-codes.ts';
import { listenForInterrupt } from './interrupt.ts';
import { errorObjectLine, printError } from './print-error.ts';
import { patchText, proofsText, replacementsOf, resultLine, summaryText } from './prove-output.ts';
import { openProgress } from './prove-progress.ts';
import { tellUnsearched } from './prove-unsearched.ts';

export interface ProveOptions {
  readonly theorem?: readonly string[];
  readonly allHoles?: boolean;
  readonly budget?: number;
  readonly nodes?: number;
  readonly jobs?: number;
  readonly seed: number;
  readonly without?: readonly string[];
  readonly backend: BackendChoice;
  readonly write?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
}

const DEFAULT_BUDGET_MS = 60_000;

export async function proveCommand(fileName: string, options: ProveOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const source = await readSourceFile(fileName);
  const language = sourceLanguageOf(fileName);
  if (language === undefined) {
    throw new QuodError('invalid-input', 'Quod does not know in which language this file is.', {
      place: { file: fileName },
      remedy: 'It searches Rocq files (`.v`), and lists the holes of `Script.sml`, `.fst` and `.lean`.',
    });
  }
  if (language !== 'rocq') {
    throw tellUnsearched(source, language, { json: options.json === true });
  }
  requireIngredients(options.without ?? []);
  if (options.theorem !== undefined) requireTheorems(source, options.theorem);
  const file = resolve(fileName);
  const prover = await findRocq(options.backend);
  const interrupt = listenForInterrupt();
  const progress = await openProgress(
    process.stderr,
    fileName,
    // JSON lines on the same terminal would be mixed with lines that are redrawn.
    canRedraw(process.stderr) && !(options.json === true && process.stdout.isTTY),
  );
  const exitCodes: ExitCode[] = [];
  const finished: TheoremResult[] = [];
  const onEvent = (event: ProveEvent): void => {
    if (event.kind === 'file-error') {
      // Of a file whose run was stopped nothing is known.
      if (interrupt.signal.aborted) return;
      const error = errorOfFile(event.error, fileName, prover.identity.backend);
      exitCodes.push(exitCodeOf(error.reason));
      progress.onEvent({ kind: 'file-error', error });
      if (options.json === true) console.log(errorObjectLine(error));
      return;
    }
    progress.onEvent(event);
    if (event.kind !== 'theorem-finished') return;
    finished.push(event.result);
    if (options.json === true) console.log(resultLine(source, prover.identity, event.result));
  };
  let failure: unknown;
  try {
    await proveFile(
      {
        file,
        text: source.text,
        theorems: options.theorem ?? 'all-holes',
        ...(options.nodes === undefined
          ? { budgetMs: options.budget ?? DEFAULT_BUDGET_MS }
          : { nodes: options.nodes, ...(options.budget !== undefined && { budgetMs: options.budget }) }),
        jobs: options.jobs ?? defaultJobs(),
        seed: options.seed,
        prover,
        cacheDirectory: cacheDirectory(),
        ...(options.without !== undefined && { without: options.without }),
        // The first Ctrl+C stops the search, not the judge: what was found and waits for it would be lost. The second ends both.
        judge: judgeFoundProof(file, prover, new AbortController().signal),
        signal: interrupt.signal,
      },
      onEvent,
    );
  } catch (error) {
    // Whatever ended the search, what it found until then is told below.
    if (!interrupt.signal.aborted) failure = error;
  } finally {
    progress.stop();
    interrupt.stop();
  }

  const interrupted = interrupt.signal.aborted;
  const results = finished.toSorted((left, right) => left.line - right.line);
  if (failure !== undefined) exitCodes.push(printError(failure, { json: options.json === true }));
  else console.error(summaryText(results, performance.now() - startedAt, interrupted));

  for (const { outcome } of results) {
    if (outcome.kind === 'not-proved') exitCodes.push(exitCodeOf(outcome.reason));
  }
  if (interrupted) exitCodes.push(130);
  if (options.write === true) {
    try {
      await writeProofs(source, results);
    } catch (error) {
      exitCodes.push(printError(error, { json: options.json === true }));
      // What was found must not be lost: it is printed instead.
      if (options.json !== true) process.stdout.write(proofsText(results));
    }
  } else if (options.diff === true) {
    process.stdout.write(await patchText(source, results));
  } else if (options.json !== true) {
    process.stdout.write(proofsText(results));
  }
  return worstExitCode(exitCodes);
}

/** An error of the file as its user knows the file, and with the package when a library is missing. */
function errorOfFile(error: QuodError, fileName: string, backend: string): QuodError {
  const place = { ...error.place, file: fileName };
  const library = missingLibrary(error.message);
  if (library === undefined) {
    return new QuodError(error.reason, error.message, {
      place,
      ...(error.remedy !== undefined && { remedy: error.remedy }),
    });
  }
  const remedy = missingLibraryRemedy(library, backend);
  return new QuodError('library-missing', error.message, { place, remedy });
}

/** @throws QuodError `invalid-input` with the names that there are. */
function requireIngredients(wanted: readonly string[]): void {
  const known: readonly string[] = INGREDIENTS;
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new QuodError('invalid-input', `The search has no ingredient ${unknown}.`, {
    remedy: `There are ${known.join(', ')}.`,
  });
}

/** @throws QuodError `not-found` with the nearest names. */
function requireTheorems(source: SourceFile, wanted: readonly string[]): void {
  const names = outlineOf(source.text).statements.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const nearest = nearestNames(name, names);
    throw new QuodError('not-found', `There is no theorem ${name} in this file.`, {
      place: { file: source.name },
      remedy:
        nearest.length > 0
          ? `Did you mean ${nearest.join(', ')}?`
          : 'Theorems are named as after Lemma, Theorem, …; `quod check` lists the holes.',
    });
  }
}

async function writeProofs(source: SourceFile, results: readonly TheoremResult[]): Promise<void> {
  const replacements = replacementsOf(results);
  if (replacements.length === 0) return;
  await replaceFile(source, encode(source, applyReplacements(source, replacements)));
  console.error(`${source.name}: ${replacements.length} proofs written`);
}
