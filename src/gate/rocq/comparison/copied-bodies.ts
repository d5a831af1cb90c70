/** What stands in the submission behind another name of a constant (`Module N := M`, `Include M`), where the target has one. */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn } from '../compiled/declarations.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { hasTag, type Shape } from '../compiled/kernel-shape.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';
import type { ComparisonWork } from './comparison-work.ts';
import { KernelEquality } from './kernel-equality.ts';
import { originals } from './name-pairs.ts';

export class CopiedBodies {
  readonly #files: { readonly target: CompiledFile; readonly submission: CompiledFile };
  readonly #layout: KernelLayout;
  readonly #equality: KernelEquality;
  #originals: ReadonlyMap<string, string> | undefined;
  /** Of the submission, by its names. */
  #bodies: ReadonlyMap<string, OcamlValue> | undefined;

  constructor(
    files: {
      readonly target: CompiledFile;
      readonly submission: CompiledFile;
      readonly work: ComparisonWork;
    },
    layout: KernelLayout,
  ) {
    this.#files = files;
    this.#layout = layout;
    // Both are of one file, in which nothing is renamed: no name has a blank.
    this.#equality = new KernelEquality(' ', files.work);
  }

  /** Whether the target has a copy of that name, and the submission's body of it is the one of what it is a copy of. */
  isCopied(name: string, shape: Shape, body: OcamlValue): boolean {
    this.#originals ??= originals(this.#files.target);
    const original = this.#originals.get(name);
    if (original === undefined) return false;
    this.#bodies ??= this.#bodiesInSubmission();
    const first = this.#bodies.get(original);
    if (first === undefined || !hasTag(first, BODY.transparent)) return false;
    return this.#equality.attempt(() => this.#equality.same(shape, first, body));
  }

  #bodiesInSubmission(): ReadonlyMap<string, OcamlValue> {
    const bodies = new Map<string, OcamlValue>();
    for (const { name, kind, value } of declarationsIn(this.#files.submission))
      if (kind === 'constant') bodies.set(name, this.#layout.constant.of(value, 'body'));
    return bodies;
  }
}
