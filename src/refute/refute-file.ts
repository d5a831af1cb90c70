/** `quod refute`: looks for counterexamples to statements of a file, each where it stands, in the order of the file. */
import { tooDeep, type QuodError } from '../core/errors.ts';
import { LineIndex } from '../core/position.ts';
import type { Prover } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { titlesOf } from '../provers/rocq/syntax/named-statements.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import { earlierText, type RefusedStatement } from '../sessions/rocq/earlier-failure.ts';
import { FileRun } from '../sessions/rocq/file-run.ts';
import { ImportHints } from '../sessions/rocq/imports/import-hint.ts';
import { untried } from './claim.ts';
import { refuteTheorem, type DisproofJudge, type Refutation } from './refute-theorem.ts';

export interface RefuteRequest {
  /** Absolute path; it finds the project. */
  readonly file: string;
  readonly outline: FileOutline;
  readonly theorems: readonly TheoremItem[];
  /** Milliseconds for each theorem. */
  readonly budgetMs: number;
  readonly prover: Prover;
  readonly judge: DisproofJudge;
  /** Whether the outline has words of somebody who may do no more than prove. */
  readonly onlyProves: boolean;
  readonly signal: AbortSignal;
}

export interface TheoremRefutation {
  readonly theorem: string;
  /** Line of the statement, from 1. */
  readonly line: number;
  readonly statement: string;
  /** From when the file had run up to the theorem until the gate had answered. */
  readonly elapsedMs: number;
  readonly refutation: Refutation;
}

export interface RefuteEvents {
  readonly onFinished: (result: TheoremRefutation) => void;
  readonly onProgress: (theorem: string, tried: number) => void;
}

/**
 * Ends early when it is stopped: the theorem that it was at is told as interrupted, those behind it are not told.
 * @throws QuodError `library-missing`, and as opening a session does.
 */
export async function refuteFile(request: RefuteRequest, events: RefuteEvents): Promise<void> {
  const { file, outline, prover, judge, budgetMs, onlyProves, signal } = request;
  const lines = new LineIndex(outline.text);
  const session = await prover.openSession({ file, onlyProves, signal });
  try {
    const errors: QuodError[] = [];
    let ranMs = 0;
    const run = new FileRun(
      session,
      { outline, file, imports: new ImportHints() },
      { onTrace: () => undefined, onError: (error) => errors.push(error) },
      { record: false, signal },
    );
    const titleIn = titlesOf(outline);
    for (const theorem of request.theorems.toSorted((one, other) => one.sentence - other.sentence)) {
      if (signal.aborted) return;
      const runSince = performance.now();
      const opened = await run.advanceTo(theorem);
      ranMs += performance.now() - runSince;
      const endless = errors.find(({ reason }) => reason === 'timeout');
      const missing = errors.find(({ reason }) => reason === 'library-missing');
      if (missing !== undefined) throw missing;
      const name = titleIn(theorem);
      const started = performance.now();
      const refutation =
        opened === undefined
          ? untried(notStated(run.refusalOf(theorem)))
          : await refuteTheorem(
              { outline, theorem, session, opened },
              judgeAfter(judge, { ranMs, endless }),
              {
                allowed: { milliseconds: budgetMs },
                signal,
                onProgress: (tried) => events.onProgress(name, tried),
              },
            ).catch((error: unknown) => {
              if (tooDeep(error) === undefined) throw error;
              return untried('it is nested too deep');
            });
      const statement = statementOf(outline, theorem);
      events.onFinished({
        theorem: name,
        line: lines.printedAt(statement.span.start).line,
        statement: statement.text,
        elapsedMs: performance.now() - started,
        refutation,
      });
    }
  } finally {
    await session.close();
  }
}

/** The gate gets at least so long, and so many times as long as the run of the file. */
const JUDGE_LEAST_MS = 60_000;
const JUDGE_TIMES = 5;

/** The judge, which is not asked to run what the run of the file has shown not to end. */
function judgeAfter(
  judge: DisproofJudge,
  { ranMs, endless }: { readonly ranMs: number; readonly endless: QuodError | undefined },
): DisproofJudge {
  if (endless === undefined) {
    const mostMs = Math.max(JUDGE_LEAST_MS, JUDGE_TIMES * ranMs);
    return { ...judge, judge: (filled) => judge.judge({ ...filled, mostMs }) };
  }
  const { position } = endless.place;
  const where = position === undefined ? '' : `, at ${position.line}:${position.column},`;
  const message = `A sentence before it${where} does not come to its end, so the gate was not asked.`;
  return { ...judge, judge: () => Promise.resolve({ kind: 'unknown', reason: 'timeout', message }) };
}

/** Of theorems that have the same cause the same. */
function notStated(refusal: RefusedStatement | undefined): string {
  const said = 'Rocq does not accept the statement';
  if (refusal === undefined) return said;
  const { error, follows } = refusal;
  return follows === undefined ? `${said}: ${error.message}` : `${said}, for ${earlierText(follows)}`;
}
