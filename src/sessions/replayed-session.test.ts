/** The session engine against a model: the toy prover's own logic, folded over the path of each state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DriverSource } from '../core/driver.ts';
import type { ProverIdentity, Sentence, StateId } from '../core/prover.ts';
import { ReplayedSession } from './replayed-session.ts';
import { proofOfToy, runToy, TOY_ROOT, type ToyState } from './testing/toy/logic.ts';
import { DEADLY, MemoryToy, type ToyFate, type ToyKind, type ToyPlace } from './testing/toy/memory-driver.ts';

const IDENTITY: ProverIdentity = { prover: 'rocq', backend: 'toy', version: '1', location: '' };

interface Opened {
  readonly session: ReplayedSession<Sentence, ToyPlace, MemoryToy>;
  readonly fate: ToyFate;
  readonly drivers: readonly MemoryToy[];
}

/** @param checkpointMs By default everything is worth saving, so that random walks meet saved places. */
async function open(kind: ToyKind, checkpointMs = 0): Promise<Opened> {
  const fate: ToyFate = { deaths: 0, started: 0, executed: [], saved: [] };
  const drivers: MemoryToy[] = [];
  const source: DriverSource<Sentence, ToyPlace, MemoryToy> = {
    start: ({ saved }) => {
      const driver = new MemoryToy(kind, fate, saved === undefined ? TOY_ROOT : fate.saved[Number(saved)]);
      drivers.push(driver);
      return Promise.resolve(driver);
    },
  };
  const session = await ReplayedSession.open(IDENTITY, source, undefined, { checkpointMs });
  return { session, fate, drivers };
}

async function runAll({ session }: Opened, from: StateId, ...texts: readonly string[]): Promise<StateId> {
  let state = from;
  for (const text of texts) {
    const result = await session.run(state, { text });
    if (result.status !== 'done') throw new Error(`${text} ${result.status}`);
    ({ state } = result);
  }
  return state;
}

const SENTENCES = [
  'let a = 1;',
  'let b = 2;',
  'let a = 3;',
  'claim a = 1 & b = 2 & true;',
  'claim true;',
  'split;',
  'check;',
  'check;',
  'done;',
  'nonsense;',
];

type Call =
  | { readonly kind: 'run'; readonly from: number; readonly text: string; readonly withGoals: boolean }
  | { readonly kind: 'script'; readonly from: number; readonly texts: readonly string[] }
  | { readonly kind: 'goals'; readonly at: number }
  | { readonly kind: 'ask'; readonly at: number }
  | { readonly kind: 'cancelled'; readonly from: number }
  | { readonly kind: 'deaths'; readonly count: number }
  | { readonly kind: 'kill' }
  | { readonly kind: 'wear' };

const text = fc.constantFrom(...SENTENCES);
const place = fc.nat(5);
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('run' as const), from: place, text, withGoals: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('script' as const),
      from: place,
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('goals' as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const), at: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancelled' as const), from: place }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('deaths' as const), count: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'wear' as const }) },
);

interface Known {
  readonly id: StateId;
  readonly state: ToyState;
}

describe.each(['path', 'tree', 'world'] as const)('a session over a prover that is a %s', (kind) => {
  it('answers from every state what the logic says, whatever happens to the process', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        const opened = await open(kind);
        const { session, fate, drivers } = opened;
        const known: Known[] = [{ id: session.root, state: TOY_ROOT }];
        /** Rather one of those that were reached last, so that walks get deep. */
        const at = (back: number): Known => {
          const found = known[Math.max(0, known.length - 1 - back)];
          if (found === undefined) throw new Error('There is no state.');
          return found;
        };
        const reach = (id: StateId, state: ToyState): void => {
          expect(known.map((other) => other.id)).not.toContain(id);
          known.push({ id, state });
        };
        for (const step of calls) {
          // A prover that dies once is not noticed. One that dies again under the same call may be told of.
          const mayDie = fate.deaths > 1;
          const died = { status: 'unknown', reason: 'prover-crashed' };
          switch (step.kind) {
            case 'run': {
              const { id, state } = at(step.from);
              const result = await session.run(id, step, { withGoals: step.withGoals });
              if (mayDie && result.status === 'unknown') expect(result).toMatchObject(died);
              else {
                const expected = runToy(state, step.text);
                expect(result.status).toBe(expected.status);
                if (result.status !== 'done' || expected.status !== 'done') break;
                expect(result.proof).toEqual(step.withGoals ? proofOfToy(expected.state) : undefined);
                reach(result.state, expected.state);
              }
              break;
            }
            case 'script': {
              const { id, state } = at(step.from);
              const { index, result } = await session.runAll(
                id,
                step.texts.map((each) => ({ text: each })),
              );
              if (mayDie && result.status === 'unknown') {
                expect(result).toMatchObject(died);
                break;
              }
              let expected = state;
              for (const [number, sentence] of step.texts.entries()) {
                const next = runToy(expected, sentence);
                if (next.status === 'failed' || number === step.texts.length - 1) {
                  expect([index, result.status]).toEqual([number, next.status]);
                  if (next.status === 'done' && result.status === 'done') reach(result.state, next.state);
                  break;
                }
                expected = next.state;
              }
              break;
            }
            case 'goals': {
              const { id, state } = at(step.at);
              const answer = session.goals(id);
              if (!mayDie) expect(await answer).toEqual(proofOfToy(state));
              else
                await answer.then(
                  (proof) => expect(proof).toEqual(proofOfToy(state)),
                  (error: unknown) => expect(error).toMatchObject({ reason: 'prover-crashed' }),
                );
              break;
            }
            case 'ask': {
              const { id, state } = at(step.at);
              const answer = await session.query(id, { text: 'a' });
              if (mayDie && answer.status === 'unknown') expect(answer).toMatchObject(died);
              else expect(answer).toMatchObject({ messages: [{ message: String(state.numbers['a']) }] });
              break;
            }
            case 'cancelled': {
              const signal = AbortSignal.abort();
              const result = await session.run(at(step.from).id, { text: 'let a = 1;' }, { signal });
              expect(result).toMatchObject({ status: 'unknown', reason: 'interrupted' });
              break;
            }
            case 'deaths':
              fate.deaths = step.count;
              break;
            case 'kill':
              await drivers.at(-1)?.kill();
              break;
            case 'wear':
              for (const driver of drivers) driver.worn = true;
          }
          expect(session.generation).toBe(fate.started);
        }
        await session.close();
        await expect(session.run(session.root, { text: 'let a = 1;' })).rejects.toMatchObject({
          reason: 'stale-state',
        });
      }),
      { numRuns: 300 },
    );
  });
});

