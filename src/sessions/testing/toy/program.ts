#!/usr/bin/env node
/**
 * The toy prover as a program: a request a line of JSON, an answer a line of JSON. It holds one path of states; a
 * request names how many of them to keep. `spin` runs until an interrupt, `sulk` does not hear it, `eat` takes all
 * memory.
 */
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { proofOfToy, runToy, TOY_ROOT, type ToyState } from './logic.ts';

interface Request {
  readonly id: number;
  readonly kind: 'run' | 'goals' | 'number';
  readonly depth: number;
  readonly text: string;
}

const path: ToyState[] = [TOY_ROOT];
const eaten: Buffer[] = [];
let isInterrupted = false;
process.on('SIGINT', () => (isInterrupted = true));

async function answer({ kind, depth, text }: Request): Promise<object> {
  const base = path[depth];
  if (base === undefined)
    return { status: 'failed', message: `There is no state ${depth}.`, start: 0, end: 0 };
  if (kind === 'goals') return { status: 'done', proof: proofOfToy(base) };
  if (kind === 'number') return { status: 'done', said: String(base.numbers[text]) };
  path.length = depth + 1;
  isInterrupted = false;
  while (['spin;', 'sulk;', 'eat;'].includes(text)) {
    await nextTurn();
    if (text === 'eat;') eaten.push(Buffer.alloc(10_000_000, 1));
    if (text === 'spin;' && wasInterrupted()) return { status: 'interrupted' };
  }
  const result = runToy(base, text);
  if (result.status === 'failed') return result;
  path.push(result.state);
  const { said, state } = result;
  return { status: 'done', proof: proofOfToy(state), ...(said !== undefined && { said }) };
}

/** Set by the signal while the program waits, which the compiler cannot know. */
function wasInterrupted(): boolean {
  return isInterrupted;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...(await answer(request)) })}\n`);
}
