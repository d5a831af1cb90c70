/**
 * Holds a submission to an interface. F* itself compares what an implementation declares with what its interface
 * states; here it is seen that it is that module and that nothing is left out.
 */
import { undefinedVals } from '../../provers/fstar/audit/scan.ts';
import { signatureOf } from '../../provers/fstar/syntax/declaration-parts.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import type { Finding, SourceText } from '../verdict.ts';
import type { TextPin } from './text-pin.ts';

export function pinInterface(
  target: SourceText,
  submission: SourceText,
  {
    dialect,
    theorems,
    module,
  }: {
    readonly dialect: Dialect;
    readonly theorems: readonly string[] | undefined;
    readonly module: string;
  },
): TextPin {
  const file = submission.path;
  const open = parseDeclarations(target.text, dialect)
    .filter(
      ({ kind, qualifiers, names }) =>
        kind === 'val' &&
        !qualifiers.includes('assume') &&
        (theorems === undefined || names.some((name) => theorems.includes(name))),
    )
    .map((declaration) => ({ name: declaration.names.join(', '), statement: signatureOf(declaration) }));
  const findings: Finding[] = [];
  if (!isModule(submission.text, dialect, module))
    findings.push({
      kind: 'missing',
      file,
      message: `It is not the module ${module}.`,
      remedy: `Begin with \`module ${module}\`.`,
    });
  for (const { declaration } of undefinedVals(target.text, submission.text)) {
    if (declaration === null) continue;
    findings.push({
      kind: 'missing',
      file,
      subject: declaration,
      message: 'The submission does not define what the interface states.',
      remedy: 'Define it.',
    });
  }
  return { open, findings };
}

/** Whether a text begins with the declaration of a module. */
export function isModule(text: string, dialect: Dialect, module: string): boolean {
  const [first] = parseDeclarations(text, dialect);
  return first?.kind === 'module' && first.names[0] === module;
}
