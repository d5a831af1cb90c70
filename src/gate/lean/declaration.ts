/**
 * Constants as files declare them. Every number and flag is a claim of the file: the kernel computes them again.
 * Constants are checked one `Declaration` at a time: an inductive block brings several at once.
 */
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';

interface ConstantBase {
  readonly name: Name;
  readonly levelParameters: readonly Name[];
  readonly type: Expression;
}

export interface AxiomConstant extends ConstantBase {
  readonly kind: 'axiom';
  readonly isUnsafe: boolean;
}

export type ReducibilityHints =
  { readonly kind: 'opaque' | 'abbreviation' } | { readonly kind: 'regular'; readonly height: number };

export type DefinitionSafety = 'safe' | 'unsafe' | 'partial';

export interface DefinitionConstant extends ConstantBase {
  readonly kind: 'definition';
  readonly value: Expression;
  readonly hints: ReducibilityHints;
  readonly safety: DefinitionSafety;
  /** The names of the mutual block that the definition was written in. */
  readonly all: readonly Name[];
}

export interface TheoremConstant extends ConstantBase {
  readonly kind: 'theorem';
  readonly value: Expression;
  readonly all: readonly Name[];
}

export interface OpaqueConstant extends ConstantBase {
  readonly kind: 'opaque';
  readonly value: Expression;
  readonly isUnsafe: boolean;
  readonly all: readonly Name[];
}

/** One of the four constants of quotients: `Quot`, `Quot.mk`, `Quot.lift`, `Quot.ind`. */
export interface QuotientConstant extends ConstantBase {
  readonly kind: 'quotient';
  readonly role: 'type' | 'constructor' | 'lift' | 'induction';
}

export interface InductiveConstant extends ConstantBase {
  readonly kind: 'inductive';
  readonly parameterCount: number;
  readonly indexCount: number;
  /** The types of the mutual block. */
  readonly all: readonly Name[];
  readonly constructors: readonly Name[];
  /** How many auxiliary types the nested occurrences of the block need. */
  readonly nestedCount: number;
  readonly isRecursive: boolean;
  readonly isUnsafe: boolean;
  readonly isReflexive: boolean;
}

export interface ConstructorConstant extends ConstantBase {
  readonly kind: 'constructor';
  readonly inductive: Name;
  readonly index: number;
  readonly parameterCount: number;
  readonly fieldCount: number;
  readonly isUnsafe: boolean;
}

export interface RecursorRule {
  readonly constructor: Name;
  readonly fieldCount: number;
  readonly value: Expression;
}

export interface RecursorConstant extends ConstantBase {
  readonly kind: 'recursor';
  readonly all: readonly Name[];
  readonly parameterCount: number;
  readonly indexCount: number;
  readonly motiveCount: number;
  readonly minorCount: number;
  readonly rules: readonly RecursorRule[];
  /** Whether a proof of the right type may stand for the only constructor when the recursor computes. */
  readonly isK: boolean;
  readonly isUnsafe: boolean;
}

export type ConstantDeclaration =
  | AxiomConstant
  | DefinitionConstant
  | TheoremConstant
  | OpaqueConstant
  | QuotientConstant
  | InductiveConstant
  | ConstructorConstant
  | RecursorConstant;

export type ConstantKind = ConstantDeclaration['kind'];

/** Types of one mutual block with everything that belongs to them. */
export interface InductiveBlock {
  readonly kind: 'inductive-block';
  readonly types: readonly InductiveConstant[];
  readonly constructors: readonly ConstructorConstant[];
  readonly recursors: readonly RecursorConstant[];
}

/** What the kernel checks in one step. */
export type Declaration =
  AxiomConstant | DefinitionConstant | TheoremConstant | OpaqueConstant | QuotientConstant | InductiveBlock;

/** The constants that a declaration brings, in the order of the file. */
export function constantsOf(declaration: Declaration): readonly ConstantDeclaration[] {
  return declaration.kind === 'inductive-block'
    ? [...declaration.types, ...declaration.constructors, ...declaration.recursors]
    : [declaration];
}

/** The name by which a declaration is told. */
export function declarationName(declaration: Declaration): Name | undefined {
  return constantsOf(declaration)[0]?.name;
}

/** All terms of a constant: its type, its value, the values of its rules. */
export function termsOf(constant: ConstantDeclaration): readonly Expression[] {
  switch (constant.kind) {
    case 'definition':
    case 'theorem':
    case 'opaque':
      return [constant.type, constant.value];
    case 'recursor':
      return [constant.type, ...constant.rules.map((rule) => rule.value)];
    case 'axiom':
    case 'quotient':
    case 'inductive':
    case 'constructor':
      return [constant.type];
  }
}
