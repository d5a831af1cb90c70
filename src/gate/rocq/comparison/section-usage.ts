/**
 * Which variables of its sections a statement was generalised over, which its proof decides. The target is compiled with
 * that choice (`Proof using`), and what is compared then has to be the same; so nothing rests on what is found here.
 */
import { entryAt } from '../../../core/entry.ts';
import { lastPart, qualifierOf } from '../../../core/qualified-name.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { isGoal, isOfProgram } from '../text/reference-text.ts';
import type { Script } from '../text/script.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { declaredConstants, type DeclaredConstant } from '../compiled/declarations.ts';
import type { ComparisonWork } from './comparison-work.ts';
import { KernelEquality } from './kernel-equality.ts';
import { nameText } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { isObligation, nameBound, premisesKept, premisesOf } from './left-out-premises.ts';
import type { Terms } from './substitution.ts';
import { TERM } from '../compiled/term-layout.ts';

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

/**
 * What holes are called in the kernel, as far as that is known: of obligations of `Program` and of goals without a name as many
 * are left open in each module as the text does, in its order.
 */
export function namesOfHoles(
  script: Script,
  isHole: (item: TheoremItem) => boolean,
  holes: readonly TheoremItem[],
  constants: readonly DeclaredConstant[],
): ReadonlyMap<TheoremItem, string> {
  const names = new Map(script.statementsByCustom.map(({ item, name }) => [item, name]));
  const moduleOf = (item: TheoremItem): string => script.placeOf(item).modules.join('.');
  for (const { isOne, isCalledSo } of NAMED_BY_THE_PROVER) {
    const items = script.outline.statements.filter((item) => isOne(item) && isHole(item));
    const open = constants.filter(({ name, body }) => body === 'undefined' && isCalledSo(name));
    for (const module of new Set(items.map(moduleOf))) {
      const those = items.filter((item) => moduleOf(item) === module);
      const called = open.filter(({ name }) => qualifierOf(name) === module);
      if (called.length !== those.length) continue;
      for (const [index, item] of those.entries()) names.set(item, entryAt(called, index, 'statement').name);
    }
  }
  return new Map([...names].filter(([item]) => holes.includes(item)));
}

const NAMED_BY_THE_PROVER = [
  { isOne: isOfProgram, isCalledSo: isObligation },
  { isOne: isGoal, isCalledSo: (name: string) => /^Unnamed_thm\d*$/u.test(lastPart(name)) },
];

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
  const called = typeof written === 'string' ? nameText(written) : '';
  return isOneWord(called) ? called : undefined;
}

/** What is called otherwise, in a file that nobody made honestly, could end the sentence that it is written into. */
function isOneWord(name: string): boolean {
  return /^[^\s.()*"{}]+$/u.test(name);
}

/**
 * For statements without a proof, which are generalised over everything: what stands behind `Proof using` so that they
 * are what the submission has proved.
 */
export function usingClauses(
  target: CompiledFile,
  submission: CompiledFile,
  work: ComparisonWork,
): ReadonlyMap<string, string> {
  const { layout, name: itself } = compiledLibrary(target);
  const theirs = new Map(declaredConstants(submission).map((constant) => [constant.name, constant]));
  const clauses = new Map<string, string>();
  for (const { name, body, type } of declaredConstants(target)) {
    const counterpart = body === 'undefined' ? theirs.get(name) : undefined;
    if (counterpart === undefined) continue;
    // Each by itself: levels are renamed as one statement needs it.
    const equality = new KernelEquality(itself, work, layout);
    const unused = bindersLeftOut({ layout, work }, equality, type, counterpart.type);
    if (unused !== undefined) clauses.set(name, unused.length === 0 ? 'All' : `All -(${unused.join(' ')})`);
  }
  return clauses;
}

/**
 * @param ours the type generalised over all variables. @param theirs the type generalised over some.
 * The names of the outer binders that `theirs` lacks; undefined when it is not `ours` without some named outer binders.
 */
function bindersLeftOut(
  terms: Terms,
  equality: KernelEquality,
  ours: OcamlValue,
  theirs: OcamlValue,
): readonly string[] | undefined {
  // By their names, where that is possible: a variable of a section can be like an argument, or like another one.
  const isKept =
    premisesKept(terms, equality, { ours, theirs, byName: true }) ??
    premisesKept(terms, equality, { ours, theirs });
  const left = isKept && premisesOf(ours).filter((_, index) => isKept[index] === false);
  const names = left?.map(nameBound);
  return names?.every((name) => name !== undefined) === true ? names : undefined;
}
