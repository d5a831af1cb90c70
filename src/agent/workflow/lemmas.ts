/**
 * Helper lemmas of a theorem: stated by a model or by a sketch, proved as theorems of their own. One that the gate
 * accepted stays for every later attempt and for every other theorem of the run; only those that a proof uses are
 * judged and written with it. Whoever proves a lemma may state lemmas for it, down to a depth and up to the number
 * that the theorem has for all of them: what rests on what is a graph without a circle, since nothing may rest on a
 * claim for which it is stated.
 */
import { orNothing } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import { CONVENTIONS } from '../prover-conventions.ts';
import type { EventOf } from '../runs/events.ts';
import type { HelperLemma, Helpers, HelperTarget, Target } from '../target.ts';
import { claimKey, ClaimMemory, type Effort } from './claim-memory.ts';
import { isOfLemma, proveLemma, type ModelProver } from './lemma-proof.ts';
import { nameOfLemma, underAnotherName, wantedLemma, type Wanted } from './lemma-tool.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import { timed } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

type Ended = EventOf<'lemma-ended'>;
type Solved = Ended & { readonly proof: string };

/** Lemmas of other theorems that are offered. */
const MOST_OFFERED = 12;

/** A script is no circle: it is checked without what the lemma is stated for. */
const CIRCLE = 'it says what it is stated for, so nothing would be won by it';

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

/** A lemma that stands before the theorem now, and where the log has it. */
interface Known extends HelperLemma {
  readonly key: string;
  readonly claim: string | null;
}

/** Has a model prove a lemma, which may state lemmas of its own. @returns a proof that the gate accepted. */
export type LemmaProver = (
  run: RunContextWithModels,
  target: Target,
  work: Parameters<ModelProver>[2] & { readonly lemmas: Lemmas },
) => Promise<string | undefined>;

/** For what lemmas are stated: a theorem, or one of its lemmas. */
interface Place {
  readonly theorem: string;
  readonly file: string;
  /** Of what is proved, from the theorem down. Where a claim cannot be compared it is not among them. */
  readonly above: readonly string[];
  readonly depth: number;
  /** Lemmas that stand before it and are not its own. */
  readonly standing: readonly Known[];
  /** Statements that something was spent on, for the theorem and all of its lemmas. */
  readonly stated: Set<string>;
}

export class Lemmas {
  readonly #run: RunContextWithModels;
  readonly #target: Target;
  readonly #prover: LemmaProver;
  readonly #memory: ClaimMemory;
  readonly #known: Known[] = [];
  readonly #place: Place;
  /** What the theorem itself claims, asked when it is first needed. */
  #own: Promise<string | undefined> | undefined;
  /** Names of what sketches left out, by what is claimed. */
  readonly #parts = new Map<string, string>();

  constructor(run: RunContextWithModels, target: Target, prover: LemmaProver, place?: Place) {
    const { theorem, file } = target;
    this.#place = place ?? { theorem, file, above: [], depth: 0, standing: [], stated: new Set() };
    this.#run = run;
    this.#prover = prover;
    this.#target = target;
    this.#memory = new ClaimMemory(run.eventLog);
  }

  /** Whether the model is offered to state one. */
  get areOffered(): boolean {
    const { lemmas, lemmaDepth } = this.#run.settings;
    return this.#target.helpers !== undefined && lemmas > 0 && this.#place.depth < lemmaDepth;
  }

  /** Those that are proved, in order. */
  get known(): readonly HelperLemma[] {
    return this.#known;
  }

  /** Statements proved for other theorems of the file. */
  get elsewhere(): readonly string[] {
    const { file, theorem } = this.#place;
    const solved = this.areOffered ? this.#memory.solvedElsewhere(file, theorem) : [];
    return solved.slice(-MOST_OFFERED).map(({ statement }) => statement);
  }

