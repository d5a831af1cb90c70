import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { driverEvents } from './driver-output.ts';

/** Arrives faster than anybody reads: waiting for it gives nothing else a turn. */
const flood = (line: string): Readable =>
  Readable.from(Array(20).fill(Buffer.from(`${line}\n`.repeat(1000))));

let turns: number;
let next: NodeJS.Immediate;
const count = (): void => {
  turns++;
  next = setImmediate(count);
};
beforeEach(() => {
  turns = -1;
  count();
});
afterEach(() => clearImmediate(next));

test.each([
  ['says something', '{"type":"user","message":{"content":[]}}', 20_000],
  ['says nothing', 'x', 0],
])('who %s without end keeps nobody else from a turn', async (_, line, events) => {
  let read = 0;
  for await (const { kind } of driverEvents('claude-code', flood(line))) if (kind === 'said') read++;
  expect(read).toBe(events);
  expect(turns).toBeGreaterThan(19_000);
});

test('what is written without end is read to a bound', async () => {
  let given = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) {
        given++;
        yield Buffer.from('{"type":"system","session_id":"s"}\n'.repeat(20_000));
      }
    })(),
  );
  const read = async (): Promise<number> => {
    let events = 0;
    for await (const { kind } of driverEvents('claude-code', endless)) if (kind === 'session') events++;
    return events;
  };
  await expect(read()).rejects.toThrow('more than 100000 lines in one turn');
  expect(given).toBeLessThan(50);
});
