/** What stands in the submission behind another name of a constant (`Module N := M`, `Include M`), where the target has one. */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { constantsIn } from '../compiled/declarations.ts';
import { hasTag, type Shape } from '../compiled/kernel-shape.ts';
import type { OcamlValue } from '../compiled/ocaml-values.ts';
import type { ComparisonRequest } from './comparison-request.ts';
import { KernelEquality } from './kernel-equality.ts';
import { originals } from './name-pairs.ts';

/** Whether the target has a copy of that name, and the submission's body of it is the one of what it is a copy of. */
export type IsCopied = (name: string, shape: Shape, body: OcamlValue) => boolean;

export function copiedBodies({ target, submission, work }: ComparisonRequest): IsCopied {
  const { layout } = compiledLibrary(submission);
  // Both are of one file, in which nothing is renamed: no name has a blank.
  const equality = new KernelEquality(' ', work);
  const copies = lazyConstant(() => originals(target));
  const constants = lazyConstant(() => constantsIn(submission));
  return (name, shape, body) => {
    const original = copies().get(name);
    const value = original === undefined ? undefined : constants().get(original);
    const first = value === undefined ? 0 : layout.constant.of(value, 'body');
    if (!hasTag(first, BODY.transparent)) return false;
    return equality.attempt(() => equality.same(shape, first, body));
  };
}
