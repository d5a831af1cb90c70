/** How terms are named, and their kinds. */

declare const termBrand: unique symbol;

export type TermId = number & { readonly [termBrand]: true };

/** Kinds begin with 1, so that the zeros of a row that no term has are no kind. */
export const FREE = 1;
export const BOUND = 2;
export const CONSTANT = 3;
export const APPLICATION = 4;
export const ABSTRACTION = 5;
