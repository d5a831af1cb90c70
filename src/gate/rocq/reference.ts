/**
 * The target as a compiled library, with its holes admitted: what every submission is compared with. It is compiled once
 * for many submissions, and kept by its content beyond this process.
 *
 * A statement in a section is generalised over the variables that its proof uses, and a hole has no proof. Which they are
 * depends on the submission, so such a target is compiled in two steps: first what it states, generalised over
 * everything; then, when a submission shows what its proofs use, the whole of it with that choice.
 */
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { readCompiledFile, type CompiledFile } from './compiled-file.ts';
import { declaredConstants, type DeclaredConstant } from './declared-constants.ts';
import type { CompiledUnit, CompileResult } from './judge-backend.ts';
import { KernelEquality } from './kernel-equality.ts';
import { limitsOf, type JudgeSettings } from './judgement.ts';
import { isOpaqueLemma, referenceText, type Using } from './reference-text.ts';
import type { Script } from './script.ts';
import { bindersLeftOut } from './section-usage.ts';
import { compiledLibrary, dependencies } from './unit-comparison.ts';

export interface Reference {
  readonly file: CompiledFile;
  readonly unit: CompiledUnit;
  readonly constants: readonly DeclaredConstant[];
  /** From an earlier judgement. */
  readonly wasKept: boolean;
}

export type ReferenceResult =
  | { readonly status: 'compiled'; readonly reference: Reference }
  | Exclude<CompileResult, { readonly status: 'compiled' }>;

export class References {
  readonly #script: Script;
  readonly #settings: JudgeSettings;
  readonly #request: { readonly path: string; readonly moduleName: string };
  readonly #isAdmitted: (item: TheoremItem) => boolean;
  /** Compiled until now, by text. */
  readonly #compiled = new Map<string, Promise<ReferenceResult>>();
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
  }

  /** What can be done before there is a submission. */
  start(): void {
    void this.forNone().catch(() => undefined);
  }

  /** What there is without a submission: the reference, or what the target states. */
  forNone(): Promise<ReferenceResult> {
    return this.#compile(this.#dependsOnSubmission() ? this.#statements() : this.#whole(() => undefined));
  }

  /**
   * The reference for a submission. One that was kept from another time is not taken when it was made with another file
   * of a library than the submission.
   */
  async for(submission: CompiledFile): Promise<ReferenceResult> {
    const result = await this.#for(submission);
    if (result.status !== 'compiled' || !result.reference.wasKept) return result;
    if (agreeOnLibraries(result.reference.file, submission)) return result;
    this.#useKept = false;
    this.#compiled.clear();
    return this.#for(submission);
  }

  async #for(submission: CompiledFile): Promise<ReferenceResult> {
    if (!this.#dependsOnSubmission()) return this.#compile(this.#whole(() => undefined));
    const statements = await this.#compile(this.#statements());
    if (statements.status !== 'compiled') {
      // What its statements are alone cannot be said; then they are what the prover makes of them without a proof.
      return statements.status === 'failed' ? this.#compile(this.#whole(() => undefined)) : statements;
    }
    const left = leftOut(statements.reference, submission);
    const using: Using = (item) => {
      const names = this.#script.statements.find((statement) => statement.item === item);
      const variables = names?.inSection === true ? left.get(names.name) : undefined;
      if (variables === undefined) return undefined;
      return variables.length === 0 ? 'All' : `All -(${variables.join(' ')})`;
    };
    return this.#compile(this.#whole(using));
  }

  /** Holes in sections, where the target does not say itself what their proofs use. */
  #dependsOnSubmission(): boolean {
    if (/Default\s+Proof\s+Using/.test(this.#script.source.text)) return false;
    return this.#script.statements.some(
      ({ item, inSection }) => inSection && item.using === undefined && this.#isAdmitted(item),
    );
  }

  #whole(using: Using): string {
    return referenceText(this.#script, this.#isAdmitted, using);
  }

  #statements(): string {
    const inSection = new Set(
      this.#script.statements.filter((statement) => statement.inSection).map(({ item }) => item),
    );
    return referenceText(
      this.#script,
      (item) => this.#isAdmitted(item) || isOpaqueLemma(item),
      (item) => (inSection.has(item) ? 'All' : undefined),
    );
  }

  #compile(text: string): Promise<ReferenceResult> {
    let result = this.#compiled.get(text);
    if (result === undefined) {
      result = this.#compileAnew(text);
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

  async #compileAnew(text: string): Promise<ReferenceResult> {
    const { backend, project } = this.#settings;
    const request = { ...this.#request, project, limits: limitsOf(this.#settings), text };
    const { references } = this.#settings;
    const kept = this.#useKept ? await references?.get(request) : undefined;
    const result: CompileResult =
      kept === undefined ? await backend.compile(request) : { status: 'compiled', unit: kept };
    if (result.status !== 'compiled') return result;
    const { unit } = result;
    if (kept === undefined) await references?.put(request, unit.bytes);
    const file = readCompiledFile(unit.bytes);
    const reference = { file, unit, constants: declaredConstants(file), wasKept: kept !== undefined };
    return { status: 'compiled', reference };
  }
}

function agreeOnLibraries(one: CompiledFile, other: CompiledFile): boolean {
  const digests = new Map(dependencies(one).libraries.map(({ name, digest }) => [name, digest]));
  return dependencies(other).libraries.every(({ name, digest }) => (digests.get(name) ?? digest) === digest);
}

/** For statements of a section: the variables that the submission's proofs do not use. */
function leftOut(
  { file, constants }: Reference,
  submission: CompiledFile,
): ReadonlyMap<string, readonly string[]> {
  const { layout, library } = compiledLibrary(file);
  const theirs = new Map(declaredConstants(submission).map((constant) => [constant.name, constant]));
  const left = new Map<string, readonly string[]>();
  for (const { name, body, type } of constants) {
    const counterpart = body === 'undefined' ? theirs.get(name) : undefined;
    if (counterpart === undefined) continue;
    // Each by itself: levels are renamed as one statement needs it.
    const equality = new KernelEquality(layout.library.of(library, 'name'), layout);
    const names = bindersLeftOut(layout, equality, type, counterpart.type);
    if (names !== undefined) left.set(name, names);
  }
  return left;
}
