/**
 * `quod verify` for compiled Lean modules and `quod safe-verify`: what SafeVerify prints, and with `quod verify` after it
 * the verdict as the gate words it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { QuodError, errorText } from '../../core/errors.ts';
import type { CompiledSource } from '../../gate/compile-lean.ts';
import { withDeepStack } from '../../gate/lean/deep-stack.ts';
import { judgePair } from '../../gate/lean/judge/judge.ts';
import { type CompilerAttribute, type LeanPolicy, STANDARD_AXIOMS } from '../../gate/lean/judge/policy.ts';
import { axiomsOf } from '../../gate/axiom-sets.ts';
import { type GatePolicy, readPolicy } from '../../gate/policy.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { readPackageVersion } from '../package-version.ts';
import { defaultJobs } from './default-jobs.ts';
import { type ExitCode, worstExitCode } from './exit-codes.ts';
import { listenForInterrupt } from './interrupt.ts';
import { type OutputLine, outcomesAsJson, progressLines, resultLines } from './safe-verify-output.ts';
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

/** `quod verify` for modules and sources: sources are compiled in a sandbox before. */
export async function verifyLeanFiles(
  target: string,
  submission: string,
  options: LeanVerifyOptions,
): Promise<ExitCode> {
  const compiled: CompiledSource[] = [];
  const { signal, stop } = listenForInterrupt();
  const moduleOf = async (path: string): Promise<string> => {
    if (!path.endsWith('.lean')) return path;
    const { compileLean } = await import('../../gate/compile-lean.ts');
    const { searchPath } = leanPolicy(options);
    const source = await compileLean(path, { ...(searchPath && { searchPath }), signal });
    compiled.push(source);
    return source.path;
  };
  try {
    const targetModule = await moduleOf(target);
    let submissionModule: string;
    try {
      submissionModule = await moduleOf(submission);
    } catch (error) {
      // The author's fault, not the judge's.
      if (!(error instanceof QuodError) || error.reason !== 'does-not-compile') throw error;
      console.error(error.toString());
      return 1;
    }
    // The libraries are those of the target: a submission does not bring its own.
    const ofTarget = compiled.find(({ path }) => path === targetModule)?.searchPath ?? [];
    const searchPath = [...(options.searchPath ?? []), ...ofTarget];
    const startedAt = new Date();
    return await verifyLeanCommand(
      targetModule,
      submissionModule,
      { ...options, searchPath },
      true,
      (verdict) =>
        keepReport(options, { target, submission, policy: gatePolicy(options), verdict, startedAt }),
    );
  } finally {
    stop();
    for (const source of compiled) source.remove();
  }
}

/** `quod verify --batch`: one line a pair, the worst answer as exit code. */
export async function verifyBatchCommand(path: string, options: LeanVerifyOptions): Promise<ExitCode> {
  const { judgeBatch, readPairs } = await import('../../gate/lean/judge/batch.ts');
  const { signal, stop } = listenForInterrupt();
  const log = options.log ?? `${path.replace(/\/+$/, '')}.verdicts.ndjson`;
  let worst: ExitCode = 0;
  try {
    const settings = { policy: leanPolicy(options), jobs: options.jobs ?? defaultJobs(), log, signal };
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

function gatePolicy({ policy }: LeanVerifyOptions): GatePolicy {
  return policy === undefined ? {} : readPolicy(policy);
}

/** Options of the command line, and what a policy says about axioms. */
export function leanPolicy(options: LeanVerifyOptions): LeanPolicy {
  const { axioms, logic = [] } = gatePolicy(options);
  const standard = axioms === undefined || axioms === 'target' ? STANDARD_AXIOMS : axioms;
  const listed = options.axioms === undefined ? standard : readNames(options.axioms);
  return {
    allowedAxioms: [...listed, ...logic.flatMap(axiomsOf), ...(options.allowAxiom ?? [])],
    disallowPartial: options.disallowPartial ?? false,
    disallowedAttributes: options.disallowAttribute ?? [],
    disproofs: options.disproofs ?? false,
    fresh: options.fresh ?? false,
    strictHoles: options.strictHoles ?? false,
    ...(options.searchPath && { searchPath: options.searchPath.flatMap((folders) => folders.split(':')) }),
    ...(options.fuel !== undefined && { fuel: options.fuel }),
  };
}

/** What a thread with a deep stack is given, and what it answers: data only. */
export interface JudgeRequest {
  readonly target: string;
  readonly submission: string;
  readonly policy: LeanPolicy;
  readonly verbose: boolean;
}

export interface PrintedJudgement {
  readonly verdict: Verdict;
  readonly remarks: readonly string[];
  /** What SafeVerify prints while it works, and what it prints in the end. */
  readonly progress: readonly string[];
  readonly results: readonly OutputLine[];
  /** What SafeVerify saves. */
  readonly declarations: unknown;
}

export function judgeForPrinting({ target, submission, policy, verbose }: JudgeRequest): PrintedJudgement {
  const progress: string[] = [];
  const judgement = judgePair({ target, submission }, policy, (event) => {
    progress.push(...progressLines(event, target, submission));
  });
  return {
    verdict: judgement.verdict,
    remarks: judgement.remarks,
    progress,
    results: resultLines(judgement, submission, verbose),
    declarations: outcomesAsJson(judgement.outcomes),
  };
}

/** `report` adds the verdict in the gate's words to what SafeVerify prints. */
export async function verifyLeanCommand(
  target: string,
  submission: string,
  options: LeanVerifyOptions,
  report: boolean,
  keep: (verdict: Verdict) => void = () => {},
): Promise<ExitCode> {
  const request: JudgeRequest = {
    target,
    submission,
    policy: leanPolicy(options),
    verbose: options.verbose ?? false,
  };
  const { signal, stop } = listenForInterrupt();
  let judgement: PrintedJudgement;
  try {
    const here = new URL(import.meta.url);
    judgement = (await withDeepStack(here, 'judgeForPrinting', request, { signal })) as PrintedJudgement;
  } finally {
    stop();
  }
  const { verdict, remarks, progress, results, declarations } = judgement;
  keep(verdict);
  if (options.save !== undefined) save(options.save, declarations);
  if (options.json === true) {
    console.log(JSON.stringify({ ...verdict, quod: readPackageVersion(), remarks, declarations }));
    return verdictExitCode(verdict);
  }
  for (const line of progress) console.log(line);
  for (const { stream, text } of results) {
    if (stream === 'output') console.log(text);
    else console.error(text);
  }
  if (report) console.log(reportText(judgement));
  return verdictExitCode(verdict);
}

function reportText({ verdict, remarks }: PrintedJudgement): string {
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

/** One name a line; blank lines and what follows `#` are ignored. */
function readNames(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new QuodError('not-found', `The list of axioms cannot be read: ${errorText(error)}.`, {
      place: { file: path },
      cause: error,
    });
  }
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
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
