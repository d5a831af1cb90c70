/**
 * The shape of the kernel's values in a compiled file, by the release of Rocq that wrote it, as far as the gate compares
 * them: modules and the library here, what is in them in `declaration-layout.ts` and `term-layout.ts`. The facts are
 * those of Rocq's own checker (`checker/values.ml`) and of `kernel/mod_declarations.ml` and `safe_typing.ml`.
 */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { constantLayout, inductiveLayout, rewriteRulesLayout } from './declaration-layout.ts';
import {
  again,
  anything,
  array,
  boolean,
  Fields,
  hasTag,
  field,
  ignored,
  list,
  misfit,
  option,
  set,
  type Shape,
  string,
  sum,
  tuple,
} from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { boundModule, modulePathShape, type Release, termLayout } from './term-layout.ts';

export type KernelLayout = ReturnType<typeof describe>;

/**
 * The numbers with which compiled files of a release begin: 81601 for 8.16.1, but 81999 for all of 8.19 and 90299 for
 * 9.2.0. What comes before a release (8.18+rc1 is 81799) is in none of them, with one exception: 8.20 began with 8.19's
 * number and 9.3 with 9.2's. Where their layouts differ by then, a value does not fit and nothing is concluded.
 */
const RELEASES: readonly (readonly [release: Release, first: number, last: number])[] = [
  [816, 81600, 81600 + 98],
  // The same layout as 8.16.
  [816, 81700, 81700 + 98],
  [818, 81800, 81800 + 98],
  [819, 81900, 81999],
  [820, 82000, 82000 + 98],
  [900, 90000, 90000 + 98],
  [901, 90100, 90100 + 98],
  [902, 90200, 90299],
];

const LAYOUTS = new Map(
  RELEASES.map(([release]) => [release, lazyConstant(() => describe(release))] as const),
);

/** The layout of files of a version, as their header writes it; undefined where it is not known. */
export function layoutOf(version: number): KernelLayout | undefined {
  const release = RELEASES.find(([, first, last]) => version >= first && version <= last)?.[0];
  return release === undefined ? undefined : LAYOUTS.get(release)?.();
}

/** `SIGNATURE.plain` is a module, `SIGNATURE.functor` takes one. */
export const SIGNATURE = { plain: 0, functor: 1 } as const;
/** Contents without a block: 0 nothing (abstract), 1 the signature itself. Blocks: an expression, or a structure. */
export const CONTENTS = { abstract: 0, signature: 1, expression: 0, structure: 1 } as const;

export type DeclarationKind = 'constant' | 'inductive' | 'rewrite rules' | 'module' | 'module type';

function describe(release: Release) {
  const terms = termLayout(release);
  const { term, abstractUniverses, universeContext, resolver } = terms;
  const constant = constantLayout(release, terms);
  const inductive = inductiveLayout(release, terms);
  const rewriteRules = rewriteRulesLayout(release, terms);

  const withDeclaration = sum(
    0,
    [list(string), modulePathShape],
    [list(string), tuple(term, option(abstractUniverses))],
  );
  const algebraic: Shape = sum(
    0,
    [modulePathShape],
    [again(() => algebraic), modulePathShape],
    [again(() => algebraic), withDeclaration],
  );
  /** From 8.18 on the parameters of a functor stand in its signature alone. */
  const moduleExpression: Shape = sum(
    0,
    [algebraic],
    release >= 818
      ? [again(() => moduleExpression)]
      : [boundModule, again(() => moduleType.shape), again(() => moduleExpression)],
  );
  /** In the order of their tags. */
  const declarations: readonly (readonly [DeclarationKind, Shape])[] = [
    ['constant', constant.shape],
    ['inductive', inductive.shape],
    ...(release >= 820 ? [['rewrite rules', rewriteRules] as const] : []),
    ['module', again(() => module.shape)],
    ['module type', again(() => moduleType.shape)],
  ];
  const structure = list(tuple(string, sum(0, ...declarations.map(([, shape]) => [shape]))));
  const signature: Shape = sum(
    0,
    [structure],
    [boundModule, again(() => moduleType.shape), again(() => signature)],
  );
  const implementation = sum(
    2,
    [moduleExpression],
    release >= 902 ? [resolver, structure] : release >= 818 ? [structure] : [signature],
  );
  // From 9.0 on a block says that there are contents, a module type has none; from 9.1 on the path is known from outside.
  const path = release >= 901 ? [] : [['path', modulePathShape] as const];
  const module = new Fields([
    ...path,
    ['contents', release >= 900 ? sum(0, [implementation]) : implementation],
    ['signature', signature],
    ['defining expression', option(moduleExpression)],
    ['aliases', resolver],
    ['registered constants', anything],
  ]);
  const moduleType = new Fields([
    ...path,
    ['contents', ignored],
    ['signature', signature],
    ['defining expression', option(moduleExpression)],
    ['aliases', resolver],
    ['registered constants', ignored],
  ]);

  const levels = ['universes', universeContext] as const;
  const sorts = ['sorts', tuple(set(terms.qualityVariable), terms.eliminationConstraints)] as const;
  const dependencies = array(tuple(list(string), sum(0, [string], [string, string])));
  const library = new Fields([
    ['name', list(string)],
    ['module', module.shape],
    ...(release === 901
      ? [['universes', tuple(set(terms.qualityVariable), universeContext)] as const]
      : [levels]),
    ...(release >= 902 ? [sorts] : []),
    ['dependencies', dependencies],
    ...(release >= 820 ? [['flags', tuple(boolean)] as const] : []),
  ]);

  return {
    release,
    ...terms,
    constant,
    inductive,
    rewriteRules,
    module,
    moduleType,
    library,
    /** @throws MalformedValue */
    kindOf({ tag }: Block): DeclarationKind {
      const kind = declarations[tag]?.[0];
      if (kind === undefined) throw misfit('a declaration');
      return kind;
    },
    /** What a module is made of: one of `CONTENTS`. */
    contentsOf(value: OcamlValue): OcamlValue {
      const contents = module.of(value, 'contents');
      return release >= 900 ? field(contents, 0) : contents;
    },
    /** The aliases and the declarations of contents that are a structure of their own, under a functor's parameters. */
    structureOf(contents: OcamlValue): { readonly aliases?: OcamlValue; readonly signature: OcamlValue } {
      if (!hasTag(contents, CONTENTS.structure)) throw misfit('a structure');
      if (release < 818) return { signature: field(contents, 0) };
      return release >= 902
        ? { aliases: field(contents, 0), signature: new Block(SIGNATURE.plain, [field(contents, 1)]) }
        : { signature: new Block(SIGNATURE.plain, [field(contents, 0)]) };
    },
    /** What the kernel knows of sorts that the library declares; undefined where there can be none. */
    declaredSorts(value: OcamlValue): { readonly shape: Shape; readonly value: OcamlValue } | undefined {
      if (release >= 902) return { shape: sorts[1], value: library.of(value, 'sorts') };
      return release === 901
        ? { shape: set(terms.qualityVariable), value: field(library.of(value, 'universes'), 0) }
        : undefined;
    },
    /** What the library demands of universe levels: a set. */
    constraintsOf(value: OcamlValue): OcamlValue {
      const universes = library.of(value, 'universes');
      return field(release === 901 ? field(universes, 1) : universes, 1);
    },
    /** Whether the library was compiled with `-allow-rewrite-rules`, or requires one that was. */
    allowsRewriteRules(value: OcamlValue): boolean {
      return release >= 820 && field(library.of(value, 'flags'), 0) !== 0;
    },
  };
}
