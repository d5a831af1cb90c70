/** What a compiled file declares, in the order of the text, as deep as its modules go. */
import { qualified, qualifierOf } from '../../../core/qualified-name.ts';
import { type AssumptionKind, AssumptionKinds, type Made } from './assumption-kinds.ts';
import type { CompiledFile } from './compiled-file.ts';
import { compiledLibrary } from './compiled-library.ts';
import { BODY } from './declaration-layout.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from './kernel-layout.ts';
import { field, hasTag, listElements, misfit, nameText, rawText } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

export interface Declaration {
  /** Qualified by the modules inside the file. */
  readonly name: string;
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
  /** The innermost module type around it: a parameter there is no axiom. */
  readonly moduleType: string | undefined;
  /** The signature of a module around it does not show it: nobody can name it. */
  readonly isHidden: boolean;
  /** Of what the module around it is made. */
  readonly made: Made;
}

/** A module stands before what is in it. Of a module behind a signature, what it is made of. @throws MalformedValue */
export function declarationsIn(file: CompiledFile): Generator<Declaration> {
  const { layout, library } = compiledLibrary(file);
  const whole = { path: '', moduleType: undefined, shown: EVERYTHING, made: 'here' as const };
  return inModule(layout, layout.library.of(library, 'module'), whole);
}

export type ConstantOrType = Declaration & { readonly kind: 'constant' | 'inductive' };

/** @throws MalformedValue */
export function* constantsAndTypes(file: CompiledFile): Generator<ConstantOrType> {
  for (const declaration of declarationsIn(file)) {
    const { kind } = declaration;
    if (kind === 'constant' || kind === 'inductive') yield { ...declaration, kind };
  }
}

/** Of all constants, by their names. @throws MalformedValue */
export function constantsIn(file: CompiledFile): ReadonlyMap<string, OcamlValue> {
  const constants = [...declarationsIn(file)].filter(({ kind }) => kind === 'constant');
  return new Map(constants.map(({ name, value }) => [name, value]));
}

/** Of all that a file declares. @throws MalformedValue */
export function declaredNames(file: CompiledFile): ReadonlySet<string> {
  return new Set([...declarationsIn(file)].map(({ name }) => name));
}

interface Around {
  readonly path: string;
  readonly moduleType: string | undefined;
  /** The declarations that can be named, and what can be named of those that are modules. */
  readonly shown: Shown;
  readonly made: Made;
}

/** By the keys of declarations. */
type Shown = (key: string) => Shown | undefined;

const EVERYTHING: Shown = () => EVERYTHING;
const NOTHING: Shown = () => undefined;

function* inModule(layout: KernelLayout, module: OcamlValue, around: Around): Generator<Declaration> {
  const contents = layout.contentsOf(module);
  const own = madeBy(contents);
  const isCopy = around.made === 'behind-signature' && own === 'by-another';
  const made = around.made === 'here' || isCopy ? own : around.made;
  const signature = layout.module.of(module, 'signature');
  if (!hasTag(contents, CONTENTS.structure)) {
    yield* inSignature(layout, signature, { ...around, made });
    return;
  }
  const shown = byBoth(around.shown, shownBy(layout, signature));
  yield* inSignature(layout, layout.structureOf(contents).signature, { ...around, shown, made });
}

function madeBy(contents: OcamlValue): Made {
  if (contents === CONTENTS.abstract) return 'declared';
  if (hasTag(contents, CONTENTS.structure)) return 'behind-signature';
  return hasTag(contents, CONTENTS.expression) ? 'by-another' : 'here';
}

function* inSignature(
  layout: KernelLayout,
  signature: OcamlValue,
  { path, moduleType, shown, made }: Around,
): Generator<Declaration> {
  for (const { key, label, kind, value } of declaredIn(layout, signature)) {
    const name = qualified(path, nameText(label));
    const within = shown(key);
    yield { name, kind, value, moduleType, isHidden: within === undefined, made };
    const inside = { path: name, moduleType, shown: within ?? NOTHING, made };
    if (kind === 'module') yield* inModule(layout, value, inside);
    if (kind === 'module type')
      yield* inSignature(layout, layout.moduleType.of(value, 'signature'), { ...inside, moduleType: name });
  }
}

