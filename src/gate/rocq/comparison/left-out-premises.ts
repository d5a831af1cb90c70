/**
 * What is declared in a section is generalised over those of its variables that it uses, which is fewer where a proof uses fewer. And
 * `Program` abstracts an obligation over those hypotheses alone that its proof uses, and a hole over all: what is proved is
 * more than what was asked, `theirs : B` for `ours : A -> B`, and takes fewer arguments wherever it is used.
 */
import { field, hasTag, nameText } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM } from '../compiled/term-layout.ts';
import type { KernelEquality } from './kernel-equality.ts';
import { type Terms, withoutOuterBinder } from './substitution.ts';

/** What `Program` calls an obligation. */
export function isObligation(name: string): boolean {
  return /_obligation_\d+$/u.test(name);
}

/** Tactics leave these where they prove something apart (`abstract`) or rewrite with an equality of the file: nobody means them. */
export function isLeftByTactics(name: string): boolean {
  return /(?:^|\.)internal_[^.]*$|_subproof\d*$/u.test(name);
}

/** Above this many ways to leave out premises the statements count as different. */
const MOST_ATTEMPTS = 2_000;

/**
 * For the outer binders of `ours`, as far as it takes, whether `theirs` has them; undefined when it is not `ours` without
 * some of them. One that something after it refers to is not left out.
 * @param byName only a binder of the same name stands for one: of two variables of a section one can be like the other.
 */
export function premisesKept(
  terms: Terms,
  equality: KernelEquality,
  {
    ours,
    theirs,
    byName = false,
  }: { readonly ours: OcamlValue; readonly theirs: OcamlValue; readonly byName?: boolean },
): readonly boolean[] | undefined {
  let attempts = 0;
  const from = (here: OcamlValue, there: OcamlValue, surplus: number): readonly boolean[] | undefined => {
    attempts += 1;
    if (attempts > MOST_ATTEMPTS) return undefined;
    if (surplus <= 0)
      return equality.attempt(() => equality.same(terms.layout.term, here, there)) ? [] : undefined;
    if (!isBinding(here)) return undefined;
    let rest: readonly boolean[] | undefined;
    // As one attempt: what a head renamed must not outlive a rest that differs.
    const keeping = (): boolean => {
      if (!isBinding(there) || (byName && nameBound(here) !== nameBound(there))) return false;
      if (!equality.same(terms.layout.term, headOnly(here), headOnly(there))) return false;
      rest = from(lastField(here), lastField(there), surplus);
      return rest !== undefined;
    };
    const isKept = equality.attempt(keeping);
    if (!isKept) rest = from(withoutOuterBinder(terms, here), there, surplus - 1);
    return rest && [isKept, ...rest];
  };
  return from(ours, theirs, premisesOf(ours).length - premisesOf(theirs).length);
}

/** A constant as a function of the first `count` premises; undefined where there are fewer, or one behind is left out. */
export function takingAll(
  type: OcamlValue,
  isKept: readonly boolean[],
  constant: Block,
  count: number,
): OcamlValue | undefined {
  const bindings: Block[] = [];
  let left = count;
  for (const binding of premisesOf(type)) {
    if (left === 0) break;
    if (binding.tag === TERM.prod) left -= 1;
    bindings.push(binding);
  }
  if (left > 0 || isKept.slice(bindings.length).includes(false)) return undefined;
  const given = bindings.flatMap(({ tag }, index) =>
    tag === TERM.prod && isKept[index] !== false ? [new Block(TERM.rel, [bindings.length - index])] : [],
  );
  const result = given.length === 0 ? constant : new Block(TERM.application, [constant, new Block(0, given)]);
  return bindings.reduceRight(
    (body, { tag, fields }) =>
      new Block(tag === TERM.prod ? TERM.lambda : tag, [...fields.slice(0, -1), body]),
    result,
  );
}

/** What a constant stands for, without the outer binders that are not kept. */
export function withoutBinders(terms: Terms, body: OcamlValue, isKept: readonly boolean[]): OcamlValue {
  const [first, ...rest] = isKept;
  if (first === undefined || !(body instanceof Block)) return body;
  const isBinder = body.tag === TERM.lambda || body.tag === TERM.letIn;
  if (!isBinder) return body;
  if (!first) return withoutBinders(terms, withoutOuterBinder(terms, body), rest);
  return new Block(body.tag, [...body.fields.slice(0, -1), withoutBinders(terms, lastField(body), rest)]);
}

/** The binders that a type begins with. */
export function premisesOf(type: OcamlValue): readonly Block[] {
  const bindings: Block[] = [];
  for (let rest = type; isBinding(rest); rest = lastField(rest)) bindings.push(rest);
  return bindings;
}

function isBinding(term: OcamlValue): term is Block {
  return hasTag(term, TERM.prod) || hasTag(term, TERM.letIn);
}

/** Undefined for one without a name. */
export function nameBound(binding: Block): string | undefined {
  const name = field(field(binding, 0), 0);
  return name instanceof Block ? nameText(field(name, 0)) : undefined;
}

function headOnly(binding: Block): Block {
  return new Block(binding.tag, [...binding.fields.slice(0, -1), PLACEHOLDER]);
}

function lastField(binding: Block): OcamlValue {
  return field(binding, binding.fields.length - 1);
}

/** A sort, in the place of the rest of a term whose head alone is compared. */
const PLACEHOLDER = new Block(TERM.sort, [0]);
