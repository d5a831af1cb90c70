/** What the search learns of a project's definitions, from the real Rocq. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { Definitions } from './definitions.ts';
import { viewGoal, type GoalView } from '../../provers/rocq/goals/goal-view.ts';

const TEXT = `Definition rel (A : Type) := A -> A -> Prop.
Definition subrel A (r s : rel A) := forall x y, r x y -> s x y.
Definition comp A (r s : rel A) : rel A := fun x y => exists z, r x z /\\ s z y.
Definition dense A (r : rel A) := subrel A r (comp A r r).
Definition below (n : nat) : nat -> Prop := match n with 0 => fun _ => False | S m => fun k => k <= m end.
Definition twice (n : nat) := n + n.
Definition named := nat.
Notation "r ';;' s" := (comp _ r s) (at level 44, right associativity).
CoInductive stream := cons : nat -> stream -> stream.
CoInductive same : stream -> stream -> Prop := same_cons n s t : same s t -> same (cons n s) (cons n t).
`;

function goal(conclusion: string, hypotheses: Record<string, string> = {}): GoalView {
  return viewGoal({
    id: '1',
    hypotheses: Object.entries(hypotheses).map(([name, type]) => ({ name, type })),
    conclusion,
  });
}

describe('Definitions', { timeout: 120_000 }, () => {
  let session: ProverSession;
  let state: StateId;

  beforeAll(async () => {
    const prover = await findRocq('auto');
    const signal = new AbortController().signal;
    session = await prover.openSession({ file: join(tmpdir(), 'quod_definitions_test.v'), signal });
    state = session.root;
    for (const { text } of outlineOf(TEXT).sentences) {
      const result = await session.run(state, { text });
      if (result.status !== 'done') throw new Error(`Refused: ${text}`);
      state = result.state;
    }
  }, 120_000);

  afterAll(() => session.close());

  async function learned(view: GoalView): Promise<Definitions> {
    const definitions = new Definitions();
    await definitions.learn(session, state, view);
    return definitions;
  }

  it('tells logic from types and from what computes', async () => {
    const view = goal('subrel A r s', { H: 'below n (twice m)', k: 'named', r: 'rel A' });
    const definitions = await learned(view);
    const contents = ['subrel', 'below', 'twice', 'named', 'rel'].map(
      (name) => definitions.find(name)?.content,
    );
    expect(contents).toEqual(['logic', 'other', 'other', 'type', 'type of predicates']);
  });

  it('follows definitions into their bodies, through notations', async () => {
    const view = goal('dense A r');
    expect((await learned(view)).logicalNames(view)).toEqual(['dense', 'subrel', 'comp']);
    const noted = goal('(r ;; s) x y');
    expect((await learned(noted)).logicalNames(noted)).toEqual(['comp']);
  });

  it('does not take a local name for a definition', async () => {
    const view = goal('comp x', { comp: 'nat -> Prop', x: 'nat' });
    expect((await learned(view)).logicalNames(view)).toEqual([]);
  });

  it('unfolds nothing of the library where nothing of the project is in the goal', async () => {
    const view = goal('Relation_Definitions.transitive A r');
    expect((await learned(view)).logicalNames(view)).toEqual([]);
  });

  it('knows what is coinductive', async () => {
    expect((await learned(goal('forall s, same s s'))).isCoinductive('same')).toBe(true);
    expect((await learned(goal('le n m'))).isCoinductive('le')).toBe(false);
  });
});
