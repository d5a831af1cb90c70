/**
 * Which automation can be used where a hole stands: what the file can name of what is known, and what its own proofs
 * and those of its libraries close goals with.
 */
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { StepMemory } from '../../retrieval/lexical/step-memory.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { knownAutomation } from './automation.ts';
import type { AutomationTactic } from './candidate.ts';
import type { Costs } from './costs.ts';
import { tacticText, written, type Tactic } from './tactic.ts';

const PROBE_TIMEOUT_MS = 2000;
const PROJECT_CLOSERS = 12;
const MAXIMUM_CLOSER_LENGTH = 60;

/** What a probe takes where Rocq is installed and the machine has nothing else to do. */
const USUAL_PROBE_MS = 2;
const SLOWEST_PACE = 8;

/**
 * Those of the known automation tactics that parse and resolve here, and the project's own closing tactics. The probes
 * run nothing, so the time that they take tells the pace of this Rocq.
 */
export async function automationAt(
  session: ProverSession,
  state: StateId,
  steps: StepMemory,
  costs: Costs,
): Promise<{ automation: AutomationTactic[]; pace: number }> {
  const started = performance.now();
  let probes = 0;
  const exists = (tactic: Tactic): Promise<boolean> => {
    probes += 1;
    return resolves(session, state, tacticText(tactic));
  };
  const automation: AutomationTactic[] = [];
  for (const known of knownAutomation(costs)) if (await exists(known.tactic)) automation.push(known);
  const names = new Set(automation.map(({ tactic }) => tacticText(tactic)));
  for (const [rank, { tactic: text }] of steps.closers(PROJECT_CLOSERS).entries()) {
    if (names.has(text) || text.length > MAXIMUM_CLOSER_LENGTH || SINGLE_STEP.test(text)) continue;
    const tactic = written(text);
    if (await exists(tactic))
      automation.push({
        tactic,
        cost: costs['automation.of-the-project'] + costs['automation.of-the-project.each'] * rank,
        timeoutMs: 400,
      });
  }
  const usual = (performance.now() - started) / probes / USUAL_PROBE_MS;
  return {
    automation: automation.sort((left, right) => left.cost - right.cost),
    pace: Math.max(1, Math.min(SLOWEST_PACE, usual)),
  };
}

const SINGLE_STEP = /\b(?:exact|apply|rewrite|elim|move|case)\b/u;

async function resolves(session: ProverSession, state: StateId, tactic: string): Promise<boolean> {
  // Names are resolved before anything runs, and `fail` keeps the rest from running.
  const result = await session.run(state, asSentence(`try (fail; (${tactic})).`), {
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return result.status === 'done';
}
