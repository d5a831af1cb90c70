/**
 * `quod verify` for Lean and `quod safe-verify`: what SafeVerify prints, and with `quod verify` after it the verdict as the
 * gate words it. What is judged, and how, is decided below gate/.
 */
import { resolve } from 'node:path';
import { writeFileSync } from 'node:fs';
import { QuodError, errorText } from '../../../core/errors.ts';
import { leanPolicyOf } from '../../../gate/lean/judge/gate-policy.ts';
import type { ToldJudgement } from '../../../gate/lean/judge/judge-in-thread.ts';
import type { CompilerAttribute } from '../../../gate/lean/judge/policy.ts';
import { LeanTarget } from '../../../gate/lean/lean-judge.ts';
import { STANDARD_AXIOMS } from '../../../gate/lean/standard-axioms.ts';
import { type GatePolicy, readPolicy } from '../../../gate/policy.ts';
import type { SourceText, Verdict } from '../../../gate/verdict.ts';
import { readJudgedFile } from '../../../operations/files/judged-file.ts';
import { readAxiomList } from '../../../operations/lean/inputs.ts';
import { readPackageVersion } from '../../package-version.ts';
import { defaultJobs } from '../terminal/default-jobs.ts';
import { type ExitCode, worstExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { outcomesAsJson, progressLines, resultLines } from './safe-verify-output.ts';
import { keepReport, type ReportOptions } from './verdict-report.ts';
import { verdictExitCode, verdictText } from './verdict-output.ts';

export interface LeanVerifyOptions extends ReportOptions {
  readonly json?: boolean;
  readonly allowAxiom?: readonly string[];
  readonly axioms?: string;
  readonly disallowPartial?: boolean;
  readonly disallowAttribute?: readonly CompilerAttribute[];
  readonly disproofs?: boolean;
  readonly fresh?: boolean;
  readonly strictHoles?: boolean;
  readonly searchPath?: readonly string[];
  readonly fuel?: number;
  readonly verbose?: boolean;
  readonly save?: string;
  readonly batch?: string;
  readonly jobs?: number;
  readonly log?: string;
}

/** Judges each submission, in order; with several, each verdict has its file's name before it. */
export async function verifyLeanFiles(
  targetName: string,
  submissionNames: readonly string[],
  options: LeanVerifyOptions,
): Promise<ExitCode> {
  const policy = gatePolicyOf(options);
  const { signal, stop } = listenForInterrupt();
  let worst: ExitCode = 0;
  try {
    const target = new LeanTarget(await leanFile(targetName), { policy, signal });
    for (const name of submissionNames) {
      const startedAt = new Date();
      const judgement = await target.judgeInDetail(await leanFile(name));
      const { verdict } = judgement;
      keepReport(options, { target: targetName, submission: name, policy, verdict, startedAt });
      worst = worstExitCode([worst, verdictExitCode(verdict)]);
      if (options.save !== undefined) save(options.save, outcomesAsJson(judgement.outcomes));
      if (options.json === true) printJson(judgement, submissionNames.length > 1 ? name : undefined);
      else if (submissionNames.length > 1) console.log(`${name}: ${reportText(judgement)}`);
      else {
        printAsSafeVerify(judgement, targetName, name, options);
        console.log(reportText(judgement));
      }
    }
  } finally {
    stop();
  }
  return signal.aborted ? 130 : worst;
}

/** `quod safe-verify`. */
export async function safeVerifyCommand(
  targetName: string,
  submissionName: string,
  options: LeanVerifyOptions,
): Promise<ExitCode> {
  const { signal, stop } = listenForInterrupt();
  let judgement: ToldJudgement;
  try {
    const target = new LeanTarget(await leanFile(targetName), { policy: gatePolicyOf(options), signal });
    judgement = await target.judgeInDetail(await leanFile(submissionName));
  } finally {
    stop();
  }
  if (options.save !== undefined) save(options.save, outcomesAsJson(judgement.outcomes));
  if (options.json === true) printJson(judgement, undefined);
  else printAsSafeVerify(judgement, targetName, submissionName, options);
  return verdictExitCode(judgement.verdict);
}

/** A source as text; a module under the name that the user wrote, which is what messages tell. */
async function leanFile(name: string): Promise<SourceText> {
  if (!name.endsWith('.lean')) return { path: name, text: '' };
  const { text } = await readJudgedFile(name);
  return { path: resolve(name), text };
}

/** `quod verify --batch`: one line a pair, the worst answer as exit code. */
export async function verifyBatchCommand(path: string, options: LeanVerifyOptions): Promise<ExitCode> {
  const { judgeBatch, readPairs } = await import('../../../gate/lean/judge/batch.ts');
  const { signal, stop } = listenForInterrupt();
  const log = options.log ?? `${path.replace(/\/+$/, '')}.verdicts.ndjson`;
  let worst: ExitCode = 0;
  try {
    const settings = {
      policy: leanPolicyOf(gatePolicyOf(options)),
      jobs: options.jobs ?? defaultJobs(),
      log,
      signal,
    };
    await judgeBatch(readPairs(path), settings, ({ target, submission, verdict }) => {
      worst = worstExitCode([worst, verdictExitCode(verdict)]);
      if (options.json === true) console.log(JSON.stringify({ target, submission, ...verdict }));
      else console.log(`${verdict.kind} ${submission}${batchReason(verdict)}`);
    });
  } finally {
    stop();
  }
  return signal.aborted ? 130 : worst;
}

function batchReason(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return '';
    case 'rejected':
      return `: ${verdict.findings.map(({ kind }) => kind).join(', ')}`;
    case 'unknown':
      return `: ${verdict.message}`;
  }
}

