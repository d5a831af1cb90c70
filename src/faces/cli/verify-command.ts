/** `quod verify`: the gate's verdict on a submission. */
import { resolve } from 'node:path';
import { readSourceFile } from '../../operations/source-file.ts';
import type { Verdict } from '../../gate/verdict.ts';
import type { ExitCode } from './exit-codes.ts';

export interface VerifyOptions {
  readonly json?: boolean;
}

export async function verifyCommand(
  targetName: string,
  submissionName: string,
  options: VerifyOptions,
): Promise<ExitCode> {
  const [target, submission] = [await readSourceFile(targetName), await readSourceFile(submissionName)];
  const { verify } = await import('../../gate/verify.ts');
  const verdict = await verify(
    { path: resolve(targetName), text: target.text },
    { path: resolve(submissionName), text: submission.text },
  );
  if (options.json === true) console.log(JSON.stringify(verdict));
  else console.log(verdictText(verdict));
  switch (verdict.kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return 1;
    case 'unknown':
      return 2;
  }
}

function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return [
        'accepted',
        ...verdict.statements.map(({ name, assumptions }) =>
          assumptions.length === 0
            ? `  ${name}: rests on no axiom`
            : `  ${name}: rests on ${assumptions.join(', ')}`,
        ),
        `  judged by ${verdict.restsOn.prover} (${verdict.restsOn.backend})`,
      ].join('\n');
    case 'rejected':
      return [
        'rejected',
        ...verdict.findings.map(({ kind, file, position, message, remedy }) => {
          const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
          return `  ${place}: ${message} [${kind}]\n    ${remedy}`;
        }),
      ].join('\n');
    case 'unknown':
      return `unknown: ${verdict.message} [${verdict.reason}]`;
  }
}
