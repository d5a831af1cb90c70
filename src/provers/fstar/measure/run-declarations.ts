/**
 * Runs every declaration of a text once on a fresh F*, whatever fails: one that fails is then taken as it is (lax), so
 * that the ones behind it are tried too. What repeated runs, profiles and audits are made of.
 */
import { QuodError } from '../../../core/errors.ts';
import { underLimits } from '../../../process/interrupt-ladder.ts';
import type { FstarIssue } from '../protocol/answers.ts';
import { FstarConnection, type Launch } from '../session/connection.ts';
import { cutText, isError, pieceOf } from '../session/report.ts';
import { FstarStack, type PushAnswer } from '../session/stack.ts';
import type { Declaration } from '../syntax/declarations.ts';
import { modulesMentioned } from '../syntax/declaration-parts.ts';

export interface DeclarationRun {
  readonly declaration: Declaration;
  /** `skipped`: it has an error that is not about a proof, and was left out. */
  readonly status: 'ok' | 'failed' | 'stopped' | 'skipped';
  readonly issues: readonly FstarIssue[];
  readonly texts: readonly string[];
  readonly elapsedMs: number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** For each declaration. */
  readonly timeoutMs?: number;
  readonly onProgress?: (done: number, total: number) => void;
  /** Told of each run as soon as it is over, so that what was done is known when the whole is cut short. */
  readonly onDeclaration?: (run: DeclarationRun) => void;
}

const GRACE_MS = 6000;

/** @throws QuodError `interrupted`, and whatever keeps F* from starting or ends it. */
export async function runDeclarations(
  launch: Launch,
  text: string,
  { signal, timeoutMs, onProgress, onDeclaration }: RunOptions,
): Promise<readonly DeclarationRun[]> {
  const connection = await FstarConnection.start(launch, signal);
  try {
    const cut = cutText(text);
    const whole = { text, modules: modulesMentioned(cut.declarations) };
    const stack = new FstarStack(connection);
    const runs: DeclarationRun[] = [];
    for (const [index, declaration] of cut.declarations.entries()) {
      if (signal.aborted) throw new QuodError('interrupted', 'The run was cancelled.');
      onProgress?.(index, cut.declarations.length);
      const piece = pieceOf(cut, declaration);
      const stoppable = { interrupt: () => connection.interrupt(), kill: () => connection.kill() };
      const { answer, stopped } = await underLimits(stoppable, { timeoutMs, signal, graceMs: GRACE_MS }, () =>
        stack.push(piece, 'full', whole),
      );
      if (stopped === 'interrupted') throw new QuodError('interrupted', 'The run was cancelled.');
      if (answer.status === 'lost') {
        throw new QuodError(answer.reason, answer.message, {
          remedy: `F* was lost in declaration ${index + 1} (${declaration.names.join(', ')}).`,
        });
      }
      const status = stopped !== undefined && answer.status === 'failed' ? 'stopped' : statusOf(answer);
      const run = { declaration, status, ...resultOf(answer) };
      const lax = status === 'ok' ? undefined : await stack.push(piece, 'lax', whole);
      if (lax?.status === 'lost') throw new QuodError(lax.reason, lax.message);
      const isLeftOut = lax !== undefined && lax.status !== 'ok';
      const told = isLeftOut ? { ...run, status: 'skipped' as const } : run;
      runs.push(told);
      onDeclaration?.(told);
    }
    return runs;
  } finally {
    await connection.kill();
  }
}

function statusOf({ status, issues }: PushAnswer): DeclarationRun['status'] {
  if (status === 'interrupted') return 'stopped';
  return status === 'failed' || issues.some(isError) ? 'failed' : 'ok';
}

function resultOf({
  issues,
  remarks,
  elapsedMs,
}: PushAnswer): Pick<DeclarationRun, 'issues' | 'texts' | 'elapsedMs'> {
  return { issues, texts: remarks.texts.map(({ text }) => text), elapsedMs };
}
