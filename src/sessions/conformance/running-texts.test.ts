/** What coqidetop does for those who run texts through: sentences together, goals written out, `par:`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { findRocq } from '../find-rocq.ts';
import { findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';

describe.skipIf(findCoqidetop() === undefined)('running a text in coqidetop', () => {
  let session: ProverSession;
  let lemma: StateId;
  beforeAll(async () => {
    session = await (await findRocq('coqidetop')).openSession({ file: '/nowhere/texts.v' });
    lemma = await run(session.root, 'Lemma a (n : nat) : @nil nat = nil /\\ n = n.');
  });
  afterAll(() => session.close());

  async function run(from: StateId, ...sentences: readonly string[]): Promise<StateId> {
    let at = from;
    for (const sentence of sentences) {
      const result = await session.run(at, { text: sentence }, { expected: true });
      if (result.status !== 'done') throw new Error(`${sentence} ${JSON.stringify(result)}`);
      at = result.state;
    }
    return at;
  }

  const runAll = async (from: StateId, ...sentences: readonly string[]) => {
    if (session.runAll === undefined) throw new Error('coqidetop runs sentences together');
    return session.runAll(
      from,
      sentences.map((text) => ({ text })),
    );
  };

  describe('whose warnings are errors, behind a plugin', () => {
    const strict = ['Require Import Lia.', 'Set Warnings "+all".'];

    it('leaves a prover in which another text begins as in a fresh one', async () => {
      await run(session.root, ...strict);
      await run(session.root, 'Require Import Arith.', 'Definition x := 1.');
      const inside = await run(session.root, ...strict, 'Goal True.', 'lia.');
      const again = await run(session.root, 'Goal 0 <= 1.');
      expect(await session.goals(again)).toMatchObject({ goals: [{ conclusion: '0 <= 1' }] });
      expect(await session.goals(inside)).toMatchObject({ goals: [] });
    });

    it('lets others ask, and is refused its own warnings', async () => {
      const strictly = await run(session.root, ...strict);
      expect(await session.query(session.root, { text: 'Check nat.' })).toMatchObject({ status: 'done' });
      const warned = { text: 'Hint Resolve I.' };
      expect(await session.run(strictly, warned)).toMatchObject({ status: 'failed' });
      expect(await session.run(session.root, warned)).toMatchObject({ status: 'done' });
    });

    it('fails no tactic of a long document that was there before', async () => {
      const many = Array.from({ length: 300 }, (_, index) => `Definition d${index} := ${index}.`);
      const goal = await run(session.root, ...many, 'Goal True.');
      await run(goal, 'exact I.', 'Qed.', ...strict, 'Definition z := 1.');
      expect(await session.run(goal, { text: 'exact I.' })).toMatchObject({ status: 'done' });
    });
  });

  it('together is as one at a time', async () => {
    const { index, result } = await runAll(lemma, 'split.', '-', 'reflexivity.', '-');
    expect({ index, status: result.status }).toEqual({ index: 3, status: 'done' });
    if (result.status !== 'done') return;
    const apart = await run(lemma, 'split.', '-', 'reflexivity.', '-');
    const conclusions = async (at: StateId) =>
      (await session.goals(at))?.goals.map(({ conclusion }) => conclusion);
    expect(await conclusions(result.state)).toEqual(['n = n']);
    expect(await conclusions(apart)).toEqual(['n = n']);
    expect((await runAll(result.state, 'reflexivity.', 'Qed.', 'Check a.')).result.status).toBe('done');
  });

  it.each([
    { why: 'fails', sentences: ['split.', 'discriminate.', 'reflexivity.'], place: 1 },
    { why: 'does not parse', sentences: ['split.', 'idtac.', 'refl exivity -.'], place: 2 },
    { why: 'is the first', sentences: ['reflexivity.', 'split.'], place: 0 },
    { why: 'closes what is open', sentences: ['split.', 'reflexivity.', 'Qed.'], place: 2 },
  ])('stops at the sentence that $why, and goes on from before', async ({ sentences, place }) => {
    const { index, result } = await runAll(lemma, ...sentences);
    expect({ index, status: result.status }).toEqual({ index: place, status: 'failed' });
    expect((await runAll(lemma, 'split; reflexivity.', 'Qed.')).result.status).toBe('done');
  });

  it('is stopped at its time, and the session goes on', async () => {
    const endless = ['split.', 'do 1000000000 idtac.', 'reflexivity.'];
    const stopped = await session.runAll?.(
      lemma,
      endless.map((text) => ({ text })),
      { timeoutMs: 500 },
    );
    expect(stopped?.result).toMatchObject({ status: 'unknown', reason: 'timeout' });
    expect((await runAll(lemma, 'split.', 'reflexivity.')).result.status).toBe('done');
  });

  it('writes goals out, and leaves no trace of it', async () => {
    const state = await run(lemma, 'split.');
    expect((await session.explicitGoals?.(state))?.goals[0]?.conclusion).toBe(
      '@eq (list nat) (@nil nat) (@nil nat)',
    );
    const next = await session.run(state, { text: 'idtac.' }, { withGoals: true });
    expect(next.status === 'done' && next.proof?.goals[0]?.conclusion).toBe('nil = nil');
  });

  it('knows par, whose workers take the same arguments', async () => {
    await run(lemma, 'split.', 'par: reflexivity.', 'Qed.');
  });
});
