/**
 * The gate's two questions, with their defaults filled in: does a submission prove what the target states (`verify`), and
 * is a proof that was put into a file one (`judgeProof`). Both end in a `Verdict`.
 */
import { QuodError } from '../core/errors.ts';
import { findExecutable } from '../process/executable.ts';
import type { Prover } from '../core/prover.ts';
import { findRocqProject, type RocqProject } from '../provers/rocq/project.ts';
import { findRocq } from '../provers/rocq/discovery.ts';
import { SessionJudge } from './rocq/session-judge.ts';
import type { JudgeBackend } from './rocq/judge-backend.ts';
import { judgeRocqProof, type ProofToJudge } from './rocq/judge-proof.ts';
import type { JudgeSettings } from './rocq/judgement.ts';
import { NativeJudge } from './rocq/native-judge.ts';
import { verifyFstar } from './fstar/verify-fstar.ts';
import { verifyHol4 } from './hol4/verify-hol4.ts';
import { RocqTarget, verifyRocq } from './rocq/verify-rocq.ts';
import type { GatePolicy } from './policy.ts';
import type { SourceText, Verdict } from './verdict.ts';

export interface GateSettings {
  readonly policy?: GatePolicy;
  /** Default: the installed `coqc`, else the Rocq inside Node. */
  readonly backend?: JudgeBackend;
  /** Default: what the project around the target says. */
  readonly project?: RocqProject;
  /** For a report: statements as the checker prints them, and hashes of the libraries. */
  readonly inDetail?: boolean;
  readonly signal?: AbortSignal;
}

export async function verify(
  target: SourceText,
  submission: SourceText,
  settings: GateSettings = {},
): Promise<Verdict> {
  return orUnknown(
    async () =>
      (await judgedElsewhere(target, submission, settings)) ??
      verifyRocq(target, submission, await filledIn(target, settings)),
  );
}

/** One verdict after another, in the order of the submissions. The target's side is prepared once. */
export async function* verifyMany(
  target: SourceText,
  submissions: Iterable<SourceText> | AsyncIterable<SourceText>,
  settings: GateSettings = {},
): AsyncGenerator<{ readonly submission: SourceText; readonly verdict: Verdict }> {
  let prepared: RocqTarget | undefined;
  for await (const submission of submissions) {
    const verdict = await orUnknown(async () => {
      const elsewhere = await judgedElsewhere(target, submission, settings);
      if (elsewhere !== undefined) return elsewhere;
      prepared ??= new RocqTarget(target, await filledIn(target, settings));
      return prepared.judge(submission);
    });
    yield { submission, verdict };
  }
}

const PROVERS: readonly (readonly [ending: RegExp, prover: string])[] = [
  [/\.v$/, 'Rocq'],
  [/\.(lean|olean)$/, 'Lean'],
  [/\.sml$/, 'HOL4'],
  [/\.fsti?$/, 'F*'],
];

/** The verdict on files that are not Rocq's, or that cannot be judged together; undefined when both are Rocq's. */
async function judgedElsewhere(
  target: SourceText,
  submission: SourceText,
  { policy, signal }: GateSettings,
): Promise<Verdict | undefined> {
  const [ours, theirs] = [target, submission].map(
    ({ path }) => PROVERS.find(([ending]) => ending.test(path))?.[1],
  );
  const refuse = (message: string): Verdict => ({ kind: 'unknown', reason: 'invalid-input', message });
  if (ours === undefined || theirs === undefined)
    return refuse(
      `${(ours === undefined ? target : submission).path} is no file of a prover that the gate knows.`,
    );
  if (ours !== theirs) return refuse(`The target is a file of ${ours}, the submission one of ${theirs}.`);
  if (ours === 'Rocq') return undefined;
  if (ours === 'HOL4') return verifyHol4(target, submission, { policy, signal });
  if (ours === 'F*') return verifyFstar(target, submission, { policy, signal });
  return refuse(`Files of ${ours} are not judged here.`);
}

export async function judgeProof(proof: ProofToJudge, settings: GateSettings = {}): Promise<Verdict> {
  return orUnknown(async () => judgeRocqProof(proof, await filledIn(proof.target, settings)));
}

/** The judge that goes with a prover: the compiler where the prover is an installed one, else the prover itself. */
export function judgeFor(prover: Prover): JudgeBackend {
  return (prover.identity.backend === 'embedded' ? undefined : nativeJudge()) ?? new SessionJudge(prover);
}

async function filledIn(target: SourceText, settings: GateSettings): Promise<JudgeSettings> {
  return {
    backend: settings.backend ?? nativeJudge() ?? new SessionJudge(await findRocq('embedded')),
    project: settings.project ?? (await findRocqProject(target.path)),
    ...(settings.policy && { policy: settings.policy }),
    ...(settings.inDetail !== undefined && { inDetail: settings.inDetail }),
    ...(settings.signal && { signal: settings.signal }),
  };
}

function nativeJudge(): JudgeBackend | undefined {
  const coqc = findExecutable(['coqc']);
  return coqc === undefined ? undefined : new NativeJudge(coqc);
}

/** A judge that cannot look says so in a verdict. */
async function orUnknown(judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof QuodError)
      return { kind: 'unknown', reason: error.reason, message: error.toString() };
    throw error;
  }
}