/** What a signature shows of the module behind it; a module in it shows what its own signature shows. */
function shownBy(layout: KernelLayout, signature: OcamlValue): Shown {
  const shown = new Map<string, Shown>();
  for (const { key, kind, value } of declaredIn(layout, signature))
    shown.set(key, kind === 'module' ? shownBy(layout, layout.module.of(value, 'signature')) : EVERYTHING);
  return (key) => shown.get(key);
}

function byBoth(one: Shown, other: Shown): Shown {
  if (one === EVERYTHING) return other;
  if (other === EVERYTHING) return one;
  return (key) => {
    const [here, there] = [one(key), other(key)];
    return here && there && byBoth(here, there);
  };
}

export interface InSignature {
  /** That of no other declaration: modules and all else have labels of their own. */
  readonly key: string;
  /** As the bytes of the file say it. */
  readonly label: string;
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
}

/** What a signature declares itself, of a functor under its parameters. @throws MalformedValue */
export function* declaredIn(layout: KernelLayout, signature: OcamlValue): Generator<InSignature> {
  let rest = signature;
  while (hasTag(rest, SIGNATURE.functor)) rest = field(rest, 2);
  if (!hasTag(rest, SIGNATURE.plain)) throw misfit('a signature');
  for (const entry of listElements(field(rest, 0))) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    const kind = layout.kindOf(declaration);
    const label = rawText(field(entry, 0));
    const key = `${kind === 'module' || kind === 'module type' ? 'module' : 'other'} ${label}`;
    yield { key, label, kind, value: field(declaration, 0) };
  }
}

export interface DeclaredConstant {
  /** Qualified by the modules inside the file. */
  readonly name: string;
  readonly body: 'undefined' | 'transparent' | 'opaque' | 'other';
  /** The type, as the kernel has it. */
  readonly type: OcamlValue;
  /** Where an opaque body is, and what is done to it. */
  readonly opaque: OcamlValue | undefined;
  readonly inModuleType: boolean;
  readonly isHidden: boolean;
  /** As what it was declared; undefined when it has a body. */
  readonly assumed: AssumptionKind | undefined;
}

/** @throws MalformedValue when the file does not have the known layout. */
export function declaredConstants(file: CompiledFile): DeclaredConstant[] {
  const { layout, objects } = compiledLibrary(file);
  const kinds = new AssumptionKinds(objects);
  const constants: DeclaredConstant[] = [];
  for (const { name, kind, value, moduleType, isHidden, made } of declarationsIn(file)) {
    if (kind !== 'constant') continue;
    const body = layout.constant.of(value, 'body');
    constants.push({
      name,
      body: bodyKind(body),
      type: layout.constant.of(value, 'type'),
      opaque: hasTag(body, BODY.opaque) ? field(body, 0) : undefined,
      inModuleType: moduleType !== undefined,
      isHidden,
      assumed: hasTag(body, BODY.undefined) ? kinds.of(name, made) : undefined,
    });
  }
  return constants;
}

export function namesWithBody(
  constants: readonly DeclaredConstant[],
  kind: DeclaredConstant['body'],
): ReadonlySet<string> {
  return new Set(constants.flatMap(({ name, body }) => (body === kind ? [name] : [])));
}

function bodyKind(body: OcamlValue): DeclaredConstant['body'] {
  if (hasTag(body, BODY.undefined)) return 'undefined';
  if (hasTag(body, BODY.transparent)) return 'transparent';
  return hasTag(body, BODY.opaque) ? 'opaque' : 'other';
}

/** All inductive types of a file, qualified by the modules inside it. @throws MalformedValue */
export function declaredTypes(file: CompiledFile): ReadonlySet<string> {
  const { layout } = compiledLibrary(file);
  const names = new Set<string>();
  for (const declaration of declarationsIn(file))
    if (declaration.kind === 'inductive')
      for (const name of namesDeclared(layout, declaration)) names.add(name);
  return names;
}

/** Of a mutual block, which goes by the name of its first type, the names of all. */
export function namesDeclared(layout: KernelLayout, { name, kind, value }: Declaration): readonly string[] {
  if (kind !== 'inductive') return [name];
  const types = layout.inductive.of(value, 'types');
  if (!(types instanceof Block)) throw misfit('inductive types');
  return types.fields.map((type) => qualified(qualifierOf(name), nameText(field(type, 0))));
}
