/**
 * The target as a compiled library, with its holes admitted: what every submission is compared with. It is compiled once
 * for many submissions, and kept by its content beyond this process.
 *
 * A statement in a section is generalised over the variables that its proof uses, and a hole has no proof. Which they are
 * depends on the submission, so such a target is compiled when a submission shows what its proofs use, with that choice
 * (`Proof using`). What is compared then has to be the same, and what the target means otherwise must not depend on the choice,
 * nor on what is left out of a hole: it must be what Rocq reads in the target as it stands (`asItStands`). So nothing rests on
 * how the choice was found, or on what the text shows to be a tactic.
 */
import { entryAt, orNothing } from '../../core/entry.ts';
import { lastPart } from '../../core/qualified-name.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import type { CompiledUnit } from './backends/judge-backend.ts';
import { limitsOf, moduleNameOf, type JudgeSettings } from './judgement.ts';
import { placedInTarget } from './target-problem.ts';
import { compiledOnce } from './reference-cache.ts';
import { referenceOf, type Reference, type ReferenceResult } from './reference-result.ts';
import {
  hasScript,
  isGoal,
  isOfProgram,
  isOpaqueLemma,
  probeName,
  proofSpan,
  saysProof,
  referenceText,
  type ReferenceText,
  standingText,
  textWithProbes,
  type Using,
} from './text/reference-text.ts';
import type { Script } from './text/script.ts';
import type { ComparisonWork } from './comparison/comparison-work.ts';
import { premisesOf } from './comparison/left-out-premises.ts';
import { namesOfHoles, usedVariables, usingClauses } from './comparison/section-usage.ts';
import { agreeOnLibraries } from './compiled/compiled-library.ts';

/** Of holes that do not compile so many are read as far as they do. */
const MOST_CUTS = 20;

/** A target, or the beginning of it. */
export interface Standing {
  /** Undefined where not even a beginning is known to compile. */
  readonly result: ReferenceResult | undefined;
  /** The offset in the target at which the beginning ends; undefined: it is the whole. */
  readonly until?: number;
  /** Where it is a beginning: the whole with what the reference has its holes use of their sections, if it compiles so. */
  readonly asChosen?: ReferenceResult | undefined;
  /** Behind the beginning: the first hole that says something, which only the whole has. */
  readonly unread?: TheoremItem | undefined;
}

export class References {
  readonly #script: Script;
  readonly #settings: JudgeSettings;
  readonly #request: { readonly path: string; readonly moduleName: string };
  readonly #isAdmitted: (item: TheoremItem) => boolean;
  /** Compiled until now, by text. */
  readonly #compiled: Map<string, Promise<ReferenceResult>>;
  /** What the holes of a reference were given to use. */
  readonly #used = new WeakMap<Reference, Using>();
  #useKept = true;

  /** @param compiled what is compiled of the target elsewhere, too. */
  constructor(
    script: Script,
    isAdmitted: (item: TheoremItem) => boolean,
    settings: JudgeSettings,
    compiled = settings.begun?.targets,
  ) {
    const { path } = script.source;
    this.#script = script;
    this.#isAdmitted = isAdmitted;
    this.#settings = settings;
    this.#request = { path, moduleName: moduleNameOf(path, settings.project) };
    this.#compiled = compiled ?? new Map<string, Promise<ReferenceResult>>();
  }

  /** Does what can be done before there is a submission: a target with the libraries of the reference is compiled. */
  start(): Promise<ReferenceResult> {
    const begun = this.#openInSections.length === 0 ? this.forNone() : this.#withProbes();
    begun.catch(() => undefined);
    return begun;
  }

  /** What there is without a submission: the reference, unless it depends on one. */
  forNone(): Promise<ReferenceResult> {
    return this.#compiledWhole(() => undefined);
  }

