/**
 * What of a compiled file a declaration speaks of, itself or by way of what it speaks of: through types, values, opaque
 * values and modules. It only warns, and follows rather too much than too little:
 * - A constant without a body in a module that an expression made (`Module A : P := G E`) speaks of what stands in the
 *   modules of the expression under the same name.
 * - Names of a functor's parameters stand for what every module has under them to which a functor is applied on the way.
 */
import { listIn } from '../../../core/lists/list-in.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn } from '../compiled/declarations.ts';
import { CONTENTS, type KernelLayout, SIGNATURE } from '../compiled/kernel-layout.ts';
import { field, hasTag, listElements, misfit } from '../compiled/kernel-shape.ts';
import { inside, insideOf, libraryOf, modulePath, namedBy, PARAMETER } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { OpaqueBodies } from './opaque-bodies.ts';

interface Mentions {
  /** Of constants and types, as `Coq.Init.Logic#eq`. */
  readonly names: Iterable<string>;
  /** Modules to which a functor is applied. */
  readonly modules: Iterable<string>;
  /** Modules of which all that they declare is mentioned. */
  readonly whole: Iterable<string>;
}

export class SpokenNames {
  readonly #library: string;
  readonly #layout: KernelLayout;
  readonly #opaqueBodies: OpaqueBodies;
  /** Constants and inductive types. */
  readonly #declared = new Map<string, { readonly isConstant: boolean; readonly value: OcamlValue }>();
  /** Of the modules that an expression made. */
  readonly #expressions = new Map<string, OcamlValue>();
  /** Of functors: the types of their parameters. */
  readonly #parameters = new Map<string, readonly OcamlValue[]>();
  /** The rewrite rules of the file, by their symbols; under no name those of symbols of other libraries. */
  readonly #rules = new Map<string, OcamlValue[]>();
  /** Without what opaque values mention. */
  readonly #direct = new Map<string, readonly Mentions[]>();

  constructor(file: CompiledFile) {
    const { layout } = compiledLibrary(file);
    this.#library = libraryNameOf(file);
    this.#layout = layout;
    this.#opaqueBodies = new OpaqueBodies(file);
    for (const { name, kind, value } of declarationsIn(file)) {
      if (kind === 'constant' || kind === 'inductive')
        this.#declared.set(name, { isConstant: kind === 'constant', value });
      if (kind === 'rewrite rules')
        for (const rule of listElements(field(value, 0)))
          for (const symbol of mentionsOf(field(rule, 0)).names)
            listIn(this.#rules, libraryOf(symbol) === this.#library ? insideOf(symbol) : '').push(
              field(rule, 1),
            );
      if (kind !== 'module') continue;
      const contents = layout.contentsOf(value);
      if (hasTag(contents, CONTENTS.expression)) this.#expressions.set(name, withoutParameters(contents));
      const parameters = [...parametersOf(layout.module.of(value, 'signature'))];
      if (parameters.length > 0) this.#parameters.set(name, parameters);
    }
  }

