/**
 * Which recursion that is not confirmed the target has, too: that very function, since another one in the same declaration says
 * something else.
 */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import { KernelEquality } from '../comparison/kernel-equality.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { constantsIn, declarationsIn } from '../compiled/declarations.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, hasTag } from '../compiled/kernel-shape.ts';
import { insideOf, libraryOf, logicalName, PARAMETER } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { partsOf, TermReader, type Term } from './kernel-terms.ts';
import type { Part, UnconfirmedRecursion } from './unconfirmed-recursion.ts';

export interface Compared {
  readonly target: CompiledFile;
  readonly submission: CompiledFile;
  readonly work: ComparisonWork;
}

export class RecursionOfTarget {
  readonly #work: ComparisonWork;
  readonly #library: OcamlValue;
  readonly #layout: KernelLayout;
  readonly #closed: readonly OcamlValue[];
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #ofTarget: ReadonlyMap<string, OcamlValue>;
  readonly #ofSubmission: ReadonlyMap<string, OcamlValue>;
  readonly #hasNewCopies: () => boolean;
  readonly #terms: TermReader;
  readonly #mayChange: boolean;

  /** @param unconfirmed of the target. @param mayChange Whether the policy lets values change, opaque ones among them. */
  constructor(
    { target, submission, work }: Compared,
    unconfirmed: readonly UnconfirmedRecursion[],
    mayChange: boolean,
  ) {
    const { layout, name } = compiledLibrary(submission);
    this.#work = work;
    this.#library = name;
    this.#layout = layout;
    this.#closed = unconfirmed.flatMap(({ isClosed, function: itself }) => (isClosed ? [itself] : []));
    this.#parts = new Map(unconfirmed.flatMap(({ parts }) => parts.map((part) => [part.key, part] as const)));
    this.#ofTarget = constantsIn(target);
    this.#ofSubmission = constantsIn(submission);
    this.#hasNewCopies = lazyConstant(() => copiesIn(submission).some((copy) => !this.#ofTarget.has(copy)));
    this.#terms = new TermReader(layout);
    this.#mayChange = mayChange;
  }

  /**
   * Whether the target has a function of the submission by itself, or all that it stands in: what a variable of it stands for is
   * told by what is around it alone. And whether all that it reaches is what it is in the target. @throws MalformedValue, TooMuchWork
   */
  has({ isClosed, function: itself, parts }: UnconfirmedRecursion): boolean {
    const isThere =
      (isClosed && this.#closed.some((other) => this.#equality().same(this.#layout.term, itself, other))) ||
      (parts.length > 0 && parts.every((part) => this.#hasPart(part)));
    return isThere && this.#reachesTheSame(itself);
  }

  #hasPart({ key, shape, value, origin }: Part): boolean {
    const theirs = this.#parts.get(key);
    if (theirs === undefined) return false;
    const equality = this.#equality();
    return equality.same(shape, value, theirs.value) && equality.sameButGenerated(origin, theirs.origin);
  }

  /**
   * What computes otherwise than in the target could make it run for ever: a definition that was changed, a hole that has a value
   * now, and what a functor's parameter stands for in a module that the target does not have.
   */
  #reachesTheSame(itself: OcamlValue): boolean {
    const seen = new Set<string>();
    const terms = [this.#terms.term(itself)];
    for (let term = terms.pop(); term !== undefined; term = terms.pop())
      for (const name of constantsOf(term)) {
        if (seen.has(name)) continue;
        seen.add(name);
        if (name.startsWith(PARAMETER)) {
          if (this.#hasNewCopies()) return false;
        } else if (libraryOf(name) === logicalName(this.#library)) {
          const body = this.#sameBody(insideOf(name));
          if (body === undefined) return false;
          appendAll(terms, body);
        }
      }
    return true;
  }

  /** The body of a constant that can be looked into, or none; undefined where the target's is another one, or not known. */
  #sameBody(name: string): readonly Term[] | undefined {
    const [theirs, value] = [this.#ofTarget.get(name), this.#ofSubmission.get(name)];
    if (theirs === undefined || value === undefined) return undefined;
    const { constant } = this.#layout;
    const [before, body] = [constant.of(theirs, 'body'), constant.of(value, 'body')];
    if (hasTag(before, BODY.transparent))
      return this.#equality().same(constant.shape, value, theirs)
        ? [this.#terms.term(field(body, 0))]
        : undefined;
    if (hasTag(before, BODY.opaque)) return hasTag(body, BODY.opaque) && !this.#mayChange ? [] : undefined;
    return before instanceof Block && body instanceof Block && before.tag === body.tag ? [] : undefined;
  }

  #equality(): KernelEquality {
    return new KernelEquality(this.#library, this.#work);
  }
}

function* constantsOf(term: Term, seen = new Set<Term>()): Generator<string> {
  if (seen.has(term)) return;
  seen.add(term);
  if (term.kind === 'constant') yield term.name;
  for (const [part] of partsOf(term)) yield* constantsOf(part, seen);
}

/** Constants of modules that functors have made. */
function copiesIn(file: CompiledFile): readonly string[] {
  return [...declarationsIn(file)].flatMap(({ name, kind, made }) =>
    kind === 'constant' && made === 'by-another' ? [name] : [],
  );
}
