/** Checks a file with the prover that it is written for, told by its name. The report has the same shape for all. */
import { QuodError } from '../../core/errors.ts';
import type { Prover, ProverIdentity } from '../../core/prover.ts';
import { type BackendChoice, findRocq } from '../../sessions/find-rocq.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { checkFile } from '../rocq/file/check-file.ts';
import type { CheckReport } from '../files/check-report.ts';
import { checkFstarModule } from '../fstar/check-module.ts';
import { checkScript } from '../hol4/check-script.ts';
import { otherRocqNote, rocqWithLibraries } from '../rocq/file/missing-library.ts';
import { uncompiledDependencies } from '../../provers/rocq/build/uncompiled.ts';
import { sourceLanguageOf, unknownLanguage } from '../files/source-language.ts';

export interface SourceCheckRequest {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** For Rocq only. */
  readonly backend: BackendChoice;
  /** Milliseconds for each sentence or declaration. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface CheckedSource {
  readonly identity: ProverIdentity;
  readonly report: CheckReport;
  /** What the file is cut into. */
  readonly unit: 'sentence' | 'declaration';
  /** Why another prover was taken than the usual one. */
  readonly note?: string;
}

/** @throws QuodError `prover-missing`, `invalid-input`, and as starting the prover does. */
export async function checkSource({ backend, ...request }: SourceCheckRequest): Promise<CheckedSource> {
  const language = sourceLanguageOf(request.file);
  switch (language) {
    case 'fstar':
      return { ...(await checkFstarModule(request)), unit: 'declaration' };
    case 'hol4':
      return { ...(await checkScript(request)), unit: 'declaration' };
    case 'rocq': {
      const prover = await findRocq(backend, { errorPlaces: true });
      const report = await checkFile({ ...request, prover });
      const missing = report.errors.find(({ reason }) => reason === 'library-missing');
      const other = missing && backend === 'auto' ? await otherRocq(request, prover) : undefined;
      if (missing === undefined || other === undefined)
        return { identity: prover.identity, report, unit: 'sentence' };
      return {
        identity: other.identity,
        report: await checkFile({ ...request, prover: other }),
        unit: 'sentence',
        note: otherRocqNote(missing.message, prover, other),
      };
    }
    case 'lean':
      throw new QuodError('unsupported', 'Quod does not run Lean files.', {
        place: { file: request.file },
        remedy: 'Compile it (`lake build`) and judge what comes out with `gate_verify` or `lean_check`.',
      });
    case undefined:
      throw unknownLanguage(
        request.file,
        'Name a Rocq file (`.v`), a HOL4 script (`Script.sml`) or an F* file (`.fst`, `.fsti`).',
      );
  }
}

/** One that has the libraries, unless it is the project's own files that are not compiled. */
async function otherRocq(
  { file, text, signal }: Omit<SourceCheckRequest, 'backend'>,
  prover: Prover,
): Promise<Prover | undefined> {
  const outline = outlineOf(text);
  const ours = await uncompiledDependencies(file, outline);
  return ours === undefined ? rocqWithLibraries(file, outline, prover, signal) : undefined;
}
