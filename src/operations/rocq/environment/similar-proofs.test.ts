/**
 * `rocq_similar_proofs`: with nothing set up, over a file and a project, with rankers that run and rankers that
 * cannot.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../../catalogue.ts';
import { Dataset } from '../../../mining/dataset.ts';
import type { Item } from '../../../mining/item.ts';
import { noCounts } from '../../../mining/mined-counts.ts';
import { indexDataset } from '../../../retrieval/index/dataset-index.ts';
import { Encoder } from '../../../retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../../retrieval/model/model-format.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

const FILE = `Lemma add_zero (n : nat) : n + 0 = n.
Proof. induction n; simpl; congruence. Qed.

Lemma mul_one (n : nat) : n * 1 = n.
Proof. induction n; simpl; congruence. Qed.

Lemma and_left (P Q : Prop) : P /\\ Q -> P.
Proof. intros [p q]. exact p. Qed.

Lemma unfinished (n : nat) : n + 0 = n + 0 + 0.
Admitted.
`;

const OTHER = `Lemma add_zero_twice (n : nat) : n + 0 + 0 = n.
Proof. now rewrite <- !plus_n_O. Qed.
`;

interface Proof {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

const MODEL = fileURLToPath(new URL('../../../retrieval/testing/tiny-model', import.meta.url));

/** An index of these goals, as `quod dataset index` makes it. */
async function indexOf(place: string, data: string, goals: Readonly<Record<string, string>>): Promise<void> {
  const dataset = await Dataset.openOrCreate(data, { format: 1, seed: 0, after: null });
  const items = Object.entries(goals).map(([name, goal]): Item => ({
    ...{ name, goal, theorem: name, library: 'Lib.A', file: 'A.v', line: 3, column: 0, path: [] },
    ...{ context: '', statement: `: ${goal}`, hypotheses: [], tactics: ['auto'], proof: 'auto.', names: [] },
    ...{ depth: 0, step: 0, origin: 'theorem', isOriginal: true, printing: 'usual', split: 'train' },
  }));
  const source = { library: 'Lib.A', file: 'A.v', key: 'one', prover: 'rocq', split: 'train' } as const;
  await dataset.write({ ...source, counts: noCounts(), errors: [] }, items);
  const encoder = await Encoder.open(rankerModelFolder());
  try {
    await indexDataset({ dataset, encoder, place });
  } finally {
    await encoder.close();
  }
}

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'a.v': FILE, 'b.v': OTHER });
});
afterAll(() => caller.close());
afterEach(() => {
  vi.unstubAllEnvs();
});

async function similar(input: Record<string, unknown>) {
  const answer = await caller.call('rocq_similar_proofs', { file: 'a.v', goal: 'm + 0 = m', ...input });
  return {
    ...answer,
    names: (answer['proofs'] as Proof[]).map(({ name }) => name),
    proofs: answer['proofs'] as Proof[],
  };
}

