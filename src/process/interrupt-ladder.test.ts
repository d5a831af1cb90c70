import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { underLimits } from './interrupt-ladder.ts';

/** Work that ends when it was asked `patience` times, or killed. */
class Stubborn {
  asked = 0;
  readonly #patience: number;
  #finish: (how: string) => void = () => {};

  constructor(patience: number) {
    this.#patience = patience;
  }

  readonly work = (): Promise<string> => new Promise((resolve) => (this.#finish = resolve));

  interrupt(): void {
    this.asked += 1;
    if (this.asked >= this.#patience) this.#finish('obeyed');
  }

  kill(): Promise<void> {
    this.#finish('killed');
    return Promise.resolve();
  }
}

describe('work under limits', () => {
  it('is left alone when it is done in time', async () => {
    const target = new Stubborn(1);
    const bounded = await underLimits(target, { timeoutMs: 10_000 }, () => Promise.resolve('done'));
    expect(bounded).toEqual({ answer: 'done', stopped: undefined });
    expect(target.asked).toBe(0);
  });

  it.each([
    [1, 'obeyed'],
    [2, 'obeyed'],
    [Infinity, 'killed'],
  ])('that hears the question number %d is %s', async (patience, answer) => {
    const target = new Stubborn(patience);
    expect(await underLimits(target, { timeoutMs: 1 }, target.work)).toEqual({ answer, stopped: 'timeout' });
  });

  it('goes by the work that was spent, not by the clock, where it is told', async () => {
    const idle = new Stubborn(1);
    let spent = 100;
    const waiting = underLimits(idle, { work: { limit: 5, spent: () => spent } }, idle.work);
    await delay(100);
    expect(idle.asked).toBe(0);
    spent = 106;
    expect(await waiting).toEqual({ answer: 'obeyed', stopped: 'timeout' });
  });

  it('says that too much work was spent, also where nobody looked in time', async () => {
    const target = new Stubborn(1);
    const answers = [0, 6];
    const work = { limit: 5, spent: () => answers.shift() ?? 6 };
    const bounded = await underLimits(target, { work }, () => Promise.resolve('done'));
    expect(bounded).toEqual({ answer: 'done', stopped: 'timeout' });
    expect(target.asked).toBe(0);
  });

  it('stops when the caller cancels, before it began or later', async () => {
    const early = new Stubborn(1);
    const stopped = { answer: 'obeyed', stopped: 'interrupted' };
    expect(await underLimits(early, { signal: AbortSignal.abort() }, early.work)).toEqual(stopped);
    const later = new Stubborn(1);
    expect(await underLimits(later, { signal: AbortSignal.timeout(5) }, later.work)).toEqual(stopped);
  });
});
