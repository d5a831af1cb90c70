/** The events that a program writes, one after the other, as fast as they are taken. */
import { setImmediate as others } from 'node:timers/promises';
import { FramingError, LINE_FRAMING } from '../../process/message-framing.ts';
import { readDriverLine } from './driver-stream.ts';
import type { DriverEvent, DriverName } from './driver-stream.ts';

/** More than an agent writes in a turn, whether it tells something or not. */
const MOST_LINES = 100_000;
const MOST_BYTES = 1024 ** 3;

/**
 * After each line the timers and signals have their turn: a program that writes faster than it is read would keep a
 * limit on its time from ending it.
 * @throws FramingError, also where it writes without end.
 */
export async function* driverEvents(
  driver: DriverName,
  output: AsyncIterable<Uint8Array>,
): AsyncGenerator<DriverEvent> {
  const reader = LINE_FRAMING.reader();
  let lines = 0;
  let read = 0;
  for await (const bytes of withLastEnd(output)) {
    read += bytes.length;
    if (read > MOST_BYTES) throw new FramingError(`more than ${MOST_BYTES} bytes in one turn`);
    for (const line of reader.push(bytes)) {
      if (++lines > MOST_LINES) throw new FramingError(`more than ${MOST_LINES} lines in one turn`);
      yield* readDriverLine(driver, line);
      await others();
    }
  }
}

/** What a program leaves at the end of its output is a line, whether it ended it or not. */
async function* withLastEnd(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* output;
  yield Buffer.from('\n');
}