  /** Whether there is a value that others cannot look into. */
  isOpaque(name: string): boolean {
    return hasTag(this.#bodyOf(name), BODY.opaque);
  }

  isInFunctor(name: string): boolean {
    return [...modulesAround(name)].some(([module]) => this.#parameters.has(module));
  }

  /**
   * All names inside the file that one leads to, itself among them.
   * @param looksInto whether what an opaque value mentions counts.
   */
  reachedFrom(start: string, looksInto: (name: string) => boolean): ReadonlySet<string> {
    const reach = new Reach(this.#library, [...this.#declared.keys()]);
    reach.name(inside(this.#library, start));
    // What other libraries say of their symbols is not read, so that everything may speak of them.
    for (const rule of this.#rules.get('') ?? []) reach.take({ ...mentionsOf(rule), modules: [] });
    // What is said in a functor is said of what its parameters are required to be.
    for (const [module] of modulesAround(start))
      for (const type of this.#parameters.get(module) ?? [])
        reach.take({ ...mentionsOf(type), modules: [], whole: [] });
    // What is found while it runs is looked at, too.
    for (const name of reach.reached) {
      for (const mentions of this.#directly(name)) reach.take(mentions);
      if (this.isOpaque(name) && looksInto(name)) reach.take(this.#inOpaqueValue(name));
    }
    return reach.reached;
  }

  #bodyOf(name: string): OcamlValue {
    const declared = this.#declared.get(name);
    return declared?.isConstant === true ? this.#layout.constant.of(declared.value, 'body') : 0;
  }

  #directly(name: string): readonly Mentions[] {
    let found = this.#direct.get(name);
    if (found === undefined) {
      const value = this.#declared.get(name)?.value;
      const said = [...(value === undefined ? [] : [value]), ...(this.#rules.get(name) ?? [])];
      found = [...said.map((one) => ({ ...mentionsOf(one), modules: [] })), ...this.#behind(name)];
      this.#direct.set(name, found);
    }
    return found;
  }

  /** What stands behind a constant without a body in the expressions that made the modules around it. */
  *#behind(name: string): Generator<Mentions> {
    if (!hasTag(this.#bodyOf(name), BODY.undefined)) return;
    for (const [module, part] of modulesAround(name)) {
      const expression = this.#expressions.get(module);
      if (expression === undefined) continue;
      const { head, modules } = partsOf(expression);
      if (this.#isReadable(head)) yield { names: [inside(head, part)], modules, whole: [] };
      // What another library makes of its arguments is not read.
      else yield { names: [], modules, whole: modules };
    }
  }

  #inOpaqueValue(name: string): Mentions {
    const body = this.#bodyOf(name);
    if (!hasTag(body, BODY.opaque)) return { names: [], modules: [], whole: [] };
    const found = this.#opaqueBodies.bodyOf(body);
    if (found?.kind === 'own') return mentionsOf(new Block(0, [found.origin, found.term]));
    const mentions = mentionsOf(body);
    return { ...mentions, whole: mentions.modules };
  }

  #isReadable(module: string): boolean {
    return module.startsWith(PARAMETER) || libraryOf(inside(module, '')) === this.#library;
  }
}

/** Parts of parameters of parameters are followed as deep as that. */
const DEEPEST_PART = 4;

class Reach {
  /** Inside the library. */
  readonly reached = new Set<string>();
  readonly #library: string;
  readonly #declared: readonly string[];
  readonly #parts = new Set<string>();
  readonly #modules = new Set<string>();
  readonly #whole = new Set<string>();

  constructor(library: string, declared: readonly string[]) {
    this.#library = library;
    this.#declared = declared;
  }

  take({ names, modules, whole }: Mentions): void {
    for (const name of names) this.name(name);
    for (const module of modules) {
      if (this.#modules.has(module)) continue;
      this.#modules.add(module);
      for (const part of this.#parts) this.name(inside(module, part));
    }
    for (const module of whole) this.#all(module);
  }

  name(name: string): void {
    const part = insideOf(name);
    if (libraryOf(name) === this.#library) this.reached.add(part);
    if (!name.startsWith(PARAMETER) || this.#parts.has(part)) return;
    if (part.split('.').length > DEEPEST_PART) return;
    this.#parts.add(part);
    for (const module of this.#modules) this.name(inside(module, part));
  }

  #all(module: string): void {
    if (this.#whole.has(module) || !module.startsWith(`${this.#library}#`)) return;
    this.#whole.add(module);
    const within = `${insideOf(module)}.`;
    for (const name of this.#declared) if (name.startsWith(within)) this.reached.add(name);
  }
}

/** Every name anywhere in a value, and every module that stands for another one there. */
function mentionsOf(root: OcamlValue): Mentions {
  const found = { names: new Set<string>(), modules: new Set<string>(), whole: [] };
  const seen = new Set<OcamlValue>();
  const pending = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!(value instanceof Block) || seen.has(value)) continue;
    seen.add(value);
    const name = namedBy(value);
    const module = value.tag === 0 && value.fields.length === 2 ? modulePath(value.fields[0]) : undefined;
    if (name !== undefined) found.names.add(name);
    // In a substitution; beside it is all that is known of which names stand for which.
    else if (module !== undefined) found.modules.add(module);
    else for (const part of value.fields) pending.push(part);
  }
  return found;
}

/** Each module around a name, the outermost first, and what the name is called inside it. */
function* modulesAround(name: string): Generator<readonly [module: string, part: string]> {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    yield [name.slice(0, dot), name.slice(dot + 1)];
}

/** The types of a functor's parameters. */
function* parametersOf(signature: OcamlValue): Generator<OcamlValue> {
  for (let rest = signature; hasTag(rest, SIGNATURE.functor); rest = field(rest, 2)) yield field(rest, 1);
}

/** The expression in a module's contents; of a functor, what is under its parameters. */
function withoutParameters(contents: OcamlValue): OcamlValue {
  let expression = field(contents, 0);
  while (hasTag(expression, SIGNATURE.functor)) expression = field(expression, expression.fields.length - 1);
  return field(expression, 0);
}

/** The module that an expression is, or the functor that it applies, and to which modules. */
function partsOf(expression: OcamlValue): { readonly head: string; readonly modules: readonly string[] } {
  const modules: string[] = [];
  let head = expression;
  for (; head instanceof Block && head.tag !== EXPRESSION.module; head = field(head, 0))
    if (head.tag === EXPRESSION.application) modules.push(pathIn(field(head, 1)));
  return { head: pathIn(field(head, 0)), modules };
}

function pathIn(value: OcamlValue): string {
  const path = modulePath(value);
  if (path === undefined) throw misfit('a path of a module');
  return path;
}

/** The third kind is a module type with a definition. */
const EXPRESSION = { module: 0, application: 1 } as const;
