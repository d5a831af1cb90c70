/**
 * The judge of Lean: compiled modules (`.olean`) as they are, sources (`.lean`) after they were compiled in the
 * sandbox. A module is read by its path, all of it at once; what was read is what the verdict names. A source is
 * the text that is given.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuodError, errorText } from '../../core/errors.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { type CompiledSource, compileLean } from '../compile-lean.ts';
import { incidentFindings, sandboxLimitsOf } from '../foreign-run.ts';
import type { Judge, JudgeOptions, PreparedTarget } from '../judge.ts';
import { sha256 } from '../../core/sha256.ts';
import type { Finding, RestsOn, SourceText, Verdict } from '../verdict.ts';
import { leanPolicyOf } from './judge/from-gate-policy.ts';
import { type ReportedJudgement, judgeInThread } from './judge/judge-in-thread.ts';
import type { LeanPolicy } from './judge/lean-policy.ts';
import { searchRoots } from './olean/search-path.ts';

export const leanJudge: Judge = {
  prepare: (target, options) => Promise.resolve(new LeanTarget(target, options)),
};

/** A compiled module, which is judged as the file that it is, or a source. */
interface Given {
  readonly source: SourceText;
  /** Undefined for a module. */
  readonly compiled: CompiledSource | undefined;
}

export class LeanTarget implements PreparedTarget {
  readonly #target: SourceText;
  readonly #options: JudgeOptions;
  #given: Promise<Given> | undefined;

  constructor(target: SourceText, options: JudgeOptions = {}) {
    this.#target = target;
    this.#options = options;
  }

  async judge(submission: SourceText): Promise<Verdict> {
    return (await this.judgeInDetail(submission)).verdict;
  }

  /** Whatever happens ends in a verdict of this submission; the next one is judged all the same. */
  async judgeInDetail(submission: SourceText): Promise<ReportedJudgement> {
    const started = performance.now();
    try {
      const policy = leanPolicyOf(this.#options.policy ?? {});
      const target = await (this.#given ??= this.#compile(this.#target, policy));
      let given: Given;
      try {
        given = await this.#compile(submission, policy);
      } catch (error) {
        // The author's fault, not the judge's.
        if (!(error instanceof QuodError) || error.reason !== 'does-not-compile') throw error;
        return withoutDetail(doesNotCompile(target, submission, error, started));
      }
      return await this.#judge(target, given, policy);
    } catch (error) {
      const { reason, text } =
        error instanceof QuodError
          ? { reason: error.reason, text: error.toString() }
          : { reason: 'internal' as const, text: `The judge failed: ${errorText(error)}` };
      return withoutDetail({ kind: 'unknown', reason, message: text });
    }
  }

  async #compile(source: SourceText, policy: LeanPolicy): Promise<Given> {
    if (!source.path.endsWith('.lean')) return { source, compiled: undefined };
    const { signal, policy: gatePolicy = {} } = this.#options;
    const compiled = await compileLean(source, {
      ...policy,
      limits: sandboxLimitsOf(gatePolicy),
      ...(signal && { signal }),
    });
    return { source, compiled };
  }

  async #judge(target: Given, submission: Given, policy: LeanPolicy): Promise<ReportedJudgement> {
    const scratch = makeScratchFolder('lean');
    try {
      const pair = {
        target: placed(target, scratch, 'target'),
        submission: placed(submission, scratch, 'submission'),
      };
      // The libraries are those of the target: a submission does not bring its own.
      const isCompiled = target.compiled !== undefined || submission.compiled !== undefined;
      const searchPath = isCompiled
        ? searchRoots(target.source.path, policy).map(({ folder }) => folder)
        : policy.searchPath;
      const { signal } = this.#options;
      const judgement = await judgeInThread(
        { pair, policy: { ...policy, ...(searchPath && { searchPath }) } },
        { ...(signal && { signal }) },
      );
      return finished(judgement, pair, target, submission);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
}

/** Where the module lies that is judged. */
function placed({ source, compiled }: Given, scratch: string, name: string): string {
  if (compiled === undefined) return source.path;
  // Each in a folder of its own: modules that lie beside each other can be imported.
  mkdirSync(join(scratch, name));
  for (const [part, content] of compiled.files) writeFileSync(join(scratch, name, `Main${part}`), content);
  return join(scratch, name, 'Main.olean');
}

/** The judgement with the names and hashes of sources in place of those of the modules that were made of them. */
function finished(
  judgement: ReportedJudgement,
  pair: { readonly target: string; readonly submission: string },
  target: Given,
  submission: Given,
): ReportedJudgement {
  const { verdict } = judgement;
  if (verdict.kind === 'unknown') return judgement;
  const called = (path: string): string => {
    for (const [place, { source, compiled }] of [
      [pair.target, target],
      [pair.submission, submission],
    ] as const)
      if (compiled !== undefined && path.startsWith(place)) return source.path;
    return path;
  };
  const { compiled } = submission;
  const restsOn: RestsOn = {
    ...verdict.restsOn,
    targetSha256: hashOf(target) ?? verdict.restsOn.targetSha256,
    submissionSha256: hashOf(submission) ?? verdict.restsOn.submissionSha256,
    ...(compiled && { compiledSha256: verdict.restsOn.submissionSha256, isolation: compiled.isolation }),
    ...(verdict.restsOn.files && {
      files: verdict.restsOn.files.map(({ path, sha256: hash }) => ({ path: called(path), sha256: hash })),
    }),
  };
  const findings: Finding[] = [
    ...(compiled === undefined ? [] : incidentFindings(submission.source.path, compiled.incidents)),
    ...(verdict.kind === 'rejected'
      ? verdict.findings.map((finding) => ({ ...finding, file: called(finding.file) }))
      : []),
  ];
  return {
    ...judgement,
    verdict: findings.length > 0 ? { kind: 'rejected', findings, restsOn } : { ...verdict, restsOn },
  };
}

function hashOf({ source, compiled }: Given): string | undefined {
  return compiled === undefined ? undefined : sha256(source.text);
}

function doesNotCompile(target: Given, submission: SourceText, error: QuodError, started: number): Verdict {
  const finding: Finding = {
    kind: 'does-not-compile',
    file: submission.path,
    message: error.message,
    remedy: 'Make Lean accept the file.',
  };
  return {
    kind: 'rejected',
    findings: [finding],
    restsOn: {
      prover: 'Lean',
      backend: 'the installed Lean',
      targetSha256: hashOf(target) ?? sha256(readRegularFileSync(target.source.path, LARGEST_WRITTEN_BYTES)),
      submissionSha256: sha256(submission.text),
      pinnedBy: [],
      elapsedMs: Math.round(performance.now() - started),
    },
  };
}

function withoutDetail(verdict: Verdict): ReportedJudgement {
  const stopped = verdict.kind === 'unknown' ? verdict.message : 'the submission does not compile';
  return { verdict, events: [], outcomes: [], disallowedAxioms: [], stopped, remarks: [] };
}
