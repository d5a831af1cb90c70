/** The declarations of lean4export's NDJSON, each from the object that its line holds. */
import type {
  ConstructorConstant,
  Declaration,
  DefinitionConstant,
  DefinitionSafety,
  InductiveBlock,
  InductiveConstant,
  OpaqueConstant,
  QuotientConstant,
  RecursorConstant,
  RecursorRule,
  ReducibilityHints,
  TheoremConstant,
} from '../declaration.ts';
import { shownValue } from './json-line.ts';
import type { Fields, TermNumbers } from './term-numbers.ts';

const QUOTIENT_ROLES = { type: 'type', ctor: 'constructor', lift: 'lift', ind: 'induction' } as const;

export function readDeclarations(fields: Fields, numbers: TermNumbers): readonly Declaration[] {
  const [kind, second] = Object.keys(fields);
  if (second !== undefined)
    throw numbers.malformed(`${shownValue(second)} stands beside what the line is about`);
  if (kind !== undefined) {
    const content = fields[kind];
    switch (kind) {
      case 'axiom':
      case 'axiomInfo': {
        const axiom = numbers.fields(content);
        const isUnsafe = numbers.boolean(axiom['isUnsafe']);
        return [{ kind: 'axiom', ...constant(axiom, numbers), isUnsafe }];
      }
      case 'def':
        // Version 3.0 keeps the definitions and opaque constants of a block together.
        return oneOrMore(content, numbers).map((one) =>
          'isUnsafe' in one ? opaque(one, numbers) : definition(one, numbers),
        );
      case 'thm':
        return oneOrMore(content, numbers).map((one) => theorem(one, numbers));
      case 'opaque':
        return [opaque(numbers.fields(content), numbers)];
      case 'quot':
      case 'quotInfo':
        return [quotient(numbers.fields(content), numbers)];
      case 'inductive':
        return [block(numbers.fields(content), numbers)];
    }
  }
  throw numbers.malformed('nothing of a known kind');
}

function oneOrMore(content: unknown, numbers: TermNumbers): readonly Fields[] {
  return Array.isArray(content)
    ? content.map((one: unknown) => numbers.fields(one))
    : [numbers.fields(content)];
}

function constant(fields: Fields, numbers: TermNumbers) {
  return {
    name: numbers.name(fields['name']),
    levelParameters: numbers.names(fields['levelParams']),
    type: numbers.term(fields['type']),
  };
}

function definition(fields: Fields, numbers: TermNumbers): DefinitionConstant {
  return {
    kind: 'definition',
    ...constant(fields, numbers),
    value: numbers.term(fields['value']),
    hints: hints(fields['hints'], numbers),
    safety: safety(fields['safety'], numbers),
    all: numbers.names(fields['all']),
  };
}

function theorem(fields: Fields, numbers: TermNumbers): TheoremConstant {
  return {
    kind: 'theorem',
    ...constant(fields, numbers),
    value: numbers.term(fields['value']),
    all: numbers.names(fields['all']),
  };
}

function opaque(fields: Fields, numbers: TermNumbers): OpaqueConstant {
  return {
    kind: 'opaque',
    ...constant(fields, numbers),
    value: numbers.term(fields['value']),
    isUnsafe: numbers.boolean(fields['isUnsafe']),
    all: numbers.names(fields['all']),
  };
}

function quotient(fields: Fields, numbers: TermNumbers): QuotientConstant {
  const { kind } = fields;
  if (kind !== 'type' && kind !== 'ctor' && kind !== 'lift' && kind !== 'ind') {
    throw numbers.malformed(`${shownValue(kind)} is no kind of quotient constant`);
  }
  return { kind: 'quotient', ...constant(fields, numbers), role: QUOTIENT_ROLES[kind] };
}

function block(fields: Fields, numbers: TermNumbers): InductiveBlock {
  const each = <Value>(value: unknown, read: (one: Fields) => Value): Value[] =>
    numbers.array(value).map((one) => read(numbers.fields(one)));
  return {
    kind: 'inductive-block',
    types: each(fields['types'] ?? fields['inductiveVals'], (one) => inductive(one, numbers)),
    constructors: each(fields['ctors'] ?? fields['constructorVals'], (one) =>
      constructorConstant(one, numbers),
    ),
    recursors: each(fields['recs'] ?? fields['recursorVals'], (one) => recursor(one, numbers)),
  };
}

function inductive(fields: Fields, numbers: TermNumbers): InductiveConstant {
  return {
    kind: 'inductive',
    ...constant(fields, numbers),
    parameterCount: numbers.count(fields['numParams']),
    indexCount: numbers.count(fields['numIndices']),
    all: numbers.names(fields['all']),
    constructors: numbers.names(fields['ctors']),
    nestedCount: numbers.count(fields['numNested']),
    isRecursive: numbers.boolean(fields['isRec']),
    isUnsafe: numbers.boolean(fields['isUnsafe']),
    isReflexive: numbers.boolean(fields['isReflexive']),
  };
}

function constructorConstant(fields: Fields, numbers: TermNumbers): ConstructorConstant {
  return {
    kind: 'constructor',
    ...constant(fields, numbers),
    inductive: numbers.name(fields['induct']),
    index: numbers.count(fields['cidx']),
    parameterCount: numbers.count(fields['numParams']),
    fieldCount: numbers.count(fields['numFields']),
    isUnsafe: numbers.boolean(fields['isUnsafe']),
  };
}

function recursor(fields: Fields, numbers: TermNumbers): RecursorConstant {
  return {
    kind: 'recursor',
    ...constant(fields, numbers),
    all: numbers.names(fields['all']),
    parameterCount: numbers.count(fields['numParams']),
    indexCount: numbers.count(fields['numIndices']),
    motiveCount: numbers.count(fields['numMotives']),
    minorCount: numbers.count(fields['numMinors']),
    rules: numbers.array(fields['rules']).map((one) => rule(numbers.fields(one), numbers)),
    isK: numbers.boolean(fields['k']),
    isUnsafe: numbers.boolean(fields['isUnsafe']),
  };
}

function rule(fields: Fields, numbers: TermNumbers): RecursorRule {
  return {
    constructor: numbers.name(fields['ctor']),
    fieldCount: numbers.count(fields['nfields']),
    value: numbers.term(fields['rhs']),
  };
}

function hints(value: unknown, numbers: TermNumbers): ReducibilityHints {
  if (value === 'opaque') return { kind: 'opaque' };
  if (value === 'abbrev') return { kind: 'abbreviation' };
  return { kind: 'regular', height: numbers.count(numbers.fields(value)['regular']) };
}

function safety(value: unknown, numbers: TermNumbers): DefinitionSafety {
  if (value === 'safe' || value === 'unsafe' || value === 'partial') return value;
  throw numbers.malformed(`${shownValue(value)} is no safety of a definition`);
}
