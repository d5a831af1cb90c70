/**
 * Names in a compiled file that Rocq's kernel and its checker believe, and that a forged file could use to prove
 * anything:
 * - a name is written as a pair: the one by which the kernel finds and unfolds a declaration, and the one by which it
 *   compares, where a module is a copy of another (`mod_subst.ml`). What the file declares must say the same as what
 *   it is compared as; of what a library declares, the library must say as what it is compared;
 * - a module says its own path again, and what is declared twice under one name is replaced by the second.
 */
import { orNothing } from '../../../core/entry.ts';
import { lazyByKey } from '../../../core/lazy-constant.ts';
import { listIn } from '../../../core/lists/list-in.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declaredIn } from '../compiled/declarations.ts';
import { CONTENTS, type DeclarationKind, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { field, hasTag, misfit, nameText } from '../compiled/kernel-shape.ts';
import {
  inside,
  insideOf,
  libraryOf as libraryIn,
  logicalName,
  modulePath,
} from '../compiled/module-paths.ts';
import { Block, blocksIn, Opaque, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM } from '../compiled/term-layout.ts';
import type { ComparisonWork } from './comparison-work.ts';
import { KernelEquality } from './kernel-equality.ts';

interface Name {
  readonly path: Block;
  readonly label: string;
}

type Claim = readonly [user: Name, canonical: Name];

interface Declared extends Name {
  readonly kind: DeclarationKind;
  readonly value: OcamlValue;
  readonly resolver: Resolver;
}

/** Of copies of copies. */
const LONGEST_CHAIN = 4;

export interface Misnamed {
  /** Whether the prover never writes that; else it could, and nobody can tell. */
  readonly isForged: boolean;
  /** A sentence. */
  readonly message: string;
}

/**
 * What stands in the way; undefined where all names are as the kernel makes them.
 * @param target what says the same, apart from what is proved. What it compares with what is Rocq's own word.
 * @throws MalformedValue, TooMuchWork
 */
export async function misnamed(
  file: CompiledFile,
  target: CompiledFile | undefined,
  findLibrary: FindLibrary,
  work: ComparisonWork,
): Promise<Misnamed | undefined> {
  const own = new NamedModules(file);
  if (own.problem !== undefined) return { isForged: true, message: own.problem };
  const other = lazyByKey(async (library: string) => {
    const found = library === own.library ? undefined : await findLibrary(library);
    return found && new NamedModules(found);
  });
  const homeOf = async ({ path }: Name): Promise<NamedModules | undefined> =>
    own.resolvers.has(keyOf(path)) ? own : other(libraryOf(path));
  // Nothing is renamed: no name has a blank.
  const equality = new KernelEquality(' ', work);
  const saySame = async (user: Name, canonical: Name): Promise<boolean> => {
    const name = keyOfName(canonical);
    const declared = own.declarations.get(keyOfName(user)) ?? [];
    const unlike = declared.filter((one) => !own.isSynonym(one, name));
    if (unlike.length === 0) return declared.length > 0;
    const meant = (await homeOf(canonical))?.declarations.get(name) ?? [];
    return unlike.every(({ kind, value }) =>
      meant.some((one) => {
        const { shape } = own.layout[kind === 'constant' ? kind : 'inductive'];
        return one.kind === kind && equality.attempt(() => equality.same(shape, value, one.value));
      }),
    );
  };
  /** A copy of a copy can be compared as the first, while its module says that it is one of the second. */
  const isSaid = async (user: Name, canonical: Name, steps = LONGEST_CHAIN): Promise<boolean> => {
    const names = [...((await homeOf(user))?.meantBy(user) ?? [])];
    if (names.some((name) => keyOfName(name) === keyOfName(canonical))) return true;
    const further = names.filter((name) => keyOfName(name) !== keyOfName(user));
    for (const name of steps > 0 ? further : []) if (await isSaid(name, canonical, steps - 1)) return true;
    return false;
  };
  const known = new Set(target && [...new NamedModules(target).claims()].map(claimKey));
  for (const claim of own.claims()) {
    if (known.has(claimKey(claim))) continue;
    known.add(claimKey(claim));
    const [user, canonical] = claim;
    const isOwn = (await homeOf(user)) === own;
    if (isOwn && (await saySame(user, canonical))) continue;
    const message = `It takes ${shown(user)} for ${shown(canonical)}, which`;
    if (!(await isSaid(user, canonical)))
      return { isForged: true, message: `${message} no module says to be the same.` };
    if (isOwn) return { isForged: false, message: `${message} is declared in other words.` };
  }
  return undefined;
}

/**
 * What the constants, or types, of a file are copies of, where a module is another one by another name (`Module N := M`, `Include M`).
 * @returns by their names inside the file: the name of the first inside the file, or its full one as in module-paths.ts.
 * @throws MalformedValue
 */
export function originals(file: CompiledFile, of: DeclarationKind = 'constant'): ReadonlyMap<string, string> {
  const modules = new NamedModules(file);
  const found = new Map<string, string>();
  for (const declared of [...modules.declarations.values()].flat()) {
    if (declared.kind !== of) continue;
    const original = modules.originalOf(declared);
    if (keyOfName(original) === keyOfName(declared)) continue;
    const name = named(original);
    found.set(insideOf(named(declared)), libraryIn(name) === modules.library ? insideOf(name) : name);
  }
  return found;
}

/** What a compiled file declares, and what each of its modules takes for what. */
class NamedModules {
  readonly layout: KernelLayout;
  readonly library: string;
  /** By the module's path. A functor has one for each of its copies. */
  readonly resolvers = new Map<string, Resolver[]>();
  readonly declarations = new Map<string, Declared[]>();
  problem: string | undefined;
  readonly #file: CompiledFile;

  constructor(file: CompiledFile) {
    this.#file = file;
    const { layout, library, name } = compiledLibrary(file);
    this.layout = layout;
    this.library = logicalName(name);
    this.#module(new Block(0, [name]), layout.library.of(library, 'module'), new Set());
  }

  /** What is compared as what: wherever a name is written, and where somebody will write one. */
  *claims(): Generator<Claim> {
    yield* pairsIn(this.#file);
    const [whole] = [...this.resolvers.values()].flat();
    for (const declared of [...this.declarations.values()].flat())
      for (const resolver of new Set([declared.resolver, whole])) {
        const canonical = resolver?.canonical(declared);
        if (canonical === undefined || canonical === declared) continue;
        if (keyOfName(canonical) !== keyOfName(declared)) yield [declared, canonical];
      }
  }

  /** As what the modules around it take a name. */
  *meantBy(name: Name): Generator<Name> {
    for (let path: OcamlValue | undefined = name.path; path instanceof Block; path = path.fields[0])
      for (const resolver of this.resolvers.get(keyOf(path)) ?? []) yield resolver.canonical(name);
  }

  /** The last of the names for which a name stands. */
  originalOf(name: Name): Name {
    const passed = new Set<string>();
    let original = name;
    for (let next: Name | undefined = name; next !== undefined;) {
      original = next;
      passed.add(keyOfName(next));
      next = [...this.meantBy(next)].find((other) => !passed.has(keyOfName(other)));
    }
    return original;
  }

  /** Whether a constant stands for nothing but the name. */
  isSynonym({ kind, value }: Declared, name: string): boolean {
    if (kind !== 'constant') return false;
    const body = this.layout.constant.of(value, 'body');
    const term = hasTag(body, BODY.transparent) ? field(body, 0) : undefined;
    if (term === undefined || !hasTag(term, TERM.constant)) return false;
    const meant = field(field(term, 0), 0);
    return keyOfName(nameIn(field(meant, meant instanceof Block ? meant.fields.length - 1 : 0))) === name;
  }

  #module(path: Block, value: OcamlValue, parameters: ReadonlySet<string>, isType = false): void {
    const layout = this.layout;
    const of = isType ? layout.moduleType : layout.module;
    const hasPath = layout.module.entries[0]?.[0] === 'path';
    if (hasPath && keyOf(field(value, 0)) !== keyOf(path))
      this.problem ??= `Its module ${shownPath(path)} says that it is ${shownPath(field(value, 0))}.`;
    const resolver = new Resolver(layout, of.of(value, 'aliases'));
    listIn(this.resolvers, keyOf(path)).push(resolver);
    const bound = this.#signature(path, of.of(value, 'signature'), parameters, resolver);
    const contents = isType ? 0 : layout.contentsOf(value);
    if (!hasTag(contents, CONTENTS.structure)) return;
    const { aliases, signature } = layout.structureOf(contents);
    // Until 8.17 they stand there, too.
    const around = hasTag(signature, SIGNATURE.functor) ? parameters : bound;
    this.#signature(
      path,
      signature,
      around,
      aliases === undefined ? resolver : new Resolver(layout, aliases),
    );
  }

  /** @returns the parameters in it. */
  #signature(path: Block, value: OcamlValue, parameters: ReadonlySet<string>, resolver: Resolver) {
    let [signature, bound] = [value, parameters];
    for (; hasTag(signature, SIGNATURE.functor); signature = field(signature, 2)) {
      const parameter = new Block(1, [field(signature, 0)]);
      if (bound.has(keyOf(parameter)))
        this.problem ??= `A functor in ${shownPath(path)} has two parameters of one name.`;
      this.#module(parameter, field(signature, 1), bound, true);
      bound = new Set([...bound, keyOf(parameter)]);
    }
    const labels = new Set<string>();
    for (const one of declaredIn(this.layout, signature)) {
      const { key, label, kind } = one;
      const declared = { ...one, path, resolver };
      if (labels.has(key)) this.problem ??= `It declares ${shown(declared)} twice.`;
      labels.add(key);
      if (kind === 'module' || kind === 'module type')
        this.#module(new Block(2, [path, label]), declared.value, bound, kind === 'module type');
      else if (kind !== 'rewrite rules') listIn(this.declarations, keyOfName(declared)).push(declared);
    }
    return bound;
  }
}

