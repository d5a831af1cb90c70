/** The constants of a compiled module (`ConstantInfo`), as the file claims them. Layouts: see object-graph.ts. */
import type {
  ConstantDeclaration,
  DefinitionSafety,
  QuotientConstant,
  RecursorRule,
  ReducibilityHints,
} from '../declaration.ts';
import type { Expression } from '../expression.ts';
import type { Name } from '../name.ts';
import type { ObjectAddress, Slot } from './object-graph.ts';
import type { TermReader } from './term-reader.ts';

const SAFETIES = ['unsafe', 'safe', 'partial'] as const satisfies DefinitionSafety[];
const ROLES = ['type', 'constructor', 'lift', 'induction'] as const satisfies QuotientConstant['role'][];

/** Constructors of `ConstantInfo` by tag: pointer fields and bytes of what they hold. */
const SHAPES = [
  { what: 'an axiom', fields: 1, size: 24 },
  { what: 'a definition', fields: 4, size: 48 },
  { what: 'a theorem', fields: 3, size: 32 },
  { what: 'an opaque constant', fields: 3, size: 40 },
  { what: 'a constant of quotients', fields: 1, size: 24 },
  { what: 'an inductive type', fields: 6, size: 64 },
  { what: 'a constructor', fields: 5, size: 56 },
  { what: 'a recursor', fields: 7, size: 72 },
] as const;

/** Until Lean 4.7 or so an inductive type had a flag `isNested` instead of the number of nested types. */
const OLD_INDUCTIVE = { fields: 5, size: 56 } as const;

/** Only the name of the constant in a slot: a few words are read. */
export function readConstantName(terms: TermReader, slot: Slot, below: ObjectAddress): Name {
  const { base } = openConstant(terms, slot, below);
  return terms.name(terms.graph.field(base, 0), base);
}

export function readConstant(terms: TermReader, slot: Slot, below: ObjectAddress): ConstantDeclaration {
  const { graph } = terms;
  const { tag, object, base, fields } = openConstant(terms, slot, below);
  const at = (index: number): Slot => graph.field(object, index);
  const term = (index: number): Expression => terms.term(at(index), object);
  const count = (index: number, what: string): number => terms.count(at(index), object, what);
  const flag = (index: number, what: string): boolean => terms.flag(object, fields, index, what);
  const constant = {
    name: terms.name(graph.field(base, 0), base),
    levelParameters: terms.names(graph.field(base, 1), base),
    type: terms.term(graph.field(base, 2), base),
  };
  switch (tag) {
    case 0:
      return { ...constant, kind: 'axiom', isUnsafe: flag(0, 'isUnsafe') };
    case 1: {
      const byte = graph.scalarByte(object, fields, 0);
      const safety = SAFETIES[byte];
      if (safety === undefined) throw graph.error(object, `unknown safety ${byte} of a definition.`);
      const hints = readHints(terms, at(2), object);
      return {
        ...constant,
        kind: 'definition',
        value: term(1),
        hints,
        safety,
        all: terms.names(at(3), object),
      };
    }
    case 2:
      return { ...constant, kind: 'theorem', value: term(1), all: terms.names(at(2), object) };
    case 3:
      return {
        ...constant,
        kind: 'opaque',
        value: term(1),
        isUnsafe: flag(0, 'isUnsafe'),
        all: terms.names(at(2), object),
      };
    case 4: {
      const byte = graph.scalarByte(object, fields, 0);
      const role = ROLES[byte];
      if (role === undefined) throw graph.error(object, `unknown kind ${byte} of a constant of quotients.`);
      return { ...constant, kind: 'quotient', role };
    }
    case 5: {
      const isOld = fields === OLD_INDUCTIVE.fields;
      const nestedCount = isOld ? Number(flag(3, 'isNested')) : count(5, 'the number of nested types');
      return {
        ...constant,
        kind: 'inductive',
        parameterCount: count(1, 'the number of parameters'),
        indexCount: count(2, 'the number of indices'),
        all: terms.names(at(3), object),
        constructors: terms.names(at(4), object),
        nestedCount,
        isRecursive: flag(0, 'isRec'),
        isUnsafe: flag(1, 'isUnsafe'),
        isReflexive: flag(2, 'isReflexive'),
      };
    }
    case 6:
      return {
        ...constant,
        kind: 'constructor',
        inductive: terms.name(at(1), object),
        index: count(2, 'the index of a constructor'),
        parameterCount: count(3, 'the number of parameters'),
        fieldCount: count(4, 'the number of fields'),
        isUnsafe: flag(0, 'isUnsafe'),
      };
    default:
      return {
        ...constant,
        kind: 'recursor',
        all: terms.names(at(1), object),
        parameterCount: count(2, 'the number of parameters'),
        indexCount: count(3, 'the number of indices'),
        motiveCount: count(4, 'the number of motives'),
        minorCount: count(5, 'the number of minor premises'),
        rules: terms.list(at(6), object, 'a list of rules', (slotOfRule, cell) =>
          readRule(terms, slotOfRule, cell),
        ),
        isK: flag(0, 'k'),
        isUnsafe: flag(1, 'isUnsafe'),
      };
  }
}

