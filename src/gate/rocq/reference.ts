/**
 * The target as a compiled library, with its holes admitted: what every submission is compared with. It is compiled once
 * for many submissions, and kept by its content beyond this process.
 *
 * A statement in a section is generalised over the variables that its proof uses, and a hole has no proof. Which they are
 * depends on the submission, so such a target is compiled when a submission shows what its proofs use, with that choice
 * (`Proof using`). What is compared then has to be the same, and what the target means otherwise must not depend on the choice
 * (`asItStands`), so nothing rests on how it was found.
 */
import { orNothing } from '../../core/entry.ts';
import { lastPart } from '../../core/qualified-name.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import { declaredConstants } from './compiled/declarations.ts';
import type { CompiledUnit } from './provers/judge-backend.ts';
import { limitsOf, type JudgeSettings } from './judgement.ts';
import { placedInTarget } from './target-problem.ts';
import { compiledOnce } from './reference-cache.ts';
import type { Reference, ReferenceResult } from './reference-result.ts';
import {
  isGoal,
  isOfProgram,
  isOpaqueLemma,
  probeName,
  saysProof,
  referenceText,
  type ReferenceText,
  textUpTo,
  textWithProbes,
  type Using,
} from './text/reference-text.ts';
import type { Script } from './text/script.ts';
import type { ComparisonWork } from './comparison/comparison-work.ts';
import { premisesOf } from './comparison/left-out-premises.ts';
import { namesOfHoles, usedVariables, usingClauses } from './comparison/section-usage.ts';
import { dependencies } from './compiled/compiled-library.ts';

/** A target, or the beginning of it. */
export interface Standing {
  /** Undefined where not even a beginning is known to compile. */
  readonly result: ReferenceResult | undefined;
  /** The offset in the target at which the beginning ends; undefined: it is the whole. */
  readonly until?: number;
}

export class References {
  readonly #script: Script;
  readonly #settings: JudgeSettings;
  readonly #request: { readonly path: string; readonly moduleName: string };
  readonly #isAdmitted: (item: TheoremItem) => boolean;
  /** Compiled until now, by text. */
  readonly #compiled: Map<string, Promise<ReferenceResult>>;
  #useKept = true;

  constructor(
    script: Script,
    isAdmitted: (item: TheoremItem) => boolean,
    settings: JudgeSettings,
    request: { readonly path: string; readonly moduleName: string },
  ) {
    this.#script = script;
    this.#isAdmitted = isAdmitted;
    this.#settings = settings;
    this.#request = request;
    this.#compiled = settings.begun?.targets ?? new Map<string, Promise<ReferenceResult>>();
  }

  /** Does what can be done before there is a submission: a target with the libraries of the reference is compiled. */
  start(): Promise<ReferenceResult> {
    const begun = this.#openInSections.length === 0 ? this.forNone() : this.#compile(this.#withProbes());
    begun.catch(() => undefined);
    return begun;
  }

  /** What there is without a submission: the reference, unless it depends on one. */
  forNone(): Promise<ReferenceResult> {
    return this.#compile(this.#whole(() => undefined));
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
    if (this.#openInSections.length === 0) return this.#compile(this.#whole(() => undefined));
    const { names, byDefault } = await this.#probed();
    const withClauses = (clauses: ReadonlyMap<string, string>): ReferenceText =>
      this.#whole((item) => clauses.get(orNothing(names.get(item))));
    const plain = withClauses(byDefault);
    if (byDefault.size === names.size) return this.#compile(plain);
    const shown = new Map(byDefault);
    for (const [name, variables] of usedVariables(submission))
      if (!shown.has(name)) shown.set(name, `Type ${variables.join(' ')}`.trim());
    const isShown = [...names.values()].every((name) => shown.has(name));
    if (isShown) {
      const result = await this.#compile(withClauses(shown));
      if (result.status !== 'failed') return result;
    }
    // Where the submission does not show what its proofs use, its statements do, compared with the most general ones.
    for (const text of [this.#statements(), plain]) {
      const statements = await this.#compile(text);
      if (statements.status === 'unknown') return statements;
      if (statements.status !== 'compiled') continue;
      const found = usingClauses(statements.reference.file, submission, work);
      const result = await this.#compile(withClauses(new Map([...found, ...shown])));
      if (result.status !== 'failed') return result;
    }
    return this.#compile(plain);
  }

  /**
   * The target with its holes as general as they can be, where the reference is another one: what it means otherwise must be
   * the same. Where it does not compile so, its beginning that does.
   */
  async asItStands(reference: Reference): Promise<Standing | undefined> {
    if (this.#openInSections.length === 0) return undefined;
    const { byDefault, names } = await this.#probed();
    const using: Using = (item) => byDefault.get(orNothing(names.get(item)));
    const whole = await this.#compile(this.#whole(using));
    if (whole.status === 'compiled' && whole.reference === reference) return undefined;
    if (whole.status !== 'failed') return { result: whole };
    const { sentences } = this.#script.outline;
    const at = whole.error.span?.start;
    const failing = at === undefined ? undefined : sentences.findLast(({ span }) => span.start <= at);
    const until = failing === undefined ? 0 : failing.span.start;
    const result = await this.#compile(textUpTo(this.#script, this.#isAdmitted, using, until));
    return { result: result.status === 'failed' ? undefined : result, until };
  }

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
    const result = await this.#compile(this.#withProbes());
    const constants = result.status === 'compiled' ? result.reference.constants : [];
    const names = namesOfHoles(this.#script, this.#isAdmitted, holes, constants);
    const byDefault = new Map<string, string>();
    const premises = new Map(constants.map(({ name, type }) => [lastPart(name), premisesOf(type).length]));
    for (const [index, item] of holes.entries()) {
      // For an obligation a default is in force where it says `Proof`; for all others it is taken to be.
      const isUnderDefault = !isOfProgram(item) || saysProof(this.#script, item);
      const [few, all] = [premises.get(probeName(index, 'default')), premises.get(probeName(index, 'all'))];
      if (isUnderDefault && few !== all) byDefault.set(orNothing(names.get(item)), '');
    }
    return { names, byDefault };
  }

  #withProbes(): ReferenceText {
    return textWithProbes(this.#script, this.#isAdmitted, this.#openInSections);
  }

  #whole(using: Using): ReferenceText {
    return referenceText(this.#script, this.#isAdmitted, using);
  }

  #statements(): ReferenceText {
    return referenceText(
      this.#script,
      (item) => this.#isAdmitted(item) || isOpaqueLemma(item),
      (item) => (this.#nameOf(item) === undefined ? undefined : 'All'),
    );
  }

  /** Whether it does not compile without starting a program. */
  async startsPrograms(): Promise<boolean> {
    const { project, backend } = this.#settings;
    const { text } = this.#whole(() => undefined);
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
    const reference = { file, unit, constants: declaredConstants(file) };
    return { status: 'compiled', reference };
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

function agreeOnLibraries(one: CompiledFile, other: CompiledFile): boolean {
  const digests = new Map(dependencies(one).libraries.map(({ name, digest }) => [name, digest]));
  return dependencies(other).libraries.every(({ name, digest }) => (digests.get(name) ?? digest) === digest);
}
