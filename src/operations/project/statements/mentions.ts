/**
 * What the declarations of a compiled file mention, by full names. It is more than a proof rests on: a name anywhere in a
 * type or a body counts. It explains, and judges nothing.
 */
import { qualified, qualifierOf } from '../../../core/qualified-name.ts';
import type { AssumptionKind } from '../../../gate/rocq/compiled/assumption-kinds.ts';
import type { CompiledFile } from '../../../gate/rocq/compiled/compiled-file.ts';
import { compiledLibrary } from '../../../gate/rocq/compiled/compiled-library.ts';
import { BODY } from '../../../gate/rocq/compiled/declaration-layout.ts';
import {
  declarationsIn,
  declaredConstants,
  type Declaration,
} from '../../../gate/rocq/compiled/declarations.ts';
import { field, hasTag, misfit, text, utf8 } from '../../../gate/rocq/compiled/kernel-shape.ts';
import type { KernelLayout } from '../../../gate/rocq/compiled/kernel-layout.ts';
import {
  inside,
  insideOf,
  libraryOf,
  logicalName,
  modulePath,
  PARAMETER,
} from '../../../gate/rocq/compiled/module-paths.ts';
import { Block, type OcamlValue } from '../../../gate/rocq/compiled/ocaml-values.ts';

export interface Mentions {
  /** Names as `Coq.Init.Logic#eq`. */
  readonly names: ReadonlySet<string>;
  /** Modules, those to which a functor was applied among them. */
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

export interface DeclaredMentions extends Mentions {
  /** As what it was declared; undefined when it has a body. */
  readonly assumed: AssumptionKind | undefined;
  readonly proof: KeptProof | undefined;
}

export interface LibraryMentions {
  /** `Coq.Lists.List` */
  readonly library: string;
  /** By names that are qualified by the modules inside the file. */
  readonly declared: ReadonlyMap<string, DeclaredMentions>;
  /** Of the proofs, by their places. */
  readonly proofs: readonly Mentions[];
}

/**
 * @param among Names of libraries: what others declare is left out.
 * @throws MalformedValue when the file does not have the known layout.
 */
export function mentionsIn(file: CompiledFile, among: ReadonlySet<string>): LibraryMentions {
  const { layout, library } = compiledLibrary(file);
  const assumed = new Map(declaredConstants(file).map((constant) => [constant.name, constant.assumed]));
  const declared = new Map<string, DeclaredMentions>();
  for (const declaration of declarationsIn(file)) {
    const { name, kind, value } = declaration;
    if (kind !== 'constant' && kind !== 'inductive') continue;
    const proof = kind === 'constant' ? keptProof(layout.constant.of(value, 'body'), among) : undefined;
    const own = { ...mentionsOf(value, among), assumed: assumed.get(name), proof };
    for (const called of namesOf(layout, declaration)) declared.set(called, own);
  }
  const bodies = file.segment('opaques');
  return {
    library: logicalName(layout.library.of(library, 'name')),
    declared,
    proofs: bodies instanceof Block ? bodies.fields.map((proof) => mentionsOf(proof, among)) : [],
  };
}

/** Of a mutual block, which goes by the name of its first type, the names of all. */
function namesOf(layout: KernelLayout, { name, kind, value }: Declaration): readonly string[] {
  if (kind !== 'inductive') return [name];
  const types = layout.inductive.of(value, 'types');
  if (!(types instanceof Block)) throw misfit('inductive types');
  return types.fields.map((type) => qualified(qualifierOf(name), utf8(text(field(type, 0)))));
}

function keptProof(body: OcamlValue, among: ReadonlySet<string>): KeptProof | undefined {
  if (!hasTag(body, BODY.opaque)) return undefined;
  const reference = field(body, 0);
  if (!(reference instanceof Block)) throw misfit('a reference to an opaque body');
  const [home, place] = reference.fields.slice(-2);
  if (home === undefined || typeof place !== 'number') throw misfit('the place of an opaque body');
  return { library: logicalName(home), place, substituted: mentionsOf(reference, among).modules };
}

function mentionsOf(root: OcamlValue, among: ReadonlySet<string>): Mentions {
  const found = { names: new Set<string>(), modules: new Set<string>(), parts: new Set<string>() };
  const walked = new Set<Block>();
  const pending: OcamlValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof Block) || walked.has(value)) continue;
    walked.add(value);
    const [path, label] = value.fields;
    const module = value.tag === 0 && value.fields.length === 3 ? modulePath(path) : undefined;
    if (module !== undefined && typeof label === 'string') {
      const name = inside(module, utf8(label));
      if (module.startsWith(PARAMETER)) found.parts.add(insideOf(name));
      else if (among.has(libraryOf(name))) found.names.add(name);
    } else {
      const mentioned = modulePath(value);
      if (mentioned !== undefined && among.has(libraryOf(inside(mentioned, ''))))
        found.modules.add(mentioned);
    }
    for (const part of value.fields) if (part instanceof Block) pending.push(part);
  }
  return found;
}

