/**
 * The proof of one lemma, what costs least first: a counterexample is looked for, then the script that came with it and a
 * proof of the same claim that is known, then the offline search, then a model with a few calls. What was spent on
 * the claim before in vain is not spent again.
 */
import { QuodError } from '../../core/errors.ts';
import type { Briefing } from '../context/briefing.ts';
import { CONVENTIONS } from '../prover-conventions.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { ClaimMemory, type Effort, type SpentOnClaim } from './claim-memory.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import { brief, judge, refute, timed } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

const PLAN = 'Prove the lemma by the obvious induction or case split, generalised as far as it has to be.';

const NOTHING_SPENT: SpentOnClaim = { search: undefined, model: undefined };

/** What is the fault of no lemma. */
const ENDS_A_RUN: ReadonlySet<string> = new Set(['interrupted', 'budget-exhausted', 'internal']);

/** Whether an error says something of the lemma. */
export function isOfLemma(error: unknown): error is QuodError {
  return error instanceof QuodError && !ENDS_A_RUN.has(error.reason);
}

/** Has a model prove a lemma. @returns a proof that the gate accepted. */
export type ModelProver = (
  run: RunContextWithModels,
  target: Target,
  work: { readonly key: string; readonly plan: string; readonly briefing: Briefing },
) => Promise<string | undefined>;

export interface LemmaTask {
  readonly key: string;
  /** Undefined where it cannot be compared. */
  readonly claim: string | undefined;
  readonly script: string | undefined;
  readonly effort: Effort;
}

export type LemmaProof =
  | { readonly by: NonNullable<EventOf<'lemma-ended'>['by']>; readonly proof: string }
  | { readonly reason: string };

/** @throws what ends a run. */
export async function proveLemma(
  run: RunContextWithModels,
  target: Target,
  task: LemmaTask,
  prover: ModelProver,
): Promise<LemmaProof> {
  const toolSession = new RecordedToolSession(run, target);
  try {
    return await new LemmaWork(run, target, task, toolSession).prove(prover);
  } finally {
    await toolSession.close();
  }
}

class LemmaWork {
  readonly #run: RunContextWithModels;
  readonly #target: Target;
  readonly #task: LemmaTask;
  readonly #toolSession: RecordedToolSession;
  readonly #memory: ClaimMemory;
  /** Of the last script. */
  #said = '';

  constructor(run: RunContextWithModels, target: Target, task: LemmaTask, toolSession: RecordedToolSession) {
    this.#run = run;
    this.#target = target;
    this.#task = task;
    this.#toolSession = toolSession;
    this.#memory = new ClaimMemory(run.eventLog);
  }

  async prove(prover: ModelProver): Promise<LemmaProof> {
    const { key, claim, script, effort } = this.#task;
    let goals: string;
    try {
      goals = await this.#toolSession.start(key);
    } catch (error) {
      if (!isOfLemma(error)) throw error;
      return { reason: `it cannot be stated: ${error.message}` };
    }
    const looked = claim === undefined ? undefined : this.#memory.refutation(claim);
    const refuted = looked ?? (await refute(this.#run, this.#target, key));
    if (refuted?.refuted === true) return { reason: `it is false for ${refuted.counterexample}` };
    const failures = claim === undefined ? [] : this.#memory.failures(claim);
    const isNew = script !== undefined && failures.every((one) => one.script !== script);
    const written = isNew ? await this.#try('script', script) : undefined;
    if (written !== undefined) return { by: 'script', proof: written };
    const solved = claim === undefined ? undefined : this.#memory.solved(claim)?.proof;
    const taken = solved === undefined ? undefined : await this.#try('known', solved);
    if (taken !== undefined) return { by: 'known', proof: taken };
    const spent = claim === undefined ? NOTHING_SPENT : this.#memory.spent(claim, effort);
    if (spent.search === undefined) {
      const found = await this.#search();
      if (found !== undefined) return { by: 'search', proof: found };
    }
    const earlier =
      spent.search === undefined ? '' : ` It was tried before with as much: ${spent.search.reason}`;
    const rest = `${this.#said}${earlier}`.trim();
    const isModelAsked = effort.calls > 0 && spent.model === undefined;
    const proof = isModelAsked ? await this.#askModel(goals, prover) : undefined;
    if (proof !== undefined) return { by: 'model', proof };
    if (spent.search !== undefined && !isModelAsked) return { reason: rest };
    const tried =
      effort.calls === 0
        ? 'the search does not find a proof'
        : `neither the search nor ${effort.calls} calls prove it`;
    return { reason: `${tried}. ${rest}`.trim() };
  }

  /** A whole proof, with what automation and search make of the goal where it fails. */
  async #try(by: 'script' | 'known', script: string): Promise<string | undefined> {
    const { key } = this.#task;
    const name = CONVENTIONS[this.#target.prover].checkTool;
    const call = { id: by, name, input: JSON.stringify({ proof: script }) };
    const checked = await this.#toolSession.call(`${key}/${by}`, call);
    this.#said = checked.text;
    const repaired =
      checked.proof === null && checked.state != null && this.#run.settings.repairSeconds > 0
        ? await this.#toolSession.repair(`${key}/${by}-repair`, checked.state)
        : undefined;
    const whole = checked.proof ?? repaired?.proof ?? null;
    return whole !== null && (await this.#isAccepted(`${key}/${by}`, whole)) ? whole : undefined;
  }

  async #search(): Promise<string | undefined> {
    const { key, effort } = this.#task;
    const { proof } = await this.#run.eventLog.once('searched', key, async () => {
      const { result, ms } = await timed(
        this.#run,
        (signal) => this.#target.search(effort.searchSeconds, this.#run.settings.seed, signal),
        (found) => found.proof !== null,
      );
      return { ...result, ms };
    });
    return proof !== null && (await this.#isAccepted(`${key}/search`, proof)) ? proof : undefined;
  }

  async #askModel(goals: string, prover: ModelProver): Promise<string | undefined> {
    const { key, script, effort } = this.#task;
    const settings = { ...this.#run.settings, toolCallsPerPlan: effort.calls };
    const own = { ...this.#run, settings };
    return prover(own, this.#target, {
      key: `${key}/attempt`,
      plan: script === undefined ? PLAN : `${PLAN}\nThis script failed:\n${script}`,
      briefing: await brief(own, this.#target, goals, key),
    });
  }

  async #isAccepted(key: string, proof: string): Promise<boolean> {
    return (await judge(this.#run, this.#target, key, proof)).verdict === 'accepted';
  }
}
