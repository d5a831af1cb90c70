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
import { verifyRocq } from './rocq/verify-rocq.ts';
import type { GatePolicy, SourceText, Verdict } from './verdict.ts';

export interface GateSettings {
  readonly policy?: GatePolicy;
  /** Default: the installed `coqc`, else the Rocq inside Node. */
  readonly backend?: JudgeBackend;
  /** Default: what the project around the target says. */
  readonly project?: RocqProject;
  readonly signal?: AbortSignal;
}

export async function verify(
  target: SourceText,
  submission: SourceText,
  settings: GateSettings = {},
): Promise<Verdict> {
  return orUnknown(async () => verifyRocq(target, submission, await filledIn(target, settings)));
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
