import { expect, test } from 'vitest';
import { driverEvents } from './driver-output.ts';

/** Arrives faster than anybody reads: waiting for it gives nothing else a turn. */
function* flood(line: string): Generator<Uint8Array> {
  const bytes = Buffer.from(`${line}\n`.repeat(1000));
  for (let piece = 0; piece < 100; piece++) yield bytes;
}
const output = async function* (line: string): AsyncGenerator<Uint8Array> {
  yield* flood(line);
};

test('who writes without end keeps nobody else from a turn', async () => {
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  let read = 0;
  for await (const { kind } of driverEvents('claude-code', output('{"type":"user","message":{}}'))) {
    expect(kind).toBe('said');
    read++;
    if (hadTurn) break;
  }
  expect(read).toBeLessThan(10);
});

test('nor does one whose lines say nothing', async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const events = [];
  for await (const event of driverEvents('codex', output('x'))) events.push(event);
  clearImmediate(timer);
  expect(events).toEqual([]);
  expect(turns).toBeGreaterThan(1000);
});
