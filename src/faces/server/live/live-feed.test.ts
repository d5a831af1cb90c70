/** A stream that broke goes on with what it missed, or is told that something is missing: never with a silent gap. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVENTS_KEPT, LiveFeed } from './live-feed.ts';

it('whoever goes on from an event gets exactly what came after it, in order', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), (first, second) => {
      const feed = new LiveFeed();
      const publish = (count: number): void => {
        for (let index = 0; index < count; index += 1) feed.publish({ kind: 'run', run: String(index) });
      };
      publish(first);
      const { latest } = feed;
      publish(second);
      const { missed, events } = feed.after(latest);
      expect(missed).toBe(false);
      expect(events.map(({ event }) => event)).toEqual(
        Array.from({ length: second }, (_, index) => ({ kind: 'run', run: String(index) })),
      );
    }),
  );
});

it('says that something was missed: of another process, from the future, or too long ago', () => {
  const feed = new LiveFeed();
  const { latest } = feed;
  for (const last of ['', 'nonsense', new LiveFeed().latest, latest.replace(/\d+$/, '99')])
    expect(feed.after(last)).toEqual({ missed: true, events: [] });
  for (let index = 0; index <= EVENTS_KEPT; index += 1) feed.publish({ kind: 'run', run: 'r' });
  expect(feed.after(latest).missed).toBe(true);
});
