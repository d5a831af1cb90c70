/**
 * What in the text of a submission gets around F*'s check, as findings: lexer-exact, each with its place and the
 * word by which a policy allows it (`commands`). What only looks suspicious to a reader is none of the gate's business.
 */
import { LineIndex } from '../../core/position.ts';
import { scanText } from '../../provers/fstar/audit/scan.ts';
import type { Escape, EscapeKind } from '../../provers/fstar/audit/escape.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import type { Finding, FindingKind, SourceText } from '../verdict.ts';

/** Undefined: told otherwise, or no way to prove anything false. */
const KINDS: Readonly<Record<EscapeKind, FindingKind | undefined>> = {
  admit: 'admitted',
  assume: 'admitted',
  magic: 'admitted',
  'admitting-tactic': 'admitted',
  'unsafe-coercion': 'unsafe-code',
  'assumed-declaration': 'new-axiom',
  'expected-failure': 'forbidden-attribute',
  'unchecked-recursion': 'checks-disabled',
  'val-without-definition': 'admitted',
  'generated-code': 'forbidden-command',
  'name-in-text': 'forbidden-command',
  'hidden-code': 'forbidden-command',
  option: 'checks-disabled',
  'silenced-warning': 'checks-disabled',
  'vacuous-precondition': undefined,
  'divergent-proof': undefined,
  'unchecked-dependency': undefined,
  reported: undefined,
};

/** By these a tactic makes any term, also one that no text shows. */
const MAKES_TERMS = new Set([
  ...[
    'pack',
    'pack_ln',
    'pack_fv',
    'pack_sigelt',
    'unquote',
    'implode_qn',
    'splice',
    'synth',
    'synth_by_tactic',
  ],
  ...[
    '_synth_by_tactic',
    'set_smt_opts',
    'with_options',
    'launch_process',
    'reify',
    'reflect',
    'push_binder',
  ],
  ...['unsafe_tactic_exec', 'call_subtac', 'check_equiv', 'norm_well_typed_term'],
]);
const MAKING = 'A tactic can make any term by it, also `admit`.';

export function escapeFindings(
  { path, text }: SourceText,
  dialect: Dialect,
  allowed: ReadonlySet<string>,
): readonly Finding[] {
  const lines = new LineIndex(text);
  const finding = (kind: FindingKind, offset: number, name: string, message: string): Finding => ({
    kind,
    file: path,
    position: lines.printedAt(offset),
    subject: name,
    message: `\`${name}\`: ${message}`,
    remedy: `Do without it, or have the policy allow it: commands = ["${name}"].`,
  });
  const found = scanText(text).flatMap((escape: Escape) => {
    const kind = KINDS[escape.kind];
    // Options are judged against a list of what is allowed (options.ts).
    if (kind === undefined || escape.span === null || escape.kind === 'option') return [];
    if (escape.kind === 'silenced-warning') return [];
    const name = escape.text.trim().slice(0, 60);
    return allowed.has(name) || allowed.has(escape.kind)
      ? []
      : [finding(kind, escape.span.start, name, escape.explanation)];
  });
  const known = new Set(found.map(({ position }) => `${position?.line}:${position?.column}`));
  const made = parseDeclarations(text, dialect)
    .flatMap(({ tokens }) => tokens)
    .filter(({ kind, text: name }) => kind === 'identifier' && MAKES_TERMS.has(name) && !allowed.has(name))
    .map(({ start, text: name }) => finding('forbidden-command', start, name, MAKING))
    .filter(({ position }) => !known.has(`${position?.line}:${position?.column}`));
  return [...found, ...made];
}
