import { expect, it } from 'vitest';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { StepMemory } from '../../retrieval/lexical/step-memory.ts';
import { Definitions } from '../libraries/definitions.ts';
import type { Knowledge } from './candidate.ts';
import { COSTS } from './costs.ts';
import {
  forwardCandidates,
  instanceCandidates,
  lemmaCandidates,
  lemmaChainCandidates,
  rankLemmas,
  rewritingEquations,
  ruleNames,
} from './lemma-steps.ts';
import { atom } from './tactic.ts';

function knowing(...statements: readonly (readonly [string, string])[]): Knowledge {
  const lemmas = new LemmaMemory();
  for (const [name, statement] of statements) lemmas.addOwn({ name, statement });
  return {
    steps: new StepMemory('here.v'),
    lemmas,
    automation: [],
    definitions: new Definitions(),
    ssreflect: false,
    costs: COSTS,
    pace: 1,
  };
}

const ADD_COMM = ['add_comm', 'forall n m : nat, n + m = m + n'] as const;
const REV_REV = ['rev_rev', 'forall l : list A, rev (rev l) = l'] as const;
const LE_TRANS = ['le_trans', 'forall a b c : nat, le a b -> le b c -> le a c'] as const;

it('applies what concludes the goal and rewrites with what occurs in it', () => {
  const knowledge = knowing(REV_REV, LE_TRANS);
  const offered = (view: GoalView): string[] =>
    lemmaCandidates(view, rankLemmas(view, knowledge, new Map()), knowledge).map(({ text }) => text);
  expect(offered(goal({ x: 'nat' }, 'le x 3'))).toEqual(['apply le_trans', 'eapply le_trans']);
  expect(offered(goal({ l: 'list A' }, 'P (rev (rev l))'))).toContain('rewrite rev_rev');
  expect(offered(goal({ l: 'list A', H: 'Q (rev (rev l))' }, 'P (rev l)'))).toContain('rewrite rev_rev in H');
});

it('says SSReflect where the file does', () => {
  const knowledge = { ...knowing(LE_TRANS), ssreflect: true };
  const view = goal({ x: 'nat' }, 'le x 3');
  const [first] = lemmaCandidates(view, rankLemmas(view, knowledge, new Map()), knowledge);
  expect(first?.text).toBe('apply: le_trans');
});

it('prefers lemmas that similar goals were solved with', () => {
  const knowledge = knowing(ADD_COMM, REV_REV);
  const view = goal({ n: 'nat' }, 'n + 1 = 1 + n');
  const best = (votes: ReadonlyMap<string, number>): string | undefined =>
    rankLemmas(view, knowledge, votes)[0]?.lemma.name;
  expect(best(new Map())).toBe('add_comm');
  expect(best(new Map([['rev_rev', 0.9]]))).toBe('rev_rev');
});

it('rewrites to the end only with what does not bring its own left side back', () => {
  const knowledge = knowing(ADD_COMM, REV_REV, LE_TRANS);
  const view = goal({ l: 'list A', x: 'nat', y: 'nat' }, 'le (x + y) (length (rev (rev l)))');
  const ranked = rankLemmas(view, knowledge, new Map());
  expect(rewritingEquations(goal({ l: 'list A' }, 'rev (rev l) = l'), ranked)).toEqual(['rev_rev']);
  expect(ruleNames(view, ranked)).toEqual(['le_trans']);
  const chains = lemmaChainCandidates(view, ranked, atom('done'), knowledge).map(({ text }) => text);
  expect(chains).toContain('do 12 try first [rewrite rev_rev]; done');
  expect(chains.join('\n')).not.toContain('do 12 try first [rewrite add_comm');
});

it('rewrites in turn with what only another rewrite brings together, before dearer steps', () => {
  const size = ['size_rev', 'forall s : seq T, size (rev s) = size s'] as const;
  const cat = ['size_cat', 'forall s t : seq T, size (s ++ t) = size s + size t'] as const;
  const other = ['size_map', 'forall s : seq T, size (map f s) = size s'] as const;
  const knowledge = { ...knowing(size, cat, other), ssreflect: true };
  const view = goal({ s: 'seq T', t: 'seq T' }, 'size (rev (s ++ t)) = size s + size t');
  const ranked = rankLemmas(view, knowledge, new Map());
  const chains = lemmaChainCandidates(view, ranked, atom('done'), knowledge);
  const chain = chains.find(({ text }) => text.startsWith('do 12 try'));
  expect(chain?.text).toMatch(/^do 12 try first \[rewrite size_\w+ \| rewrite size_\w+\]; done$/u);
  expect(chain?.text).not.toContain('size_map');
  expect(chain?.cost).toBeLessThan(COSTS['lemma'] + 1);
  const mem = ['mem_rev', 'forall s : seq T, rev s =i s'] as const;
  const named = knowing(mem);
  const asked = goal({ s: 'seq T' }, 'rev s =i s');
  const offered = lemmaCandidates(asked, rankLemmas(asked, named, new Map()), named);
  expect(offered.map(({ text }) => text)).toContain('apply mem_rev');
});

it('ends a chain in SSReflect also by the conjunction of booleans that it leaves', () => {
  const uniq = ['cat_uniq', 'forall s t : seq T, uniq (s ++ t) = [&& uniq s, ~~ has s t & uniq t]'] as const;
  const knowledge = { ...knowing(uniq), ssreflect: true };
  const view = goal({ s: 'seq T', t: 'seq T' }, 'uniq (s ++ t) -> uniq s');
  const ranked = rankLemmas(view, knowledge, new Map());
  expect(lemmaChainCandidates(view, ranked, atom('done'), knowledge).map(({ text }) => text)).toContain(
    'do 12 try first [rewrite cat_uniq]; first [done | by case/andP]',
  );
});

it('uses lemmas in the goal alone where several are tried at once', () => {
  const knowledge = knowing(REV_REV);
  const view = goal({ l: 'list A', H: 'Q (rev (rev l))' }, 'P (rev (rev l))');
  const [once] = lemmaChainCandidates(view, rankLemmas(view, knowledge, new Map()), atom('done'), knowledge);
  expect(once?.text).toContain('rewrite rev_rev; done');
  expect(once?.text).not.toContain(' in H');
});

it('poses what lemmas say of the goal’s own terms, alone and together', () => {
  const knowledge = knowing(['mod_bound', 'forall a b : nat, b <> 0 -> Nat.modulo a b < b']);
  const view = goal({ x: 'nat' }, 'Nat.modulo x 7 <= 9');
  const ranked = rankLemmas(view, knowledge, new Map());
  expect(instanceCandidates(view, knowledge, ranked, atom('lia')).map(({ text }) => text)).toEqual([
    'pose proof (@mod_bound x 7)',
    'try pose proof (@mod_bound x 7); lia',
  ]);
});

it('leads on from facts with the newest lemmas of the file', () => {
  const knowledge = knowing(['old', 'forall n, P n -> Q n'], ['new', 'forall n, P n -> False']);
  const view = goal({ n: 'nat', H: 'P n' }, 'False');
  expect(forwardCandidates(view, knowledge).map(({ text }) => text)).toEqual([
    'apply new in H',
    'apply old in H',
  ]);
});