  /** Begins behind the lemmas that are proved. One behind which the theorem cannot be stated any more is taken back. */
  async begin(session: () => Promise<string>): Promise<Begun> {
    let refused = '';
    for (;;) {
      try {
        return { goals: await session(), refused };
      } catch (error) {
        if (!isOfLemma(error)) throw error;
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

  /**
   * A lemma for what a part of the theorem's proof needs, named after the theorem. @throws what ends a run.
   * @param isOffline No model is asked.
   */
  async close(key: string, claimed: string, isOffline: boolean): Promise<Stated> {
    const wanted = `${asOneName(this.#target.theorem)}_part_${this.#parts.size + 1}`;
    const named =
      this.#parts.get(claimed) ?? (await this.#target.helpers?.freeName?.(wanted, this.#known)) ?? wanted;
    this.#parts.set(claimed, named);
    const statement = `Lemma ${named} :\n  ${claimed}.`;
    const known = this.#known.find((one) => one.statement === statement);
    if (known !== undefined) return { lemma: known, text: '', isFalse: false };
    return this.#prove(key, { statement, proof: undefined }, isOffline);
  }

  /** @throws what ends a run. */
  async prove(key: string, written: string): Promise<Stated> {
    const wanted = wantedLemma(written);
    if (wanted === undefined) return failed('The arguments are not {"statement": "Lemma …", "proof": "…"}.');
    return this.#prove(key, wanted, false);
  }

  async #prove(key: string, { statement, proof: script }: Wanted, isOffline: boolean): Promise<Stated> {
    const { eventLog, settings } = this.#run;
    const known = eventLog.recorded('lemma-ended', key);
    const { stated } = this.#place;
    const isNew = !stated.has(statement);
    if (known === undefined && isNew && stated.size >= settings.lemmas)
      return failed(`No more lemmas: ${stated.size} were stated for this theorem.`);
    // Before it is proved: its own lemmas come on top of it.
    stated.add(statement);
    const calls = isOffline ? 0 : settings.toolCallsPerLemma;
    const ended = known ?? (await this.#end(key, statement.trim(), script, calls));
    // What was proved before costs nothing.
    if (isNew && ended.by === 'known') stated.delete(statement);
    // A run that is resumed does not go through the lemmas of a lemma that has ended.
    for (const below of eventLog.recordedUnder('lemma-ended', `${key}/`))
      if (below.by !== 'known') stated.add(below.statement);
    if (ended.proof === null) {
      const refuted =
        ended.claim === null ? eventLog.recorded('refuted', key) : this.#memory.refutation(ended.claim);
      return { ...failed(`The lemma is not proved: ${ended.reason}`), isFalse: refuted?.refuted === true };
    }
    const lemma = this.#take({ ...ended, proof: ended.proof });
    return {
      ...{ lemma, isFalse: false },
      text: `The lemma ${lemma.name} is proved (${orNothing(ended.by)}):\n${lemma.statement}\n${lemma.proof}`,
    };
  }

  /** Puts a proved lemma before the theorem, behind those that it uses. */
  #take({ key, name, statement, proof, claim, uses }: Solved): HelperLemma {
    const standing = this.#all.find((one) => one.name === name || (claim !== null && one.claim === claim));
    if (standing !== undefined) return standing;
    for (const used of uses) {
      const ended = this.#run.eventLog.recorded('lemma-ended', used);
      if (ended?.proof != null) this.#take({ ...ended, proof: ended.proof });
    }
    const lemma = { key, name, statement, proof, claim };
    this.#known.push(lemma);
    return lemma;
  }

  async #end(key: string, statement: string, script: string | undefined, calls: number): Promise<Ended> {
    const { eventLog, settings } = this.#run;
    const { helpers } = this.#target;
    const { theorem, file } = this.#place;
    const effort: Effort = {
      searchSeconds: settings.searchSeconds / 2,
      calls,
      behind: this.#all.flatMap(({ claim }) => claim ?? []),
    };
    const common = { kind: 'lemma-ended', key, theorem, file, statement, script: script ?? null } as const;
    const spent = { behind: [...effort.behind], searchSeconds: effort.searchSeconds, calls };
    const fails = (name: string, reason: string, claim: string | undefined): Ended =>
      eventLog.note({
        ...{ ...common, ...spent, name, reason, claim: claim ?? null, uses: [], proof: null, by: null },
        // Nothing was spent on what cannot be stated.
        ...(claim === undefined && { searchSeconds: 0, calls: 0 }),
      });
    if (helpers === undefined) return fails('', 'no lemma can be stated here', undefined);
    const standing = this.#all.find((one) => one.name === nameOfLemma(statement));
    let opened: HelperTarget;
    try {
      // What it says is looked at under another name where the lemma may stand there already.
      const asked = standing === undefined ? statement : underAnotherName(statement);
      opened = await this.#state(helpers, asked, this.#known);
    } catch (error) {
      if (!isOfLemma(error)) throw error;
      return fails('', error.toString(), undefined);
    }
    const { target } = opened;
    const name = standing?.name ?? target.theorem;
    try {
      const claim = await this.#claimOf(target);
      const above = await this.#above();
      const isCircle = claim !== undefined && above.includes(claim);
      if (isCircle && script === undefined) return fails(name, CIRCLE, undefined);
      const solved = claim === undefined ? undefined : this.#memory.solved(claim);
      const taken = solved === undefined ? undefined : await this.#adopt(key, helpers, solved);
      if (taken !== undefined) return taken;
      const clash = `the name ${name} is that of another lemma of this run, which says something else: take another`;
      if (standing !== undefined || this.#memory.isTaken(name, file, claim ?? null))
        return fails(name, clash, undefined);
      const lemmas = this.#below(target, claim === undefined ? above : [...above, claim]);
      const found = await proveLemma(
        this.#run,
        target,
        { key, claim, script, effort: isCircle ? { ...effort, calls: 0 } : effort },
        async (run, lemma, work) => this.#prover(run, lemma, { ...work, lemmas }),
      );
      if ('reason' in found) return fails(name, found.reason, isCircle ? undefined : claim);
      // Another theorem may have been at work meanwhile.
      if (this.#memory.isTaken(name, file, claim ?? null)) return fails(name, clash, undefined);
      const uses = lemmas.#used(`${statement} ${found.proof}`);
      const { by, proof } = found;
      const reason = 'accepted by the gate';
      return eventLog.note({ ...common, ...spent, name, proof, by, reason, claim: claim ?? null, uses });
    } finally {
      await opened.close();
    }
  }

  /**
   * What was proved before, under its own name and with the lemmas that it uses: the session checks the proof where it
   * would stand now, and nothing is searched. @returns undefined where it does not hold here.
   */
  async #adopt(key: string, helpers: Helpers, solved: Solved): Promise<Ended | undefined> {
    const { eventLog } = this.#run;
    const { file, theorem } = this.#place;
    const known = [...this.#known];
    const missing = solved.file === file ? this.#missing(solved) : undefined;
    const isOther = (one: Solved): boolean =>
      this.#all.some(({ name, claim }) => name === one.name && claim !== one.claim);
    if (missing === undefined || missing.some(isOther)) return undefined;
    const { statement, claim, script, name, proof, uses } = solved;
    const common = { statement, claim, script, name, proof, uses };
    for (const [index, lemma] of missing.entries()) {
      const place = `${key}/taken-${index + 1}`;
      if (!(await this.#holds(place, helpers, lemma, known))) return undefined;
      known.push({
        key: lemma.key,
        name: lemma.name,
        statement: lemma.statement,
        proof: lemma.proof,
        claim: lemma.claim,
      });
    }
    const reason = `proved before, for ${solved.theorem}`;
    const behind = [...this.#place.standing, ...known].flatMap((one) => one.claim ?? []);
    return eventLog.note({
      ...{ kind: 'lemma-ended', key, theorem, file, ...common, by: 'known', reason, behind },
      ...{ searchSeconds: 0, calls: 0 },
    });
  }

  /** The lemma and those that it uses which do not stand before the theorem; undefined where one of them is lost. */
  #missing(solved: Solved): readonly Solved[] | undefined {
    const used: Solved[] = [];
    for (const key of solved.uses) {
      const ended = this.#run.eventLog.recorded('lemma-ended', key);
      const rest = ended?.proof == null ? undefined : this.#missing({ ...ended, proof: ended.proof });
      if (rest === undefined) return undefined;
      appendAll(used, rest);
    }
    const all = [...used, solved];
    const isStanding = ({ claim }: Solved): boolean => this.#all.some((one) => one.claim === claim);
    return all.filter(
      (one, index) => !isStanding(one) && all.findIndex(({ key }) => key === one.key) === index,
    );
  }

  /** Whether a lemma says here what it said, and its proof goes through. */
  async #holds(
    key: string,
    helpers: Helpers,
    lemma: Solved,
    behind: readonly HelperLemma[],
  ): Promise<boolean> {
    let opened: HelperTarget;
    try {
      opened = await this.#state(helpers, lemma.statement, behind);
    } catch (error) {
      if (!isOfLemma(error)) throw error;
      return false;
    }
    const { target } = opened;
    const session = new RecordedToolSession(this.#run, target);
    try {
      if ((await this.#claimOf(target)) !== lemma.claim) return false;
      const name = CONVENTIONS[target.prover].checkTool;
      const call = { id: 'known', name, input: JSON.stringify({ proof: lemma.proof }) };
      return (await session.call(key, call)).proof !== null;
    } finally {
      await session.close();
      await opened.close();
    }
  }

  /** A copy that was made has to be removed, also when the run was stopped meanwhile. */
  async #state(helpers: Helpers, statement: string, behind: readonly HelperLemma[]): Promise<HelperTarget> {
    const { result } = await timed(
      this.#run,
      (signal) => helpers.state(statement, behind, signal),
      () => true,
    );
    return result;
  }

  async #claimOf(target: Target): Promise<string | undefined> {
    const ask = target.claim?.bind(target);
    if (ask === undefined) return undefined;
    try {
      const { result } = await timed(this.#run, (signal) => ask(signal));
      return result === undefined ? undefined : claimKey(result, this.#place.file);
    } catch (error) {
      // Whether it can be stated at all is told by whoever proves it.
      if (!isOfLemma(error)) throw error;
      return undefined;
    }
  }

  #used(text: string): string[] {
    const words = new Set(text.match(/[\p{L}_][\p{L}\p{N}_']*/gu));
    return this.#all.flatMap(({ key, name }) => (words.has(name) ? [key] : []));
  }

  /** What stands before the target, in order. */
  get #all(): readonly Known[] {
    return [...this.#place.standing, ...this.#known];
  }

  /** Claims for which a lemma of this place is stated: the theorem's own, and those of the lemmas down to here. */
  async #above(): Promise<readonly string[]> {
    if (this.#place.depth > 0) return this.#place.above;
    this.#own ??= this.#claimOf(this.#target);
    const own = await this.#own;
    return own === undefined ? [] : [own];
  }

  #below(target: Target, above: readonly string[]): Lemmas {
    const { theorem, file, depth, stated } = this.#place;
    const place = { theorem, file, above, depth: depth + 1, standing: this.#all, stated };
    return new Lemmas(this.#run, target, this.#prover, place);
  }
}

function failed(text: string): Stated {
  return { lemma: undefined, text, isFalse: false };
}

/** A qualified name as one name, another one for each. */
function asOneName(qualified: string): string {
  return qualified.replace(/['.]/gu, (sign) => (sign === '.' ? "'_" : "''"));
}
