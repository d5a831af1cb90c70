/**
 * Which variables of its sections a statement was generalised over, which its proof decides: found by comparing its type
 * with that of the same statement generalised over all of them. The target is compiled anew with that choice
 * (`Proof using`), and what is compared then has to be the same; so nothing rests on what is found here.
 */
import type { KernelEquality } from './kernel-equality.ts';
import { field, hasTag, text, utf8 } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { withoutOuterBinder } from './substitution.ts';
import { TERM, type TermLayout } from './term-layout.ts';

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
