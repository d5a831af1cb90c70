/** What a session does with a prover that keeps its states; everything else is in the conformance suite. */
import { expect, it } from 'vitest';
import type { ProverIdentity, StateId } from '../../../core/prover.ts';
import { StmSession } from './session.ts';
import type { StmTransport } from './transport.ts';

const IDENTITY: ProverIdentity = { prover: 'rocq', backend: 'counting', version: '8.20', location: '' };

/** Gives every sentence the next number and notes what it executed. */
class CountingProver implements StmTransport {
  readonly root = 0;
  readonly keepsStates = true;
  readonly readsAnywhere = true;
  readonly executed: string[] = [];
  worn = false;
  killed = false;

  isWorn(): boolean {
    return this.worn;
  }

  execute(base: number, sentence: string) {
    this.executed.push(sentence);
    return Promise.resolve({ status: 'done', id: base * 10 + this.executed.length, messages: [] } as const);
  }

  goals() {
    return Promise.resolve({ status: 'done', value: null } as const);
  }

  background() {
    return Promise.resolve({ status: 'done', value: null } as const);
  }

  query() {
    return Promise.resolve({ status: 'done', value: [] } as const);
  }

  interrupt(): void {}

  kill(): Promise<void> {
    this.killed = true;
    return Promise.resolve();
  }
}

async function open() {
  const provers: CountingProver[] = [];
  const session = await StmSession.open(IDENTITY, () => {
    const prover = new CountingProver();
    provers.push(prover);
    return Promise.resolve(prover);
  });
  const run = async (from: StateId, sentence: string): Promise<StateId> => {
    const result = await session.run(from, sentence);
    if (result.status !== 'done') throw new Error(result.status);
    return result.state;
  };
  return { session, provers, run };
}

it('executes nothing again when it goes back and forth', async () => {
  const { session, provers, run } = await open();
  const trunk = await run(session.root, 'a.');
  const left = await run(trunk, 'b.');
  const right = await run(trunk, 'c.');
  await run(left, 'd.');
  await run(right, 'e.');
  await session.goals(left);
  expect(provers.map(({ executed }) => executed)).toEqual([['a.', 'b.', 'c.', 'd.', 'e.']]);
});

it('replaces a prover that is worn, and replays only what leads to the state that is needed', async () => {
  const { session, provers, run } = await open();
  const trunk = await run(session.root, 'a.');
  await run(trunk, 'b.');
  const right = await run(trunk, 'c.');
  for (const prover of provers) prover.worn = true;
  await run(right, 'd.');
  expect(provers.map(({ executed }) => executed)).toEqual([
    ['a.', 'b.', 'c.'],
    ['a.', 'c.', 'd.'],
  ]);
  expect(provers.map(({ killed }) => killed)).toEqual([true, false]);
  expect(session.generation).toBe(2);
});
