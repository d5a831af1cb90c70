/**
 * Runs an F* file declaration by declaration and goes on after each error: one whose proof fails is taken as it is
 * (lax), one that F* does not understand is left out. Holes are found in the code itself, since F* answers success
 * for them.
 */
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { LineIndex, type Span } from '../../core/position.ts';
import type { ProverIdentity } from '../../core/prover.ts';
import { auditFile, type FileEscape } from '../../provers/fstar/audit/audit-file.ts';
import { prepareFile, type PreparedFile } from '../../provers/fstar/installation.ts';
import { type DeclarationRun, runDeclarations } from '../../provers/fstar/measure/run-declarations.ts';
import type { FstarIssue } from '../../provers/fstar/protocol/answers.ts';
import { isError } from '../../provers/fstar/session/report.ts';
import { type Declaration, parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import type { CheckError, CheckReport } from '../files/check-report.ts';

export interface ModuleCheckRequest {
  /** Absolute path of a `.fst` or `.fsti` file; settings follow from its project. */
  readonly file: string;
  readonly text: string;
  /** Milliseconds for each declaration. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** @throws QuodError `prover-missing`, `invalid-input`, and as starting F* does. */
export async function checkFstarModule(
  request: ModuleCheckRequest,
): Promise<{ readonly identity: ProverIdentity; readonly report: CheckReport }> {
  const { file, text } = request;
  const prepared = await prepareFile(file, { memoryLimit: totalmem() / 2 });
  const { runs, stopped } = await runsOf(request, prepared);
  const place = new PlacesOf(file, text);
  const escapes = await escapesOf(prepared, text);
  const isHole = ({ severity }: FileEscape): boolean => severity === 'unsound';
  const whole = { start: 0, end: 0 };
  const report: CheckReport = {
    errors: [
      ...runs.flatMap((run) => errorsOf(run, place)),
      ...(stopped === undefined || request.signal.aborted ? [] : [stopped]),
    ],
    holes: escapes.filter(isHole).map((escape) => ({
      theorem: escape.declaration ?? (escape.affects.join(', ') || 'options'),
      kind: KINDS_BY_TEXT.has(escape.kind) ? escape.text : escape.kind,
      span: escape.span ?? whole,
    })),
    warnings: [
      ...runs.flatMap((run) => warningsOf(run, place)),
      ...escapes
        .filter((escape) => !isHole(escape))
        .map(({ text: what, explanation, span }) => ({
          span: span ?? whole,
          message: `${what}: ${explanation}`,
        })),
      ...[prepared.z3.warning, prepared.project.withheld].flatMap((message) =>
        message === null ? [] : [{ span: whole, message }],
      ),
    ],
    times: runs.map(({ declaration, elapsedMs }) => ({ span: spanOf(declaration), elapsedMs })),
    skipped: runs.filter(({ status }) => status === 'skipped').length,
    partial: stopped !== undefined || request.signal.aborted,
  };
  return { identity: { prover: 'fstar', backend: 'ide', ...prepared.installation }, report };
}

/** Escapes of which the text says more than the kind. */
const KINDS_BY_TEXT: ReadonlySet<string> = new Set(['option', 'silenced-warning']);

/** What was run, also when F* was lost or the check was cancelled on the way. */
async function runsOf(
  { text, timeoutMs, signal, onProgress }: ModuleCheckRequest,
  { launch }: PreparedFile,
): Promise<{ readonly runs: readonly DeclarationRun[]; readonly stopped?: CheckError }> {
  const runs: DeclarationRun[] = [];
  try {
    await runDeclarations(launch, text, {
      signal,
      timeoutMs,
      onDeclaration: (run) => runs.push(run),
      ...(onProgress && { onProgress }),
    });
    return { runs };
  } catch (error) {
    const next = parseDeclarations(text)[runs.length];
    if (!(error instanceof QuodError) || next === undefined) throw error;
    if (runs.length === 0 && error.reason !== 'prover-crashed') throw error;
    return { runs, stopped: { span: spanOf(next), message: error.message, reason: error.reason } };
  }
}

/** Of the file itself: what its dependencies hide is told by `fstar_audit`. */
async function escapesOf({ file, project }: PreparedFile, text: string): Promise<readonly FileEscape[]> {
  const { folder, includeFolders, options } = project;
  const { escapes } = await auditFile(file, text, { folder, includeFolders, options, library: null });
  return escapes.filter((escape) => escape.file === file);
}

function errorsOf({ declaration, status, issues }: DeclarationRun, place: PlacesOf): CheckError[] {
  if (status === 'ok') return [];
  const own = spanOf(declaration);
  if (status === 'stopped')
    return [{ span: own, message: 'The declaration took longer than it was given.', reason: 'timeout' }];
  const errors = issues.filter(isError);
  if (errors.length === 0) return [{ span: own, message: 'F* refuses it without saying why.' }];
  return errors.map((issue) => ({ span: place.of(issue) ?? own, message: issue.message.trim() }));
}

function warningsOf({ declaration, issues }: DeclarationRun, place: PlacesOf): CheckReport['warnings'] {
  return issues
    .filter(({ level }) => level === 'warning')
    .map((issue) => ({ span: place.of(issue) ?? spanOf(declaration), message: issue.message.trim() }));
}

function spanOf({ start, end }: Declaration): Span {
  return { start, end };
}

/** Places of F*'s in the text: it calls the buffer `<input>` or by its name. */
class PlacesOf {
  readonly #lines: LineIndex;
  readonly #names: ReadonlySet<string>;

  constructor(file: string, text: string) {
    this.#lines = new LineIndex(text);
    this.#names = new Set(['<input>', file, basename(file)]);
  }

  of({ ranges }: FstarIssue): Span | undefined {
    const range = ranges.find(({ file, start }) => this.#names.has(file) && start.line > 0);
    if (range === undefined) return undefined;
    const [start, end] = [this.#lines.offsetOfPrinted(range.start), this.#lines.offsetOfPrinted(range.end)];
    return start === undefined ? undefined : { start, end: Math.max(start, end ?? start) };
  }
}