/**
 * The kind of a constant and the names that it rests on: those in its terms, and for inductive types their
 * constructors. Makes no terms.
 */
export function readUses(
  terms: TermReader,
  slot: Slot,
  below: ObjectAddress,
  seen: (object: ObjectAddress) => boolean,
): { readonly isAxiom: boolean; readonly names: ReadonlySet<Name> } {
  const { graph } = terms;
  const { tag, object, base } = openConstant(terms, slot, below);
  const names = new Set<Name>();
  const collect = (at: Slot, owner: ObjectAddress): void => terms.collectNames(at, owner, seen, names);
  collect(graph.field(base, 2), base);
  // Definitions, theorems and opaque constants have their value in the same field.
  if (tag >= 1 && tag <= 3) collect(graph.field(object, 1), object);
  if (tag === 5) for (const name of terms.names(graph.field(object, 4), object)) names.add(name);
  return { isAxiom: tag === 0, names };
}

interface OpenConstant {
  readonly tag: number;
  /** The value that the kind of constant has. */
  readonly object: ObjectAddress;
  /** Its first field: name, universe parameters, type. */
  readonly base: ObjectAddress;
  readonly fields: number;
}

function openConstant(terms: TermReader, slot: Slot, below: ObjectAddress): OpenConstant {
  const { graph } = terms;
  const outer = graph.pointer(slot, below, 'a constant');
  const tag = graph.tag(outer);
  const shape = SHAPES[tag];
  if (shape === undefined) throw graph.error(outer, `an object of tag ${tag} where a constant should be.`);
  graph.constructorOf(outer, tag, 1, 16, 'a constant');
  const object = graph.pointer(graph.field(outer, 0), outer, shape.what);
  const isOld = tag === 5 && graph.fieldCount(object) === OLD_INDUCTIVE.fields;
  const { fields, size } = isOld ? OLD_INDUCTIVE : shape;
  graph.constructorOf(object, 0, fields, size, shape.what);
  const base = graph.pointer(graph.field(object, 0), object, 'a constant');
  graph.constructorOf(base, 0, 3, 32, 'what all constants have');
  return { tag, object, base, fields };
}

function readHints(terms: TermReader, slot: Slot, below: ObjectAddress): ReducibilityHints {
  const { graph } = terms;
  if (graph.isBoxed(slot)) {
    return { kind: graph.smallScalar(slot, 1, 'reducibility hints') === 0 ? 'opaque' : 'abbreviation' };
  }
  const object = graph.pointer(slot, below, 'reducibility hints');
  graph.constructorOf(object, 2, 0, 16, 'reducibility hints');
  return { kind: 'regular', height: graph.scalarU32(object, 0, 0) };
}

function readRule(terms: TermReader, slot: Slot, below: ObjectAddress): RecursorRule {
  const { graph } = terms;
  const object = graph.pointer(slot, below, 'a rule');
  graph.constructorOf(object, 0, 3, 32, 'a rule');
  return {
    constructor: terms.name(graph.field(object, 0), object),
    fieldCount: terms.count(graph.field(object, 1), object, 'the number of fields'),
    value: terms.term(graph.field(object, 2), object),
  };
}
