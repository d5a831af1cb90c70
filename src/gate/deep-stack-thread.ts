/** The thread of deep-stack.ts: runs one function and tells what it answered or threw. */
import { parentPort, workerData } from 'node:worker_threads';
import { orNothing } from '../core/entry.ts';
import { QuodError, errorText } from '../core/errors.ts';
import type { DeepResult, DeepWork } from './deep-stack.ts';

type Work = (input: unknown, tell: (output: unknown) => void) => unknown;

const send = (result: DeepResult): void => parentPort?.postMessage(result);

function tell(output: unknown): void {
  send({ kind: 'told', output });
}

async function run({ module, fn, input }: DeepWork): Promise<DeepResult> {
  try {
    const exported = (await import(module)) as Readonly<Record<string, unknown>>;
    const work = exported[fn];
    if (typeof work !== 'function') throw new TypeError(`${module} has no function ${fn}`);
    return { kind: 'done', output: await (work as Work)(input, tell) };
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

send(await run(workerData as DeepWork));