  /**
   * The reference for a submission. One from another time is not taken when it was made with another file of a library than
   * the submission.
   */
  async for(submission: CompiledFile, work: ComparisonWork): Promise<ReferenceResult> {
    const result = await this.#for(submission, work);
    if (result.status !== 'compiled' || !this.#useKept) return result;
    if (agreeOnLibraries(result.reference.file, submission)) return result;
    this.#useKept = false;
    this.#compiled.clear();
    return this.#for(submission, work);
  }

  async #for(submission: CompiledFile, work: ComparisonWork): Promise<ReferenceResult> {
    if (this.#openInSections.length === 0) return this.#compiledWhole(() => undefined);
    const { names, byDefault } = await this.#probed();
    const withClauses = (clauses: ReadonlyMap<string, string>): Promise<ReferenceResult> =>
      this.#compiledWhole((item) => clauses.get(orNothing(names.get(item))));
    if (byDefault.size === names.size) return withClauses(byDefault);
    const shown = new Map(byDefault);
    for (const [name, variables] of usedVariables(submission))
      if (!shown.has(name)) shown.set(name, `Type ${variables.join(' ')}`.trim());
    const isShown = [...names.values()].every((name) => shown.has(name));
    if (isShown) {
      const result = await withClauses(shown);
      if (result.status !== 'failed') return result;
    }
    // Where the submission does not show what its proofs use, its statements do, compared with the most general ones.
    for (const general of [() => this.#statements(), () => withClauses(byDefault)]) {
      const statements = await general();
      if (statements.status === 'unknown') return statements;
      if (statements.status !== 'compiled') continue;
      const found = usingClauses(statements.reference.file, submission, work);
      const result = await withClauses(new Map([...found, ...shown]));
      if (result.status !== 'failed') return result;
    }
    return withClauses(byDefault);
  }

  /**
   * The target as Rocq reads it, its holes with all that they say, where the reference is another one: what it means otherwise
   * must be the same. A hole that does not compile is read as far as it does. Where the rest does not compile so, because
   * its holes take other variables of their sections, its beginning that does. Without a reference, whatever it is.
   */
  async asItStands(reference?: Reference): Promise<Standing | undefined> {
    const inSections = this.#openInSections.length > 0;
    const { sentences, statements } = this.#script.outline;
    const scripts = statements.filter((item) => this.#isAdmitted(item) && hasScript(this.#script, item));
    if (reference !== undefined && !inSections && scripts.length === 0) return undefined;
    const { whole, cuts, failing } = await this.#standing(scripts, () => undefined);
    if (whole.status === 'compiled' && whole.reference === reference) return undefined;
    if (whole.status !== 'failed' || !inSections) return { result: whole };
    const until = failing < 0 ? 0 : entryAt(sentences, failing, 'sentence').span.start;
    const parts = { isAdmitted: this.#isAdmitted, cuts, using: () => undefined };
    const result = await this.#compile(standingText(this.#script, parts, until));
    const using = reference && this.#used.get(reference);
    const asChosen = using && (await this.#standing(scripts, using)).whole;
    const unread = scripts.find((item) => proofSpan(this.#script.outline, item).end > until);
    return { result: result.status === 'failed' ? undefined : result, until, asChosen, unread };
  }

  /** Ends proofs that do not compile where they stop. @returns also the sentence that fails, in the end. */
  async #standing(
    scripts: readonly TheoremItem[],
    using: Using,
  ): Promise<{
    readonly whole: ReferenceResult;
    readonly cuts: ReadonlyMap<TheoremItem, number>;
    readonly failing: number;
  }> {
    const cuts = new Map<TheoremItem, number>();
    for (;;) {
      const parts = { isAdmitted: this.#isAdmitted, cuts, using };
      const whole = await this.#compile(standingText(this.#script, parts));
      if (whole.status !== 'failed') return { whole, cuts, failing: -1 };
      const failing = this.#script.sentenceBegunAt(whole.error.span?.start);
      const broken = scripts.find(
        (item) =>
          !cuts.has(item) && item.sentence < failing && failing <= (item.closing ?? item.body.end - 1),
      );
      if (broken === undefined) return { whole, cuts, failing };
      this.#cut(cuts, broken, failing, scripts);
    }
  }

  /** With holes that take all variables of their sections, where they do not say which. */
  general(): Promise<ReferenceResult> {
    return this.#compiledWhole(this.#usingAll);
  }

  /** Ends a proof before the sentence that fails; where many do not compile, each of the others where it begins. */
  #cut(
    cuts: Map<TheoremItem, number>,
    broken: TheoremItem,
    failing: number,
    scripts: readonly TheoremItem[],
  ): void {
    const { outline } = this.#script;
    const isInside = failing < broken.body.end;
    const { start } = proofSpan(outline, broken);
    cuts.set(broken, isInside ? entryAt(outline.sentences, failing, 'sentence').span.start : start);
    if (cuts.size < MOST_CUTS) return;
    for (const item of scripts) if (!cuts.has(item)) cuts.set(item, proofSpan(outline, item).start);
  }

  readonly #usingAll: Using = (item) => (this.#nameOf(item) === undefined ? undefined : 'All');

  #nameOf(item: TheoremItem): string | undefined {
    return this.#script.statementsByCustom.find((statement) => statement.item === item && statement.inSection)
      ?.name;
  }

  /** Holes in sections that do not say themselves what their proofs use. */
  get #openInSections(): readonly TheoremItem[] {
    return this.#script.outline.statements.filter(
      (item) =>
        item.using === undefined &&
        this.#isAdmitted(item) &&
        (this.#nameOf(item) !== undefined ||
          ((isOfProgram(item) || isGoal(item)) && this.#script.placeOf(item).inSection)),
    );
  }

  /**
   * What they are called, as far as that is known, and for which of them a default is in force, with no words behind `Proof using`.
   * The prover tells: the default can come from a library. Where it cannot be asked, as in a proof inside another, there is none.
   */
  async #probed(): Promise<{
    readonly names: ReadonlyMap<TheoremItem, string>;
    readonly byDefault: ReadonlyMap<string, string>;
  }> {
    const holes = this.#openInSections;
    const result = await this.#withProbes();
    const constants = result.status === 'compiled' ? result.reference.constants : [];
    const names = namesOfHoles(this.#script, this.#isAdmitted, holes, constants);
    const byDefault = new Map<string, string>();
    const premises = new Map(constants.map(({ name, type }) => [lastPart(name), premisesOf(type).length]));
    for (const [index, item] of holes.entries()) {
      // A default is in force where it says `Proof`.
      const isUnderDefault = saysProof(this.#script, item);
      const [few, all] = [premises.get(probeName(index, 'default')), premises.get(probeName(index, 'all'))];
      if (isUnderDefault && few !== all) byDefault.set(orNothing(names.get(item)), '');
    }
    return { names, byDefault };
  }

  #withProbes(): Promise<ReferenceResult> {
    const isAdmitted = this.#isAdmitted;
    return this.#compiledEither((keepsCommands) =>
      textWithProbes(this.#script, { isAdmitted, keepsCommands }, this.#openInSections),
    );
  }

  async #compiledWhole(using: Using): Promise<ReferenceResult> {
    const result = await this.#compiledEither((keepsCommands) => this.#whole(using, keepsCommands));
    if (result.status === 'compiled') this.#used.set(result.reference, using);
    return result;
  }

  #whole(using: Using, keepsCommands: boolean): ReferenceText {
    return referenceText(this.#script, { isAdmitted: this.#isAdmitted, using, keepsCommands });
  }

  #statements(): Promise<ReferenceResult> {
    const isAdmitted = (item: TheoremItem): boolean => this.#isAdmitted(item) || isOpaqueLemma(item);
    return this.#compiledEither((keepsCommands) =>
      referenceText(this.#script, { isAdmitted, using: this.#usingAll, keepsCommands }),
    );
  }

  /** With the commands in proofs that are left out; without them where they need what is left out. */
  async #compiledEither(text: (keepsCommands: boolean) => ReferenceText): Promise<ReferenceResult> {
    const [kept, without] = [text(true), text(false)];
    const result = await this.#compile(kept);
    if (result.status !== 'failed' || kept.text === without.text) return result;
    return this.#compile(without);
  }

  /** Whether it does not compile without starting a program. */
  async startsPrograms(): Promise<boolean> {
    const { project, backend } = this.#settings;
    const { text } = this.#whole(() => undefined, true);
    const limits = { ...limitsOf(this.#settings), startsPrograms: false };
    const alone = await backend.compile({ ...this.#request, project, limits, text });
    return alone.status === 'stopped';
  }

  #compile(written: ReferenceText): Promise<ReferenceResult> {
    const { text } = written;
    let result = this.#compiled.get(text);
    if (result === undefined) {
      result = this.#compileAnew(written);
      this.#compiled.set(text, result);
      // What was broken off is tried again.
      void result.then(
        ({ status }) => {
          if (status === 'unknown') this.#compiled.delete(text);
        },
        () => this.#compiled.delete(text),
      );
    }
    return result;
  }

  async #compileAnew({ text, replacements }: ReferenceText): Promise<ReferenceResult> {
    const { project } = this.#settings;
    const request = { ...this.#request, project, limits: limitsOf(this.#settings), text };
    const result = await compiledOnce(request, this.#settings, { useKept: this.#useKept });
    if (result.status === 'failed') return { ...result, error: placedInTarget(result.error, replacements) };
    if (result.status !== 'compiled') return result;
    const unit = remembering(result.unit);
    const file = readCompiledFile(unit.bytes);
    return { status: 'compiled', reference: referenceOf(file, unit) };
  }
}

/** The same questions come with each submission. */
function remembering(unit: CompiledUnit): CompiledUnit {
  const known = new Set<string>();
  let plugins: readonly string[] | undefined;
  return {
    ...unit,
    plugins: async (limits) => (plugins ??= (await unit.plugins?.(limits)) ?? []),
    propositions: async (names, limits) => {
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length > 0) for (const name of await unit.propositions(unknown, limits)) known.add(name);
      return new Set(names.filter((name) => known.has(name)));
    },
  };
}
