/** Which declarations of a module no policy allows, or this one does not: unsafe code, and functions that may not end. */
import type { Finding } from '../../verdict.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { CompiledModule } from '../olean/module.ts';
import { isCompilerLeftover } from './replay.ts';

export function safetyFindings(file: string, module: CompiledModule, disallowPartial: boolean): Finding[] {
  const findings: Finding[] = [];
  for (const constant of module.constants()) {
    const subject = constant.name.toString();
    if (isUnsafe(constant) && !isCompilerLeftover(constant)) {
      const message = `unsafe constant ${subject} detected`;
      findings.push({ kind: 'unsafe-code', file, subject, message, remedy: 'Write it without unsafe.' });
    } else if (disallowPartial && isPartial(constant, module)) {
      const message = `partial constant ${subject} detected`;
      const remedy = 'Prove that it terminates, or drop --disallow-partial.';
      findings.push({ kind: 'partial-definition', file, subject, message, remedy });
    }
  }
  return findings;
}

function isUnsafe(constant: ConstantDeclaration): boolean {
  return constant.kind === 'definition'
    ? constant.safety === 'unsafe'
    : 'isUnsafe' in constant && constant.isUnsafe;
}

/**
 * `partial def f` leaves an opaque `f` and its code `f._unsafe_rec`. Other recursive definitions leave that code, too,
 * but they are no opaque constants.
 */
function isPartial(constant: ConstantDeclaration, module: CompiledModule): boolean {
  if (constant.kind === 'definition') return constant.safety === 'partial' && !isCompilerLeftover(constant);
  return constant.kind === 'opaque' && module.names.has(constant.name.child('_unsafe_rec'));
}
