/**
 * Functions that are defined together, as Rocq prints the body of each: `fix size (t : tree) : nat := … with fsize
 * (f : forest) : nat := … for size`; and predicates, `Inductive even : nat -> Prop := … with odd : nat -> Prop := …`.
 * This is a reading, as that of terms is.
 */
import { orNothing } from '../../core/entry.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_']*`;
/** A function with its first argument and what that is of. A `match` has a bar behind its `with`. */
const FUNCTION = new RegExp(
  String.raw`\b(?:fix|with)\s+(?<name>${NAME})\s+\((?<argument>${NAME})\s*:\s*(?<type>[^(){}]+)\)`,
  'gu',
);

export interface FunctionOfSeveral {
  readonly name: string;
  readonly argument: string;
  readonly type: string;
}

/** Empty for a function that is defined alone. */
export function definedTogether(body: string): readonly FunctionOfSeveral[] {
  if (!/^fix\b/u.test(body) || !/\bfor\s+\S+\s*$/u.test(body)) return [];
  const functions = [...body.matchAll(FUNCTION)].flatMap(({ groups }): readonly FunctionOfSeveral[] => {
    const { name, argument, type } = groups ?? {};
    if (name === undefined || argument === undefined || type === undefined) return [];
    return [{ name, argument, type: type.trim().replace(/\s+/gu, ' ') }];
  });
  return functions.length > 1 ? functions : [];
}

/** A predicate with its parameters and its type. A `match` has a bar or a constructor behind its `with`. */
const PREDICATE = new RegExp(
  String.raw`(?:^\s*Inductive|\bwith)\s+(?<name>${NAME})(?:\s+[({][^(){}]*[)}])*\s*:(?<type>[^|(){}]*?):=`,
  'gu',
);

/** The predicates of one definition as `Print` shows it; empty for one that is defined alone, and for types. */
export function predicatesTogether(printed: string): readonly string[] {
  const found = [...printed.matchAll(PREDICATE)];
  const names = found
    .filter(({ groups }) => /(?:->|→)\s*Prop\s*$/u.test(orNothing(groups?.['type'])))
    .map(({ groups }) => orNothing(groups?.['name']));
  return names.length === found.length && names.length > 1 ? names : [];
}
