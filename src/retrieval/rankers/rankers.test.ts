import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import type { ProvedStatement } from '../proved-statement.ts';
import { Encoder } from '../model/encoder.ts';
import { rankerNamed } from './catalogue.ts';
import type { VectorSource } from '../model/vector-source.ts';
import { best, RANKER_NAMES, type RankerName } from './ranker.ts';

function goal(conclusion: string, ...hypotheses: string[]): Goal {
  return { id: '', conclusion, hypotheses: hypotheses.map((type, at) => ({ name: `H${at}`, type })) };
}

function statement(name: string, conclusion: string, ...tactics: string[]): ProvedStatement {
  return { name, origin: 'toy', goal: goal(conclusion), tactics };
}

const STATEMENTS = [
  statement('add_0_r', 'forall n : nat, n + 0 = n', 'induction n', 'simpl', 'rewrite IHn', 'reflexivity'),
  statement('rev_rev', 'forall l : list nat, rev (rev l) = l', 'induction l', 'simpl', 'reflexivity'),
  statement('le_trans', 'forall n m p : nat, n <= m -> m <= p -> n <= p', 'intros', 'lia'),
  statement('app_nil', 'forall l : list nat, l ++ nil = l', 'induction l', 'simpl', 'congruence'),
];

/** A vector that says which of three words a goal has. */
const TOY_VECTORS: VectorSource = {
  vectors: (goals) =>
    Promise.resolve(
      goals.map(({ conclusion }) => {
        const has = ['rev', '<=', '+'].map((word) => (conclusion.includes(word) ? 1 : 0.1));
        const length = Math.hypot(...has);
        return Float32Array.from(has, (value) => value / length);
      }),
    ),
};

async function bestOf(
  name: RankerName,
  query: Goal,
  tactics?: readonly string[],
): Promise<string | undefined> {
  const collection = await rankerNamed(name, () => Promise.resolve(TOY_VECTORS)).collection(STATEMENTS);
  const scores = await collection.scores({ goal: query, ...(tactics && { tactics }) });
  expect(scores).toHaveLength(STATEMENTS.length);
  return STATEMENTS[best(scores, 1)[0]?.index ?? -1]?.name;
}

describe('rankers', () => {
  it.each(RANKER_NAMES.filter((name) => name !== 'proof-bm25'))(
    '%s finds the statement about the same',
    async (name) => {
      expect(await bestOf(name, goal('rev (rev (rev l)) = rev l'))).toBe('rev_rev');
      expect(await bestOf(name, goal('x <= z', 'x <= y', 'y <= z'))).toBe('le_trans');
    },
  );

  it('proof-bm25 goes by the proof so far, and says so when there is none', async () => {
    expect(await bestOf('proof-bm25', goal('False'), ['intros', 'lia'])).toBe('le_trans');
    await expect(bestOf('proof-bm25', goal('False'))).rejects.toMatchObject({ reason: 'invalid-input' });
  });

  it('jaccard gives RocqStar’s own example: a distance of 0.67 (appendix C.1)', async () => {
    const collection = await rankerNamed('jaccard', () => Promise.resolve(TOY_VECTORS)).collection([
      statement('ext_sb_irr', 'irreflexive ext_sb'),
    ]);
    const [similarity] = await collection.scores({ goal: goal('transitive ext_sb') });
    expect((1 - (similarity ?? NaN)).toFixed(2)).toBe('0.67');
  });

  it('bm25 weighs a word by how rare it is, and long statements less', async () => {
    const scoresOf = async (conclusions: string[], query: string): Promise<number[]> => {
      const statements = conclusions.map((conclusion) => statement('', conclusion));
      const collection = await rankerNamed('bm25', () => Promise.resolve(TOY_VECTORS)).collection(statements);
      return [...(await collection.scores({ goal: goal(query) }))];
    };
    // By hand: k1 = 1.2, b = 0.75, idf = ln(1 + (3 - 1 + 0.5) / 1.5), a document of mean length.
    const [rare, common, none] = await scoresOf(['a b', 'b c', 'c d'], 'a');
    expect(rare).toBeCloseTo(Math.log(1 + 2.5 / 1.5), 12);
    expect([common, none]).toEqual([0, 0]);
    const [short, long] = await scoresOf(['a b', 'a b c d e f', 'x y'], 'a');
    expect(short).toBeGreaterThan(long ?? NaN);
  });

  it.each<RankerName>(['learned', 'blend', 'feedback'])(
    '%s says that it has no model, and nothing stands in for it',
    async (name) => {
      const ranker = rankerNamed(name, () =>
        Encoder.open(join(tmpdir(), 'quod-no-such-model')).then(() => TOY_VECTORS),
      );
      await expect(ranker.collection(STATEMENTS)).rejects.toMatchObject({ reason: 'not-found' });
    },
  );

  it('best prefers the later of equals', () => {
    expect(best(Float64Array.of(1, 3, 3, 2), 3).map(({ index }) => index)).toEqual([2, 1, 3]);
    expect(best(Float64Array.of(), 3)).toEqual([]);
  });
});
