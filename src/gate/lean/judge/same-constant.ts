/**
 * Whether two constants say the same. Terms of one store are compared by identity of their plain forms, that is up to
 * names and kinds of bound variables. Reducibility hints are advice and not compared; everything else is.
 */
import type { ConstantDeclaration, RecursorRule } from '../declaration.ts';
import type { Expression } from '../expression.ts';
import { sameNames } from '../name.ts';

/** What differs, or undefined. `ignoreValue` is for definitions that the submission has to fill, and for proofs. */
export function difference(
  left: ConstantDeclaration,
  right: ConstantDeclaration,
  { ignoreValue = false } = {},
): string | undefined {
  if (left.name !== right.name) return 'name';
  if (left.kind !== right.kind) return 'kind';
  if (!sameNames(left.levelParameters, right.levelParameters)) return 'universe parameters';
  if (!sameTerm(left.type, right.type)) return 'type';
  switch (left.kind) {
    case 'axiom':
      return right.kind === left.kind && left.isUnsafe === right.isUnsafe ? undefined : 'safety';
    case 'definition':
      if (right.kind !== left.kind || left.safety !== right.safety) return 'safety';
      if (!sameNames(left.all, right.all)) return 'mutual block';
      return ignoreValue || sameTerm(left.value, right.value) ? undefined : 'value';
    case 'theorem':
      if (right.kind !== left.kind || !sameNames(left.all, right.all)) return 'mutual block';
      return ignoreValue || sameTerm(left.value, right.value) ? undefined : 'value';
    case 'opaque':
      if (right.kind !== left.kind || left.isUnsafe !== right.isUnsafe) return 'safety';
      if (!sameNames(left.all, right.all)) return 'mutual block';
      return sameTerm(left.value, right.value) ? undefined : 'value';
    case 'quotient':
      return right.kind === left.kind && left.role === right.role ? undefined : 'role';
    case 'inductive':
      return right.kind === left.kind &&
        left.parameterCount === right.parameterCount &&
        left.indexCount === right.indexCount &&
        left.nestedCount === right.nestedCount &&
        left.isRecursive === right.isRecursive &&
        left.isReflexive === right.isReflexive &&
        left.isUnsafe === right.isUnsafe &&
        sameNames(left.all, right.all) &&
        sameNames(left.constructors, right.constructors)
        ? undefined
        : 'shape of the inductive type';
    case 'constructor':
      return right.kind === left.kind &&
        left.inductive === right.inductive &&
        left.index === right.index &&
        left.parameterCount === right.parameterCount &&
        left.fieldCount === right.fieldCount &&
        left.isUnsafe === right.isUnsafe
        ? undefined
        : 'shape of the constructor';
    case 'recursor':
      return right.kind === left.kind &&
        left.parameterCount === right.parameterCount &&
        left.indexCount === right.indexCount &&
        left.motiveCount === right.motiveCount &&
        left.minorCount === right.minorCount &&
        left.isK === right.isK &&
        left.isUnsafe === right.isUnsafe &&
        sameNames(left.all, right.all) &&
        left.rules.length === right.rules.length &&
        left.rules.every((rule, position) => sameRule(rule, right.rules[position]))
        ? undefined
        : 'rules of the recursor';
  }
}

function sameRule(left: RecursorRule, right: RecursorRule | undefined): boolean {
  return (
    right !== undefined &&
    left.constructor === right.constructor &&
    left.fieldCount === right.fieldCount &&
    sameTerm(left.value, right.value)
  );
}

function sameTerm(left: Expression, right: Expression): boolean {
  return left.plain === right.plain;
}
