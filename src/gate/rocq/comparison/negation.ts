/**
 * Whether a theorem of a compiled file says that a statement of the same file is false: its type is the product of the statement's own
 * type to `False` of the prover's library, or `not` of that library applied to it. Nothing of this rests on how the file writes it.
 *
 * Levels of universes that each of the two has for itself may differ, where the same is demanded of them.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { type Declaration, declarationsIn } from '../compiled/declarations.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, hasTag } from '../compiled/kernel-shape.ts';
import { insideOf, libraryOf, namedBy } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM } from '../compiled/term-layout.ts';
import type { ComparisonWork } from './comparison-work.ts';
import { KernelEquality } from './kernel-equality.ts';
import { applied, headAndArguments, type Terms } from './substitution.ts';
import { levelOrders, lostOrders } from './universe-constraints.ts';

/** Constants of a file, by names that are qualified by its modules. */
export interface NegationNames {
  /** Of the theorem that says that the statement is false. */
  readonly claim: string;
  readonly statement: string;
  /** Of the definition by which the claim speaks of a statement whose section is closed. */
  readonly definition?: string;
}

/** In the library of logic, which is called so since it is no part of `Coq` any more. */
const LOGIC: ReadonlySet<string> = new Set(['Coq.Init.Logic', 'Corelib.Init.Logic']);

/**
 * @returns the full name of what makes it a negation, `False` or `not`; whether that is the prover's own is to be asked.
 * Undefined where it is none, or cannot be seen to be one.
 * @throws MalformedValue, TooLarge
 */
export function negationBy(
  file: CompiledFile,
  { claim, statement, definition }: NegationNames,
  work: ComparisonWork,
): string | undefined {
  const { layout, name } = compiledLibrary(file);
  const constants = [...declarationsIn(file)].filter(({ kind }) => kind === 'constant');
  const only = (called: string | undefined): Declaration | undefined => {
    const found = constants.filter((constant) => constant.name === called);
    return found.length === 1 ? found[0] : undefined;
  };
  const [claimed, stated] = [only(claim), only(statement)];
  if (claimed === undefined || stated === undefined || claimed === stated) return undefined;
  const negated = negatedIn(layout.constant.of(claimed.value, 'type'));
  if (negated === undefined) return undefined;
  const equality = new KernelEquality(name, work, layout);
  if (!sameBoundLevels(layout, equality, claimed, stated)) return undefined;
  const type = layout.constant.of(stated.value, 'type');
  const terms = { layout, work };
  const same = (): boolean => equality.same(layout.term, negated.term, type);
  const found =
    definition === undefined
      ? same()
      : valuesOf(terms, layout, only(definition)).some((value) => {
          equality.replace(definition, () => value);
          return equality.attempt(same);
        });
  return found && hasSameOrders(file, equality) ? negated.by : undefined;
}

/** What a type is the negation of. */
function negatedIn(type: OcamlValue): { readonly term: OcamlValue; readonly by: string } | undefined {
  if (hasTag(type, TERM.prod)) {
    const result = field(type, 2);
    if (!hasTag(result, TERM.inductive) || field(field(field(result, 0), 0), 1) !== 0) return undefined;
    const by = nameInLogic(field(field(field(result, 0), 0), 0), 'False');
    return by === undefined ? undefined : { term: field(type, 1), by };
  }
  const { head, given } = headAndArguments(type);
  const [term] = given;
  if (!hasTag(head, TERM.constant) || term === undefined || given.length !== 1) return undefined;
  const by = nameInLogic(field(field(head, 0), 0), 'not');
  return by === undefined ? undefined : { term, by };
}

/** @param name as terms have it: a name, or a pair of one and what it stands for. */
function nameInLogic(name: OcamlValue, wanted: string): string | undefined {
  if (!(name instanceof Block)) return undefined;
  const called = field(name, name.fields.length - 1);
  const full = called instanceof Block ? namedBy(called) : undefined;
  if (full === undefined || !LOGIC.has(libraryOf(full)) || insideOf(full) !== wanted) return undefined;
  return `${libraryOf(full)}.${wanted}`;
}

/** Of declarations that bind levels, the same ones with the same demands on them. */
function sameBoundLevels(
  layout: KernelLayout,
  equality: KernelEquality,
  one: Declaration,
  other: Declaration,
): boolean {
  const [ours, theirs] = [one, other].map(({ value }) => layout.constant.of(value, 'universes'));
  if (!(ours instanceof Block) || !(theirs instanceof Block)) return ours === theirs;
  return equality.same(layout.abstractUniverses, field(ours, 0), field(theirs, 0));
}

/**
 * The value of the definition, written in ways that are the same to the kernel: local definitions of the section are kept in a value
 * and put into a type, and where those of the section end and the statement's own begin is not to be seen.
 */
function valuesOf(
  terms: Terms,
  layout: KernelLayout,
  definition: Declaration | undefined,
): readonly OcamlValue[] {
  if (definition === undefined) return [];
  const body = layout.constant.of(definition.value, 'body');
  const universes = layout.constant.of(definition.value, 'universes');
  // One that binds levels is another thing for each choice of them.
  const bindsLevels = universes instanceof Block && layout.levelNames(universes)?.length !== 0;
  if (!hasTag(body, BODY.transparent) || bindsLevels) return [];
  const values: OcamlValue[] = [];
  for (let lets = 0; ; lets += 1) {
    const { value, replaced } = withoutOuterLets(terms, field(body, 0), lets);
    if (replaced < lets) return values;
    values.push(value);
  }
}

/** A function with its local definitions put into what is behind them, so many of the outermost. */
function withoutOuterLets(
  terms: Terms,
  term: OcamlValue,
  most: number,
): { readonly value: OcamlValue; readonly replaced: number } {
  if (hasTag(term, TERM.lambda)) {
    const { value, replaced } = withoutOuterLets(terms, field(term, 2), most);
    return { value: new Block(term.tag, [field(term, 0), field(term, 1), value]), replaced };
  }
  if (!hasTag(term, TERM.letIn) || most === 0) return { value: term, replaced: 0 };
  const asFunction = new Block(TERM.lambda, [field(term, 0), field(term, 2), field(term, 3)]);
  const argument = new Block(0, [field(term, 1)]);
  const put = applied(terms, new Block(TERM.application, [asFunction, argument]));
  const { value, replaced } = withoutOuterLets(terms, put, most - 1);
  return { value, replaced: replaced + 1 };
}

/** Whether the levels that were taken for each other stand alike to all others. */
function hasSameOrders(file: CompiledFile, equality: KernelEquality): boolean {
  const orders = levelOrders(file);
  const forward = new Map<string, string>();
  for (const level of new Set(orders.flatMap(({ low, high }) => [low, high]))) {
    const counterpart = equality.counterpartOf(level);
    if (counterpart !== undefined && counterpart !== level) forward.set(level, counterpart);
  }
  const backward = new Map([...forward].map(([from, to]) => [to, from]));
  return [forward, backward].every(
    (map) => lostOrders(orders, orders, (level) => map.get(level) ?? level).length === 0,
  );
}
