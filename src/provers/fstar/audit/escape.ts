/** What can let something false pass a check of F*: its kinds, and the names that are told by themselves. */

export type EscapeKind =
  | 'admit'
  | 'assume'
  | 'magic'
  | 'unsafe-coercion'
  | 'assumed-declaration'
  | 'admitting-tactic'
  | 'option'
  | 'silenced-warning'
  | 'expected-failure'
  | 'unchecked-recursion'
  | 'val-without-definition'
  | 'vacuous-precondition'
  | 'divergent-proof'
  | 'generated-code'
  | 'name-in-text'
  | 'hidden-code'
  | 'unchecked-dependency'
  | 'reported';

export interface Escape {
  readonly kind: EscapeKind;
  /**
   * `unsound`: a false statement can pass by it. `suspicious`: a reader may believe more than was checked.
   * `unknown`: Quod cannot see what it does.
   */
  readonly severity: 'unsound' | 'suspicious' | 'unknown';
  /** The text in question. */
  readonly text: string;
  readonly explanation: string;
  /** UTF-16 offsets; null when it stands in no text (an option of the command line). */
  readonly span: { readonly start: number; readonly end: number } | null;
  /** The declaration in which it stands. */
  readonly declaration: string | null;
  /** The declarations that it weakens, when that is not the one in which it stands. */
  readonly affects: readonly string[];
}

interface KnownName {
  readonly kind: EscapeKind;
  readonly explanation: string;
}

function known(kind: EscapeKind, explanation: string, names: string): [string, KnownName][] {
  return names.split(' ').map((name) => [name, { kind, explanation }]);
}

export const ESCAPE_NAMES: ReadonlyMap<string, KnownName> = new Map([
  ...known('admit', 'The goal is admitted.', 'admit admitP _admit admit_smt_queries'),
  ...known('assume', 'The formula is assumed.', 'assume_ _assume assume_safe'),
  ...known('magic', 'A value of any type comes from nothing.', 'magic magic_p'),
  ...known('unsafe-coercion', 'A value is taken for one of any other type.', 'unsafe_coerce'),
  ...known('unsafe-coercion', 'A refinement is taken for granted.', 'unsafe_relax'),
  ...known(
    'admitting-tactic',
    'The tactic admits goals; F* warns (296) at most.',
    'tadmit tadmit_t admit1 admit_all admit_dump admit_dump_t',
  ),
  ...known('option', 'A tactic starts a program.', 'launch_process'),
]);

/** Attributes by which a declaration counts for less than it looks. */
export const ESCAPE_ATTRIBUTES: ReadonlyMap<string, KnownName> = new Map([
  ...known(
    'expected-failure',
    'The declaration must fail, and is not kept.',
    'expect_failure expect_lax_failure fail fail_lax',
  ),
  ...known('unchecked-recursion', 'Recursion is taken to terminate.', 'admit_termination'),
  ...known('unchecked-recursion', 'A parameter is taken to be positive.', 'assume_strictly_positive'),
]);
