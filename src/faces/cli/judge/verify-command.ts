/** `quod verify`: the gate's verdict on a submission, or on many against one target. */
import { basename } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignName, inertJson } from '../../../core/foreign-text.ts';
import { type GatePolicy, readPolicyFile } from '../../../gate/policy.ts';
import type { SourceText, Verdict } from '../../../gate/verdict.ts';
import { type JudgedSource, readJudgedFile } from '../../../operations/files/judged-file.ts';
import { verdictAnswer, verdictText } from '../../../operations/gate/verdict-answer.ts';
import { type ExitCode, verdictExitCode, worstExitCode } from '../exit/exit-codes.ts';
import { fromHere } from '../terminal/from-here.ts';
import { inCommandWords } from '../terminal/command-words.ts';
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
  refuseLeanOptions(options);
  return verifySources(targetName, submissionNames, options);
}

const OF_AXIOMS =
  'Allow axioms with `--policy FILE`, where the file has `axioms = ["…"]`, or sets of them in `logic`.';
const OF_LIMITS = 'Set limits with `--policy FILE`, where the file has a table `[limits]`.';
const LEAVE_OUT = 'Leave it out: a policy has nothing like it for other provers.';

/** What is said only of Lean, and what says it of other provers. */
const LEAN_OPTIONS = [
  ['allowAxiom', '--allow-axiom', OF_AXIOMS],
  ['axioms', '--axioms', OF_AXIOMS],
  ['fuel', '--fuel', OF_LIMITS],
  ['disallowPartial', '--disallow-partial', LEAVE_OUT],
  ['disallowAttribute', '--disallow-attribute', LEAVE_OUT],
  ['disproofs', '--disproofs', LEAVE_OUT],
  ['strictHoles', '--strict-holes', LEAVE_OUT],
  [
    'fresh',
    '--fresh',
    'Have everything checked anew with `--policy FILE`, where the file has `recheck = "always"`.',
  ],
  ['searchPath', '--search-path', 'Write where libraries are into the project file of the target.'],
  ['verbose', '--verbose', 'Leave it out: findings always have their details.'],
  ['save', '--save', 'Keep the findings with `--report FILE`.'],
  ['jobs', '--jobs', 'Leave it out: it is for `--batch`.'],
  ['log', '--log', 'Leave it out: it is for `--batch`.'],
] as const satisfies readonly (readonly [keyof LeanVerifyOptions, string, string])[];

/** An option that nothing would come of is refused: whoever wrote it expects that it counts. */
function refuseLeanOptions(options: VerifyOptions): void {
  const given = LEAN_OPTIONS.find(([name]) => options[name] !== undefined);
  if (given === undefined) return;
  const [, option, remedy] = given;
  throw new QuodError('invalid-input', `${option} is for Lean files, and not all of these are.`, { remedy });
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
      const sought = basename(targetName);
      const source =
        submissionNames.length === 1
          ? await readJudgedFile(name, sought)
          : await readSubmission(name, sought);
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

async function readSubmission(name: string, sought: string): Promise<JudgedSource | Verdict> {
  try {
    return await readJudgedFile(name, sought);
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
    return { kind: 'unknown', reason: error.reason, message: error.toString() };
  }
}

function print(submission: string | undefined, verdict: Verdict, { json }: VerifyOptions): void {
  const answer = verdictAnswer(verdict);
  if (json === true) console.log(inertJson(submission === undefined ? answer : { submission, ...answer }));
  else {
    const findings = answer.findings.map((finding) => ({ ...finding, file: fromHere(finding.file) }));
    const text = verdictText({ ...answer, findings }, inCommandWords);
    console.log(submission === undefined ? text : `${foreignName(submission)}: ${text}`);
  }
}
