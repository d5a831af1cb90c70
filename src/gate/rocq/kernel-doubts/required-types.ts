/**
 * Inductive types that modules are compared with: those of module types, of the parameters of functors, and of signatures
 * behind which modules stand. Rocq compares what constructors take without what is a `let` there, so that what passes for
 * a required type can be another one.
 */
import { listIn } from '../../../core/lists/list-in.ts';
import { qualified, qualifierOf } from '../../../core/qualified-name.ts';
import { KernelEquality } from '../comparison/kernel-equality.ts';
import { originals } from '../comparison/name-pairs.ts';
import type { ComparisonWork } from '../comparison/comparison-work.ts';
import { AssumptionKinds } from '../compiled/assumption-kinds.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { declaredIn } from '../compiled/declarations.ts';
import { array, field, hasTag, listElements, misfit, nameText, option } from '../compiled/kernel-shape.ts';
import { inside, modulePath, PARAMETER } from '../compiled/module-paths.ts';
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
  /** Its full name; of what stands in another name of a module, the one there. */
  readonly original: string;
  /** Whether it stands in another name of a module. */
  readonly isCopy: boolean;
  /** Whether it is there, and not only in a module type or a functor's parameter. */
  readonly isThere: boolean;
  /** Of a module that is another name of a module, that one. */
  readonly other?: string | undefined;
}

/** Mutual types are one, by the name of the first. */
interface Type extends Entry {
  readonly layout: KernelLayout;
}

/** Where the names of constructors stand, from the end of what is kept of a type: what stands before differs by release. */
const CONSTRUCTOR_NAMES = -13;

export interface UnlikeRequired {
  /** Those of libraries with the library's name before them. */
  readonly name: string;
  /** What is required is a type by another name, or one with another `let`, or a constant that the kernel computes itself. */
  readonly doubt: 'unlike-alias' | 'unlike-required' | 'primitive-required';
}

/**
 * What has the name of a required type, and of its constructors, and is another one by what Rocq does not compare; and what is required
 * without a body that could be compared. @throws MalformedValue, TooMuchWork
 */
export function unlikeRequired(
  file: CompiledFile,
  libraries: readonly CompiledFile[],
  work: ComparisonWork,
): readonly UnlikeRequired[] {
  const byLabels = new Map<string, Type[]>();
  const found: UnlikeRequired[] = [];
  const others = new Map<string, string>();
  for (const one of [file, ...libraries]) {
    const { layout } = compiledLibrary(one);
    const included = includedTypes(one);
    for (const entry of entriesIn(one)) {
      if (entry.other !== undefined) others.set(entry.original, entry.other);
      const name = one === file ? entry.name : qualified(libraryNameOf(one), entry.name);
      if (entry.kind === 'inductive')
        listIn(byLabels, labelsOf({ ...entry, layout })).push({
          ...{ ...entry, name, layout },
          ...included.get(entry.name),
        });
      else if (entry.kind === 'constant' && entry.isRequired && isPrimitive(entry, layout))
        found.push({ name, doubt: 'primitive-required' });
    }
  }
  // No name has a blank: none is renamed.
  const equality = new KernelEquality(' ', work);
  for (const types of byLabels.values()) {
    const required = types.filter(({ isRequired }) => isRequired);
    if (required.length === 0) continue;
    const first = ({ original }: Type) => firstName(original, others);
    const aliases = new Set(required.filter(isAlias).map(first));
    const isUnlike = (type: Type) => required.some((one) => !haveSameLets(one, type, equality));
    const unlike = types.some(hasLet) ? types.filter(isUnlike) : [];
    for (const { name } of unlike) found.push({ name, doubt: 'unlike-required' });
    for (const type of types.filter(({ isThere }) => isThere))
      if ([...aliases].some((one) => one !== first(type)))
        found.push({ name: type.name, doubt: 'unlike-alias' });
  }
  return found;
}

