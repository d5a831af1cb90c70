/**
 * What proofs rest on in the files that are not installed with the prover, by following what these say. The prover's own
 * answer leaves out what is reached by a primitive projection alone (`Print Assumptions` does not look at the record),
 * and what only a statement computes with.
 */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { CompiledFile } from './compiled-file.ts';
import type { Dependency } from './compiled-library.ts';
import { inBody, mentionsIn, type DeclaredMentions, type LibraryMentions } from './mentions.ts';
import { inside, insideOf, libraryOf } from './module-paths.ts';
import type { FindLibrary } from './closed-proofs.ts';
import type { Unchecked } from './unchecked.ts';

export interface ReachedGrounds {
  /** Full names, as `Lib#M.law`, of axioms and of what is left open: by bodies, as the prover looks, and by records. */
  readonly open: readonly string[];
  /** What was declared without a check, by whatever mentions it. */
  readonly unchecked: readonly { readonly name: string; readonly check: Unchecked }[];
  /** All that is mentioned, what is installed, too, as far as the files that are not installed mention it. */
  readonly mentioned: ReadonlySet<string>;
}

export class GroundsReached {
  readonly #findForeign: FindLibrary;
  readonly #read = new Map<string, LibraryMentions | undefined>();
  /** The library that is judged. */
  readonly own: string;
  /** Of any library that is loaded. */
  readonly #rules: () => Promise<NonNullable<LibraryMentions['rules']>>;

  /**
   * @param findForeign the file of a library; undefined for one that is installed with the prover.
   * @param all the libraries that the file was made with.
   * @throws MalformedValue when the file does not have the known layout.
   */
  constructor(file: CompiledFile, findForeign: FindLibrary, all: () => Promise<readonly Dependency[]>) {
    this.#findForeign = findForeign;
    const mentions = mentionsIn(file);
    this.own = mentions.library;
    this.#read.set(mentions.library, mentions);
    this.#rules = lazyConstant(async () => {
      const names = mentions.rules === undefined ? [] : [this.own, ...(await all()).map(({ name }) => name)];
      return (await Promise.all(names.map((name) => this.#library(name)))).flatMap(
        (library) => library?.rules ?? [],
      );
    });
  }

  /**
   * @param name of a constant of the file, qualified by the modules inside it.
   * @throws MalformedValue when a file does not have the known layout.
   */
  async of(name: string): Promise<ReachedGrounds> {
    const full = inside(this.own, name);
    const mentioned = await this.#reached([full], 'all');
    // By rules, what is said can be computed with though no body shows it.
    const rules = (await this.#rules()).filter(([symbol]) => mentioned.has(symbol));
    const byBodies = await this.#reached([full, ...rules.map(([, made]) => made)], 'bodies');
    const open: string[] = [];
    for (const one of byBodies) {
      const assumed = one === full ? undefined : (await this.#declared(one))?.assumed;
      if (assumed === 'axiom' || assumed === 'admitted') open.push(one);
    }
    const unchecked: { readonly name: string; readonly check: Unchecked }[] = [];
    for (const one of mentioned)
      for (const check of (await this.#declared(one))?.unchecked ?? []) unchecked.push({ name: one, check });
    return { open, unchecked, mentioned };
  }

  /** @param by Whether what a constant says is followed, too; that of an inductive type is always. */
  async #reached(roots: readonly string[], by: 'bodies' | 'all'): Promise<ReadonlySet<string>> {
    const reached = new Set(roots);
    const rules = await this.#rules();
    // What is found while it runs is looked at, too.
    for (const name of reached) {
      for (const [symbol, made] of rules) if (symbol === name) reached.add(made);
      const declared = await this.#declared(name);
      if (declared === undefined) continue;
      const { said, proof, isInductive } = declared;
      if (proof !== undefined)
        for (const one of [proof.library, ...proof.substituted])
          await this.#library(libraryOf(inside(one, '')));
      if (isInductive || by === 'all') for (const one of said.names) reached.add(one);
      for (const one of inBody(declared, (library) => this.#read.get(library))) reached.add(one);
    }
    return reached;
  }

  async #declared(name: string): Promise<DeclaredMentions | undefined> {
    return (await this.#library(libraryOf(name)))?.declared.get(insideOf(name));
  }

  async #library(name: string): Promise<LibraryMentions | undefined> {
    if (!this.#read.has(name)) {
      const file = await this.#findForeign(name);
      this.#read.set(name, file && mentionsIn(file));
    }
    return this.#read.get(name);
  }
}
