/** The offline search at a state of a session: it closes the goals in focus, wherever the proof stands. */
import { COSTS } from '../../search/candidates/costs.ts';
import { automationAt } from '../../search/candidates/available-automation.ts';
import { recursiveNames } from '../../search/candidates/recursion.ts';
import type { Knowledge } from '../../search/candidates/candidate.ts';
import { Definitions } from '../../search/libraries/definitions.ts';
import { speaksSsreflect } from '../../search/libraries/dialect.ts';
import { fileStyleOf } from '../../search/script/style/file-style.ts';
import { goalsNotFalse, type StoodAt } from '../../search/goals-not-false.ts';
import { NameHabits } from '../../search/script/style/naming.ts';
import type { SearchResult } from '../../search/graph/search-options.ts';
import { lookAtGoal } from '../../refute/false-goal.ts';
import { searchTheorem } from '../../search/theorem-search.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { scriptSentences } from '../../provers/rocq/syntax/script-tree.ts';
import { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { StepMemory } from '../../retrieval/lexical/step-memory.ts';
import type { ProverAt } from '../../sessions/prover-pool.ts';
import type { OperationContext } from '../definition/operation.ts';
import type { Place } from '../rocq/session/place.ts';
import { budgetNow } from './budget-now.ts';
import { libraryLemmas, type LemmasHere } from '../rocq/environment/library-lemmas.ts';

export interface StateSearch {
  readonly budget: number;
  readonly nodes?: number | undefined;
  readonly seed: number;
}

export type StateSearched =
  | { readonly kind: 'found'; readonly script: string; readonly nodes: number }
  | (Extract<SearchResult<unknown>, { readonly kind: 'not-found' }> & StoodAt);

/** @throws QuodError `invalid-input` where no goal is in focus. */
export async function searchState(
  place: Place,
  input: StateSearch,
  context: OperationContext,
): Promise<StateSearched> {
  const { pool, state, file, session } = place;
  return pool.at(state, { signal: context.signal }, async (prover) => {
    const proof = await prover.session.goals(prover.state);
    if (proof === null || proof.goals.length === 0) {
      throw new QuodError('invalid-input', 'There is no goal in focus at this state.', {
        remedy: 'Name a state inside a proof, before its last goal is closed.',
      });
    }
    const item = session?.target?.item;
    const result = await searchTheorem(
      [{ session: prover.session, root: prover.state }],
      proof,
      await knowledgeAt(place, prover, context),
      {
        budgetMs: input.nodes === undefined ? () => budgetNow(input, context) * 1000 : undefined,
        nodes: input.nodes,
        seed: input.seed,
        without: new Set(),
        wantedStyle: { style: 'terse', file: fileStyleOf(file?.outline ?? outlineOf('')) },
        habits: new NameHabits(),
        recursive: item === undefined ? new Set() : recursiveNames(item, proof),
        signal: context.signal,
        onProgress: (nodes, best) =>
          context.progress({ message: `${nodes} nodes, ${best} goals left at best` }),
      },
    );
    if (result.kind === 'found')
      return { kind: 'found', script: scriptSentences(result.script.written).join(' '), nodes: result.nodes };
    const outline = file?.outline ?? outlineOf('');
    const at = { outline, theorem: { sentence: item?.sentence ?? outline.sentences.length } };
    const stoodAt = await goalsNotFalse(result, {
      lookAt: (goal, { session: worked, ...limits }) =>
        lookAtGoal({ ...at, session: worked, opened: prover.state, goal }, limits),
      ...{ session: prover.session, signal: context.signal },
      budgetMs: input.nodes === undefined ? budgetNow(input, context) * 1000 : undefined,
    });
    return { ...result, ...stoodAt };
  });
}

async function knowledgeAt(
  { file, session, workbench }: Place,
  prover: ProverAt,
  { services, signal }: OperationContext,
): Promise<Knowledge> {
  const steps = new StepMemory(orNothing(file?.context.file));
  const definitions = new Definitions();
  const upTo = session?.target?.item.sentence ?? orZero(file?.outline.sentences.length);
  const { memory, heads }: LemmasHere =
    file === undefined
      ? { memory: new LemmaMemory(), heads: new Set() }
      : await services.get(libraryLemmas).withOwn({ file, upTo, workbench, signal });
  await definitions.learnHeads(prover.session, prover.state, heads);
  const { automation, pace } = await automationAt(prover.session, prover.state, steps, COSTS);
  const ssreflect = speaksSsreflect(orNothing(file?.source.text));
  return { steps, lemmas: memory, automation, pace, definitions, costs: COSTS, ssreflect };
}
