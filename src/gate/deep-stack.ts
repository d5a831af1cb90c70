/**
 * Runs work on terms in a thread of its own, which can be ended inside every step of it, and whose stack is deep
 * enough for the deepest terms that files have. The work must be an exported function, and what goes in and out must
 * be data. What is still too deep ends as a RangeError in the thread, which the kernel answers with `declined`.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { QuodError, errorText } from '../core/errors.ts';
import type { ReasonCode } from '../core/reason.ts';
import { clause } from '../core/sentence.ts';

/** Reserved, not used: pages of a stack are only taken when it grows. */
const STACK_MB = 900;
/** A narrow nursery: a wider one costs memory and, measured on Init.Prelude, saves no time. */
const YOUNG_GENERATION_MB = 12;
const DEFAULT_MEMORY_MB = 4096;

export interface DeepWork {
  readonly module: string;
  readonly fn: string;
  readonly input: unknown;
}

export type DeepResult =
  /** Work goes on. */
  | { readonly kind: 'told'; readonly output: unknown }
  | { readonly kind: 'done'; readonly output: unknown }
  | {
      readonly kind: 'refused';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly details: object;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };

export interface DeepStackLimits {
  readonly memoryMb?: number;
  readonly signal?: AbortSignal;
  /** Gets what the work tells before it is done. */
  readonly onTold?: (output: unknown) => void;
}

/**
 * What `fn` of the module answers for the input. Throws the QuodError that it throws, `memory-exceeded` when it
 * uses more than it may, `interrupted` when the signal says so.
 */
export async function withDeepStack(
  module: URL,
  fn: string,
  input: unknown,
  limits: DeepStackLimits = {},
): Promise<unknown> {
  const { signal } = limits;
  const work: DeepWork = { module: module.href, fn, input };
  const worker = new Worker(new URL(`./deep-stack-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: work,
    // Flags of the process (`--eval`, a debugger) are not for it.
    execArgv: [],
    resourceLimits: {
      stackSizeMb: STACK_MB,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: limits.memoryMb ?? DEFAULT_MEMORY_MB,
    },
  });
  let onAbort: (() => void) | undefined;
  try {
    const result = await new Promise<Exclude<DeepResult, { kind: 'told' }>>((resolve, reject) => {
      onAbort = () => reject(new QuodError('interrupted', 'The check was interrupted.'));
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
      worker.on('message', (message: DeepResult) => {
        if (message.kind === 'told') limits.onTold?.(message.output);
        else resolve(message);
      });
      worker.on('error', (error: unknown) => reject(threadError(error)));
      worker.on('exit', (code) => reject(threadError(new Error(`the thread ended with exit code ${code}`))));
    });
    switch (result.kind) {
      case 'done':
        return result.output;
      case 'refused':
        throw new QuodError(result.reason, result.message, result.details);
      case 'failed': {
        const error = new Error(result.message);
        error.stack = result.stack;
        throw error;
      }
    }
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function threadError(error: unknown): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new QuodError('memory-exceeded', 'The check used more memory than it was given.', {
      cause: error,
    });
  }
  return new QuodError('internal', `The check died: ${clause(errorText(error))}.`, { cause: error });
}
