/**
 * Declarations of a compiled module or of an export as people read them. Nothing is checked: this is what the file
 * says.
 */
import { QuodError } from '../../core/errors.ts';
import { closureOf } from './closure.ts';
import { type ConstantDeclaration, constantsOf } from './declaration.ts';
import { type DeepStackLimits, withDeepStack } from '../deep-stack.ts';
import { fileLines, readExport } from './export/read-export.ts';
import { AxiomUse } from './judge/axiom-use.ts';
import type { Name } from './name.ts';
import { ImportGraph } from './olean/import-graph.ts';
import { CompiledModule } from './olean/module.ts';
import { searchRoots } from './olean/search-path.ts';
import { printTerm } from './print-term.ts';
import { namesBehindStrings } from './behind-strings.ts';
import { TermStore } from './term-store.ts';

export interface ShowRequest {
  /** A module when it ends in `.olean`, otherwise an export. */
  readonly path: string;
  /** The full name; undefined lists what the file declares. */
  readonly name?: string;
  readonly axioms: boolean;
  readonly searchPath?: readonly string[];
  /** How many declarations are listed at most. */
  readonly limit: number;
}

export interface ShownDeclaration {
  readonly kind: ConstantDeclaration['kind'];
  readonly name: string;
  readonly levelParameters: readonly string[];
  readonly type: string;
  /** Not in lists. */
  readonly value: string | undefined;
  readonly details: readonly string[];
  /** Undefined when nobody asked. */
  readonly axioms: readonly string[] | undefined;
}

export interface Shown {
  readonly declarations: readonly ShownDeclaration[];
  /** How many the file has. */
  readonly total: number;
}

/** @throws QuodError as reading does, `not-found` when there is no such constant. */
export async function showDeclarations(request: ShowRequest, limits: DeepStackLimits = {}): Promise<Shown> {
  return (await withDeepStack(new URL(import.meta.url), 'showHere', request, limits)) as Shown;
}

/** @public The thread calls it by its name. */
export function showHere(request: ShowRequest): Shown {
  const store = new TermStore();
  const source = request.path.endsWith('.olean')
    ? moduleSource(request, store)
    : exportSource(request, store);
  if (request.name === undefined) {
    const constants = [...source.names()].slice(0, request.limit).map((name) => found(source, name, request));
    return {
      declarations: constants.map((constant) => shown(constant, undefined, source.axiomsOf, request.axioms)),
      total: source.count,
    };
  }
  const constant = found(source, store.names.parse(request.name), request);
  const value = 'value' in constant ? printTerm(constant.value) : undefined;
  return {
    declarations: [shown(constant, value, source.axiomsOf, request.axioms)],
    total: source.count,
  };
}

interface Source {
  readonly count: number;
  readonly names: () => Iterable<Name>;
  readonly find: (name: Name) => ConstantDeclaration | undefined;
  readonly axiomsOf: (name: Name) => readonly Name[];
}

function moduleSource({ path, searchPath }: ShowRequest, store: TermStore): Source {
  const module = CompiledModule.open(path, store);
  const roots = searchRoots(path, { ...(searchPath && { searchPath }) });
  const imports = new ImportGraph(module, roots, (file) => CompiledModule.open(file, store));
  return {
    count: module.constantCount,
    names: () => module.names.keys(),
    find: (name) => module.find(name) ?? imports.find(name),
    axiomsOf: (name) =>
      new AxiomUse([name], (used) => (module.names.has(used) ? module : imports.moduleOf(used)?.module)).of(
        name,
      ),
  };
}

function exportSource({ path }: ShowRequest, store: TermStore): Source {
  const constants = new Map<Name, ConstantDeclaration>();
  for (const declaration of readExport(fileLines(path), store))
    for (const constant of constantsOf(declaration)) {
      if (constants.has(constant.name))
        throw new QuodError('invalid-input', `The export declares ${constant.name.toString()} twice.`, {
          place: { file: path },
        });
      constants.set(constant.name, constant);
    }
  const find = (name: Name): ConstantDeclaration | undefined => constants.get(name);
  const behindStrings = namesBehindStrings(store);
  return {
    count: constants.size,
    names: () => constants.keys(),
    find,
    axiomsOf: (name) =>
      closureOf([name], find, behindStrings)
        .constants.filter(({ kind }) => kind === 'axiom')
        .map((axiom) => axiom.name),
  };
}

function found(source: Source, name: Name, { path }: ShowRequest): ConstantDeclaration {
  const constant = source.find(name);
  if (constant === undefined)
    throw new QuodError(
      'not-found',
      `Neither the file nor what it imports has a constant ${name.toString()}.`,
      { place: { file: path }, remedy: 'Give the full name, as in Nat.add_comm.' },
    );
  return constant;
}

function shown(
  constant: ConstantDeclaration,
  value: string | undefined,
  axiomsOf: Source['axiomsOf'],
  withAxioms: boolean,
): ShownDeclaration {
  return {
    kind: constant.kind,
    name: constant.name.toString(),
    levelParameters: constant.levelParameters.map((parameter) => parameter.toString()),
    type: printTerm(constant.type),
    value,
    details: details(constant),
    axioms: withAxioms ? axiomsOf(constant.name).map((axiom) => axiom.toString()) : undefined,
  };
}

function details(constant: ConstantDeclaration): string[] {
  switch (constant.kind) {
    case 'inductive':
      return [
        `parameters: ${constant.parameterCount}, indices: ${constant.indexCount}`,
        `constructors: ${constant.constructors.map((name) => name.toString()).join(', ') || 'none'}`,
      ];
    case 'constructor':
      return [`number ${constant.index} of ${constant.inductive.toString()}, fields: ${constant.fieldCount}`];
    case 'recursor':
      return constant.rules.map((rule) => `${rule.constructor.toString()} ↦ ${printTerm(rule.value)}`);
    case 'definition':
      return constant.safety === 'safe' ? [] : [constant.safety];
    case 'axiom':
    case 'opaque':
      return constant.isUnsafe ? ['unsafe'] : [];
    case 'theorem':
    case 'quotient':
      return [];
  }
}