it('executes nothing again in a prover that keeps states', async () => {
  const opened = await open('tree');
  const { session, fate } = opened;
  const trunk = await runAll(opened, session.root, 'let a = 1;');
  const left = await runAll(opened, trunk, 'let b = 2;');
  const right = await runAll(opened, trunk, 'claim true;');
  await runAll(opened, left, 'claim b = 2;');
  await runAll(opened, right, 'check;');
  await session.goals(left);
  expect(fate.executed).toEqual(['let a = 1;', 'let b = 2;', 'claim true;', 'claim b = 2;', 'check;']);
});

it('executes again only what stands behind the place where two paths part', async () => {
  const opened = await open('path');
  const { session, fate } = opened;
  const trunk = await runAll(opened, session.root, 'let a = 1;', 'let b = 2;');
  const left = await runAll(opened, trunk, 'claim a = 1;');
  await runAll(opened, trunk, 'claim true;');
  fate.executed = [];
  await runAll(opened, left, 'check;');
  expect(fate.executed).toEqual(['claim a = 1;', 'check;']);
});

it('replaces a prover that is worn, and replays only what leads to the state that is needed', async () => {
  const opened = await open('tree');
  const { session, fate, drivers } = opened;
  const trunk = await runAll(opened, session.root, 'let a = 1;');
  await runAll(opened, trunk, 'let b = 2;');
  const right = await runAll(opened, trunk, 'claim true;');
  for (const driver of drivers) driver.worn = true;
  fate.executed = [];
  await runAll(opened, right, 'check;');
  expect(fate.executed).toEqual(['let a = 1;', 'claim true;', 'check;']);
  expect(session.generation).toBe(2);
});

it('begins at the nearest saved place', async () => {
  const opened = await open('world');
  const { session, fate } = opened;
  const before = await runAll(opened, session.root, 'let a = 1;');
  const proved = await runAll(opened, before, 'claim a = 1 & true;', 'split;', 'check;', 'check;', 'done;');
  const late = await runAll(opened, proved, 'claim true;');
  expect(fate.saved).toHaveLength(2);
  // Going back behind what was declared needs another process.
  await runAll(opened, before, 'let b = 2;');
  fate.executed = [];
  await runAll(opened, late, 'check;');
  expect(fate.executed).toEqual(['claim true;', 'check;']);
  expect(session.generation).toBe(3);
});

it('takes the shorter way that the prover names', async () => {
  const opened = await open('world', Infinity);
  const { session, fate, drivers } = opened;
  const theorem = await runAll(
    opened,
    session.root,
    'claim true & true;',
    'split;',
    'check;',
    'check;',
    'done;',
  );
  const behind = await runAll(opened, theorem, 'claim true;');
  await drivers.at(-1)?.kill();
  fate.executed = [];
  await runAll(opened, behind, 'check;');
  expect(fate.executed).toEqual(['claim true & true; split; check; check; done;', 'claim true;', 'check;']);
});

it('tells of a prover that dies twice under one step, and goes on', async () => {
  const opened = await open('path');
  const { session } = opened;
  const base = await runAll(opened, session.root, 'let a = 1;', 'claim a = 1;');
  expect(await session.run(base, { text: DEADLY })).toMatchObject({
    status: 'unknown',
    reason: 'prover-crashed',
  });
  expect(session.generation).toBe(2);
  expect((await session.goals(base))?.goals).toMatchObject([{ conclusion: 'a = 1' }]);
  expect(session.generation).toBe(3);
  await runAll(opened, base, 'check;', 'done;');
});

it('answers calls in the order in which they were made, and none after it was closed', async () => {
  const { session, fate } = await open('path');
  const texts = ['let a = 1;', 'claim true;', 'let b = 2;'];
  await Promise.all(texts.map((each) => session.run(session.root, { text: each })));
  expect(fate.executed).toEqual(texts);
  const late = session.goals(session.root);
  await Promise.all([session.close(), session.close()]);
  await expect(late).rejects.toMatchObject({ reason: 'stale-state' });
});
