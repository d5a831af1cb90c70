/** `quod verify`: the gate's verdict on a submission, or on many against one target. */
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignText } from '../../../core/foreign-text.ts';
import { type GatePolicy, readPolicyFile } from '../../../gate/policy.ts';
import type { SourceText, Verdict } from '../../../gate/verdict.ts';
import { type JudgedSource, readJudgedFile } from '../../../operations/files/judged-file.ts';
import { verdictAnswer, verdictText } from '../../../operations/gate/verdict-answer.ts';
import { type ExitCode, verdictExitCode, worstExitCode } from '../exit/exit-codes.ts';
import { fromHere } from '../terminal/from-here.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { checkReportOptions, keepReport, type ReportOptions } from './verdict-report.ts';

import type { LeanVerifyOptions } from './verify-lean-command.ts';

export interface VerifyOptions extends LeanVerifyOptions, ReportOptions {
  readonly requireSandbox?: boolean;
  readonly allowOpen?: boolean;
}

export async function verifyCommand(
  targetName: string | undefined,
  submissionNames: readonly string[],
  options: VerifyOptions,
): Promise<ExitCode> {
  if (options.batch !== undefined) {
    const { verifyBatchCommand } = await import('./verify-lean-command.ts');
    return verifyBatchCommand(options.batch, options);
  }
  const [first] = submissionNames;
  if (targetName === undefined || first === undefined)
    throw new QuodError('invalid-input', 'A target and a submission are needed, or --batch.', {
      remedy: 'Write `quod verify TARGET SUBMISSION`; `quod verify --help` lists the options.',
    });
  if (submissionNames.length > 1 && options.report !== undefined)
    throw new QuodError('invalid-input', '--report is for one submission.');
  checkReportOptions(options);
  if ([targetName, ...submissionNames].every((name) => /\.o?lean$/.test(name))) {
    const { verifyLeanFiles } = await import('./verify-lean-command.ts');
    return verifyLeanFiles(targetName, submissionNames, options);
  }
  return verifySources(targetName, submissionNames, options);
}

async function verifySources(
  targetName: string,
  submissionNames: readonly string[],
  options: VerifyOptions,
): Promise<ExitCode> {
  const policyFile = options.policy === undefined ? undefined : readPolicyFile(options.policy);
  const policy: GatePolicy = {
    ...policyFile?.policy,
    ...(options.requireSandbox === true && { requireSandbox: true }),
  };
  const startedAt = new Date();
  const target = await readJudgedFile(targetName);
  const { verifyMany } = await import('../../../gate/verify.ts');
  const { signal, stop } = listenForInterrupt();
  let worst: ExitCode = 0;
  const tell = (name: string, verdict: Verdict, submission?: JudgedSource): void => {
    worst = worstExitCode([worst, verdictExitCode(verdict, options.allowOpen)]);
    if (submission !== undefined)
      keepReport(options, { target, submission, policy, policyFile, verdict, startedAt });
    print(submissionNames.length > 1 ? name : undefined, verdict, options);
  };
  const read: { readonly name: string; readonly source: JudgedSource }[] = [];
  // One of several that cannot be read has its verdict, too, and costs no other its own.
  const submissions = async function* (): AsyncGenerator<SourceText> {
    for (const name of submissionNames) {
      const source = submissionNames.length === 1 ? await readJudgedFile(name) : await readSubmission(name);
      if ('kind' in source) tell(name, source);
      else {
        read.push({ name, source });
        yield source;
      }
    }
  };
  try {
    const settings = { policy, signal, inDetail: options.report !== undefined };
    for await (const { verdict } of verifyMany(target, submissions(), settings))
      tell(orNothing(read.at(-1)?.name), verdict, read.at(-1)?.source);
  } finally {
    stop();
  }
  return signal.aborted ? 130 : worst;
}

async function readSubmission(name: string): Promise<JudgedSource | Verdict> {
  try {
    return await readJudgedFile(name);
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
    return { kind: 'unknown', reason: error.reason, message: error.toString() };
  }
}

function print(submission: string | undefined, verdict: Verdict, { json }: VerifyOptions): void {
  const answer = verdictAnswer(verdict);
  if (json === true)
    console.log(JSON.stringify(submission === undefined ? answer : { submission, ...answer }));
  else {
    const findings = answer.findings.map((finding) => ({ ...finding, file: fromHere(finding.file) }));
    const text = verdictText({ ...answer, findings });
    console.log(submission === undefined ? text : `${foreignText(submission)}: ${text}`);
  }
}
