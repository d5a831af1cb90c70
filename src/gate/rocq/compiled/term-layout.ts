/**
 * The shape of names, universes and terms in a compiled file, by release. The facts are those of Rocq's own checker
 * (`checker/values.ml`) and of `kernel/names.ml`, `univ.ml`, `sorts.ml`, `uVars.ml`, `constr.ml`.
 *
 * What is marked `ignored` cannot change what a statement means: names of bound variables and universes, hash values, how
 * a `match` is printed.
 */
import {
  again,
  alias,
  anything,
  array,
  boolean,
  enumeration,
  field,
  generated,
  hasTag,
  ignored,
  integer,
  list,
  map,
  misfit,
  option,
  set,
  type Shape,
  string,
  sum,
  tuple,
  variable,
} from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

/** The releases whose layout is known, each a number that grows: 8.16 is 816, 9.0 is 900. */
export type Release = 816 | 818 | 819 | 820 | 900 | 901 | 902;

/** The tags of the constructors of terms that the gate handles by themselves; `array` depends on the release. */
export const TERM = {
  rel: 0,
  sort: 4,
  cast: 5,
  prod: 6,
  lambda: 7,
  letIn: 8,
  application: 9,
  constant: 10,
  inductive: 11,
  constructor: 12,
  case: 13,
  fix: 14,
  cofix: 15,
  projection: 16,
} as const;

const directoryPath = list(string);
export const boundModule = generated(tuple(integer, string, directoryPath));
export const modulePathShape: Shape = sum(
  0,
  [directoryPath],
  [boundModule],
  [again(() => modulePathShape), string],
);
const kernelName = tuple(modulePathShape, string, ignored);
/** Whatever name is used for it: the kernel takes two names of one thing for the same. */
export const globalName = alias(kernelName);
export const inductiveName = tuple(globalName, integer);
export const constructorName = tuple(inductiveName, integer);

export type TermLayout = ReturnType<typeof termLayout>;