/** What is open or assumed under declarations of several libraries, through whatever they mention. */
export class MentionedGrounds {
  readonly #libraries: ReadonlyMap<string, LibraryMentions>;

  /** @param libraries All in which something is looked for; what others declare is not followed. */
  constructor(libraries: readonly LibraryMentions[]) {
    this.#libraries = new Map(libraries.map((one) => [one.library, one]));
  }

  has(name: string): boolean {
    return this.#declared(name) !== undefined;
  }

  #declared(name: string): DeclaredMentions | undefined {
    return this.#libraries.get(libraryOf(name))?.declared.get(insideOf(name));
  }

  /** The names of what it rests on that has no body; not its own. */
  below(name: string): readonly string[] {
    return [...this.#reached(name, () => true)].filter(
      (one) => one !== name && this.#declared(one)?.assumed !== undefined,
    );
  }

  /** What it mentions of `named`, itself or through what has no name among these. */
  mentioned(name: string, named: { has: (name: string) => boolean }): readonly string[] {
    return [...this.#reached(name, (one) => one === name || !named.has(one))].filter(
      (one) => one !== name && named.has(one),
    );
  }

  /** @param goesOn Whether what one mentions is reached, too. */
  #reached(name: string, goesOn: (name: string) => boolean): ReadonlySet<string> {
    const reached = new Set([name]);
    const pending = [name];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const declared = this.#declared(next);
      if (declared === undefined || !goesOn(next)) continue;
      for (const mentioned of this.#mentionedBy(declared)) {
        if (reached.has(mentioned)) continue;
        reached.add(mentioned);
        pending.push(mentioned);
      }
    }
    return reached;
  }

  *#mentionedBy(declared: DeclaredMentions): Generator<string> {
    yield* declared.names;
    if (declared.proof === undefined) return;
    const { library, place, substituted } = declared.proof;
    const proof = this.#libraries.get(library)?.proofs[place];
    if (proof === undefined) {
      // Of a functor of another library it is not read which part of a module it uses.
      for (const module of substituted) yield* this.#declaredInside(module);
      return;
    }
    for (const part of proof.parts) for (const module of substituted) yield inside(module, part);
    for (const name of proof.names) yield* instancesOf(name, substituted);
  }

  *#declaredInside(module: string): Generator<string> {
    // A whole library stands for a parameter seldom, and beside each module that does.
    if (!module.includes('#')) return;
    const library = libraryOf(module);
    const within = `${insideOf(module)}.`;
    for (const name of this.#libraries.get(library)?.declared.keys() ?? [])
      if (name.startsWith(within)) yield inside(library, name);
  }
}

/** A name and what stands for it in a copy; which of the modules stand for which is not read. */
function instancesOf(name: string, substituted: ReadonlySet<string>): readonly string[] {
  const around = [...substituted].find((module) => module.includes('#') && name.startsWith(`${module}.`));
  if (around === undefined) return [name];
  const part = name.slice(around.length + 1);
  return [name, ...[...substituted].map((module) => inside(module, part))];
}
