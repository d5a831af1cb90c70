/**
 * The shape of constants, inductive types and rewrite rules in a compiled file, by release (`kernel/declarations.mli`,
 * `checker/values.ml`).
 *
 * What is marked `ignored` cannot change what a declaration means: virtual-machine code, unfolding strategies, proofs
 * (they are not compared), the tables by which compiled code finds constructors.
 */
import {
  anything,
  again,
  array,
  boolean,
  enumeration,
  Fields,
  ignored,
  integer,
  list,
  option,
  set,
  type Shape,
  string,
  sum,
  tuple,
} from './kernel-shape.ts';
import { constructorName, globalName, inductiveName, type Release, type TermLayout } from './term-layout.ts';

/** The tags of a constant's body. A symbol (from 8.20 on) has no definition but rewrite rules. */
export const BODY = { undefined: 0, transparent: 1, opaque: 2, primitive: 3, symbol: 4 } as const;

/** The flags under which a declaration was checked, in order. */
export const FLAG = { guarded: 0, positive: 1, universes: 2, oracle: 3, impredicativeSet: 8 } as const;

/** Until 8.17 there is a flag more, for cumulativity of `SProp`. */
function typingFlags(release: Release): Shape {
  const count = release >= 818 ? 11 : 12;
  return tuple(...Array.from({ length: count }, (_, place) => (place === FLAG.oracle ? ignored : boolean)));
}

export function constantLayout(release: Release, terms: TermLayout) {
  const { term, instance, relevance, abstractUniverses } = terms;
  const symbol = release >= 820 ? [[boolean]] : [];
  return new Fields([
    ['section', anything],
    ['section universes', instance],
    ['body', sum(0, [option(integer)], [term], [ignored], [integer], ...symbol)],
    ['type', term],
    ['relevance', relevance],
    ['code', ignored],
    ['universes', sum(1, [abstractUniverses])],
    ['inlined', boolean],
    ['flags', typingFlags(release)],
  ]);
}

export function inductiveLayout(release: Release, terms: TermLayout) {
  const { term, context, sort, level, quality, instance, relevance, abstractUniverses, universeContext } =
    terms;
  const recursiveArgument =
    release >= 820
      ? sum(1, [sum(0, [inductiveName], [globalName])])
      : sum(1, [inductiveName], [sum(0, [inductiveName], [globalName])]);
  const wellFounded: Shape = sum(
    0,
    [integer, integer],
    [
      recursiveArgument,
      release >= 819 ? array(array(again(() => wellFounded))) : array(again(() => wellFounded)),
    ],
    [integer, array(again(() => wellFounded))],
  );
  // From 9.2 on each type of a mutual block says for itself whether it is a record, and whether it has eta.
  const primitiveRecord = [string, array(string), array(relevance), array(term)];
  const record = sum(
    2,
    release >= 902 ? [...primitiveRecord, enumeration(2)] : [array(tuple(...primitiveRecord))],
  );
  const elimination = release >= 819 ? option(sum(1, [set(quality)])) : enumeration(4);
  const one = tuple(
    string,
    context,
    ...(release >= 901 ? [sort, term] : [sum(0, [tuple(term, sort)], [tuple(sort)])]),
    ...(release >= 902 ? [record] : []),
    array(string),
    array(term),
    integer,
    integer,
    elimination,
    array(tuple(context, term)),
    array(integer),
    array(integer),
    wellFounded,
    relevance,
    integer,
    integer,
    ignored,
  );
  const parameter = release >= 900 ? boolean : option(level);
  const template =
    release >= 901
      ? tuple(list(option(sort)), sort, abstractUniverses, instance)
      : tuple(list(parameter), universeContext);
  return new Fields([
    ['types', array(one)],
    ...(release >= 902 ? [] : [['record', record] as const]),
    ['recursion', enumeration(3)],
    ...(release >= 902 ? [] : [['number of types', integer] as const]),
    ['section', anything],
    ['section universes', instance],
    ['parameters', integer],
    ['uniform parameters', integer],
    ['context', context],
    ['universes', sum(1, [abstractUniverses])],
    ['template', option(template)],
    ['variance', option(array(enumeration(3)))],
    ['section variance', option(array(enumeration(3)))],
    ['private', option(boolean)],
    ['flags', typingFlags(release)],
  ]);
}

/** From 8.20 on: what symbols rewrite to. */
export function rewriteRulesLayout(release: Release, terms: TermLayout): Shape {
  const { constantQuality, projection, projectionName, term } = terms;
  const hole = option(integer);
  const mask = tuple(array(sum(0, [hole], [constantQuality])), array(hole));
  const sortPattern = sum(3, [hole], [hole, hole]);
  const argument: Shape = sum(1, [integer], [again(() => rigid)]);
  const elimination = sum(
    0,
    [array(argument)],
    [inductiveName, ...(release >= 902 ? [] : [mask]), argument, array(argument)],
    [release >= 900 ? projection : projectionName],
  );
  const head = sum(
    0,
    [integer],
    [sortPattern],
    [globalName, mask],
    [inductiveName, mask],
    [constructorName, mask],
    [anything],
    [anything],
    [string],
    [array(argument), release >= 902 ? again(() => rigid) : argument],
    [array(argument), argument],
  );
  const rigid: Shape = tuple(head, list(elimination));
  const rule = tuple(tuple(integer, integer, integer), tuple(mask, list(elimination)), term);
  return tuple(list(tuple(globalName, rule)));
}
