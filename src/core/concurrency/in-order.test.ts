import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InOrder } from './in-order.ts';

it('runs works one at a time and in order, whatever each takes and whether it fails', async () => {
  const work = fc.record({ pauses: fc.nat(3), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), async (works) => {
      const queue = new InOrder();
      const seen: string[] = [];
      const answers = works.map(({ pauses, fails }, index) =>
        queue.run(async () => {
          seen.push(`begin ${index}`);
          for (let pause = 0; pause < pauses; pause += 1) await Promise.resolve();
          seen.push(`end ${index}`);
          if (fails) throw new Error(String(index));
          return index;
        }),
      );
      const settled = await Promise.allSettled(answers);
      expect(seen).toEqual(works.flatMap((_, index) => [`begin ${index}`, `end ${index}`]));
      expect(settled.map(({ status }) => status)).toEqual(
        works.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
      );
    }),
  );
});

it('never begins a work that was given up while it waited, and keeps the order of the others', async () => {
  const queue = new InOrder();
  const begun: string[] = [];
  let finish: () => void = () => undefined;
  const first = queue.run(async () => {
    begun.push('first');
    await new Promise<void>((resolve) => (finish = resolve));
  });
  const controller = new AbortController();
  const second = queue.run(async () => Promise.resolve(begun.push('second')), controller.signal);
  const third = queue.run(async () => Promise.resolve(begun.push('third')));
  controller.abort();
  await expect(second).rejects.toMatchObject({ reason: 'interrupted' });
  expect(begun).toEqual(['first']);
  finish();
  await Promise.all([first, third, queue.idle()]);
  expect(begun).toEqual(['first', 'third']);
});
