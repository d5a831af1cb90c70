/**
 * The shape of the kernel's values in a compiled file of Rocq 8.16 and 8.17 (the two have the same), as far as the gate
 * compares them. The facts are those of Rocq's own checker (`checker/values.ml`).
 *
 * What is marked `ignored` cannot change what a statement means: names of bound variables, hash values, how a `match`
 * is printed, virtual-machine code, unfolding strategies.
 */

export type Shape =
  | { readonly kind: 'anything' | 'ignored' | 'integer' | 'string' }
  | { readonly kind: 'tuple'; readonly fields: readonly Shape[] }
  | { readonly kind: 'sum'; readonly constants: number; readonly variants: readonly (readonly Shape[])[] }
  | { readonly kind: 'list' | 'array' | 'option'; readonly of: Shape }
  /** A name made up by the prover with a counter: equal up to a one-to-one renaming. */
  | { readonly kind: 'generated'; readonly of: Shape }
  | { readonly kind: 'again'; readonly shape: () => Shape };

const anything: Shape = { kind: 'anything' };
const ignored: Shape = { kind: 'ignored' };
const integer: Shape = { kind: 'integer' };
const string: Shape = { kind: 'string' };
const tuple = (...fields: Shape[]): Shape => ({ kind: 'tuple', fields });
const sum = (constants: number, ...variants: Shape[][]): Shape => ({ kind: 'sum', constants, variants });
const enumeration = (constants: number): Shape => sum(constants);
const list = (of: Shape): Shape => ({ kind: 'list', of });
const array = (of: Shape): Shape => ({ kind: 'array', of });
const option = (of: Shape): Shape => ({ kind: 'option', of });
const generated = (of: Shape): Shape => ({ kind: 'generated', of });
const again = (shape: () => Shape): Shape => ({ kind: 'again', shape });

const boolean = enumeration(2);
const directoryPath = list(string);
export const boundModule = generated(tuple(integer, string, directoryPath));
const modulePath: Shape = sum(0, [directoryPath], [boundModule], [again(() => modulePath), string]);
const kernelName = tuple(modulePath, string, ignored);
const globalName = sum(0, [kernelName], [kernelName, kernelName]);
const inductiveName = tuple(globalName, integer);
const constructorName = tuple(inductiveName, integer);

const map = (key: Shape, value: Shape): Shape => {
  const tree: Shape = sum(1, [again(() => tree), key, value, again(() => tree), integer]);
  return tree;
};
const set = (element: Shape): Shape => {
  const tree: Shape = sum(1, [again(() => tree), element, again(() => tree), integer]);
  return tree;
};

const globalLevel = generated(tuple(directoryPath, string, integer));
const level = tuple(ignored, sum(3, [globalLevel], [integer]));
const universe = list(tuple(level, integer));
const constraints = set(tuple(level, enumeration(3), level));
const instance = array(level);
const abstractUniverses = tuple(ignored, constraints);
/** The set of levels follows from where they are used; it is ordered by hash values. */
const universeContext = tuple(ignored, constraints);

const sort = sum(3, [universe]);
const relevance = enumeration(2);
const binder = tuple(ignored, relevance);
const polymorphic = (of: Shape): Shape => tuple(of, instance);
const caseInformation = tuple(inductiveName, integer, array(integer), array(integer), relevance, ignored);
const projectionName = tuple(tuple(inductiveName, boolean, integer, integer, string), boolean);

const branch = tuple(
  array(binder),
  again(() => term),
);
const definitions = tuple(array(binder), array(again(() => term)), array(again(() => term)));

/** The tags of the constructors of terms that the gate handles by themselves. */
export const TERM = {
  rel: 0,
  sort: 4,
  cast: 5,
  prod: 6,
  lambda: 7,
  letIn: 8,
  application: 9,
  case: 13,
  fix: 14,
  cofix: 15,
  projection: 16,
  array: 19,
} as const;

export const term: Shape = sum(
  0,
  [integer],
  [string],
  [anything],
  [anything],
  [sort],
  [again(() => term), enumeration(3), again(() => term)],
  [binder, again(() => term), again(() => term)],
  [binder, again(() => term), again(() => term)],
  [binder, again(() => term), again(() => term), again(() => term)],
  [again(() => term), array(again(() => term))],
  [polymorphic(globalName)],
  [polymorphic(inductiveName)],
  [polymorphic(constructorName)],
  [
    caseInformation,
    instance,
    array(again(() => term)),
    branch,
    sum(1, [array(again(() => term))]),
    again(() => term),
    array(branch),
  ],
  [tuple(tuple(array(integer), integer), definitions)],
  [tuple(integer, definitions)],
  [projectionName, again(() => term)],
  [anything],
  [anything],
  [instance, array(again(() => term)), again(() => term), again(() => term)],
);

