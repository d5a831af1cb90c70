/** What the runs of an audit say of the declarations: one for which the time was over neither holds nor fails. */
import type { DeclarationRun } from '../../provers/fstar/measure/run-declarations.ts';

type Run = Pick<DeclarationRun, 'status'> & {
  readonly declaration: Pick<DeclarationRun['declaration'], 'names' | 'kind'>;
};

export interface AuditedRuns {
  /** As they stand. */
  readonly failing: readonly string[];
  /** Only without unsafe options. */
  readonly hidden: readonly string[];
  /** In either. */
  readonly cutOff: readonly string[];
}

/** @param without the runs without unsafe options; none where there are no such options. */
export function auditedRuns(asItStands: readonly Run[], without: readonly Run[]): AuditedRuns {
  const failing = namesOf(asItStands, isFailed);
  const cutOff = namesOf(asItStands, isCutOff);
  const unsettled = new Set([...failing, ...cutOff]);
  return {
    failing,
    hidden: namesOf(without, isFailed).filter((name) => !unsettled.has(name)),
    cutOff: [...new Set([...cutOff, ...namesOf(without, isCutOff)])],
  };
}

function namesOf(runs: readonly Run[], isOne: (run: Run) => boolean): readonly string[] {
  return runs
    .filter(isOne)
    .map(({ declaration }, index) => declaration.names.join(', ') || `${declaration.kind} (${index + 1})`);
}

/** What is skipped has an error that is not about a proof. */
function isFailed({ status }: Run): boolean {
  return status === 'failed' || status === 'skipped';
}

function isCutOff({ status }: Run): boolean {
  return status === 'stopped';
}