export function termLayout(release: Release) {
  const qualities = release >= 819;

  const globalLevel = generated(tuple(directoryPath, string, integer));
  // Until 8.18 `SProp` and `Prop` are levels like `Set`.
  const level = tuple(ignored, sum(qualities ? 1 : 3, [globalLevel], [variable]));
  const universe = list(tuple(level, integer));
  /**
   * A bound variable of sort quality, one of the unifier's, or one that somebody declared. The second kind should not be
   * in a compiled file; if it is, it has to be the same.
   */
  const qualityVariable = sum(
    0,
    [integer],
    [string, integer],
    ...(release >= 901 ? [[tuple(directoryPath, string)]] : []),
  );
  const constantQuality = enumeration(3);
  const quality = sum(0, [qualityVariable], [constantQuality]);

  const levelConstraint = tuple(level, enumeration(3), level);
  const levelConstraints = set(levelConstraint);
  const eliminationConstraints = set(tuple(quality, enumeration(2), quality));
  const constraints = release >= 902 ? tuple(eliminationConstraints, levelConstraints) : levelConstraints;
  const instance = qualities ? tuple(array(quality), array(level)) : array(level);
  /** Bound universes are known by their places; how many there are is compared, their names are not. */
  const boundNames = array(ignored);
  const abstractUniverses = tuple(qualities ? tuple(boundNames, boundNames) : boundNames, constraints);
  /** The set of levels follows from where they are used; it is ordered by hash values. */
  const universeContext = tuple(ignored, levelConstraints);

  const sort = sum(3, [universe], ...(qualities ? [[qualityVariable, universe]] : []));
  const relevance = sum(2, ...(qualities ? [[qualityVariable]] : []));
  const binder = tuple(ignored, relevance);
  const polymorphic = (of: Shape): Shape => tuple(of, instance);
  /** With the relevance of the result, which stands beside the result's type from 8.19 on. */
  const caseInformation = tuple(
    inductiveName,
    integer,
    array(integer),
    array(integer),
    ...(qualities ? [] : [relevance]),
    ignored,
  );
  const projection = qualities
    ? tuple(inductiveName, integer, integer, globalName)
    : tuple(inductiveName, boolean, integer, integer, string);
  /** With whether it was unfolded. */
  const projectionName = tuple(projection, boolean);

  const constant = polymorphic(globalName);
  const subterm = again(() => term);
  const branch = tuple(array(binder), subterm);
  const definitions = tuple(array(binder), array(subterm), array(subterm));
  const term: Shape = sum(
    0,
    [integer],
    [string],
    [anything],
    [anything],
    [sort],
    [subterm, enumeration(3), subterm],
    [binder, subterm, subterm],
    [binder, subterm, subterm],
    [binder, subterm, subterm, subterm],
    [subterm, array(subterm)],
    [constant],
    [polymorphic(inductiveName)],
    [polymorphic(constructorName)],
    [
      caseInformation,
      instance,
      array(subterm),
      qualities ? tuple(branch, relevance) : branch,
      sum(1, [array(subterm)]),
      subterm,
      array(branch),
    ],
    [tuple(tuple(array(integer), integer), definitions)],
    [tuple(integer, definitions)],
    [projectionName, ...(qualities ? [relevance] : []), subterm],
    [anything],
    [anything],
    ...(release >= 820 ? [[string]] : []),
    [instance, array(subterm), subterm, subterm],
  );

  const declaration = sum(0, [binder, term], [binder, term, term]);
  const deltaHint = sum(0, [integer, option(tuple(term, abstractUniverses))], [kernelName]);
  const levelDemands = (universes: OcamlValue): OcamlValue[] => {
    if (!(universes instanceof Block)) return [];
    const demands = field(field(universes, 0), 1);
    return [...membersOf(release < 902 ? demands : field(demands, 1))];
  };
  return {
    term,
    /** What is in a term that is a constant: its name, and its universes. */
    constantName: constant,
    /** A function and its arguments. */
    applicationParts: [subterm, array(subterm)],
    context: list(declaration),
    sort,
    level,
    quality,
    constantQuality,
    qualityVariable,
    eliminationConstraints,
    levelConstraint,
    instance,
    relevance,
    projection,
    projectionName,
    abstractUniverses,
    universeContext,
    /** Which names stand for which. */
    resolver: tuple(
      ...(release >= 901 ? [modulePathShape] : []),
      map(modulePathShape, modulePathShape),
      map(integer, map(kernelName, deltaHint)),
    ),
    /** Keys and values of its two maps; in the second, values are by the key's hash first. */
    aliasShapes: { modules: [modulePathShape, modulePathShape], names: [kernelName, deltaHint] } as const,
    aliasParts(resolver: OcamlValue): Readonly<Record<'modules' | 'names', readonly Entry[]>> {
      const first = release >= 901 ? 1 : 0;
      const byHash = [...entriesOf(field(resolver, first + 1))];
      const names = byHash.flatMap(([, ofOneHash]) => [...entriesOf(ofOneHash)]);
      return { modules: [...entriesOf(field(resolver, first))], names };
    },
    arrayTag: release >= 820 ? 20 : 19,
    /** Whether the type of a `match` is a pair with its relevance. */
    markedReturns: qualities,
    /** The names of the levels that a polymorphic declaration binds; undefined when it is not one, or binds qualities. */
    levelNames(universes: OcamlValue): OcamlValue[] | undefined {
      if (!(universes instanceof Block)) return undefined;
      const names = field(field(universes, 0), 0);
      if (qualities && elements(field(names, 0)).length > 0) return undefined;
      return elements(qualities ? field(names, 1) : names);
    },
    /** What a polymorphic declaration demands of levels; nothing when it is not one. */
    levelDemands,
    /** The same; undefined when it is not one, or demands more than that. */
    demandsOn(universes: OcamlValue): OcamlValue[] | undefined {
      if (!(universes instanceof Block)) return undefined;
      const isMore = release >= 902 && field(field(field(universes, 0), 1), 0) !== 0;
      return isMore ? undefined : levelDemands(universes);
    },
  };
}

/** That a level is at most, or below, one that was declared by itself; between two of these also that they are equal. */
export function isCeiling(demand: OcamlValue): boolean {
  const isMixed = isLevel(demand, 0, LEVEL.bound) && field(demand, 1) === EQUAL;
  return isLevel(demand, 2, LEVEL.declared) && !isMixed;
}

/** That a level which the declaration binds is at least, or is, one that was declared by itself. */
export function isFloor(demand: OcamlValue): boolean {
  const [low, high] = [LEVEL.declared, LEVEL.bound];
  if (field(demand, 1) === EQUAL && isLevel(demand, 0, high) && isLevel(demand, 2, low)) return true;
  return isLevel(demand, 0, low) && isLevel(demand, 2, high);
}

function isLevel(demand: OcamlValue, place: number, kind: number): boolean {
  return hasTag(field(field(demand, place), 1), kind);
}

const EQUAL = 2;
const LEVEL = { declared: 0, bound: 1 } as const;

export type Entry = readonly [key: OcamlValue, value: OcamlValue];

/** The entries of an OCaml map. */
export function* entriesOf(tree: OcamlValue): Generator<Entry> {
  if (!(tree instanceof Block)) return;
  yield* entriesOf(field(tree, 0));
  yield [field(tree, 1), field(tree, 2)];
  yield* entriesOf(field(tree, 3));
}

/** The elements of an OCaml set. */
export function* membersOf(tree: OcamlValue): Generator<OcamlValue> {
  if (!(tree instanceof Block)) return;
  yield* membersOf(field(tree, 0));
  yield field(tree, 1);
  yield* membersOf(field(tree, 2));
}

function elements(array: OcamlValue): OcamlValue[] {
  if (!(array instanceof Block)) throw misfit('an array');
  return array.fields;
}
