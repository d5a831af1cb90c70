/** What there is to work with where a hole stands: which automation the file can name, and the lemmas in scope. */
import type { ProverSession, StateId } from '../core/prover.ts';
import { KNOWN_AUTOMATION } from './automation.ts';
import type { AutomationTactic } from './candidate.ts';
import type { Lemma } from './lemma-memory.ts';
import type { StepMemory } from './step-memory.ts';

const PROBE_TIMEOUT_MS = 2000;
const SEARCH_TIMEOUT_MS = 15_000;
const PROJECT_CLOSERS = 12;
const MAXIMUM_CLOSER_LENGTH = 60;

/** Those of the known automation tactics that parse and resolve here, and the project's own closing tactics. */
export async function automationAt(
  session: ProverSession,
  state: StateId,
  steps: StepMemory,
): Promise<AutomationTactic[]> {
  const available: AutomationTactic[] = [];
  for (const known of KNOWN_AUTOMATION)
    if (await resolves(session, state, known.tactic)) available.push(known);
  const names = new Set(available.map(({ tactic }) => tactic));
  for (const [rank, { tactic }] of steps.closers(PROJECT_CLOSERS).entries()) {
    if (
      names.has(tactic) ||
      tactic.length > MAXIMUM_CLOSER_LENGTH ||
      /\b(?:exact|apply|rewrite|elim|move|case)\b/u.test(tactic)
    )
      continue;
    if (await resolves(session, state, tactic))
      available.push({ tactic, cost: 1.0 + 0.15 * rank, timeoutMs: 400 });
  }
  return available.sort((left, right) => left.cost - right.cost);
}

async function resolves(session: ProverSession, state: StateId, tactic: string): Promise<boolean> {
  // Names are resolved before anything runs, and `fail` keeps the rest from running.
  const result = await session.run(state, `try (fail; (${tactic})).`, { timeoutMs: PROBE_TIMEOUT_MS });
  return result.status === 'done';
}

/** All statements that `Search _` lists. Empty when the prover needs too long: the search then does without. */
export async function lemmasAt(session: ProverSession, state: StateId): Promise<Lemma[]> {
  const answer = await session.query(state, 'Search _.', { timeoutMs: SEARCH_TIMEOUT_MS });
  if (answer.status !== 'done') return [];
  const lemmas: Lemma[] = [];
  for (const { message } of answer.messages)
    for (const entry of message.split(/\n(?=\S)/u)) {
      const colon = /^(?<name>[\p{L}_][\p{L}\p{N}_'.]*):\s(?<statement>[^]*)$/u.exec(entry)?.groups;
      const name = colon?.['name'];
      const statement = colon?.['statement'];
      if (name === undefined || statement === undefined || statement.length > 3000) continue;
      lemmas.push({ name, statement: statement.replace(/\s+/gu, ' ') });
    }
  return lemmas;
}

const SSREFLECT = /\b(?:ssreflect|mathcomp|ssrbool)\b|\bmove\s*=>|^\s*(?:by\s+)?case\s*:/mu;

export function speaksSsreflect(text: string): boolean {
  return SSREFLECT.test(text);
}
