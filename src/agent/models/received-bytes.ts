/** What comes from a model's server, byte by byte: nothing that it sends is read without an end. */
import type { Received } from './received.ts';

type Bytes = TransformStream<Uint8Array, Uint8Array>;

/** Only so many bytes of what is sent; the rest is not asked for. */
export function firstBytes(most: number): Bytes {
  let left = most;
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}

/** An answer that is sent whole: all of it counts. */
export function countedAnswer(received: Received): Bytes {
  return new TransformStream({
    transform: (chunk, controller) => {
      received.add(chunk.length);
      controller.enqueue(chunk);
    },
  });
}

/**
 * Events. The answer in them is counted by who reads them, since most of what is sent is not of it. A stream ends with
 * its last event, also where the server keeps the connection.
 */
export function eventStream(received: Received): Bytes {
  const decoder = new TextDecoder();
  let line = '';
  let event = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      const lines = `${line}${decoder.decode(chunk, { stream: true })}`.split('\n');
      const end = lines.findLastIndex((one, index) => index < lines.length - 1 && /^\r?$/u.test(one));
      event = end === -1 ? event + chunk.length : Buffer.byteLength(lines.slice(end + 1).join('\n'));
      received.addStreamed(chunk.length, event);
      controller.enqueue(chunk);
      // Only the beginning of a line tells whether it is the last.
      line = (lines.pop() ?? line).slice(0, LAST_LINE_CHARACTERS);
      if (lines.some(isLast)) {
        // An event ends with an empty line.
        controller.enqueue(new TextEncoder().encode('\n\n'));
        controller.terminate();
      }
    },
  });
}

const LAST_LINE_CHARACTERS = 100;

/** Of OpenAI's chat completions, and of Anthropic's messages. */
function isLast(line: string): boolean {
  return /^data: ?(?:\[DONE\]|\{"type": ?"message_stop")/u.test(line);
}
