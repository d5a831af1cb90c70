/**
 * The target as a compiled library, with its holes admitted: what every submission is compared with. It is compiled once
 * for many submissions, and kept by its content beyond this process.
 *
 * A statement in a section is generalised over the variables that its proof uses, and a hole has no proof. Which they are
 * depends on the submission, so such a target is compiled when a submission shows what its proofs use, with that choice
 * (`Proof using`). What is compared then has to be the same, so nothing rests on how the choice was found.
 */
import { orNothing } from '../../core/entry.ts';
import { offsetBefore } from '../../core/replacement.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { lastPart } from '../../core/qualified-name.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import { declaredConstants } from './compiled/declarations.ts';
import type { CompiledUnit } from './provers/judge-backend.ts';
import { KernelEquality } from './comparison/kernel-equality.ts';
import { limitsOf, type JudgeSettings } from './judgement.ts';
import { compiledOnce } from './reference-cache.ts';
import type { Reference, ReferenceResult } from './reference-result.ts';
import {
  isOpaqueLemma,
  probeName,
  referenceText,
  type ReferenceText,
  textWithProbes,
  type Using,
} from './text/reference-text.ts';
import type { Script, Statement } from './text/script.ts';
import { bindersLeftOut, premisesOf, usedVariables } from './comparison/section-usage.ts';
import { compiledLibrary, dependencies } from './compiled/compiled-library.ts';

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
  async for(submission: CompiledFile): Promise<ReferenceResult> {
    const result = await this.#for(submission);
    if (result.status !== 'compiled' || !this.#useKept) return result;
    if (agreeOnLibraries(result.reference.file, submission)) return result;
    this.#useKept = false;
    this.#compiled.clear();
    return this.#for(submission);
  }

  async #for(submission: CompiledFile): Promise<ReferenceResult> {
    if (this.#openInSections.length === 0) return this.#compile(this.#whole(() => undefined));
    const byDefault = await this.#withDefaults();
    const plain = this.#withClauses(byDefault);
    if (byDefault.size === this.#openInSections.length) return this.#compile(plain);
    const shown = new Map(byDefault);
    for (const [name, variables] of usedVariables(submission))
      if (!shown.has(name)) shown.set(name, `Type ${variables.join(' ')}`.trim());
    const isShown = this.#openInSections.every(({ name }) => shown.has(name));
    if (isShown) {
      const result = await this.#compile(this.#withClauses(shown));
      if (result.status !== 'failed') return result;
    }
    // Where the submission does not show what its proofs use, its statements do, compared with the most general ones.
    for (const text of [this.#statements(), plain]) {
      const statements = await this.#compile(text);
      if (statements.status === 'unknown') return statements;
      if (statements.status !== 'compiled') continue;
      const found = usingClauses(statements.reference, submission);
      const result = await this.#compile(this.#withClauses(new Map([...found, ...shown])));
      if (result.status !== 'failed') return result;
    }
    return this.#compile(plain);
  }

  #withClauses(clauses: ReadonlyMap<string, string>): ReferenceText {
    return this.#whole((item) => clauses.get(orNothing(this.#nameOf(item))));
  }

  #nameOf(item: TheoremItem): string | undefined {
    return this.#script.statements.find((statement) => statement.item === item && statement.inSection)?.name;
  }

  /** Holes in sections that do not say themselves what their proofs use. */
  get #openInSections(): readonly Statement[] {
    return this.#script.statements.filter(
      ({ item, inSection }) => inSection && item.using === undefined && this.#isAdmitted(item),
    );
  }

  /**
   * Those of them for which a default is in force, with no words behind `Proof using`. The prover tells: the default can come
   * from a library. Where it cannot be asked, as in a proof inside another, there is none.
   */
  async #withDefaults(): Promise<ReadonlyMap<string, string>> {
    const holes = this.#openInSections;
    const result = await this.#compile(this.#withProbes());
    const byDefault = new Map<string, string>();
    if (result.status !== 'compiled') return byDefault;
    const premises = new Map(
      result.reference.constants.map(({ name, type }) => [lastPart(name), premisesOf(type)]),
    );
    for (const [index, { name }] of holes.entries())
      if (premises.get(probeName(index, 'default')) !== premises.get(probeName(index, 'all')))
        byDefault.set(name, '');
    return byDefault;
  }

  #withProbes(): ReferenceText {
    const items = this.#openInSections.map(({ item }) => item);
    return textWithProbes(this.#script, this.#isAdmitted, items);
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
    const unit = rememberingPropositions(result.unit);
    const file = readCompiledFile(unit.bytes);
    const reference = { file, unit, constants: declaredConstants(file) };
    return { status: 'compiled', reference };
  }
}

/** An error of the reference is told where it is in the target. */
function placedInTarget(error: Diagnostic, replacements: ReferenceText['replacements']): Diagnostic {
  if (error.span === undefined) return error;
  const start = offsetBefore(error.span.start, replacements);
  return { ...error, span: { start, end: Math.max(start, offsetBefore(error.span.end, replacements)) } };
}

/** The same question comes with each submission. */
function rememberingPropositions(unit: CompiledUnit): CompiledUnit {
  const known = new Set<string>();
  return {
    ...unit,
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

/**
 * For statements without a proof, which are generalised over everything: what stands behind `Proof using` so that they
 * are what the submission has proved.
 */
function usingClauses({ file, constants }: Reference, submission: CompiledFile): ReadonlyMap<string, string> {
  const { layout, library } = compiledLibrary(file);
  const theirs = new Map(declaredConstants(submission).map((constant) => [constant.name, constant]));
  const clauses = new Map<string, string>();
  for (const { name, body, type } of constants) {
    const counterpart = body === 'undefined' ? theirs.get(name) : undefined;
    if (counterpart === undefined) continue;
    // Each by itself: levels are renamed as one statement needs it.
    const equality = new KernelEquality(layout.library.of(library, 'name'), layout);
    const unused = bindersLeftOut(layout, equality, type, counterpart.type);
    if (unused !== undefined) clauses.set(name, unused.length === 0 ? 'All' : `All -(${unused.join(' ')})`);
  }
  return clauses;
}
