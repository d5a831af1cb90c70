/** Reads server-sent events: what our own server writes, one `data` line for each event. */
import { present } from '../../core/entry.ts';

export interface ServerEvent {
  readonly event: string;
  readonly text: string;
}

/**
 * Comments and fields other than `event` and `data` are passed over; an event that is cut off at the end is
 * dropped.
 */
export async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = present(blocks.pop(), 'block');
    for (const block of blocks) {
      const lines = block.split('\n');
      const text = fieldOf(lines, 'data').join('\n');
      if (text !== '') yield { event: fieldOf(lines, 'event')[0] ?? 'message', text };
    }
  }
}

function fieldOf(lines: readonly string[], name: string): string[] {
  return lines.flatMap((line) =>
    line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
  );
}
