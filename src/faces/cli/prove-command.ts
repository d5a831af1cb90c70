/**
 * `quod prove`: finds proofs and prints them, prints a patch, or writes them into the file. Whatever was found is always
 * told: also after Ctrl+C, and also when the file changed meanwhile and is therefore not written.
 */
import { availableParallelism, freemem } from 'node:os';
import { resolve } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { nearestNames } from '../../operations/nearest-names.ts';
import { replaceFile } from '../../operations/replace-file.ts';
import type { SourceFile } from '../../operations/source-file.ts';
import { applyReplacements, encode, readSourceFile } from '../../operations/source-file.ts';
import { findRocq } from '../../provers/rocq/discovery.ts';
import type { BackendChoice } from '../../provers/rocq/discovery.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { proveFile } from '../../search/prove-file.ts';
import type { TheoremResult } from '../../search/prove-file.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitCodeOf, worstExitCode } from './exit-codes.ts';
import { listenForInterrupt } from './interrupt.ts';
import { errorObjectLine, printError } from './print-error.ts';
import { patchText, proofsText, replacementsOf, resultLine, summaryText } from './prove-output.ts';
import { openProgress } from './prove-progress.ts';

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
const MEMORY_OF_A_PROVER = 1.5 * 1024 ** 3;

export async function proveCommand(fileName: string, options: ProveOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const source = await readSourceFile(fileName);
  const theorems = options.theorem ?? 'all-holes';
  if (options.theorem !== undefined) requireTheorems(source, options.theorem);
  const prover = await findRocq(options.backend);
  const interrupt = listenForInterrupt();
  const progress = await openProgress(
    process.stderr,
    fileName,
    // JSON lines on the same terminal would be mixed with lines that are redrawn.
    process.stderr.isTTY && !(options.json === true && process.stdout.isTTY),
  );
  const exitCodes: ExitCode[] = [];
  let results: TheoremResult[];
  try {
    results = await proveFile(
      {
        file: resolve(fileName),
        text: source.text,
        theorems,
        ...(options.nodes === undefined
          ? { budgetMs: options.budget ?? DEFAULT_BUDGET_MS }
          : { nodes: options.nodes, ...(options.budget !== undefined && { budgetMs: options.budget }) }),
        jobs: options.jobs ?? defaultJobs(),
        seed: options.seed,
        prover,
        ...(options.without !== undefined && { without: options.without }),
        signal: interrupt.signal,
      },
      (event) => {
        progress.onEvent(event);
        if (event.kind === 'file-error') exitCodes.push(2);
        if (options.json !== true) return;
        if (event.kind === 'theorem-finished') {
          console.log(resultLine(source, prover.identity, event.result));
        } else if (event.kind === 'file-error') {
          console.log(errorObjectLine(event.error));
        }
      },
    );
  } finally {
    progress.stop();
    interrupt.stop();
  }

  const interrupted = interrupt.signal.aborted;
  console.error(summaryText(results, performance.now() - startedAt, interrupted));

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

function defaultJobs(): number {
  return Math.max(1, Math.min(4, availableParallelism(), Math.floor(freemem() / MEMORY_OF_A_PROVER)));
}

async function writeProofs(source: SourceFile, results: readonly TheoremResult[]): Promise<void> {
  const replacements = replacementsOf(results);
  if (replacements.length === 0) return;
  await replaceFile(source, encode(source, applyReplacements(source, replacements)));
  console.error(`${source.name}: ${replacements.length} proofs written`);
}
