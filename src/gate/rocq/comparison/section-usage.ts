/**
 * Which variables of its sections a statement was generalised over, which its proof decides. The target is compiled with
 * that choice (`Proof using`), and what is compared then has to be the same; so nothing rests on what is found here.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { declaredConstants } from '../compiled/declarations.ts';
import type { KernelEquality } from './kernel-equality.ts';
import { field, hasTag, text, utf8 } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { withoutOuterBinder } from './substitution.ts';
import { TERM, type TermLayout } from '../compiled/term-layout.ts';

/**
 * For opaque constants: the variables of sections that they were generalised over, by what is written beside the body
 * about how to close the sections. Constants with a transparent body are not among them.
 */
export function usedVariables(file: CompiledFile): ReadonlyMap<string, readonly string[]> {
  const used = new Map<string, readonly string[]>();
  for (const { name, opaque } of declaredConstants(file))
    if (opaque !== undefined) used.set(name, [...variablesIn(opaque)]);
  return used;
}

/** The names of all local declarations in a value: an annotated name with a type, or with a body and a type. */
function variablesIn(root: OcamlValue): Set<string> {
  const names = new Set<string>();
  const seen = new Set<Block>();
  const pending: OcamlValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof Block) || seen.has(value)) continue;
    seen.add(value);
    const isDeclaration = value.tag < 2 && value.fields.length === value.tag + 2;
    const name = isDeclaration && isTerm(value.fields.at(-1)) ? annotatedName(value.fields[0]) : undefined;
    if (name !== undefined) names.add(name);
    for (const part of value.fields) if (part instanceof Block) pending.push(part);
  }
  return names;
}

/** Told apart from an array, which stands beside lists of names: it has the tag of a bound variable. */
function isTerm(value: OcamlValue | undefined): boolean {
  if (!(value instanceof Block)) return false;
  return value.tag !== TERM.rel || (value.fields.length === 1 && typeof value.fields[0] === 'number');
}

function annotatedName(annotated: OcamlValue | undefined): string | undefined {
  if (!(annotated instanceof Block) || annotated.tag !== 0 || annotated.fields.length !== 2) return undefined;
  const [name] = annotated.fields;
  const written = name instanceof Block && name.tag === 0 && name.fields.length === 1 ? name.fields[0] : name;
  return typeof written === 'string' ? utf8(written) : undefined;
}

/** Above this many ways to leave out premises the statements count as different. */
const MOST_ATTEMPTS = 2_000;

/**
 * @param ours the type generalised over all variables. @param theirs the type generalised over some.
 * The names of the outer binders that `theirs` lacks; undefined when it is not `ours` without some named outer binders.
 */
export function bindersLeftOut(
  layout: TermLayout,
  equality: KernelEquality,
  ours: OcamlValue,
  theirs: OcamlValue,
): readonly string[] | undefined {
  let attempts = 0;
  const left: string[] = [];
  const from = (here: OcamlValue, there: OcamlValue, surplus: number): boolean => {
    attempts += 1;
    if (attempts > MOST_ATTEMPTS) return false;
    if (surplus <= 0) return equality.attempt(() => equality.same(layout.term, here, there));
    // As one attempt: what a head renamed must not outlive a rest that differs.
    const keeping = (): boolean =>
      sameHeads(layout, equality, here, there) && from(lastField(here), lastField(there), surplus);
    if (equality.attempt(keeping)) return true;
    const name = nameBound(here);
    const shorter = name === undefined ? undefined : withoutOuterBinder(layout, here);
    if (name === undefined || shorter === undefined || !from(shorter, there, surplus - 1)) return false;
    left.unshift(name);
    return true;
  };
  return from(ours, theirs, premises(ours) - premises(theirs)) ? left : undefined;
}

function nameBound(binding: OcamlValue): string | undefined {
  if (!isBinding(binding)) return undefined;
  const name = field(field(binding, 0), 0);
  return name instanceof Block ? utf8(text(field(name, 0))) : undefined;
}

function isBinding(term: OcamlValue): boolean {
  return hasTag(term, TERM.prod) || hasTag(term, TERM.letIn);
}

function sameHeads(
  { term }: TermLayout,
  equality: KernelEquality,
  here: OcamlValue,
  there: OcamlValue,
): boolean {
  if (!isBinding(here)) return false;
  return equality.attempt(() => equality.same(term, headOnly(here), headOnly(there)));
}

function headOnly(value: OcamlValue): OcamlValue {
  return value instanceof Block ? new Block(value.tag, [...value.fields.slice(0, -1), PLACEHOLDER]) : value;
}

function lastField(value: OcamlValue): OcamlValue {
  return field(value, value instanceof Block ? value.fields.length - 1 : 0);
}

/** A sort, in the place of the rest of a term whose head alone is compared. */
const PLACEHOLDER = new Block(TERM.sort, [0]);

function premises(type: OcamlValue): number {
  let count = 0;
  for (let rest = type; isBinding(rest); rest = lastField(rest)) count += 1;
  return count;
}
