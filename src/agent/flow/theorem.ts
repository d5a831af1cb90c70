/** One theorem from start to end: the offline search first, then the models in the chosen mode. */
import type { Crew } from '../crew.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { DeskUse } from './desk-use.ts';
import { carryOut } from './executing.ts';
import { proveByExamples } from './few-shot.ts';
import { judge, similarProofs, timed } from './flow.ts';
import type { Flow, FlowWithModels } from './flow.ts';
import { makePlans } from './planning.ts';

type Ended = EventOf<'theorem-ended'>;

/** @throws BudgetExhausted, and QuodErrors that end a run: it can be resumed after each of them. */
export async function proveTheorem(flow: Flow, crew: Crew | undefined, target: Target): Promise<Ended> {
  const { theorem, statement } = target;
  const { journal, settings } = flow;
  const key = theorem;
  const known = journal.recorded('theorem-ended', key);
  if (known !== undefined) return known;
  journal.note({ kind: 'theorem-started', key, theorem, statement });
  const end = (proof: string | null, found: Ended['found'], reason: string): Ended =>
    journal.note({
      kind: 'theorem-ended',
      key,
      theorem,
      outcome: proof === null ? 'not-proved' : 'proved',
      proof,
      found,
      reason,
    });
  if (settings.searchFirst || crew === undefined) {
    const { proof, message } = await proveBySearch(flow, target);
    if (proof !== null) return end(proof, 'search', 'found by the offline search');
    if (crew === undefined) {
      return end(null, null, `the offline search found none: ${message}`);
    }
  }
  const withModels: FlowWithModels = { ...flow, prompts: flow.prompts.in(target.prover), crew };
  if (settings.mode === 'few-shot') {
    const proof = await proveByExamples(withModels, target);
    return proof === undefined
      ? end(null, null, `none of the samples was accepted (${settings.samples}, ${settings.rounds} rounds)`)
      : end(proof, 'few-shot', 'accepted by the gate');
  }
  return followPlans(withModels, target, end);
}

/** The offline search, with the gate's word on what it finds. */
export async function proveBySearch(
  flow: Flow,
  target: Target,
): Promise<{ readonly proof: string | null; readonly message: string }> {
  const { journal, settings } = flow;
  const key = target.theorem;
  const { proof, message } = await journal.once('searched', key, async () => {
    const { result, ms } = await timed(flow, (signal) =>
      target.search(settings.searchSeconds, settings.seed, signal),
    );
    return { ...result, ms };
  });
  if (proof === null) return { proof, message };
  const { verdict } = await judge(flow, target, `${key}/search`, proof);
  return verdict === 'accepted' ? { proof, message } : { proof: null, message: `the gate said ${verdict}` };
}

async function followPlans(
  flow: FlowWithModels,
  target: Target,
  end: (proof: string | null, found: Ended['found'], reason: string) => Ended,
): Promise<Ended> {
  const key = target.theorem;
  const desk = new DeskUse(flow, target);
  const goals = await desk.start(key).finally(() => desk.close());
  const similar = await similarProofs(flow, target, key, undefined, flow.settings.similarProofs);
  const plans = await makePlans(flow, target, goals, similar);
  const lessons: string[] = [];
  let reason = '';
  for (const [index, plan] of plans.entries()) {
    const attempt = { number: index + 1, plan, goals, similar, lessons: [...lessons] };
    const outcome = await carryOut(flow, target, attempt);
    if (outcome.kind === 'proved') return end(outcome.proof, 'plan', 'accepted by the gate');
    lessons.push(outcome.lesson);
    ({ reason } = outcome);
  }
  return end(null, null, `${plans.length} plans failed; the last one: ${reason}`);
}
