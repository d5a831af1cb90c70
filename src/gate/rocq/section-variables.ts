/**
 * Statements in sections: their proofs choose which variables of the section they are generalised over. One that is
 * generalised over fewer, of which nothing depends on what is left out, is at least as strong.
 */
import { withoutOuterBinder } from './binder-dropping.ts';
import type { KernelEquality } from './kernel-equality.ts';
import { field, hasTag, text, utf8 } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { TERM, type TermLayout } from './term-layout.ts';

/** Above this many ways to leave out unused premises the statements count as different. */
const MOST_ATTEMPTS = 2_000;

/** True when `theirs` is `ours` or `ours` without some section variables at its head that nothing depends on. */
export function sameButUnusedVariables(
  layout: TermLayout,
  equality: KernelEquality,
  ours: OcamlValue,
  theirs: OcamlValue,
  variables: ReadonlySet<string>,
): boolean {
  let attempts = 0;
  const from = (here: OcamlValue, there: OcamlValue, surplus: number): boolean => {
    attempts += 1;
    if (attempts > MOST_ATTEMPTS) return false;
    if (surplus <= 0) return equality.attempt(() => equality.same(layout.term, here, there));
    // As one attempt: what a head renamed must not outlive a rest that differs.
    const kept = (): boolean =>
      sameHeads(layout, equality, here, there) && from(lastField(here), lastField(there), surplus);
    if (equality.attempt(kept)) return true;
    const shorter = bindsOneOf(variables, here) ? withoutOuterBinder(layout, here) : undefined;
    return shorter !== undefined && from(shorter, there, surplus - 1);
  };
  return from(ours, theirs, premises(ours) - premises(theirs));
}

/**
 * Class instances without a name get one: `H`, or that of the class, and a number; the class may be one that the section
 * does not name, when another takes an instance of it (`` `{Countable A} `` brings `EqDecision0`).
 */
function bindsOneOf(variables: ReadonlySet<string>, binding: OcamlValue): boolean {
  if (!hasTag(binding, TERM.prod) && !hasTag(binding, TERM.letIn)) return false;
  const name = field(field(binding, 0), 0);
  if (!(name instanceof Block)) return false;
  const written = utf8(text(field(name, 0)));
  return variables.has(written) || /^(?:H\d*|\p{Lu}[\p{L}\p{N}_']*\d+)$/u.test(written);
}

function sameHeads(
  { term }: TermLayout,
  equality: KernelEquality,
  here: OcamlValue,
  there: OcamlValue,
): boolean {
  if (!hasTag(here, TERM.prod) && !hasTag(here, TERM.letIn)) return false;
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
  for (let rest = type; rest instanceof Block; count += 1) {
    if (rest.tag === TERM.prod) rest = field(rest, 2);
    else if (rest.tag === TERM.letIn) rest = field(rest, 3);
    else break;
  }
  return count;
}
