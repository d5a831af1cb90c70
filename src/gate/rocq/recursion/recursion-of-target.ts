/**
 * Which recursion that is not confirmed the target has, too: that very function, since another one in the same declaration says
 * something else.
 */
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import { KernelEquality } from '../comparison/kernel-equality.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn } from '../compiled/declarations.ts';
import { hasTag } from '../compiled/kernel-shape.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';
import type { Part, UnconfirmedRecursion } from './unconfirmed-recursion.ts';

export class RecursionOfTarget {
  readonly #target: CompiledFile;
  readonly #work: ComparisonWork;
  readonly #closed: readonly OcamlValue[];
  readonly #parts: ReadonlyMap<string, Part>;

  /** @param unconfirmed of the target. */
  constructor(target: CompiledFile, unconfirmed: readonly UnconfirmedRecursion[], work: ComparisonWork) {
    this.#target = target;
    this.#work = work;
    this.#closed = unconfirmed.flatMap(({ isClosed, function: itself }) => (isClosed ? [itself] : []));
    this.#parts = new Map(unconfirmed.flatMap(({ parts }) => parts.map((part) => [part.key, part] as const)));
  }

  /**
   * Whether the target has a function of the submission by itself, or all that it stands in: what a variable of it stands for is
   * told by what is around it alone. @throws MalformedValue, TooMuchWork
   */
  has({ isClosed, function: itself, parts }: UnconfirmedRecursion): boolean {
    const { layout } = compiledLibrary(this.#target);
    if (isClosed && this.#closed.some((other) => this.#equality().same(layout.term, itself, other)))
      return true;
    return parts.length > 0 && parts.every((part) => this.#hasPart(part));
  }

  /** Whether a definition that can be looked into is another one in the submission, and with it perhaps what a function comes to. */
  isChanged(submission: CompiledFile): boolean {
    const { layout } = compiledLibrary(this.#target);
    const theirs = new Map(constantsOf(submission));
    return [...constantsOf(this.#target)].some(([name, value]) => {
      if (!hasTag(layout.constant.of(value, 'body'), BODY.transparent)) return false;
      const other = theirs.get(name);
      return other === undefined || !this.#equality().same(layout.constant.shape, other, value);
    });
  }

  #hasPart({ key, shape, value, origin }: Part): boolean {
    const theirs = this.#parts.get(key);
    if (theirs === undefined) return false;
    const equality = this.#equality();
    return equality.same(shape, value, theirs.value) && equality.sameButGenerated(origin, theirs.origin);
  }

  #equality(): KernelEquality {
    const { layout, library } = compiledLibrary(this.#target);
    return new KernelEquality(layout.library.of(library, 'name'), this.#work);
  }
}

function* constantsOf(file: CompiledFile): Generator<readonly [name: string, value: OcamlValue]> {
  for (const { name, kind, value } of declarationsIn(file)) if (kind === 'constant') yield [name, value];
}
