/** How the judge tells what it found: SafeVerify's words where it has them, and what to do about it. */
import { QuodError } from '../../../core/errors.ts';
import { clause } from '../../../core/sentence.ts';
import type { Finding } from '../../verdict.ts';
import type { Name } from '../name.ts';
import type { ImportProblem } from './import-agreement.ts';
import { type DeclarationOutcome, type Failure, comparisonFailureText } from './outcome.ts';
import type { ReplayProblem } from './replay.ts';

export function importFindings(file: string, problems: readonly ImportProblem[]): Finding[] {
  const missing = problems.filter(({ kind }) => kind === 'missing').map(({ module }) => module);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
    findings.push({
      kind: 'imports-changed',
      file,
      message: `it is missing ${missing.length} transitive imports required by target: ${missing.slice(0, 10).join(', ')}${more}`,
      remedy: 'Import everything that the target imports: without it, a name may mean something else.',
    });
  }
  for (const problem of problems) {
    if (problem.kind === 'missing') continue;
    findings.push({
      kind: 'imports-changed',
      file,
      subject: problem.module,
      message: `the module ${problem.module} that it imports is not the one that the target imports: ${problem.message}`,
      remedy: 'Compile the submission against the libraries of the target.',
    });
  }
  return findings;
}

/** @throws QuodError `unsupported` where the kernel declines to say: nobody may conclude anything from that. */
export function replayFinding({ kind, module, name, message }: ReplayProblem): Finding {
  const subject = name?.toString() ?? 'a declaration';
  if (kind === 'declined')
    throw new QuodError('unsupported', `The kernel declines ${subject}: ${clause(message)}.`, {
      place: { file: module.path },
      remedy: 'Nobody may conclude anything; try more --fuel, or another checker.',
    });
  return {
    kind: kind === 'name-taken' ? 'name-taken' : 'kernel-rejected',
    file: module.path,
    subject,
    message: `the kernel rejects ${subject}: ${message}`,
    remedy: 'Compile the file again; if Lean accepts it, something has changed its environment.',
  };
}

export function failureFinding(
  file: string,
  { name, target }: DeclarationOutcome,
  failure: Exclude<Failure, { readonly kind: 'axioms' }>,
): Finding {
  const isStatement = target.constant.kind === 'theorem';
  const detail = 'what' in failure ? ` (other ${failure.what})` : '';
  const changed = isStatement ? 'statement-changed' : 'definition-changed';
  return {
    kind: failure.kind === 'not-found' ? 'missing' : changed,
    file,
    subject: name.toString(),
    message: `${name.toString()}: ${comparisonFailureText(failure)}${detail}`,
    remedy: isStatement ? 'Prove the statement as the target has it.' : 'Leave it as the target has it.',
  };
}

export function helperFinding(file: string, name: Name): Finding {
  return {
    kind: 'helper-not-allowed',
    file,
    subject: name.toString(),
    message: `${name.toString()} is not in the target`,
    remedy: 'Prove the statement without declarations of your own.',
  };
}

export function attributeFinding(file: string, subject: string, attribute: string): Finding {
  return {
    kind: 'forbidden-attribute',
    file,
    subject,
    message: `${subject} is ${attribute}`,
    remedy: 'Write it without, or drop the flag that forbids it.',
  };
}
