/**
 * Inductive types that modules are compared with: those of module types, of the parameters of functors, and of signatures
 * behind which modules stand. Rocq compares what constructors take without what is a `let` there, so that what passes for
 * a required type can be another one.
 */
import { listIn } from '../../../core/lists/list-in.ts';
import { qualified } from '../../../core/qualified-name.ts';
import { KernelEquality } from '../comparison/kernel-equality.ts';
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import { AssumptionKinds } from '../compiled/assumption-kinds.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { array, field, hasTag, listElements, misfit, nameText, option } from '../compiled/kernel-shape.ts';
import { logicalName } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { elementsOf } from '../recursion/kernel-terms.ts';
import { isLet, takenByConstructors } from '../recursion/recursive-types.ts';

/** What stands in a file, wherever: in modules, module types, functors and their parameters. */
interface Entry {
  /** Qualified by the modules inside the file, parameters of functors among them. */
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
  /** Whether modules are compared with it. */
  readonly isRequired: boolean;
}

/** Mutual types are one, by the name of the first. */
interface Type extends Entry {
  readonly layout: KernelLayout;
}

/** Where the names of constructors stand, from the end of what is kept of a type: what stands before differs by release. */
const CONSTRUCTOR_NAMES = -13;

/**
 * The types that have the name of a required one, and of its constructors, and another `let`.
 * @returns their names: those of libraries with the library's before them. @throws MalformedValue, TooMuchWork
 */
export function unlikeRequired(
  file: CompiledFile,
  libraries: readonly CompiledFile[],
  work: ComparisonWork,
): readonly string[] {
  const byLabels = new Map<string, Type[]>();
  const note = (type: Type) => listIn(byLabels, labelsOf(type)).push(type);
  for (const type of typesIn(file)) note(type);
  for (const library of libraries)
    for (const type of typesIn(library)) note({ ...type, name: qualified(nameOf(library), type.name) });
  // No name has a blank: none is renamed.
  const equality = new KernelEquality(' ', work);
  return [...byLabels.values()].flatMap((types) => {
    const required = types.filter(({ isRequired }) => isRequired);
    if (required.length === 0 || !types.some(hasLet)) return [];
    const isUnlike = (type: Type) => required.some((one) => !haveSameLets(one, type, equality));
    return types.filter(isUnlike).map(({ name }) => name);
  });
}

/**
 * Whether Rocq compared modules where the file was compiled that it did not compare for the other file, which it holds.
 * @throws MalformedValue
 */
export function comparesModules(file: CompiledFile, other: CompiledFile): boolean {
  const { objects } = compiledLibrary(file);
  if (new AssumptionKinds(objects).including.size > 0) return true;
  const known = new Set(comparedIn(other));
  return [...comparedIn(file)].some((name) => !known.has(name));
}

/** The modules and module types that are written with others: applied, declared, behind a signature, or with a parameter. */
function* comparedIn(file: CompiledFile): Generator<string> {
  const { layout } = compiledLibrary(file);
  for (const { name, kind, value } of entriesIn(file)) {
    if (kind !== 'module' && kind !== 'module type') continue;
    const of = kind === 'module' ? layout.module : layout.moduleType;
    const isPlain =
      !isWithSignature(layout, kind, value) &&
      hasTag(of.of(value, 'signature'), SIGNATURE.plain) &&
      !(kind === 'module' && hasTag(layout.contentsOf(value), CONTENTS.expression));
    if (!isPlain) yield name;
  }
}

/** Of a module whether it has to be as a signature says, of a module type whether it is written as another one. */
function isWithSignature(layout: KernelLayout, kind: 'module' | 'module type', value: OcamlValue): boolean {
  if (kind === 'module type') return layout.moduleType.of(value, 'defining expression') instanceof Block;
  const contents = layout.contentsOf(value);
  const isHidden = contents === CONTENTS.abstract || hasTag(contents, CONTENTS.structure);
  return isHidden || layout.module.of(value, 'defining expression') instanceof Block;
}

