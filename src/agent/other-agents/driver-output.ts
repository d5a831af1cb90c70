/** The events that a program writes, one after the other, as fast as they are taken. */
import { setImmediate as others } from 'node:timers/promises';
import { LINE_FRAMING } from '../../process/message-framing.ts';
import { readDriverLine } from './driver-stream.ts';
import type { DriverEvent, DriverName } from './driver-stream.ts';

/**
 * After each line the timers and signals have their turn: a program that writes faster than it is read would keep a
 * limit on its time from ending it.
 * @throws FramingError
 */
export async function* driverEvents(
  driver: DriverName,
  output: AsyncIterable<Uint8Array>,
): AsyncGenerator<DriverEvent> {
  const reader = LINE_FRAMING.reader();
  for await (const bytes of output) {
    for (const line of reader.push(bytes)) {
      yield* readDriverLine(driver, line);
      await others();
    }
  }
}
