import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PriorityQueue } from './priority-queue.ts';

it('gives back what was pushed in stable order of priority, whatever is pushed in between', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined })), (commands) => {
      const queue = new PriorityQueue<number>();
      const model: { priority: number; item: number }[] = [];
      commands.forEach((priority, item) => {
        if (priority !== undefined) {
          queue.push(item, priority);
          model.push({ priority, item });
          model.sort((left, right) => left.priority - right.priority || left.item - right.item);
        } else expect(queue.pop()).toBe(model.shift()?.item);
        expect(queue.size).toBe(model.length);
        expect(queue.nextPriority).toBe(model[0]?.priority ?? Infinity);
      });
    }),
  );
});