/** Among the parameters of a mutual block, the arguments of one of its types or of a constructor. */
export function hasLet(type: Pick<Type, 'value' | 'layout'>): boolean {
  return contextsOf(type).some((entries) => entries.some(isLet));
}

/** Whether the same is a `let` in both, and stands for the same to the letter. What else they take Rocq compares. */
function haveSameLets(one: Type, other: Type, equality: KernelEquality): boolean {
  const shape = array(array(option(one.layout.term)));
  return equality.attempt(() => equality.same(shape, letsOf(one), letsOf(other)));
}

/** Of each context of a type what stands in it: what a `let` stands for, or nothing. */
function letsOf(type: Type): OcamlValue {
  const one = (entry: OcamlValue) => (isLet(entry) ? new Block(0, [field(entry, 1)]) : 0);
  return new Block(
    0,
    contextsOf(type).map((entries) => new Block(0, entries.map(one))),
  );
}

/** What a mutual block takes, what each of its types does, and what each constructor does. */
function contextsOf({ value, layout }: Pick<Type, 'value' | 'layout'>): readonly (readonly OcamlValue[])[] {
  const types = elementsOf(layout.inductive.of(value, 'types'));
  const contexts = [layout.inductive.of(value, 'context'), ...types.map((type) => field(type, 1))];
  return [...contexts.map((context) => [...listElements(context)]), ...types.flatMap(takenByConstructors)];
}

/** The names of the types and of their constructors, which a module has to have as well. */
function labelsOf({ value, layout }: Type): string {
  const types = elementsOf(layout.inductive.of(value, 'types'));
  return JSON.stringify(
    types.map((type) => {
      const constructors = type instanceof Block ? type.fields.at(CONSTRUCTOR_NAMES) : undefined;
      if (constructors === undefined) throw misfit('an inductive type');
      return [field(type, 0), elementsOf(constructors)].flat();
    }),
  );
}

function* typesIn(file: CompiledFile): Generator<Type> {
  const { layout } = compiledLibrary(file);
  for (const entry of entriesIn(file)) if (entry.kind === 'inductive') yield { ...entry, layout };
}

function nameOf(file: CompiledFile): string {
  const { layout, library } = compiledLibrary(file);
  return logicalName(layout.library.of(library, 'name'));
}

/** @throws MalformedValue */
function* entriesIn(file: CompiledFile): Generator<Entry> {
  const { layout, library } = compiledLibrary(file);
  yield* inModule(layout, layout.library.of(library, 'module'), { path: '', isRequired: false });
}

type Around = { readonly path: string; readonly isRequired: boolean };

function* inModule(layout: KernelLayout, module: OcamlValue, around: Around): Generator<Entry> {
  const isRequired = around.isRequired || (around.path !== '' && isWithSignature(layout, 'module', module));
  yield* inSignature(layout, layout.module.of(module, 'signature'), { ...around, isRequired });
  const contents = layout.contentsOf(module);
  if (hasTag(contents, CONTENTS.structure))
    yield* inSignature(layout, layout.structureOf(contents).signature, around);
}

function* inSignature(layout: KernelLayout, signature: OcamlValue, around: Around): Generator<Entry> {
  const { path, isRequired } = around;
  const ofType = (type: OcamlValue, name: string) =>
    inSignature(layout, layout.moduleType.of(type, 'signature'), { path: name, isRequired: true });
  let rest = signature;
  for (; hasTag(rest, SIGNATURE.functor); rest = field(rest, 2))
    yield* ofType(field(rest, 1), qualified(path, nameText(field(field(rest, 0), 1))));
  if (!hasTag(rest, SIGNATURE.plain)) throw misfit('a signature');
  for (const entry of listElements(field(rest, 0))) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    const name = qualified(path, nameText(field(entry, 0)));
    const kind = layout.kindOf(declaration);
    const value = field(declaration, 0);
    yield { name, kind, value, isRequired };
    if (kind === 'module') yield* inModule(layout, value, { path: name, isRequired });
    if (kind === 'module type') yield* ofType(value, name);
  }
}
