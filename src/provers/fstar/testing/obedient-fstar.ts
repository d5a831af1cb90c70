/**
 * A program that speaks as `fstar.exe --ide` does and checks nothing: it takes every declaration at once, `spin` never
 * unless it is interrupted, `sulk` never, and `eat` takes all memory. A `pop` of what it does not hold is refused.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

interface Query {
  readonly 'query-id': string;
  readonly query: string;
  readonly args: { readonly code?: string };
}

const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const features = ['push', 'pop', 'segment', 'vfs-add', 'lookup', 'interrupt'];
const eaten: Buffer[] = [];
let depth = 0;
let isInterrupted = false;
process.on('SIGINT', () => (isInterrupted = true));

async function answer({ 'query-id': id, query, args: { code = '' } }: Query): Promise<void> {
  const respond = (status: string, response: unknown): void =>
    say({ kind: 'response', 'query-id': id, status, response });
  if (query === 'segment') {
    respond('success', { decls: [] });
    return;
  }
  if (query === 'pop') {
    depth -= 1;
    respond(depth < 0 ? 'failure' : 'success', null);
    return;
  }
  if (query !== 'push') {
    respond('success', null);
    return;
  }
  isInterrupted = false;
  while (/\b(?:spin|sulk|eat)\b/.test(code)) {
    await delay(1);
    if (code.includes('eat')) eaten.push(Buffer.alloc(10_000_000, 1));
    if (code.includes('spin') && wasInterrupted()) {
      respond('failure', []);
      return;
    }
  }
  depth += 1;
  respond('success', []);
}

/** Set by the signal while the program waits, which the compiler cannot know. */
function wasInterrupted(): boolean {
  return isInterrupted;
}

say({ kind: 'protocol-info', version: 2, features });
for await (const line of createInterface({ input: process.stdin })) await answer(JSON.parse(line) as Query);
