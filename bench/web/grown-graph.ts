/**
 * What a search tells while it works, without end: goals, attempts, dead ends and solved goals follow each other as
 * in a search on a hard theorem, made from a seed.
 */
import { entryAt } from '../../src/core/entry.ts';
import { randomNumbers } from '../../src/core/random.ts';
import { INGREDIENTS } from '../../src/search/candidates/candidate.ts';
import type { GraphNews } from '../../src/search/graph/graph-watch.ts';

/** Newer goals are worked on rather than older ones: the graph grows at its ends, and has old branches. */
const NEWEST_LOOKED_AT = 400;

/** In a search on a hard theorem one attempt in four works. */
const ATTEMPTS = 4;

export function* grownGraph(seed: number): Generator<GraphNews, never> {
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const open: number[] = [0];
  yield {
    kind: 'goal',
    id: 0,
    parent: null,
    tactic: '',
    ingredient: null,
    goals: 1,
    conclusion: conclusionOf(0),
  };
  for (let next = 1; ;) {
    const at = Math.max(0, open.length - 1 - below(NEWEST_LOOKED_AT));
    const parent = entryAt(open, at, 'open goal');
    const ingredient = entryAt(INGREDIENTS, below(INGREDIENTS.length), 'ingredient');
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      yield { kind: 'tried', id: parent, ingredient, worked: attempt === 0 };
    const grown = 1 + below(4);
    for (let child = 0; child < grown; child += 1, next += 1) {
      const tactic = `rewrite lemma_${below(300)} in h${child}`;
      yield {
        kind: 'goal',
        id: next,
        parent,
        tactic,
        ingredient,
        goals: 1 + below(3),
        conclusion: conclusionOf(next),
      };
      open.push(next);
    }
    const fate = random();
    if (open.length < 3 || fate > 0.5) continue;
    const [gone] = open.splice(1 + below(open.length - 1), 1);
    if (gone === undefined) continue;
    yield fate < 0.3
      ? { kind: 'dead', id: gone }
      : { kind: 'solved', id: gone, tactic: 'reflexivity', children: [] };
  }
}

function conclusionOf(id: number): string {
  return `f (a + ${id}) + ${'b * '.repeat(1 + (id % 12))}d = f c`;
}
