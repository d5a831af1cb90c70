/** Server-sent events of a stream that was fetched, which unlike `EventSource` can carry headers. */
import { lastOf } from '../../../src/core/entry.ts';

export interface TextEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * An event that is cut off at the end is dropped; comments are passed over.
 * @param patienceMs How long it may be silent; undefined: for as long as it is open. @throws SilentStream.
 */
export async function* readTextEvents(
  body: ReadableStream<Uint8Array>,
  patienceMs?: number,
): AsyncGenerator<TextEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), patienceMs);
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = lastOf(blocks, 'block');
      for (const block of blocks.slice(0, -1)) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Nothing came of a stream, and it did not end. */
export class SilentStream extends Error {
  override readonly name = 'SilentStream';
}

function inTime<Value>(reading: Promise<Value>, patienceMs: number | undefined): Promise<Value> {
  if (patienceMs === undefined) return reading;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SilentStream('The stream is silent.')), patienceMs);
    reading.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

function eventOf(block: string): TextEvent | undefined {
  const fields = new Map<string, string[]>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).replace(/^ /, '')]);
  }
  const text = fields.get('data')?.join('\n');
  if (text === undefined || text === '') return undefined;
  return { event: fields.get('event')?.[0] ?? 'message', id: fields.get('id')?.[0], text };
}
