/**
 * The constants of a module as declarations that a kernel can check one after the other: types of a mutual block with
 * their constructors and recursors together, and everything after what it rests on. A compiled module lists its
 * constants in the order of a hash table.
 *
 * What does not fit together (a constructor without its type, a constant that rests on itself) cannot have been
 * checked by any kernel; it is answered, not thrown, because it is the file's fault.
 */
import {
  type ConstantDeclaration,
  type ConstructorConstant,
  type Declaration,
  type InductiveConstant,
  type RecursorConstant,
  constantsOf,
  declarationName,
  termsOf,
} from './declaration.ts';
import { constantsIn } from './expression.ts';
import { sameNames, type Name } from './name.ts';

export type Ordered =
  | { readonly kind: 'ordered'; readonly declarations: readonly Declaration[] }
  | { readonly kind: 'impossible'; readonly name: Name; readonly message: string };

/**
 * What literals stand for without naming it. These come first, so that a kernel knows them when it meets a literal.
 */
const BEHIND_LITERALS = ['Nat', 'Char', 'List', 'String', 'Char.ofNat', 'String.mk', 'String.ofList'];

export function constantsInDependencyOrder(constants: Iterable<ConstantDeclaration>): Ordered {
  const grouped = groupIntoDeclarations(constants);
  if (grouped.kind === 'impossible') return grouped;
  const { declarations } = grouped;
  const owner = new Map<Name, Declaration>();
  for (const declaration of declarations) {
    for (const constant of constantsOf(declaration)) owner.set(constant.name, declaration);
  }
  const early = new Map(BEHIND_LITERALS.map((name, position) => [name, position]));
  const rank = (declaration: Declaration): number => early.get(nameOf(declaration).toString()) ?? early.size;
  const roots = [...declarations].sort((left, right) => rank(left) - rank(right));

  const ordered: Declaration[] = [];
  const state = new Map<Declaration, 'open' | 'done'>();
  for (const root of roots) {
    const pending = [root];
    for (let declaration = pending.at(-1); declaration !== undefined; declaration = pending.at(-1)) {
      if (state.get(declaration) !== undefined) {
        pending.pop();
        if (state.get(declaration) === 'open') ordered.push(declaration);
        state.set(declaration, 'done');
        continue;
      }
      state.set(declaration, 'open');
      for (const used of usedDeclarations(declaration, owner)) {
        if (state.get(used) === 'open' && !mayRecurse(declaration))
          return impossible(declarationName(used), 'rests on itself.');
        if (state.get(used) === undefined) pending.push(used);
      }
    }
  }
  return { kind: 'ordered', declarations: ordered };
}

/** Definitions that no kernel relies on are allowed to call themselves. */
function mayRecurse(declaration: Declaration): boolean {
  return declaration.kind === 'definition' && declaration.safety !== 'safe';
}

function usedDeclarations(declaration: Declaration, owner: ReadonlyMap<Name, Declaration>): Set<Declaration> {
  const used = new Set<Declaration>();
  for (const name of constantsIn(...constantsOf(declaration).flatMap(termsOf))) {
    const other = owner.get(name);
    if (other !== undefined && other !== declaration) used.add(other);
    // Outside a block, a constant has no way to speak of itself.
    else if (other === declaration && declaration.kind !== 'inductive-block') used.add(other);
  }
  return used;
}

interface OpenBlock {
  readonly all: readonly Name[];
  readonly types: InductiveConstant[];
  readonly constructors: Map<Name, ConstructorConstant>;
  readonly recursors: RecursorConstant[];
}

type Grouped =
  { readonly kind: 'grouped'; readonly declarations: Declaration[] } | (Ordered & { kind: 'impossible' });

function groupIntoDeclarations(constants: Iterable<ConstantDeclaration>): Grouped {
  const declarations: Declaration[] = [];
  const blockOf = new Map<Name, OpenBlock>();
  const blocks = new Map<Name, OpenBlock>();
  const constructors: ConstructorConstant[] = [];
  const recursors: RecursorConstant[] = [];
  for (const constant of constants) {
    switch (constant.kind) {
      case 'inductive': {
        const [first] = constant.all;
        if (first === undefined || !constant.all.includes(constant.name))
          return impossible(constant.name, 'is not in the list of types of its own block.');
        let block = blocks.get(first);
        if (block === undefined) {
          block = { all: constant.all, types: [], constructors: new Map(), recursors: [] };
          blocks.set(first, block);
        }
        if (!sameNames(block.all, constant.all))
          return impossible(constant.name, 'lists other types of its block than they do.');
        block.types.push(constant);
        blockOf.set(constant.name, block);
        break;
      }
      case 'constructor':
        constructors.push(constant);
        break;
      case 'recursor':
        recursors.push(constant);
        break;
      case 'axiom':
      case 'definition':
      case 'theorem':
      case 'opaque':
      case 'quotient':
        declarations.push(constant);
    }
  }
  for (const constructor of constructors) {
    const block = blockOf.get(constructor.inductive);
    if (block === undefined)
      return impossible(
        constructor.name,
        `is a constructor of ${constructor.inductive.toString()}, which the module does not declare.`,
      );
    block.constructors.set(constructor.name, constructor);
  }
  for (const recursor of recursors) {
    const [first] = recursor.all;
    const block = first === undefined ? undefined : blockOf.get(first);
    if (block === undefined || !sameNames(block.all, recursor.all))
      return impossible(recursor.name, 'is a recursor of types that the module does not declare.');
    block.recursors.push(recursor);
  }
  for (const block of blocks.values()) {
    const finished = finishBlock(block);
    if ('message' in finished) return finished;
    declarations.push(finished);
  }
  return { kind: 'grouped', declarations };
}

function finishBlock(block: OpenBlock): Declaration | (Ordered & { kind: 'impossible' }) {
  const types: InductiveConstant[] = [];
  const constructors: ConstructorConstant[] = [];
  const byName = new Map(block.types.map((type) => [type.name, type]));
  for (const name of block.all) {
    const type = byName.get(name);
    if (type === undefined) return impossible(name, 'is missing from its block of types.');
    types.push(type);
    byName.delete(name);
    for (const constructor of type.constructors) {
      const found = block.constructors.get(constructor);
      if (found?.inductive !== name)
        return impossible(constructor, `is listed as a constructor of ${name.toString()}, but is none.`);
      constructors.push(found);
      block.constructors.delete(constructor);
    }
  }
  const [stray] = block.constructors.keys();
  if (stray !== undefined) return impossible(stray, 'is a constructor that its type does not list.');
  return { kind: 'inductive-block', types, constructors, recursors: block.recursors };
}

function nameOf(declaration: Declaration): Name {
  const name = declarationName(declaration);
  if (name === undefined) throw new Error('A declaration declares nothing.');
  return name;
}

function impossible(name: Name | undefined, message: string): Ordered & { kind: 'impossible' } {
  if (name === undefined) throw new RangeError('a declaration without a constant');
  return { kind: 'impossible', name, message };
}
