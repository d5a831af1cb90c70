/** The thread of deep-stack.ts: runs one function and tells what it answered or threw. */
import { parentPort, workerData } from 'node:worker_threads';
import { orNothing } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import type { DeepResult, DeepWork } from './deep-stack.ts';

async function run({ module, fn, input }: DeepWork): Promise<DeepResult> {
  try {
    const exported = (await import(module)) as Readonly<Record<string, unknown>>;
    const work = exported[fn];
    if (typeof work !== 'function') throw new TypeError(`${module} has no function ${fn}`);
    return { kind: 'done', output: await (work as (input: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof QuodError) {
      const { reason, message, place, remedy } = error;
      return {
        kind: 'refused',
        reason,
        message,
        details: remedy === undefined ? { place } : { place, remedy },
      };
    }
    return {
      kind: 'failed',
      message: errorText(error),
      stack: error instanceof Error ? orNothing(error.stack) : '',
    };
  }
}

parentPort?.postMessage(await run(workerData as DeepWork));