describe('similar proofs', () => {
  it('are ranked by the model that the package ships', async () => {
    const { names, ...answer } = await similar({});
    expect(names[0]).toBe('add_zero');
    expect(names).not.toContain('unfinished');
    const ranker = expect.stringMatching(/^feedback: nearness .* blend \(1 × learned/u) as unknown;
    expect(answer).toMatchObject({ ranker, passed_over: [], candidates: 3 });
  });

  it('need no model: the next ranker that can run is taken, and what was passed over is told', async () => {
    vi.stubEnv('QUOD_RANKER_MODEL', join(caller.folder, 'no-model'));
    const other = await openCaller({ 'a.v': FILE });
    try {
      const answer = await other.call('rocq_similar_proofs', { file: 'a.v', goal: 'm + 0 = m' });
      expect((answer['proofs'] as Proof[])[0]?.name).toBe('add_zero');
      expect(answer).toMatchObject({
        ranker: expect.stringMatching(/^jaccard-feedback: /u) as unknown,
        passed_over: [{ ranker: 'feedback', why: expect.stringContaining('There is no model') as unknown }],
      });
      const shown = operations.rocq_similar_proofs.readAnswer(answer).text();
      expect(shown).toMatch(
        /^\(\* feedback was passed over: .*There is no model.*\n\n\(\* Scores by jaccard-feedback: .* Higher is nearer/u,
      );
    } finally {
      await other.close();
    }
  });

  it('come from all files of the project when asked, with their place', async () => {
    expect((await similar({})).names).not.toContain('add_zero_twice');
    const { proofs } = await similar({ scope: 'project', goal: 'm + 0 + 0 = m' });
    expect(proofs[0]).toMatchObject({ name: 'add_zero_twice', file: 'b.v', line: 1 });
    expect(new Set(proofs.map(({ file }) => file))).toEqual(new Set(['a.v', 'b.v']));
  });

  it('of a goal that is written out need no place, where the project or a file that is named is looked through', async () => {
    const namesOf = async (input: Record<string, unknown>): Promise<string[]> => {
      const { proofs } = await caller.call('rocq_similar_proofs', { goal: 'm + 0 + 0 = m', ...input });
      return (proofs as Proof[]).map(({ name }) => name);
    };
    expect((await namesOf({ scope: 'project' }))[0]).toBe('add_zero_twice');
    expect(await namesOf({ search_in: 'b.v' })).toEqual(['add_zero_twice']);
    const failure = await caller.failure('rocq_similar_proofs', { goal: 'm + 0 = m' });
    expect(failure.text).toContain('Say in which file to look');
    expect((await caller.failure('rocq_similar_proofs', { scope: 'project' })).text).toContain(
      'Say where to ask',
    );
  });

  it('of a hole are none that may rest on it, in its file or in those that require that', async () => {
    const other = await openCaller({
      'base.v': `${FILE}Lemma behind (n : nat) : n + 0 = n.\nProof. now rewrite unfinished. Qed.\n`,
      'next.v': 'Require Import base.\nLemma next (n : nat) : n + 0 = n.\nProof. now rewrite behind. Qed.\n',
      'last.v': 'Require Import next.\nLemma last (n : nat) : n + 0 = n.\nProof. apply next. Qed.\n',
      'beside.v': OTHER,
    });
    const names = async (input: Record<string, unknown>): Promise<string[]> => {
      const asked = { file: 'base.v', scope: 'project', ranker: 'jaccard', ...input };
      const { proofs } = await other.call('rocq_similar_proofs', asked);
      return (proofs as Proof[]).map(({ name }) => name).sort();
    };
    try {
      const mayBeUsed = ['add_zero', 'add_zero_twice', 'mul_one'];
      expect(await names({ theorem: 'unfinished' })).toEqual(mayBeUsed);
      expect(await names({ theorem: 'unfinished', scope: 'file', search_in: 'last.v' })).toEqual([]);
      // Nothing is to be proved at the end of a file.
      expect(await names({ goal: 'm + 0 = m' })).toEqual(expect.arrayContaining(['behind', 'next', 'last']));
    } finally {
      await other.close();
    }
  });

  it('see a file as it is on disk now', async () => {
    await caller.write('c.v', 'Lemma one : 1 = 1.\nProof. reflexivity. Qed.\n');
    expect((await similar({ search_in: 'c.v', goal: '1 = 1' })).names).toEqual(['one']);
    await caller.write('c.v', 'Lemma two : 1 = 1.\nProof. reflexivity. Qed.\n');
    expect((await similar({ search_in: 'c.v', goal: '1 = 1' })).names).toEqual(['two']);
    await caller.write('c.v', 'Definition three := 3.\n');
  });

  it.each(['jaccard', 'bm25', 'tf-idf'])('can be ranked by %s', async (ranker) => {
    const answer = await similar({ ranker });
    expect(answer.names[0]).toBe('add_zero');
    expect(answer).toMatchObject({
      ranker: expect.stringMatching(`^${ranker}: .*; from 0`) as unknown,
      passed_over: [],
    });
  });

  it('asked for by a model that is missing, say so; one that is put there is found', async () => {
    const other = await openCaller({ 'a.v': FILE });
    const asked = { file: 'a.v', goal: 'm = m', ranker: 'learned' };
    try {
      vi.stubEnv('QUOD_RANKER_MODEL', join(caller.folder, 'no-model'));
      expect(await other.failure('rocq_similar_proofs', asked)).toMatchObject({ reason: 'not-found' });
      vi.stubEnv('QUOD_RANKER_MODEL', MODEL);
      const { proofs } = await other.call('rocq_similar_proofs', asked);
      const names = (proofs as Proof[]).map(({ name }) => name);
      expect(names.sort()).toEqual(['add_zero', 'and_left', 'mul_one']);
    } finally {
      await other.close();
    }
  });

  it('come from an index of a data set when there is one', async () => {
    const asked = { file: 'a.v', goal: 'm + 0 = m', scope: 'index' };
    expect(await caller.failure('rocq_similar_proofs', asked)).toMatchObject({
      reason: 'not-found',
      text: expect.stringContaining('QUOD_PROOF_INDEX') as unknown,
    });
    const place = join(caller.folder, 'index');
    const goals = { indexed_add: 'm + 0 = m', indexed_and: 'P /\\ Q -> Q', indexed_or: 'P -> P \\/ Q' };
    await indexOf(place, join(caller.folder, 'data'), goals);
    vi.stubEnv('QUOD_PROOF_INDEX', place);
    const { proofs, ...answer } = await similar({ scope: 'index', limit: 2 });
    expect(proofs).toHaveLength(2);
    expect(proofs[0]).toMatchObject({
      ...{ name: 'indexed_add', file: 'Lib.A', line: 3, score: 1 },
      ...{ statement: 'Lemma indexed_add : m + 0 = m.', proof: 'auto.\nQed.' },
    });
    expect(answer).toMatchObject({ candidates: 3, ranker: expect.stringContaining('learned') as unknown });
    expect(await caller.failure('rocq_similar_proofs', { ...asked, ranker: 'bm25' })).toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('by proof-bm25 need a proof that has begun', async () => {
    const { session_id, state } = await caller.call('rocq_open', { file: 'a.v', theorem: 'unfinished' });
    const input = { session_id, ranker: 'proof-bm25' };
    expect(await caller.failure('rocq_similar_proofs', { ...input, from: state })).toMatchObject({
      reason: 'invalid-input',
    });
    const step = await caller.call('rocq_step', { session_id, from: state, script: 'induction n.' });
    const { proofs } = await caller.call('rocq_similar_proofs', { ...input, from: step['state'] });
    expect((proofs as Proof[]).map(({ name }) => name)).toEqual(['mul_one', 'add_zero']);
  });
});
