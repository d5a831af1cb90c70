import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../core/prover.ts';
import { findRocq } from './find-rocq.ts';
import { UnreachableState } from './engine.ts';
import { ProverPool } from './prover-pool.ts';
import { rootState, sentencesTo, stateAfter, statesAfter, type ScriptState } from './script-state.ts';

const context = { file: join(tmpdir(), 'pool.v'), libraries: '' };
const root = rootState(context);

describe('states', () => {
  it('are equal exactly when context and sentences are', () => {
    const sentences = fc.array(fc.string(), { maxLength: 6 });
    fc.assert(
      fc.property(sentences, sentences, (one, other) => {
        const [left, right] = [
          statesAfter(root, one).at(-1) ?? root,
          statesAfter(root, other).at(-1) ?? root,
        ];
        expect(left.key === right.key).toBe(JSON.stringify(one) === JSON.stringify(other));
        expect(sentencesTo(left, () => false)).toEqual({ start: root, sentences: one });
      }),
    );
    expect(rootState({ ...context, libraries: 'x' }).key).not.toBe(root.key);
  });
});

describe('a pool', () => {
  let prover: Prover;
  beforeAll(async () => {
    prover = await findRocq('auto');
  });
  const pools: ProverPool[] = [];
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.close()));
  });

  function open(maximum: number, over: Prover = prover): ProverPool {
    const pool = new ProverPool(over, { maximum, memory: maximum * 1024 ** 3 });
    pools.push(pool);
    return pool;
  }
  const never = new AbortController().signal;
  const conclusion = (pool: ProverPool, state: ScriptState) =>
    pool.at(
      state,
      { signal: never },
      async ({ session, state: id }) => (await session.goals(id))?.goals[0]?.conclusion,
    );

  it('answers at each state as if it were alone, whatever the order and however many ask at once', async () => {
    const pool = open(3);
    // Walks in a tree: the path of numbers that leads to a state is the goal that it must show.
    const walk = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(walk, { minLength: 1, maxLength: 12 }), async (walks) => {
        const answers = await Promise.all(
          walks.map((steps) => {
            const sentences = steps.map((step) => `enough (le ${step} 0) by (exfalso; admit).`);
            const state = statesAfter(root, ['Goal le 9 9.', ...sentences]).at(-1) ?? root;
            return conclusion(pool, state);
          }),
        );
        expect(answers).toEqual(
          walks.map((steps) => (steps.length === 0 ? '9 <= 9' : `${steps.at(-1) ?? 9} <= 0`)),
        );
      }),
      { numRuns: 15 },
    );
    expect(pool.size).toBeLessThanOrEqual(3);
  });

  it('runs a common beginning once', async () => {
    const runs: string[] = [];
    const watched: Prover = {
      ...prover,
      openSession: async (about) => {
        const session = await prover.openSession(about);
        const run = session.run.bind(session);
        session.run = (from, sentence, options) => {
          runs.push(sentence.text);
          return run(from, sentence, options);
        };
        return session;
      },
    };
    const counted = open(1, watched);
    const beginning = statesAfter(root, ['Definition d := 1.', 'Goal d = 1.']).at(-1) ?? root;
    expect(await conclusion(counted, beginning)).toBe('d = 1');
    expect(await conclusion(counted, stateAfter(beginning, 'unfold d.'))).toBe('1 = 1');
    expect(await conclusion(counted, stateAfter(beginning, 'symmetry.'))).toBe('1 = d');
    expect(runs).toEqual(['Definition d := 1.', 'Goal d = 1.', 'unfold d.', 'symmetry.']);
  });

  it('says which sentence on the way is refused, and serves the next one', async () => {
    const pool = open(1);
    const states = statesAfter(root, ['Definition d := 1.', 'Definition e := nonsense.', 'Goal True.']);
    const failure = await pool
      .at(states[2] ?? root, { signal: never }, () => Promise.resolve())
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnreachableState);
    expect(failure).toMatchObject({ refused: { sentence: 'Definition e := nonsense.' }, reached: states[0] });
    expect(await conclusion(pool, stateAfter(root, 'Goal True.'))).toBe('True');
  });

  it('never has more provers than it may, and gives each call one', async () => {
    const pool = open(2);
    let working = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        pool.at(
          stateAfter(root, `Goal ${index} = ${index}.`),
          { signal: never },
          async ({ session, state }) => {
            working += 1;
            most = Math.max(most, working);
            const result = await session.run(state, { text: 'reflexivity.' });
            working -= 1;
            expect(result.status).toBe('done');
          },
        ),
      ),
    );
    expect(most).toBeLessThanOrEqual(2);
    expect(pool.size).toBeLessThanOrEqual(2);
  });

  it('serves two contexts with one prover’s room', async () => {
    const pool = open(1);
    const other = rootState({ file: join(tmpdir(), 'other.v'), libraries: '' });
    for (let round = 0; round < 2; round += 1) {
      expect(await conclusion(pool, stateAfter(root, 'Goal True.'))).toBe('True');
      expect(await conclusion(pool, stateAfter(other, 'Goal False.'))).toBe('False');
    }
    expect(pool.size).toBe(1);
  });

  it('does not start provers in turn for clients of more files than it has room for', async () => {
    let started = 0;
    const counted: Prover = {
      ...prover,
      openSession: (about) => {
        started += 1;
        return prover.openSession(about);
      },
    };
    const pool = open(2, counted);
    const client = async (number: number): Promise<void> => {
      const own = rootState({ file: join(tmpdir(), `client${number % 3}.v`), libraries: '' });
      for (let call = 0; call < 15; call += 1) {
        const state = stateAfter(own, `Goal ${number} <= ${call}.`);
        expect(await conclusion(pool, state)).toBe(`${number} <= ${call}`);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(client));
    expect(started).toBeLessThanOrEqual(9);
  });

  /** Lets the calls come while the only prover is busy, and answers in which order they were served. */
  async function served(pool: ProverPool, calls: readonly ScriptState[]): Promise<number[]> {
    const entered = Promise.withResolvers<undefined>();
    const leave = Promise.withResolvers<undefined>();
    const busy = pool.at(root, { signal: never }, () => {
      entered.resolve(undefined);
      return leave.promise;
    });
    await entered.promise;
    const order: number[] = [];
    const waiting = calls.map((state, number) =>
      pool.at(state, { signal: never }, () => Promise.resolve(order.push(number))),
    );
    // Longer than they are willing to wait: each has thought again meanwhile.
    await setTimeout(1500);
    leave.resolve(undefined);
    await Promise.all([busy, ...waiting]);
    return order;
  }

  it('serves those that wait on its way, not to and fro', async () => {
    const way = statesAfter(
      root,
      Array.from({ length: 100 }, (_, number) => `Check ${number}.`),
    );
    const calls = [98, 2, 50, 20, 75].map((depth) => way[depth] ?? root);
    expect(await served(open(1), calls)).toEqual([1, 3, 2, 4, 0]);
  });

  it('serves those that cost the same in the order in which they came, however often they thought better of waiting', async () => {
    const calls = Array.from({ length: 20 }, (_, number) => stateAfter(root, `Check ${number}.`));
    const order = await served(open(1), calls);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it('lets nobody wait for ever behind calls that cost less', async () => {
    const pool = open(1);
    const near = stateAfter(root, 'Goal True.');
    const far =
      statesAfter(
        root,
        Array.from({ length: 200 }, (_, number) => `Check ${number}.`),
      ).at(-1) ?? root;
    let isServed = false;
    const patient = pool.at(far, { signal: never }, () => Promise.resolve((isServed = true)));
    const crowd = Array.from({ length: 3 }, async () => {
      while (!isServed) await conclusion(pool, near);
    });
    await Promise.all([patient, ...crowd]);
    expect(isServed).toBe(true);
  });

  it('lets go of a call that is cancelled while it waits', async () => {
    const pool = open(1);
    const controller = new AbortController();
    const entered = Promise.withResolvers<undefined>();
    const leave = Promise.withResolvers<undefined>();
    const busy = pool.at(root, { signal: never }, () => {
      entered.resolve(undefined);
      return leave.promise;
    });
    await entered.promise;
    const waiting = pool.at(root, { signal: controller.signal }, () => Promise.resolve());
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'interrupted' });
    leave.resolve(undefined);
    await busy;
    expect(await conclusion(pool, stateAfter(root, 'Goal True.'))).toBe('True');
  });

  describe('that ends what is idle', () => {
    afterEach(() => void vi.useRealTimers());
    const MINUTE = 60_000;
    const idling = (over: Prover = prover): ProverPool => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      const pool = new ProverPool(over, { maximum: 2, memory: 2 * 1024 ** 3, idleMs: 5 * MINUTE });
      pools.push(pool);
      return pool;
    };
    const goal = stateAfter(root, 'Goal True.');

    it('has no prover when none was needed for long, and starts one for whoever comes', async () => {
      const pool = idling();
      await conclusion(pool, goal);
      vi.advanceTimersByTime(4 * MINUTE);
      expect(pool.size).toBe(1);
      vi.advanceTimersByTime(2 * MINUTE);
      expect(pool.size).toBe(0);
      expect(await conclusion(pool, goal)).toBe('True');
    });

    it('keeps one that works', async () => {
      const pool = idling();
      await pool.at(goal, { signal: never }, () => {
        vi.advanceTimersByTime(60 * MINUTE);
        return Promise.resolve();
      });
      expect(pool.size).toBe(1);
    });

    it('keeps one for longer that took long to get where it is', async () => {
      const slow: Prover = {
        ...prover,
        openSession: async (about) => {
          const session = await prover.openSession(about);
          const run = session.run.bind(session);
          session.run = async (from, sentence, options) => {
            const result = await run(from, sentence, options);
            return result.status === 'done' ? { ...result, elapsedMs: MINUTE } : result;
          };
          return session;
        },
      };
      const pool = idling(slow);
      await conclusion(pool, goal);
      vi.advanceTimersByTime(90 * MINUTE);
      expect(pool.size).toBe(1);
      vi.advanceTimersByTime(20 * MINUTE);
      expect(pool.size).toBe(0);
    });
  });

  it('refuses work when it is closed, and leaves no prover', async () => {
    const pool = open(2);
    await conclusion(pool, stateAfter(root, 'Goal True.'));
    await pool.close();
    await expect(conclusion(pool, root)).rejects.toMatchObject({ reason: 'stale-state' });
    expect(pool.size).toBe(0);
  });
});
