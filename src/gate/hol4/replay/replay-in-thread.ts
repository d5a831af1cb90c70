/**
 * `replayFiles` in a thread of its own: a limit of time and an interruption hold inside a long step too, and whoever
 * waits can answer others meanwhile.
 */
import { QuodError } from '../../../core/errors.ts';
import { withDeepStack } from '../../deep-stack.ts';
import { replayFiles, type ReplayProgress, type ReplaySettings } from './replay-files.ts';
import type { ReplayVerdict } from './replay-verdict.ts';
import type { ReplayedTheory } from './replayed-theories.ts';

export interface ThreadReplay {
  readonly verdict: ReplayVerdict;
  /** The theory that was asked for, when it was replayed without findings. */
  readonly theory?: ReplayedTheory;
}

type Limits = Pick<ReplaySettings, 'onProgress' | 'signal'>;

interface ReplayRequest {
  readonly files: readonly string[];
  readonly theory: string | undefined;
  readonly settings: Omit<ReplaySettings, keyof Limits>;
}

/** The thread ends by itself where it sees that its time is over, and tells what it found; here it is ended later. */
const GRACE = 1.01;

/** @param theory Which one to answer with. @throws QuodError `interrupted`, `memory-exceeded`. */
export async function replayInThread(
  files: readonly string[],
  { onProgress, signal, ...settings }: ReplaySettings & { readonly timeoutMs: number },
  theory?: string,
): Promise<ThreadReplay> {
  const { timeoutMs } = settings;
  const clock = AbortSignal.timeout(timeoutMs * GRACE);
  const request: ReplayRequest = { files, theory, settings };
  try {
    return (await withDeepStack(new URL(import.meta.url), 'replayHere', request, {
      signal: signal === undefined ? clock : AbortSignal.any([signal, clock]),
      onTold: (progress) => onProgress?.(progress as ReplayProgress),
    })) as ThreadReplay;
  } catch (error) {
    if (!(error instanceof QuodError) || error.reason !== 'interrupted') throw error;
    if (!clock.aborted || signal?.aborted === true)
      throw new QuodError('interrupted', 'The replay was interrupted.');
    const message = `The replay takes longer than ${timeoutMs / 1000} seconds.`;
    return { verdict: { kind: 'unknown', reason: 'timeout', message, files: [], elapsedMs: timeoutMs } };
  }
}

/** @public The thread calls it by its name. */
export async function replayHere(
  { files, theory, settings }: ReplayRequest,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ThreadReplay> {
  const { verdict, theories } = await replayFiles(files, { ...settings, onProgress });
  const asked = theory === undefined ? undefined : theories.get(theory);
  return { verdict, ...(asked && { theory: asked }) };
}
