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
import { judgeRocqProof } from './rocq/judge-proof.ts';
import type { JudgeSettings } from './rocq/judgement.ts';
import { NativeJudge } from './rocq/native-judge.ts';
import { verifyFstar } from './fstar/verify-fstar.ts';
import { hol4Judge } from './hol4/hol4-judge.ts';
import { Script } from './rocq/script.ts';
import { RocqTarget } from './rocq/verify-rocq.ts';
import type { Judge, JudgeOptions, PreparedTarget } from './judge.ts';
import type { SourceText, Verdict } from './verdict.ts';

export interface GateSettings extends JudgeOptions {
  /** Default: the installed `coqc`, else the Rocq inside Node. */
  readonly backend?: JudgeBackend;
  /** Default: what the project around the target says. */
  readonly project?: RocqProject;
}

const JUDGES: readonly Judge[] = [
  {
    prover: 'Rocq',
    fits: (path) => path.endsWith('.v'),
    prepare: async (target, settings) => new RocqTarget(target, await filledIn(target, settings)),
  },
  {
    prover: 'Lean',
    fits: (path) => /\.(lean|olean)$/.test(path),
    prepare: () =>
      Promise.reject(new QuodError('invalid-input', 'Files of Lean are judged by `quod verify` only.')),
  },
  hol4Judge,
  {
    prover: 'F*',
    fits: (path) => /\.fsti?$/.test(path),
    prepare: (target, settings) =>
      Promise.resolve({
        judge: (submission) =>
          verifyFstar(target, submission, { policy: settings.policy, signal: settings.signal }),
      }),
  },
];

export async function verify(
  target: SourceText,
  submission: SourceText,
  settings: GateSettings = {},
): Promise<Verdict> {
  for await (const { verdict } of verifyMany(target, [submission], settings)) return verdict;
  throw new QuodError('internal', 'The gate gave no verdict.');
}

/** One verdict after another, in the order of the submissions. The target's side is prepared once. */
export async function* verifyMany(
  target: SourceText,
  submissions: Iterable<SourceText> | AsyncIterable<SourceText>,
  settings: GateSettings = {},
): AsyncGenerator<{ readonly submission: SourceText; readonly verdict: Verdict }> {
  let prepared: Promise<PreparedTarget> | undefined;
  for await (const submission of submissions) {
    const verdict = await orUnknown(async () => {
      const judge = judgeOf(target, submission);
      prepared ??= judge.prepare(target, settings);
      return (await prepared).judge(submission);
    });
    yield { submission, verdict };
  }
}

/** @throws QuodError `invalid-input` for files that no judge knows, or that no judge knows together. */
function judgeOf(target: SourceText, submission: SourceText): Judge {
  const [ours, theirs] = [target, submission].map(({ path }) => JUDGES.find((judge) => judge.fits(path)));
  if (ours === undefined || theirs === undefined)
    throw new QuodError(
      'invalid-input',
      `${(ours === undefined ? target : submission).path} is no file of a prover that the gate knows.`,
    );
  if (ours !== theirs)
    throw new QuodError(
      'invalid-input',
      `The target is a file of ${ours.prover}, the submission one of ${theirs.prover}.`,
    );
  return ours;
}

/** A Rocq file in which proofs were put in the place of others, or of holes. */
export interface ChangedProofs {
  /** The file as it was. */
  readonly target: SourceText;
  /** The file as it will be written, to the byte. */
  readonly text: string;
  /** The statements whose proofs were changed, by the sentences of `target` that state them. */
  readonly statements: readonly number[];
}

/**
 * Whether changed proofs are proofs of the statements that the file had. Other statements of the file may be open, before
 * and after: the verdict names those that a proof rests on (`openStatements`).
 */
export async function judgeProof(changed: ChangedProofs, settings: GateSettings = {}): Promise<Verdict> {
  return orUnknown(async () => {
    const { statements } = new Script(changed.target);
    const theorems = changed.statements.map((sentence) => {
      const statement = statements.find(({ item }) => item.sentence === sentence);
      if (statement === undefined)
        throw new QuodError('unsupported', 'The statement has no name of its own.');
      return statement;
    });
    const { target, text } = changed;
    const proof = { target, text, theorems: theorems.flatMap(({ names }) => names) };
    return judgeRocqProof(proof, await filledIn(target, settings));
  });
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
