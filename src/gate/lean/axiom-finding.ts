/** How it is told that a constant rests on axioms that are not allowed. */
import type { Finding } from '../verdict.ts';
import type { Name } from './name.ts';

/** `axioms` are those that are not allowed; there is at least one. */
export function axiomFinding(file: string, subject: Name, axioms: readonly Name[]): Finding {
  const names = axioms.map((axiom) => axiom.toString());
  const name = subject.toString();
  if (names.includes('sorryAx'))
    return {
      kind: 'admitted',
      file,
      subject: name,
      message: `${name} rests on sorry (axioms ${names.join(', ')})`,
      remedy: 'Complete the proof.',
    };
  if (names.some(isNativeCode))
    return {
      kind: 'native-code',
      file,
      subject: name,
      message: `${name} rests on compiled code that the kernel does not check (native_decide, axioms ${names.join(', ')})`,
      remedy: 'Prove it with decide or by hand.',
    };
  return {
    kind: 'new-axiom',
    file,
    subject: name,
    message: `${name} used disallowed axioms ${names.join(', ')}`,
    remedy: 'Prove it without them, or allow them with --allow-axiom.',
  };
}

/** The axioms by which a proof may rest on the compiler; newer versions of Lean declare one for each such proof. */
function isNativeCode(axiom: string): boolean {
  return (
    ['Lean.ofReduceBool', 'Lean.ofReduceNat', 'Lean.trustCompiler'].includes(axiom) ||
    /(^|\.|_)native(_decide|Decide|\.|_|$)/.test(axiom)
  );
}