const declaration = sum(0, [binder, term], [binder, term, term]);
const context = list(declaration);

const deltaHint = sum(0, [integer, option(tuple(term, abstractUniverses))], [kernelName]);
export const resolver = tuple(map(modulePath, modulePath), map(integer, map(kernelName, deltaHint)));

/** The flags under which a declaration was checked, in order. */
export const FLAG = { guarded: 0, positive: 1, universes: 2, oracle: 3 } as const;
export const typingFlags = tuple(
  ...[0, 1, 2].map(() => boolean),
  ignored,
  ...[4, 5, 6, 7, 8, 9, 10, 11].map(() => boolean),
);

export const universes = sum(1, [abstractUniverses]);

/** The fields of a constant and the tags of its body. */
export const CONSTANT = { body: 2, type: 3, universes: 6, flags: 8 } as const;
export const BODY = { undefined: 0, transparent: 1, opaque: 2, primitive: 3 } as const;
export const constantFields: readonly Shape[] = [
  anything,
  instance,
  sum(0, [option(integer)], [term], [ignored], [integer]),
  term,
  relevance,
  ignored,
  universes,
  boolean,
  typingFlags,
];

const recursiveArgument = sum(1, [inductiveName], [sum(0, [inductiveName], [globalName])]);
const wellFounded: Shape = sum(
  0,
  [integer, integer],
  [recursiveArgument, array(again(() => wellFounded))],
  [integer, array(again(() => wellFounded))],
);
const oneInductive = tuple(
  string,
  context,
  sum(0, [tuple(term, sort)], [tuple(sort)]),
  array(string),
  array(term),
  integer,
  integer,
  enumeration(4),
  array(tuple(context, term)),
  array(integer),
  array(integer),
  wellFounded,
  relevance,
  integer,
  integer,
  ignored,
);

/** The place of the flags in an inductive declaration. */
export const INDUCTIVE_FLAGS = 14;
export const inductive = tuple(
  array(oneInductive),
  sum(2, [array(tuple(string, array(string), array(relevance), array(term)))]),
  enumeration(3),
  integer,
  anything,
  instance,
  integer,
  integer,
  context,
  universes,
  option(tuple(list(option(level)), universeContext)),
  option(array(enumeration(3))),
  option(array(enumeration(3))),
  option(boolean),
  typingFlags,
);

const algebraic: Shape = sum(
  0,
  [modulePath],
  [again(() => algebraic), modulePath],
  [again(() => algebraic), anything],
);
const moduleExpression: Shape = sum(
  0,
  [algebraic],
  [boundModule, again(() => moduleType), again(() => moduleExpression)],
);

/** The tags of what a module contains. */
export const FIELD = { constant: 0, inductive: 1, module: 2, moduleType: 3 } as const;
const structure = list(
  tuple(
    string,
    sum(0, [tuple(...constantFields)], [inductive], [again(() => module)], [again(() => moduleType)]),
  ),
);
/** `SIGNATURE.plain` is a module, `SIGNATURE.functor` takes one. */
export const SIGNATURE = { plain: 0, functor: 1 } as const;
export const signature: Shape = sum(
  0,
  [structure],
  [boundModule, again(() => moduleType), again(() => signature)],
);

/** The fields of a module and the ways to give its contents. */
export const MODULE = { contents: 1, signature: 2 } as const;
/** Contents without a block: 0 nothing (abstract), 1 the signature itself. Blocks: an expression, or a structure. */
export const CONTENTS = { abstract: 0, signature: 1, expression: 0, structure: 1 } as const;
export const moduleFields: readonly Shape[] = [
  modulePath,
  sum(2, [moduleExpression], [signature]),
  signature,
  option(moduleExpression),
  resolver,
  anything,
];
export const module: Shape = tuple(...moduleFields);
export const moduleTypeFields: readonly Shape[] = [
  modulePath,
  ignored,
  signature,
  option(moduleExpression),
  resolver,
  ignored,
];
export const moduleType: Shape = tuple(...moduleTypeFields);

/** The fields of a compiled library. */
export const LIBRARY = { name: 0, module: 1, universes: 2, dependencies: 3 } as const;

/** True for the versions, as the header writes them, whose layout this file describes. */
export function layoutKnown(version: number): boolean {
  return version >= 81600 && version < 81800;
}
