/** What `quod prove` prints on stdout: the proofs as Rocq text, a patch that `patch -p1` takes, or JSON lines. */
import { relative, sep } from 'node:path';
import type { ProverIdentity } from '../../core/prover.ts';
import { applyReplacements } from '../../operations/source-file.ts';
import type { SourceFile } from '../../operations/source-file.ts';
import type { TheoremResult } from '../../search/prove-file.ts';
import { PROVE_PHASES } from '../../search/prove-request.ts';
import { formatDuration } from './duration.ts';
import { restsOn } from './rests-on.ts';

export function replacementsOf(results: readonly TheoremResult[]) {
  return results.flatMap(({ outcome }) => (outcome.kind === 'proved' ? [outcome.replacement] : []));
}

/**
 * Statement and proof of each proved theorem, in the order of the file. A proof that could not be judged stands in a
 * comment that says so: what is not in comments was accepted.
 */
export function proofsText(results: readonly TheoremResult[]): string {
  return results.flatMap(proofText).join('\n').replaceAll('\r\n', '\n');
}

function proofText({ statement, outcome }: TheoremResult): string[] {
  const withProof = (script: string): string => `${statement.trim()}\n${script.trim()}\n`;
  if (outcome.kind === 'proved') return [withProof(outcome.script)];
  const { refusedScript, unjudgedFor } = outcome;
  if (refusedScript === undefined || unjudgedFor === undefined) return [];
  const { line, column } = unjudgedFor;
  return [
    `(* Found, but not judged: the file has an error before it, at ${line}:${column}.\n${withProof(refusedScript)}*)\n`,
  ];
}

/** A unified patch from the file to the file with the proofs; empty when there are none. */
export async function patchText(source: SourceFile, results: readonly TheoremResult[]): Promise<string> {
  const replacements = replacementsOf(results);
  if (replacements.length === 0) return '';
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const mark = source.byteOrderMark ? '\uFEFF' : '';
  const path = relative(process.cwd(), source.path).split(sep).join('/');
  return createTwoFilesPatch(
    `a/${path}`,
    `b/${path}`,
    mark + source.text,
    mark + applyReplacements(source, replacements),
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
}

/** One line for one theorem, with what the answer rests on. */
export function resultLine(source: SourceFile, prover: ProverIdentity, result: TheoremResult): string {
  return JSON.stringify({
    ...restsOn(source, prover),
    ...result,
  });
}

/** The last line for people. */
export function summaryText(
  results: readonly TheoremResult[],
  elapsedMs: number,
  interrupted: boolean,
): string {
  if (results.length === 0)
    return interrupted ? 'Interrupted before the first theorem.' : 'The file has no holes.';
  const proved = replacementsOf(results).length;
  const phases = timesText(
    Object.fromEntries(
      PROVE_PHASES.map((phase) => [phase, results.reduce((sum, { times }) => sum + (times[phase] ?? 0), 0)]),
    ),
  );
  const where = phases === '' ? '' : `: ${phases}`;
  return `${proved} of ${results.length} proved in ${formatDuration(elapsedMs)}${interrupted ? ' (interrupted)' : ''}${where}`;
}

/** Less is not worth a word. */
const NOTEWORTHY_MS = 50;

/** What each phase took, those left out that took next to nothing. */
export function timesText(times: TheoremResult['times']): string {
  return PROVE_PHASES.flatMap((phase) => {
    const elapsedMs = times[phase];
    return elapsedMs === undefined || elapsedMs < NOTEWORTHY_MS
      ? []
      : [`${phase} ${formatDuration(elapsedMs)}`];
  }).join(', ');
}

/** `1 node`, `2 nodes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
