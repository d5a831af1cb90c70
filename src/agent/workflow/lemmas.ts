/**
 * Helper lemmas of a theorem: stated by a model, proved as theorems of their own, by the script that came with
 * them, by a proof of the same statement that is known, by the offline search, or by a model with a few calls. One
 * that the gate accepted stays for every later attempt; only those that a proof uses are judged and written with it.
 */
import { z } from 'zod';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { CONVENTIONS } from '../prover-conventions.ts';
import { jsonOf, type ToolDescription } from '../models/conversation.ts';
import type { EventOf } from '../runs/events.ts';
import type { HelperLemma, HelperTarget, Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import type { Briefing } from '../context/briefing.ts';
import { brief, judge, refute, timed } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

const input = z.object({
  statement: z.string().describe('The whole sentence: `Lemma name : forall …, ….`'),
  proof: z.string().optional().describe('Its script, where you have one.'),
});

export const LEMMA_TOOL: ToolDescription = {
  name: 'lemma_prove',
  description:
    'States a helper lemma before the theorem and proves it: with your script, else by the offline search, else by a prover ' +
    'of its own. When it is proved you can use it by its name; your session begins anew at s0 then.',
  inputSchema: z.toJSONSchema(input),
};

const PLAN = 'Prove the lemma by the obvious induction or case split, generalised as far as it has to be.';

/** Has a model prove a lemma. @returns a proof that the gate accepted. */
export type LemmaProver = (
  run: RunContextWithModels,
  target: Target,
  work: { readonly key: string; readonly plan: string; readonly briefing: Briefing },
) => Promise<string | undefined>;

/** What came of stating a lemma. */
export interface Stated {
  readonly lemma: HelperLemma | undefined;
  /** For the model. */
  readonly text: string;
  /** The gate accepts its negation. */
  readonly isFalse: boolean;
}

export interface Begun {
  /** Behind the lemmas. */
  readonly goals: string;
  /** What is told of lemmas that were taken back. */
  readonly refused: string;
}

export class Lemmas {
  readonly #run: RunContextWithModels;
  readonly #target: Target;
  readonly #prover: LemmaProver;
  readonly #known: HelperLemma[] = [];
  #stated = 0;

  constructor(run: RunContextWithModels, target: Target, prover: LemmaProver) {
    this.#run = run;
    this.#prover = prover;
    this.#target = target;
  }

  /** Whether the model is offered to state one. */
  get areOffered(): boolean {
    return this.#target.helpers !== undefined && this.#run.settings.lemmas > 0;
  }

  /** Those that are proved, in order. */
  get known(): readonly HelperLemma[] {
    return this.#known;
  }

  /** Begins behind the lemmas that are proved. One behind which the theorem cannot be stated any more is taken back. */
  async begin(session: () => Promise<string>): Promise<Begun> {
    let refused = '';
    for (;;) {
      try {
        return { goals: await session(), refused };
      } catch (error) {
        if (!(error instanceof QuodError) || ENDS_A_RUN.has(error.reason)) throw error;
        const lemma = this.#known.pop();
        if (lemma === undefined) throw error;
        refused += `The lemma ${lemma.name} is taken back: behind it the theorem cannot be stated. ${error.message}\n\n`;
      }
    }
  }

  /** The theorem behind the lemmas that are proved by now. */
  async theorem(): Promise<HelperTarget> {
    const { helpers } = this.#target;
    if (helpers === undefined || this.#known.length === 0)
      return { target: this.#target, close: () => Promise.resolve() };
    const { result } = await timed(
      this.#run,
      (signal) => helpers.with(this.#known, signal),
      () => true,
    );
    return result;
  }

  /** A lemma for what a part of the theorem's proof needs, named after it. @throws what ends a run. */
  async close(key: string, claim: string): Promise<Stated> {
    const lemma = this.#known.find(({ statement }) => claimOf(statement) === claimOf(`Lemma it : ${claim}.`));
    if (lemma !== undefined) return { lemma, text: '', isFalse: false };
    const statement = `Lemma ${this.#target.theorem}_part_${this.#stated + 1} :\n  ${claim}.`;
    return this.prove(key, JSON.stringify({ statement }));
  }

  /** @throws what ends a run. */
  async prove(key: string, written: string): Promise<Stated> {
    const parsed = input.safeParse(jsonOf(written));
    if (!parsed.success) return failed('The arguments are not {"statement": "Lemma …", "proof": "…"}.');
    const { statement, proof } = parsed.data;
    const known = this.#run.eventLog.recorded('lemma-ended', key);
    if (known === undefined && this.#stated >= this.#run.settings.lemmas)
      return failed(`No more lemmas: ${this.#stated} were stated for this theorem.`);
    this.#stated += 1;
    const ended = known ?? (await this.#end(key, statement, proof));
    if (ended.proof === null) {
      const isFalse = this.#run.eventLog.recorded('refuted', key)?.refuted === true;
      return { ...failed(`The lemma is not proved: ${ended.reason}`), isFalse };
    }
    const lemma = { name: ended.name, statement: ended.statement, proof: ended.proof };
    if (!this.#known.some(({ name }) => name === lemma.name)) this.#known.push(lemma);
    return {
      ...{ lemma, isFalse: false },
      text: `The lemma ${lemma.name} is proved (${orNothing(ended.by)}):\n${lemma.statement}\n${lemma.proof}`,
    };
  }

  async #end(key: string, statement: string, script: string | undefined): Promise<EventOf<'lemma-ended'>> {
    const { eventLog } = this.#run;
    const { helpers, theorem } = this.#target;
    const end = (
      name: string,
      by: EventOf<'lemma-ended'>['by'],
      proof: string | null,
      reason: string,
    ): EventOf<'lemma-ended'> =>
      eventLog.note({
        kind: 'lemma-ended',
        key,
        theorem,
        name,
        statement: statement.trim(),
        proof,
        by,
        reason,
      });
    if (helpers === undefined) return end('', null, null, 'no lemma can be stated here');
    let opened: HelperTarget;
    try {
      // A copy that was made has to be removed, also when the run was stopped meanwhile.
      const { result } = await timed(
        this.#run,
        (signal) => helpers.state(statement, this.#known, signal),
        () => true,
      );
      opened = result;
    } catch (error) {
      if (!(error instanceof QuodError) || ENDS_A_RUN.has(error.reason)) throw error;
      return end('', null, null, error.toString());
    }
    const { target } = opened;
    try {
      const found = await this.#proof(key, target, statement, script);
      if ('reason' in found) return end(target.theorem, null, null, found.reason);
      return end(target.theorem, found.by, found.proof, 'accepted by the gate');
    } finally {
      await opened.close();
    }
  }

  async #proof(
    key: string,
    target: Target,
    statement: string,
    script: string | undefined,
  ): Promise<
    | { readonly by: NonNullable<EventOf<'lemma-ended'>['by']>; readonly proof: string }
    | { readonly reason: string }
  > {
    const run = this.#run;
    const { eventLog, settings } = run;
    const toolSession = new RecordedToolSession(run, target);
    try {
      let goals: string;
      try {
        goals = await toolSession.start(key);
      } catch (error) {
        if (!(error instanceof QuodError) || ENDS_A_RUN.has(error.reason)) throw error;
        return { reason: `it cannot be stated: ${error.message}` };
      }
      const refuted = await refute(run, target, key);
      if (refuted?.refuted === true) return { reason: `it is false for ${refuted.counterexample}` };
      const same = eventLog
        .recordedUnder('lemma-ended', '')
        .find((one) => one.proof !== null && claimOf(one.statement) === claimOf(statement));
      const scripts = [
        ...(script === undefined ? [] : [{ by: 'script' as const, proof: script }]),
        ...(same?.proof == null ? [] : [{ by: 'known' as const, proof: same.proof }]),
      ];
      let said = '';
      for (const { by, proof } of scripts) {
        const name = CONVENTIONS[target.prover].checkTool;
        const call = { id: by, name, input: JSON.stringify({ proof }) };
        const checked = await toolSession.call(`${key}/${by}`, call);
        said = checked.text;
        const repaired =
          checked.proof === null && checked.state != null && settings.repairSeconds > 0
            ? await toolSession.repair(`${key}/${by}-repair`, checked.state)
            : undefined;
        const whole = checked.proof ?? repaired?.proof ?? null;
        if (whole === null) continue;
        if ((await judge(run, target, `${key}/${by}`, whole)).verdict === 'accepted')
          return { by, proof: whole };
      }
      const searched = await eventLog.once('searched', key, async () => {
        const { result, ms } = await timed(
          run,
          (signal) => target.search(settings.searchSeconds / 2, settings.seed, signal),
          (found) => found.proof !== null,
        );
        return { ...result, ms };
      });
      if (searched.proof !== null) {
        const judged = await judge(run, target, `${key}/search`, searched.proof);
        if (judged.verdict === 'accepted') return { by: 'search', proof: searched.proof };
      }
      if (settings.toolCallsPerLemma === 0) return { reason: `${searched.message}. ${said}` };
      const own = {
        ...run,
        settings: { ...settings, toolCallsPerPlan: settings.toolCallsPerLemma, lemmas: 0 },
      };
      const proof = await this.#prover(own, target, {
        key: `${key}/attempt`,
        plan: script === undefined ? PLAN : `${PLAN}\nThis script failed:\n${script}`,
        briefing: await brief(own, target, goals, key),
      });
      return proof === undefined
        ? { reason: `neither the search nor ${settings.toolCallsPerLemma} calls prove it. ${said}` }
        : { by: 'model', proof };
    } finally {
      await toolSession.close();
    }
  }
}

/** What is the fault of no lemma. */
const ENDS_A_RUN: ReadonlySet<string> = new Set(['interrupted', 'budget-exhausted', 'internal']);

function failed(text: string): Stated {
  return { lemma: undefined, text, isFalse: false };
}

/** What a lemma says, whatever its name and its layout are. */
function claimOf(statement: string): string {
  return statement
    .trim()
    .replace(/^\S+\s+[^\s:({]+/u, '')
    .replace(/\s+/gu, ' ');
}
