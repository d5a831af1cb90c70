/** Checks a file with the prover that it is written for, told by its name. The report has the same shape for all. */
import { QuodError } from '../../core/errors.ts';
import type { ProverIdentity } from '../../core/prover.ts';
import type { BackendChoice } from '../../sessions/find-rocq.ts';
import { gapsByName, type CheckReport } from '../files/check-report.ts';
import { checkFstarModule } from '../fstar/check-module.ts';
import { checkScript } from '../hol4/check-script.ts';
import type { BrokenSources } from '../rocq/check/broken-sources.ts';
import { explainedReport } from '../rocq/check/cause-of-refusal.ts';
import { checkByAnyRocq } from '../rocq/check/other-rocq.ts';
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

/**
 * @param broken Of one run over many files.
 * @throws QuodError `prover-missing`, `invalid-input`, and as starting the prover does.
 */
export async function checkSource(
  { backend, ...request }: SourceCheckRequest,
  broken?: BrokenSources,
): Promise<CheckedSource> {
  const language = sourceLanguageOf(request.file);
  switch (language) {
    case 'fstar':
      return declarationsOf(await checkFstarModule(request));
    case 'hol4':
      return declarationsOf(await checkScript(request));
    case 'rocq': {
      const { prover, report, note } = await checkByAnyRocq({ ...request, backend });
      const { file, text, signal } = request;
      const { identity } = prover;
      return {
        identity,
        report: await explainedReport({ file, text, report, identity, backend, signal }, broken),
        unit: 'sentence',
        ...(note !== undefined && { note }),
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

function declarationsOf({ report, ...checked }: Omit<CheckedSource, 'unit'>): CheckedSource {
  return { ...checked, report: { ...report, holes: gapsByName(report.holes) }, unit: 'declaration' };
}
