/**
 * The contract of the prover port (src/core/prover.ts) over F*, whose sentences are declarations. It runs
 * against a real F* only: the states are visited in orders that no recording has. What F* has not, goals between
 * sentences, is tested to be declared so.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { prepareFile } from '../../provers/fstar/installation.ts';
import { type FstarReplay, FstarSource, openFstarReplay } from '../fstar/fstar-replay.ts';
import { DeclarationPaths } from './declaration-paths.ts';
import { describeEndings } from './port-cases.ts';
import { sessionCalls } from './session-calls.ts';

const FILE = 'Conformance.fst';
const ENDLESS = 'let rec twice (n:nat) : nat = if n = 0 then 1 else twice (n - 1) + twice (n - 1)';
/** F* itself computes, for longer than anybody waits; a question to the solver may be given up at any time. */
const ENDLESS_LEMMA = 'let power () : Lemma (True) = assert_norm (twice 80 == 0)';
const REASON = 'there is no F* on this machine (QUOD_FSTAR, FSTAR_HOME, PATH)';

describe.skipIf(locateFstar() === undefined)(`the prover port over F* (skipped when ${REASON})`, () => {
  let folder: string;
  let session: ProverSession;
  let base: StateId;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quod-fstar-'));
    await writeFile(join(folder, FILE), 'module Conformance\n');
    session = await open();
    base = await run(session.root, 'module Conformance');
  });
  afterAll(async () => {
    await session.close();
    await rm(folder, { recursive: true });
  });

  async function open(signal?: AbortSignal): Promise<ProverSession> {
    const { launch } = await prepareFile(join(folder, FILE), {});
    return ofSentences(await openFstarReplay(new FstarSource(launch), launch, signal));
  }

  const { step, run, ask } = sessionCalls(() => session);

  it('says who it is', () => {
    expect(session.identity).toMatchObject({ prover: 'fstar', backend: 'ide' });
  });

  it('runs declarations one after the other and answers queries at each state', async () => {
    const defined = await run(base, 'let one : int = 1', 'let two : int = one + one');
    expect(await ask(defined, 'lookup two')).toContain('Conformance.two');
    expect(await ask(defined, 'compute two')).toContain('2');
    expect((await session.query(base, { text: 'lookup two' })).status).toBe('failed');
    expect((await session.query(base, { text: 'Check two.' })).status).toBe('failed');
  });

  it('has no goals between declarations, and says so', async () => {
    const result = await step(base, 'let x = 1', { withGoals: true });
    expect(result.proof).toBeNull();
    expect(await session.goals(result.state)).toBeNull();
    expect(await session.background(result.state)).toBeNull();
    expect(await step(base, 'let y = 1')).not.toHaveProperty('proof');
  });

  it('tells where in the sentence an error is', async () => {
    const result = await session.run(base, { text: '\n  let bad : int = true' });
    expect(result).toMatchObject({ status: 'failed', error: { span: { start: 19, end: 23 } } });
  });

  it('runs from any earlier state, with ids that are never used twice', async () => {
    const left = await run(base, 'let v : int = 1');
    const right = await run(base, 'let v : bool = true');
    const deeper = await run(left, 'let w : int = v');
    expect(new Set([base, left, right, deeper]).size).toBe(4);
    expect((await session.run(right, { text: 'let w : int = v' })).status).toBe('failed');
    expect(await ask(left, 'lookup v')).toContain('int');
    expect(await ask(right, 'lookup v')).toContain('bool');
  });

  it('loads what a later declaration names, and keeps the states before it', async () => {
    const before = await run(base, 'let k : int = 3');
    const opened = await run(before, 'open FStar.Mul', 'let m : int = k * k');
    expect(await ask(opened, 'compute m')).toContain('9');
    expect(await ask(before, 'lookup k')).toContain('int');
  });

  it('loses a step that takes too long, and nothing else', async () => {
    const ready = await run(base, ENDLESS);
    const { generation } = session;
    expect(await session.run(ready, { text: ENDLESS_LEMMA }, { timeoutMs: 1000 })).toMatchObject({
      status: 'unknown',
      reason: 'timeout',
    });
    expect((await session.run(base, { text: 'let fine = 1' })).status).toBe('done');
    expect(session.generation).toBeGreaterThanOrEqual(generation);
    const signal = AbortSignal.timeout(300);
    const cancelled = session.run(ready, { text: ENDLESS_LEMMA }, { signal });
    expect(await cancelled).toMatchObject({ status: 'unknown', reason: 'interrupted' });
    expect((await session.run(ready, { text: 'let fine = 1' })).status).toBe('done');
  });

  describeEndings(
    {
      begun: ['module Conformance', ENDLESS],
      endless: ENDLESS_LEMMA,
      next: 'let x = 1',
      elsewhere: 'let meanwhile = 1',
    },
    { open, session: () => session, root: () => base },
  );
});

/** The session with declarations as its sentences, each in the place that it has behind those before it. */
function ofSentences(replay: FstarReplay): ProverSession {
  const paths = new DeclarationPaths();
  return {
    identity: replay.identity,
    root: replay.root,
    get generation() {
      return replay.generation;
    },
    async run(from, { text }, options) {
      const declaration = paths.step(from, text);
      const result = await replay.run(from, declaration, options);
      if (result.status === 'done') paths.reached(from, declaration, result.state);
      return result;
    },
    goals: (at) => replay.goals(at),
    background: (at) => replay.background(at),
    query: (at, command, options) => replay.query(at, command, options),
    close: () => replay.close(),
  };
}
