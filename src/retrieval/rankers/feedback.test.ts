import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProvedStatement } from '../proved-statement.ts';
import { slowProofDistance } from '../testing/slow-distance.ts';
import { feedbackRanker } from './feedback.ts';
import { best, type Ranker } from './ranker.ts';

/** A statement is a number here, and like another as far as they are near. */
const NEARNESS: Ranker = {
  name: 'jaccard',
  about: 'nearness of numbers',
  collection: (statements) =>
    Promise.resolve({
      scores: ({ goal }) =>
        Promise.resolve(
          Float64Array.from(
            statements,
            (other) => -Math.abs(Number(other.goal.conclusion) - Number(goal.conclusion)),
          ),
        ),
    }),
};

function statement(number: number, tactics: readonly string[]): ProvedStatement {
  return {
    name: `s${number}`,
    origin: 'toy',
    goal: { id: '', hypotheses: [], conclusion: `${number}` },
    tactics,
  };
}

const statements = fc
  .array(fc.array(fc.constantFrom('intros', 'lia', 'auto', 'rewrite H', 'rewrite H0'), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((proofs) => proofs.map((tactics, number) => statement(number, tactics)));

async function scoresOf(all: readonly ProvedStatement[], itself: number): Promise<number[]> {
  const collection = await feedbackRanker('feedback', NEARNESS).collection(all);
  const goal = all[itself]?.goal ?? { id: '', hypotheses: [], conclusion: '' };
  return [...(await collection.scores({ goal, itself }))];
}

describe('feedback', () => {
  it('is one minus the soft minimum of the distances to the neighbours’ proofs', async () => {
    await fc.assert(
      fc.asyncProperty(statements, fc.nat(13), async (all, at) => {
        const itself = at % all.length;
        const likeness = all.map((_, other) => -Math.abs(other - itself));
        const mean = likeness.reduce((sum, value) => sum + value, 0) / all.length;
        const deviation =
          Math.sqrt(likeness.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length) || 1;
        const scores = likeness.map((value) => (value - mean) / deviation);
        const neighbours = best(Float64Array.from(scores), all.length)
          .filter(({ index }) => index !== itself)
          .slice(0, 8);
        const weights = neighbours.map(({ score }) => Math.exp(1.25 * score));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const expected = all.map(({ tactics }, candidate) => {
          const near = neighbours.map(
            ({ index }, place) =>
              (weights[place] ?? 0) * Math.exp(-slowProofDistance(all[index]?.tactics ?? [], tactics) / 0.1),
          );
          const sum = near.reduce((before, value) => before + value, 0);
          return 1 + 0.1 * Math.log(sum / total) + 0.05 * (scores[candidate] ?? NaN);
        });
        const found = await scoresOf(all, itself);
        expect(found).toHaveLength(all.length);
        found.forEach((score, candidate) => {
          if (candidate !== itself) expect(score).toBeCloseTo(expected[candidate] ?? NaN, 5);
        });
      }),
    );
  });

  it('does not look at the proof of what is asked about, and looks at all others', async () => {
    const proofs = [['intros', 'lia'], ['auto'], ['intros', 'lia'], ['rewrite H'], ['auto', 'lia']];
    const all = proofs.map((tactics, number) => statement(number, tactics));
    const others = async (own: readonly string[]): Promise<number[]> =>
      (await scoresOf(all.with(2, statement(2, own)), 2)).toSpliced(2, 1);
    expect(await others(['auto'])).toEqual(await others(['a tactic that', 'no other proof has']));
    const changed = await scoresOf(all.with(1, statement(1, ['reflexivity'])), 2);
    expect(changed).not.toEqual(await scoresOf(all, 2));
  });

  it('finds a proof like those of the nearest statements before one whose statement is nearer', async () => {
    const proofs = [['auto'], ['intros', 'lia'], ['intros', 'lia'], ['rewrite H'], ['intros', 'lia']];
    const all = proofs.map((tactics, number) => statement(number, tactics));
    const scores = await scoresOf(all, 0);
    expect(scores[4]).toBeGreaterThan(scores[3] ?? NaN);
  });

  it('prefers of equal proofs the one whose statement is more alike', async () => {
    const all = [['lia'], ['intros'], ['lia'], ['lia'], ['lia']].map((tactics, at) => statement(at, tactics));
    const order = best(Float64Array.from(await scoresOf(all, 1)), 4).map(({ index }) => index);
    expect(order).toEqual([2, 0, 3, 4]);
  });

  it('has nothing to say where nothing else is known', async () => {
    expect(await scoresOf([statement(0, ['auto'])], 0)).toEqual([0]);
    const empty = await feedbackRanker('feedback', NEARNESS).collection([]);
    expect(await empty.scores({ goal: statement(0, []).goal })).toHaveLength(0);
  });

  it('stops when it is told to', async () => {
    const collection = await feedbackRanker('feedback', NEARNESS).collection([statement(0, ['auto'])]);
    await expect(
      collection.scores({ goal: statement(1, []).goal }, AbortSignal.abort()),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});