/** Of types that `Include` copies what they are copies of, by the names of the types inside the file. */
function includedTypes(
  file: CompiledFile,
): ReadonlyMap<string, { readonly original: string; readonly isCopy: true }> {
  const own = libraryNameOf(file);
  return new Map(
    [...originals(file, 'inductive')].flatMap(([name, first]) =>
      // A name without a module may be that of a functor's parameter.
      name.includes('.')
        ? [[name, { original: first.includes('#') ? first : inside(own, first), isCopy: true }] as const]
        : [],
    ),
  );
}

/** Of how many other names a module may be another name, and be followed. */
const LONGEST_CHAIN = 10;

/** @param others By the names of modules that are other names of modules, those. */
function firstName(name: string, others: ReadonlyMap<string, string>): string {
  let first = name;
  for (let steps = 0; steps < LONGEST_CHAIN; steps += 1) {
    let module = qualifierOf(first);
    while (module !== '' && !others.has(module)) module = qualifierOf(module);
    const other = others.get(module);
    if (other === undefined) return first;
    first = inside(other, first.slice(module.length + 1));
  }
  return first;
}

function isPrimitive({ value }: Entry, layout: KernelLayout): boolean {
  return hasTag(layout.constant.of(value, 'body'), BODY.primitive);
}

/** Whether it stands in another name of a module. Of a functor's parameter it is not known which one it will be. */
function isAlias({ original, isCopy }: Type): boolean {
  return isCopy && !original.startsWith(PARAMETER);
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

/** @throws MalformedValue */
export function* entriesIn(file: CompiledFile): Generator<Entry> {
  const { layout, library } = compiledLibrary(file);
  const whole = {
    ...{ path: '', original: libraryNameOf(file) },
    ...{ isRequired: false, isCopy: false, isThere: true },
  };
  yield* inModule(layout, layout.library.of(library, 'module'), whole);
}

interface Around extends Pick<Entry, 'original' | 'isRequired' | 'isCopy' | 'isThere'> {
  readonly path: string;
}

function* inModule(layout: KernelLayout, module: OcamlValue, around: Around): Generator<Entry> {
  const isRequired = around.isRequired || (around.path !== '' && isWithSignature(layout, 'module', module));
  yield* inSignature(layout, layout.module.of(module, 'signature'), { ...around, isRequired });
  const contents = layout.contentsOf(module);
  if (hasTag(contents, CONTENTS.structure))
    yield* inSignature(layout, layout.structureOf(contents).signature, around);
}

function* inSignature(layout: KernelLayout, signature: OcamlValue, around: Around): Generator<Entry> {
  const { path, isRequired, isCopy, isThere } = around;
  const ofType = (type: OcamlValue, label: string) =>
    inSignature(layout, layout.moduleType.of(type, 'signature'), {
      ...{ path: qualified(path, label), original: inside(around.original, label) },
      ...{ isRequired: true, isCopy, isThere: false },
    });
  let rest = signature;
  for (; hasTag(rest, SIGNATURE.functor); rest = field(rest, 2))
    yield* ofType(field(rest, 1), nameText(field(field(rest, 0), 1)));
  for (const { label: written, kind, value } of declaredIn(layout, rest)) {
    const label = nameText(written);
    const [name, original] = [qualified(path, label), inside(around.original, label)];
    // What a signature hides is another one; in a signature itself `with` says which one is meant.
    const isHidden = kind === 'module' && !isRequired && isWithSignature(layout, kind, value);
    const other = kind === 'module' && !isHidden ? otherName(layout, value) : undefined;
    yield { name, kind, value, isRequired, original, isCopy, isThere, other };
    if (kind === 'module') {
      const meant = { original: other ?? original, isCopy: isCopy || other !== undefined };
      yield* inModule(layout, value, { path: name, isRequired, isThere, ...meant });
    }
    if (kind === 'module type') yield* ofType(value, label);
  }
}

/** The module of which one is another name (`Module N := M`). */
function otherName(layout: KernelLayout, module: OcamlValue): string | undefined {
  const contents = layout.contentsOf(module);
  const expression = hasTag(contents, CONTENTS.expression) ? field(contents, 0) : undefined;
  const written = expression !== undefined && hasTag(expression, 0) ? field(expression, 0) : undefined;
  return written !== undefined && hasTag(written, 0) ? modulePath(field(written, 0)) : undefined;
}
