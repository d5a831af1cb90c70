/** What a search tells of several theorems stays with each of them, also where they are searched at once. */
import { expect, it } from 'vitest';
import { addSearchNews, hasWay, noNews, phaseOf, searchedSeconds, withGraph } from './search-news.ts';

const goal = (theorem: string, id: number, parent: number | null) => ({
  ...{ kind: 'goal', theorem, id, parent, tactic: 'intros', goals: 1, conclusion: `${theorem} ${id}` },
});
const tried = (theorem: string) => ({ kind: 'tried', theorem, id: 0, ingredient: 'lemmas', worked: false });
const phase = (theorem: string, name: string, at: number) => ({ kind: 'phase', theorem, phase: name, at });

function heard(...told: readonly Readonly<Record<string, unknown>>[]) {
  const news = noNews();
  for (const one of told) addSearchNews(news, one);
  return news;
}

it('goals and attempts are those of their theorem', () => {
  const news = heard(
    ...[goal('hard', 0, null), goal('hard', 1, 0), tried('hard'), goal('easy', 0, null)],
    ...[tried('hard'), tried('easy'), goal('hard', 2, 1)],
  );
  expect(
    withGraph(news).map(({ graph }) => [
      graph.theorem,
      graph.goals.size,
      graph.ingredients.get('lemmas')?.tried,
    ]),
  ).toEqual([
    ['hard', 3, 2],
    ['easy', 1, 1],
  ]);
  expect([hasWay(news, 'hard'), hasWay(news, 'easy'), hasWay(news, 'other')]).toEqual([true, false, false]);
});

it('says what is done about the one that is furthest, whichever was told of last', () => {
  const news = heard(phase('hard', 'search', 0), phase('easy', 'file', 10));
  expect(phaseOf(news)).toBe('search');
  addSearchNews(news, { kind: 'finished', at: 20, result: { theorem: 'hard' } });
  expect(phaseOf(news)).toBe('file');
  addSearchNews(news, phase('easy', 'judge', 30));
  addSearchNews(news, { kind: 'waits', theorem: 'easy', rests_on_open: ['hard'] });
  expect([phaseOf(news), phaseOf(noNews())]).toEqual(['between', '']);
  addSearchNews(news, { kind: 'again', theorem: 'easy', without: ['hard'] });
  addSearchNews(news, phase('easy', 'search', 40));
  expect([phaseOf(news), news.waiting.size]).toEqual(['search', 0]);
});

it('has a proof that was found until the gate has judged it', () => {
  const news = heard(phase('hard', 'search', 0), {
    kind: 'found',
    theorem: 'hard',
    script: 'Proof. auto. Qed.',
  });
  addSearchNews(news, phase('hard', 'judge', 10));
  expect(news.theorems.get('hard')?.unjudged).toBe('Proof. auto. Qed.');
  addSearchNews(news, { kind: 'finished', at: 20, result: { theorem: 'hard' } });
  expect(news.theorems.get('hard')?.unjudged).toBeUndefined();
});

it('its time is that of its own search, without what else is done', () => {
  const news = heard(
    ...[phase('hard', 'file', 0), phase('hard', 'search', 1000), phase('hard', 'refute', 3000)],
    ...[phase('easy', 'search', 3500), phase('hard', 'search', 4000), phase('easy', 'judge', 4500)],
    { kind: 'finished', at: 9000, result: { theorem: 'easy' } },
  );
  const [hard, easy] = [news.theorems.get('hard'), news.theorems.get('easy')];
  expect(hard && searchedSeconds(hard, 6000)).toBe(4);
  expect(easy && searchedSeconds(easy, 60_000)).toBe(1);
  addSearchNews(news, { kind: 'finished', at: 7000, result: { theorem: 'hard' } });
  expect(hard && searchedSeconds(hard, 60_000)).toBe(5);
});
