/** What there is to work with where a hole stands: which automation the file can name, and the lemmas in scope. */
import type { ProverSession, StateId } from '../core/prover.ts';
import { written } from '../provers/rocq/syntax/sentences.ts';
import { KNOWN_AUTOMATION } from './automation.ts';
import type { AutomationTactic } from './candidate.ts';
import type { Lemma } from './lemma-memory.ts';
import type { StepMemory } from './step-memory.ts';

const PROBE_TIMEOUT_MS = 2000;
const SEARCH_TIMEOUT_MS = 30_000;
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
): Promise<{ automation: AutomationTactic[]; pace: number }> {
  const started = performance.now();
  let probes = 0;
  const exists = (tactic: string): Promise<boolean> => {
    probes += 1;
    return resolves(session, state, tactic);
  };
  const automation: AutomationTactic[] = [];
  for (const known of KNOWN_AUTOMATION) if (await exists(known.tactic)) automation.push(known);
  const names = new Set(automation.map(({ tactic }) => tactic));
  for (const [rank, { tactic }] of steps.closers(PROJECT_CLOSERS).entries()) {
    if (names.has(tactic) || tactic.length > MAXIMUM_CLOSER_LENGTH || SINGLE_STEP.test(tactic)) continue;
    if (await exists(tactic)) automation.push({ tactic, cost: 1.0 + 0.15 * rank, timeoutMs: 400 });
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
  const result = await session.run(state, written(`try (fail; (${tactic})).`), {
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return result.status === 'done';
}

/** Modules that only bring others, with those whose lemmas matter. */
const UMBRELLAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Arith', ['PeanoNat']],
  ['ZArith', ['BinInt', 'Zorder']],
  ['NArith', ['BinNat']],
  ['QArith', ['QArith_base']],
  ['Reals', ['RIneq', 'Rbasic_fun']],
  ['ssreflect', []],
  ['Lia', ['PeanoNat']],
]);
const ALWAYS = ['Logic', 'Datatypes', 'Peano'];

/**
 * The statements that `Search _` lists. A Rocq inside Node needs milliseconds for each, so there only the modules that
 * the file requires are listed. What takes too long is left out: the search then does without.
 */
export async function lemmasAt(
  session: ProverSession,
  state: StateId,
  required: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly lemmas: readonly Lemma[]; readonly whole: boolean }> {
  if (session.identity.backend !== 'embedded') {
    const all = await listed(session, state, 'Search _.', signal);
    return { lemmas: all ?? [], whole: all !== undefined };
  }
  const modules = new Set(
    [...required.flatMap((module) => UMBRELLAS.get(lastName(module)) ?? [module]), ...ALWAYS].map(lastName),
  );
  const lemmas: Lemma[] = [];
  let whole = true;
  for (const module of modules) {
    if (signal.aborted) break;
    const inside = await listed(session, state, `Search _ inside ${module}.`, signal);
    if (inside === undefined) whole = false;
    else lemmas.push(...inside);
  }
  return { lemmas, whole };
}

function lastName(module: string): string {
  return module.slice(module.lastIndexOf('.') + 1);
}

/** Empty for a module that Rocq does not know; undefined when it did not come to the end. */
async function listed(
  session: ProverSession,
  state: StateId,
  command: string,
  signal: AbortSignal,
): Promise<Lemma[] | undefined> {
  const answer = await session.query(state, written(command), { timeoutMs: SEARCH_TIMEOUT_MS, signal });
  if (answer.status === 'unknown') return undefined;
  if (answer.status !== 'done') return [];
  return answer.messages.flatMap(({ message }) =>
    message.split(/\n(?=\S)/u).flatMap((entry) => {
      const { name, statement } = ENTRY.exec(entry)?.groups ?? {};
      if (name === undefined || statement === undefined || statement.length > LONGEST_STATEMENT) return [];
      return [{ name, statement: statement.replace(/\s+/gu, ' ') }];
    }),
  );
}

const ENTRY = /^(?<name>[\p{L}_][\p{L}\p{N}_'.]*):\s(?<statement>[^]*)$/u;
const LONGEST_STATEMENT = 3000;

const SSREFLECT = /\b(?:ssreflect|mathcomp|ssrbool)\b|\bmove\s*=>|^\s*(?:by\s+)?case\s*:/mu;

export function speaksSsreflect(text: string): boolean {
  return SSREFLECT.test(text);
}
