/**
 * The contract of the prover port (src/core/prover.ts) over F*. It runs against a real F* only: the states are
 * visited in orders that no recording has. What F* has not, goals between sentences, is tested to be declared so.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StateId, StepOptions, StepResult } from '../../core/prover.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { prepareFile } from '../../provers/fstar/installation.ts';
import { type FstarReplay, FstarSource, openFstarReplay } from '../fstar/fstar-replay.ts';
import { DeclarationPaths } from './declaration-paths.ts';

const FILE = 'Conformance.fst';
const ENDLESS = 'let rec twice (n:nat) : nat = if n = 0 then 1 else twice (n - 1) + twice (n - 1)';
/** F* itself computes, for longer than anybody waits; a question to the solver may be given up at any time. */
const ENDLESS_LEMMA = 'let power () : Lemma (True) = assert_norm (twice 80 == 0)';
const REASON = 'there is no F* on this machine (QUOD_FSTAR, FSTAR_HOME, PATH)';

describe.skipIf(locateFstar() === undefined)(`the prover port over F* (skipped when ${REASON})`, () => {
  const paths = new DeclarationPaths();
  let folder: string;
  let session: FstarReplay;
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

  async function open(signal?: AbortSignal): Promise<FstarReplay> {
    const { launch } = await prepareFile(join(folder, FILE), {});
    return await openFstarReplay(new FstarSource(launch), launch, signal);
  }

  async function step(
    from: StateId,
    sentence: string,
    options?: StepOptions,
  ): Promise<Extract<StepResult, { status: 'done' }>> {
    const declaration = paths.step(from, sentence);
    const result = await session.run(from, declaration, options);
    if (result.status === 'done') {
      paths.reached(from, declaration, result.state);
      return result;
    }
    throw new Error(`${sentence} ${result.status === 'failed' ? result.error.message : result.message}`);
  }

  async function run(from: StateId, ...sentences: readonly string[]): Promise<StateId> {
    let state = from;
    for (const sentence of sentences) state = (await step(state, sentence)).state;
    return state;
  }

  async function ask(at: StateId, command: string): Promise<string> {
    const result = await session.query(at, { text: command });
    if (result.status !== 'done') throw new Error(`${command} ${result.status}`);
    return result.messages.map(({ message }) => message).join('\n');
  }

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
    const result = await session.run(base, paths.step(base, '\n  let bad : int = true'));
    expect(result).toMatchObject({ status: 'failed', error: { span: { start: 19, end: 23 } } });
  });

  it('runs from any earlier state, with ids that are never used twice', async () => {
    const left = await run(base, 'let v : int = 1');
    const right = await run(base, 'let v : bool = true');
    const deeper = await run(left, 'let w : int = v');
    expect(new Set([base, left, right, deeper]).size).toBe(4);
    expect((await session.run(right, paths.step(right, 'let w : int = v'))).status).toBe('failed');
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
    expect(await session.run(ready, paths.step(ready, ENDLESS_LEMMA), { timeoutMs: 1000 })).toMatchObject({
      status: 'unknown',
      reason: 'timeout',
    });
    expect((await session.run(base, paths.step(base, 'let fine = 1'))).status).toBe('done');
    expect(session.generation).toBeGreaterThanOrEqual(generation);
    const cancelled = session.run(ready, paths.step(ready, ENDLESS_LEMMA), {
      signal: AbortSignal.timeout(300),
    });
    expect(await cancelled).toMatchObject({ status: 'unknown', reason: 'interrupted' });
    expect((await session.run(ready, paths.step(ready, 'let fine = 1'))).status).toBe('done');
  });

  it('does not disturb other sessions, whose states are strangers', async () => {
    const other = await open();
    await expect(session.run(other.root, paths.step(other.root, 'module Conformance'))).rejects.toMatchObject(
      {
        reason: 'stale-state',
      },
    );
    const module = paths.step(other.root, 'module Conformance');
    const started = await other.run(other.root, module);
    if (started.status !== 'done') throw new Error('the module is refused');
    paths.reached(other.root, module, started.state);
    const endless = paths.step(started.state, ENDLESS);
    const ready = await other.run(started.state, endless);
    if (ready.status !== 'done') throw new Error('the pragma is refused');
    paths.reached(started.state, endless, ready.state);
    const running = other.run(ready.state, paths.step(ready.state, ENDLESS_LEMMA));
    await delay(200);
    expect((await session.run(base, paths.step(base, 'let meanwhile = 1'))).status).toBe('done');
    await Promise.all([other.close(), other.close()]);
    expect(await running).toMatchObject({ status: 'unknown', reason: 'interrupted' });
    await expect(other.run(ready.state, paths.step(ready.state, 'let x = 1'))).rejects.toMatchObject({
      reason: 'stale-state',
    });
    await expect(other.goals(ready.state)).rejects.toMatchObject({ reason: 'stale-state' });
  });

  it('is not opened when the opening is cancelled', async () => {
    await expect(open(AbortSignal.abort())).rejects.toMatchObject({
      reason: 'interrupted',
    });
  });
});
