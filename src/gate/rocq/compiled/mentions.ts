/**
 * What the declarations of a compiled file mention, by full names: in what they say, and in their bodies. Every name
 * anywhere in a value counts, the record of a primitive projection, too.
 */
import type { AssumptionKind } from './assumption-kinds.ts';
import type { CompiledFile } from './compiled-file.ts';
import { compiledLibrary, libraryNameOf } from './compiled-library.ts';
import { BODY } from './declaration-layout.ts';
import { declarationsIn, declaredConstants, namesDeclared } from './declarations.ts';
import type { KernelLayout } from './kernel-layout.ts';
import { field, hasTag, listElements } from './kernel-shape.ts';
import { inside, insideOf, libraryOf, modulePath, namedBy, PARAMETER } from './module-paths.ts';
import { Block, blocksIn, type OcamlValue } from './ocaml-values.ts';
import { opaqueReference } from './opaque-reference.ts';
import { type Unchecked, uncheckedOf } from './unchecked.ts';

export interface Mentions {
  /** Names as `Coq.Init.Logic#eq`. */
  readonly names: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  /** What is mentioned of the parameters of a functor, by the path inside the parameter. */
  readonly parts: ReadonlySet<string>;
}

/** Where the proof of a declaration is. */
interface KeptProof {
  readonly library: string;
  readonly place: number;
  /** In a copy by a functor or a module type: the modules that stand for others in the proof, and those others. */
  readonly substituted: ReadonlySet<string>;
}

export interface DeclaredMentions {
  /** In its type; of inductive types all. */
  readonly said: Mentions;
  /** In a body that others can look into. */
  readonly body: Mentions;
  readonly proof: KeptProof | undefined;
  readonly isInductive: boolean;
  /** As what it was declared; undefined when it has a body. */
  readonly assumed: AssumptionKind | undefined;
  readonly unchecked: readonly Unchecked[];
}

export interface LibraryMentions {
  /** `Coq.Lists.List` */
  readonly library: string;
  /** By names that are qualified by the modules inside the file. */
  readonly declared: ReadonlyMap<string, DeclaredMentions>;
  /** Of the proofs, by their places. */
  readonly proofs: readonly Mentions[];
  /** What rewrite rules make of symbols; undefined where neither the library nor what it requires can have any. */
  readonly rules: readonly (readonly [symbol: string, made: string])[] | undefined;
}

/** Whether something is looked for in a library. */
export type Among = (library: string) => boolean;

const EVERYWHERE: Among = () => true;

const NOTHING: Mentions = { names: new Set(), modules: new Set(), parts: new Set() };

/**
 * @param among What others declare is left out; default: none is.
 * @throws MalformedValue when the file does not have the known layout.
 */
export function mentionsIn(file: CompiledFile, among: Among = EVERYWHERE): LibraryMentions {
  const { layout, library } = compiledLibrary(file);
  const assumed = new Map(declaredConstants(file).map((constant) => [constant.name, constant.assumed]));
  const declared = new Map<string, DeclaredMentions>();
  const rules: [string, string][] = [];
  for (const declaration of declarationsIn(file)) {
    const { name, kind, value } = declaration;
    for (const rule of kind === 'rewrite rules' ? listElements(field(value, 0)) : [])
      for (const symbol of mentionsOf(field(rule, 0), among).names)
        for (const made of mentionsOf(field(field(rule, 1), 2), among).names) rules.push([symbol, made]);
    if (kind !== 'constant' && kind !== 'inductive') continue;
    const own = {
      ...(kind === 'constant' ? ofConstant(layout, value, among) : ofInductive(mentionsOf(value, among))),
      ...{ assumed: assumed.get(name), unchecked: uncheckedOf(layout, { kind, value }) },
    };
    for (const called of namesDeclared(layout, declaration)) declared.set(called, own);
  }
  const bodies = file.segment('opaques');
  return {
    library: libraryNameOf(file),
    declared,
    proofs: bodies instanceof Block ? bodies.fields.map((proof) => mentionsOf(proof, among)) : [],
    rules: layout.allowsRewriteRules(library) ? rules : undefined,
  };
}

type Read = Omit<DeclaredMentions, 'assumed' | 'unchecked'>;

function ofConstant(layout: KernelLayout, value: OcamlValue, among: Among): Read {
  const body = layout.constant.of(value, 'body');
  const isTransparent = hasTag(body, BODY.transparent);
  return {
    said: mentionsOf(layout.constant.of(value, 'type'), among),
    body: isTransparent ? mentionsOf(body, among) : NOTHING,
    proof: hasTag(body, BODY.opaque) ? keptProof(body, among) : undefined,
    isInductive: false,
  };
}

const ofInductive = (said: Mentions): Read => ({ said, body: NOTHING, proof: undefined, isInductive: true });

function keptProof(body: Block, among: Among): KeptProof {
  const { value, library, place } = opaqueReference(body);
  return { library, place, substituted: mentionsOf(value, among).modules };
}

/** Of a value and all that is in it. */
export function mentionsOf(root: OcamlValue, among: Among = EVERYWHERE): Mentions {
  const found = { names: new Set<string>(), modules: new Set<string>(), parts: new Set<string>() };
  for (const block of blocksIn(root)) {
    const name = namedBy(block);
    const module = name === undefined ? modulePath(block) : undefined;
    if (name?.startsWith(PARAMETER) === true) found.parts.add(insideOf(name));
    else if (name !== undefined && among(libraryOf(name))) found.names.add(name);
    else if (module !== undefined && among(libraryOf(inside(module, '')))) found.modules.add(module);
  }
  return found;
}

/** What the body or the proof of a declaration mentions. @param find The library of a proof; undefined where it is not read. */
export function* inBody(
  { body, proof }: DeclaredMentions,
  find: (library: string) => LibraryMentions | undefined,
): Generator<string> {
  yield* body.names;
  if (proof === undefined) return;
  const { library, place, substituted } = proof;
  const kept = find(library)?.proofs[place];
  if (kept === undefined) {
    // Of a functor of another library it is not read which part of a module it uses.
    for (const module of substituted) yield* declaredInside(module, find(libraryOf(module)));
    return;
  }
  for (const part of kept.parts) for (const module of substituted) yield inside(module, part);
  for (const name of kept.names) yield* instancesOf(name, substituted);
}

function* declaredInside(module: string, library: LibraryMentions | undefined): Generator<string> {
  // A whole library stands for a parameter seldom, and beside each module that does.
  if (!module.includes('#') || library === undefined) return;
  const within = `${insideOf(module)}.`;
  for (const name of library.declared.keys())
    if (name.startsWith(within)) yield inside(library.library, name);
}

/** A name and what stands for it in a copy; which of the modules stand for which is not read. */
function* instancesOf(name: string, substituted: ReadonlySet<string>): Generator<string> {
  yield name;
  for (const around of substituted)
    if (around.includes('#') && name.startsWith(`${around}.`))
      for (const module of substituted) yield inside(module, name.slice(around.length + 1));
}