/** `delta_resolver`: modules and names that stand for others. */
class Resolver {
  readonly #modules: ReadonlyMap<string, OcamlValue>;
  readonly #names: ReadonlyMap<string, OcamlValue>;

  constructor(layout: KernelLayout, value: OcamlValue) {
    const { modules, names } = layout.aliasParts(value);
    this.#modules = new Map(modules.map(([path, by]) => [keyOf(path), by]));
    this.#names = new Map(names.map(([name, hint]) => [keyOfName(nameIn(name)), hint]));
  }

  /** `kn_of_delta`: a hint gives a name, or a term that replaces it, or nothing. */
  canonical(name: Name): Name {
    if (this.#modules.size + this.#names.size === 0) return name;
    const hint = this.#names.get(keyOfName(name));
    if (hint !== undefined && hasTag(hint, 1)) return nameIn(field(hint, 0));
    return hint !== undefined && field(hint, 1) !== 0 ? name : { ...name, path: this.#module(name.path) };
  }

  #module(path: Block): Block {
    const known = this.#modules.get(keyOf(path));
    if (known instanceof Block) return known;
    const outer = path.fields[0];
    if (path.tag !== 2 || !(outer instanceof Block)) return path;
    return new Block(2, [this.#module(outer), field(path, 1)]);
  }
}

/** All pairs of names, also where the kernel does not look: what else is in a library is loaded with it. */
export function* pairsIn(file: CompiledFile): Generator<Claim> {
  for (const { tag, fields } of blocksIn(file.segment('opaques'), file.segment('library'))) {
    if (tag !== 1 || fields.length !== 2) continue;
    const [user, canonical] = fields.map(nameOf);
    if (user !== undefined && canonical !== undefined) yield [user, canonical];
  }
}

function nameOf(value: OcamlValue): Name | undefined {
  if (!hasTag(value, 0) || value.fields.length !== 3) return undefined;
  const [path, label] = value.fields;
  const isName = path instanceof Block && typeof label === 'string' && modulePath(path) !== undefined;
  return isName ? { path, label } : undefined;
}

function nameIn(value: OcamlValue): Name {
  const name = nameOf(value);
  if (name === undefined) throw misfit('a name');
  return name;
}

/** Another for another value. */
function keyOf(value: OcamlValue): string {
  if (value instanceof Block) return `${String(value.tag)}[${value.fields.map(keyOf).join()}]`;
  if (value instanceof Opaque) throw misfit('a path');
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

const keyOfName = ({ path, label }: Name): string => `${keyOf(path)}.${label}`;
const claimKey = (claim: Claim): string => JSON.stringify(claim.map(keyOfName));

/** The library that a module is in, or where the functor is whose parameter it is. */
function libraryOf(path: Block): string {
  let outer: OcamlValue = path;
  while (hasTag(outer, 2)) outer = field(outer, 0);
  return logicalName(hasTag(outer, 0) ? field(outer, 0) : field(field(outer, 0), 2));
}

export const named = ({ path, label }: Name): string => inside(orNothing(modulePath(path)), nameText(label));
const shownPath = (path: OcamlValue): string => orNothing(modulePath(path)).replace('#', '.');
const shown = ({ path, label }: Name): string => `${shownPath(path)}.${nameText(label)}`;
