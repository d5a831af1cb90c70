/** What the guard checker knows of the values of variables. */
import type { Tree } from './recursive-types.ts';

/** What is known of a value: that it is the argument, or smaller, and what it is made of; undefined: nothing. */
export type Size =
  | {
      readonly isSmaller: boolean;
      readonly tree: Tree;
      /** Of a function, whose results this is known of: at which place it takes what it recurs on. */
      readonly place?: number;
    }
  | undefined;

/** Sizes of the variables around a term, the innermost last. */
export type Context = readonly Size[];

export function withUnknown(context: Context, count: number): Context {
  return [...context, ...Array.from({ length: count }, () => undefined)];
}

/** @param given how many arguments it is applied to. */
export function sizeOfVariable(size: Size, given: number): Size {
  if (size?.place === undefined) return given === 0 || size?.isSmaller === true ? size : undefined;
  return given > size.place ? { isSmaller: size.isSmaller, tree: size.tree } : undefined;
}
