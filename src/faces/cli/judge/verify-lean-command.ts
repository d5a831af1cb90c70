/**
 * `quod verify` for Lean and `quod safe-verify`: what SafeVerify prints, and with `quod verify` after it the
 * verdict as the gate words it. What is judged, and how, is decided below gate/.
 */
import { foreignName, foreignText, inertJson } from '../../../core/foreign-text.ts';
import { resolve } from 'node:path';
import { writeFileSync } from 'node:fs';
import { unwritableFile } from '../../../process/foreign-folder/unreadable-file.ts';
import { leanPolicyOf } from '../../../gate/lean/judge/from-gate-policy.ts';
import type { ReportedJudgement } from '../../../gate/lean/judge/judge-in-thread.ts';
import type { CompilerAttribute } from '../../../gate/lean/judge/lean-policy.ts';
import { LeanTarget } from '../../../gate/lean/lean-judge.ts';
import { type GatePolicy, type PolicyFile, readPolicyFile } from '../../../gate/policy.ts';
import type { Verdict } from '../../../gate/verdict.ts';
import { Workspace } from '../../../operations/definition/workspace.ts';
import { type JudgedSource, readJudgedFile } from '../../../operations/files/judged-file.ts';
import { verdictAnswer } from '../../../operations/gate/verdict-answer.ts';
import {
  leanGatePolicy,
  leanVerdictOf,
  leanVerdictText,
  type LeanVerdict,
} from '../../../operations/lean/verify-operation.ts';
import { defaultJobs } from '../../../operations/project/default-jobs.ts';
import { type ExitCode, verdictExitCode, worstExitCode } from '../exit/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { outcomesAsJson, progressLines, resultLines } from './safe-verify-output.ts';
import { keepReport, type ReportOptions } from './verdict-report.ts';

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
  const workspace = await Workspace.openFrom('.');
  const policyFile = policyFileOf(options);
  const policy = await policyOf(options, workspace, policyFile);
  const { signal, stop } = listenForInterrupt();
  let worst: ExitCode = 0;
  try {
    const target = await leanFile(targetName);
    const prepared = new LeanTarget(target, { policy, signal });
    for (const name of submissionNames) {
      const startedAt = new Date();
      const submission = await leanFile(name);
      const judgement = await prepared.judgeInDetail(submission);
      const { verdict } = judgement;
      const answer = leanVerdictOf(judgement, workspace);
      keepReport(options, { target, submission, policy, policyFile, verdict, startedAt });
      worst = worstExitCode([worst, verdictExitCode(verdict)]);
      if (options.save !== undefined) save(options.save, outcomesAsJson(judgement.outcomes));
      if (options.json === true) printJson(answer, submissionNames.length > 1 ? name : undefined);
      else if (submissionNames.length > 1) console.log(`${foreignName(name)}: ${leanVerdictText(answer)}`);
      else {
        // Where nothing was judged the verdict says all, in words of Quod's.
        if (judgement.stopped === undefined) printAsSafeVerify(judgement, targetName, name, options);
        console.log(leanVerdictText(answer));
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
  const workspace = await Workspace.openFrom('.');
  const policy = await policyOf(options, workspace);
  const { signal, stop } = listenForInterrupt();
  let judgement: ReportedJudgement;
  try {
    const target = new LeanTarget(await leanFile(targetName), { policy, signal });
    judgement = await target.judgeInDetail(await leanFile(submissionName));
  } finally {
    stop();
  }
  if (options.save !== undefined) save(options.save, outcomesAsJson(judgement.outcomes));
  if (options.json === true) printJson(leanVerdictOf(judgement, workspace), undefined);
  else printAsSafeVerify(judgement, targetName, submissionName, options);
  return verdictExitCode(judgement.verdict);
}

/** A source as text; a module under the name that the user wrote, which is what messages tell. */
async function leanFile(name: string): Promise<JudgedSource> {
  if (!name.endsWith('.lean')) return { path: name, text: '' };
  return { ...(await readJudgedFile(name)), path: resolve(name) };
}

/** `quod verify --batch`: one line a pair, the worst answer as exit code. */
export async function verifyBatchCommand(path: string, options: LeanVerifyOptions): Promise<ExitCode> {
  const { judgeBatch, readPairs } = await import('../../../gate/lean/judge/batch.ts');
  const { signal, stop } = listenForInterrupt();
  const log = options.log ?? `${path.replace(/\/+$/, '')}.verdicts.ndjson`;
  let worst: ExitCode = 0;
  try {
    const settings = {
      policy: leanPolicyOf(await policyOf(options, await Workspace.openFrom('.'))),
      jobs: options.jobs ?? defaultJobs(),
      log,
      signal,
    };
    await judgeBatch(readPairs(path), settings, ({ target, submission, verdict }) => {
      worst = worstExitCode([worst, verdictExitCode(verdict)]);
      if (options.json === true) console.log(inertJson({ target, submission, ...verdictAnswer(verdict) }));
      else console.log(`${verdict.kind} ${foreignName(submission)}${batchReason(verdict)}`);
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
      return `: ${foreignText(verdict.message)}`;
  }
}

function policyFileOf({ policy }: LeanVerifyOptions): PolicyFile | undefined {
  return policy === undefined ? undefined : readPolicyFile(policy);
}

/** What the options say, in the words of `lean_verify`. */
function policyOf(
  options: LeanVerifyOptions,
  workspace: Workspace,
  file = policyFileOf(options),
): Promise<GatePolicy> {
  return leanGatePolicy(
    file?.policy ?? {},
    {
      ...{ axioms: options.axioms ?? null, theorem: [] },
      allow_axiom: [...(options.allowAxiom ?? [])],
      disallow_partial: options.disallowPartial ?? false,
      disallow_attribute: [...(options.disallowAttribute ?? [])],
      disproofs: options.disproofs ?? false,
      strict_holes: options.strictHoles ?? false,
      fresh: options.fresh ?? false,
      search_path: [...(options.searchPath ?? [])],
      fuel: options.fuel ?? null,
    },
    workspace,
  );
}

/** Paths are those that the user wrote: what is named in a verdict is what was asked about. */
function printJson(answer: LeanVerdict, submission: string | undefined): void {
  console.log(inertJson(submission === undefined ? answer : { submission, ...answer }));
}

function printAsSafeVerify(
  judgement: ReportedJudgement,
  target: string,
  submission: string,
  { verbose }: LeanVerifyOptions,
): void {
  for (const event of judgement.events)
    for (const line of progressLines(event, foreignName(target), foreignName(submission))) console.log(line);
  for (const { stream, text } of resultLines(judgement, foreignName(submission), verbose ?? false)) {
    if (stream === 'output') console.log(text);
    else console.error(text);
  }
}

function save(path: string, value: unknown): void {
  try {
    writeFileSync(path, `${JSON.stringify(value, undefined, 1)}\n`);
  } catch (error) {
    throw unwritableFile(path, error, { what: 'The result' });
  }
}
