/** Events of a stream, however it is cut, and what is said of one that is silent. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readTextEvents, SilentStream, type TextEvent } from './event-text.ts';

const SENT =
  ': hello\n\nevent: file\nid: 7\ndata: {"a":\ndata: "ö"}\n\ndata: plain\n\nevent: none\n\ndata: cut';
const READ: readonly TextEvent[] = [
  { event: 'file', id: '7', text: '{"a":\n"ö"}' },
  { event: 'message', id: undefined, text: 'plain' },
];

function streamOf(start: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const cancelled = vi.fn();
  return { body: new ReadableStream<Uint8Array>({ start, cancel: cancelled }), cancelled };
}

it('events are the same wherever the bytes are cut; one that is cut off at the end is dropped', async () => {
  const bytes = new TextEncoder().encode(SENT);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length)), async (cuts) => {
      const { body } = streamOf((controller) => {
        let from = 0;
        for (const to of [...cuts.toSorted((one, other) => one - other), bytes.length]) {
          controller.enqueue(bytes.slice(from, to));
          from = to;
        }
        controller.close();
      });
      const read: TextEvent[] = [];
      for await (const event of readTextEvents(body)) read.push(event);
      expect(read).toEqual(READ);
    }),
  );
});

describe('a stream that is silent', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is an error after so long, which every byte begins anew; it is let go of', async () => {
    let send: (text: string) => void = () => undefined;
    const { body, cancelled } = streamOf((controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    });
    const events = readTextEvents(body, 1000);
    const first = events.next();
    await vi.advanceTimersByTimeAsync(900);
    send(': alive\n\n');
    await vi.advanceTimersByTimeAsync(900);
    send('data: one\n\n');
    expect(await first).toEqual({ done: false, value: { event: 'message', id: undefined, text: 'one' } });
    const second = events.next();
    const failed = expect(second).rejects.toBeInstanceOf(SilentStream);
    await vi.advanceTimersByTimeAsync(999);
    expect(cancelled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(cancelled).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is waited for where nobody said how long', async () => {
    const { body } = streamOf(() => undefined);
    const settled = vi.fn();
    const events = readTextEvents(body);
    void events.next().then(settled, settled);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settled).not.toHaveBeenCalled();
  });
});