/** The policy file, with what the command line says in its place or besides. */
function gatePolicyOf(options: LeanVerifyOptions): GatePolicy {
  const file = options.policy === undefined ? {} : readPolicy(options.policy);
  const listed =
    options.axioms === undefined
      ? file.axioms === undefined || file.axioms === 'target'
        ? STANDARD_AXIOMS
        : file.axioms
      : readAxiomList(options.axioms);
  const searchPath = options.searchPath?.flatMap((folders) => folders.split(':'));
  return {
    ...file,
    axioms: [...listed, ...(options.allowAxiom ?? [])],
    lean: {
      ...file.lean,
      ...(options.disallowPartial === true && { disallowPartial: true }),
      ...(options.disallowAttribute && { disallowedAttributes: [...options.disallowAttribute] }),
      ...(options.disproofs === true && { disproofs: true }),
      ...(options.fresh === true && { fresh: true }),
      ...(options.strictHoles === true && { strictHoles: true }),
      ...(searchPath && { searchPath }),
      ...(options.fuel !== undefined && { fuel: options.fuel }),
    },
  };
}

function printJson({ verdict, remarks, outcomes }: ToldJudgement, submission: string | undefined): void {
  const declarations = outcomesAsJson(outcomes);
  const name = submission === undefined ? {} : { submission };
  console.log(JSON.stringify({ ...name, ...verdict, quod: readPackageVersion(), remarks, declarations }));
}

function printAsSafeVerify(
  judgement: ToldJudgement,
  target: string,
  submission: string,
  { verbose }: LeanVerifyOptions,
): void {
  for (const event of judgement.events)
    for (const line of progressLines(event, target, submission)) console.log(line);
  for (const { stream, text } of resultLines(judgement, submission, verbose ?? false)) {
    if (stream === 'output') console.log(text);
    else console.error(text);
  }
}

function reportText({ verdict, remarks }: ToldJudgement): string {
  const lines = [verdictText(verdict), ...remarks.map((remark) => `  note: ${remark}`)];
  if (verdict.kind !== 'unknown') {
    const { files = [], checkedModules = [], trustedModules = [] } = verdict.restsOn;
    lines.push(
      `  Quod ${readPackageVersion()}; imported modules checked: ${checkedModules.length}, taken as they are: ${trustedModules.length}`,
      ...files.map(({ path, sha256 }) => `  SHA-256 ${sha256}  ${path}`),
    );
  }
  return lines.join('\n');
}

function save(path: string, value: unknown): void {
  try {
    writeFileSync(path, `${JSON.stringify(value, undefined, 1)}\n`);
  } catch (error) {
    throw new QuodError('file-unreadable', `The result cannot be written: ${errorText(error)}.`, {
      place: { file: path },
      cause: error,
    });
  }
}
