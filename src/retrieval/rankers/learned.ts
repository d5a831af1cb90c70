/** The learned ranker: cosine of the encoder's vectors, which was trained to be high where proofs are near. */
import { DIMENSION } from '../model/model-format.ts';
import type { VectorSource } from '../model/vector-source.ts';
import type { Ranker } from './ranker.ts';

/** @param open Opens the source when it is first needed. It throws when there is no source. */
export function learnedRanker(open: () => Promise<VectorSource>): Ranker {
  return {
    name: 'learned',
    about: 'cosine of learned vectors of goals',
    collection: async (statements, signal) => {
      const source = await open();
      const vectors = await source.vectors(
        statements.map(({ goal }) => goal),
        signal,
      );
      return {
        scores: async ({ goal }, inner) => {
          const [wanted] = await source.vectors([goal], inner);
          return Float64Array.from(vectors, (vector) => dotProduct(vector, wanted ?? NOTHING));
        },
      };
    },
  };
}

const NOTHING = new Float32Array(DIMENSION);

/** Of two vectors of length one. */
function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
