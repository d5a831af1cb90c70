/**
 * The gate's two questions, with their defaults filled in: does a submission prove what the target states
 * (`verify`), and is a proof that was put into a file one (`judgeProof`). Both end in a `Verdict`.
 */
import { join } from 'node:path';
import { QuodError } from '../core/errors.ts';
import { cacheDirectory } from '../process/cache-directory.ts';
import { findExecutable } from '../process/executable.ts';
import type { Prover } from '../core/prover.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { restWithoutDot } from '../provers/rocq/syntax/theorem-text.ts';
import { findRocqProject, type RocqProject } from '../provers/rocq/project/project.ts';
import { JudgedInputs } from './inputs/judged-inputs.ts';
import { EmbeddedJudge } from './rocq/backends/embedded-judge.ts';
import type { JudgeBackend } from './rocq/backends/judge-backend.ts';
import type { BegunJudgement } from './rocq/begun-judgement.ts';
import { beginChangedProofs } from './rocq/begin-proofs.ts';
import { type ChangedProofs, judgeChangedProofs } from './rocq/changed-proofs.ts';
import type { NegationNames } from './rocq/comparison/negation.ts';
import type { JudgeSettings } from './rocq/judgement.ts';
import { type NegationAnswer, negatesInFile } from './rocq/comparison/negated-statement.ts';
import { type RestOfFile, restOfFile } from './rocq/rest-of-file.ts';
import { ReferenceCache } from './rocq/reference-cache.ts';
import { NativeJudge } from './rocq/backends/native-judge.ts';
import { RocqTarget } from './rocq/rocq-judge.ts';
import { SteadyLibraries } from './steady-libraries.ts';
import type { Judge, JudgeOptions, PreparedTarget } from './judge.ts';
import { toldFindings, type SourceText, type UnknownVerdict, type Verdict } from './verdict.ts';

export type { BegunJudgement } from './rocq/begun-judgement.ts';
export type { RestOfFile } from './rocq/rest-of-file.ts';

export interface GateSettings extends JudgeOptions {
  /** Default: the installed `coqc`, else the Rocq inside Node. */
  readonly backend?: JudgeBackend;
  /** Default: what the project around the target says. */
  readonly project?: RocqProject;
  /** What was begun before there were proofs ({@link beginProofs}). */
  readonly begun?: BegunJudgement;
  /** Nobody waits for it yet: other work goes first where there are too few processors. */
  readonly givesWay?: boolean;
  /** False: the target has words of somebody who may do no more than prove, so that it starts no program either. */
  readonly startsPrograms?: false;
  /** Where compiled targets are kept. */
  readonly cacheDirectory?: string;
}

/** A judge, and the files that are its. What it is made of is loaded when there is such a file. */
interface KnownJudge {
  /** As in messages. */
  readonly prover: string;
  /** Of the names of files. */
  readonly fits: RegExp;
  load(): Promise<Judge>;
}

const JUDGES: readonly KnownJudge[] = [
  {
    prover: 'Rocq',
    fits: /\.v$/,
    load: () =>
      Promise.resolve({
        prepare: async (target, settings) => {
          const filled = await filledIn(target, settings);
          const libraries = new SteadyLibraries(filled.project);
          const { onLibraries } = libraries;
          const inputs = settings.inDetail === true ? new JudgedInputs(target, filled) : undefined;
          const prepared = new RocqTarget(target, { ...filled, onLibraries });
          const judge = (submission: SourceText) => libraries.judged(() => prepared.judge(submission));
          return { judge: (submission) => inputs?.judged(submission, judge) ?? judge(submission) };
        },
      }),
  },
  {
    prover: 'Lean',
    fits: /\.o?lean$/,
    load: async () => (await import('./lean/lean-judge.ts')).leanJudge,
  },
  {
    prover: 'HOL4',
    fits: /\.sml$/,
    load: async () => (await import('./hol4/judge/hol4-judge.ts')).hol4Judge,
  },
  {
    prover: 'F*',
    fits: /\.fsti?$/,
    load: async () => (await import('./fstar/verify-fstar.ts')).fstarJudge,
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
    const verdict = await asTold(settings.signal, async () => {
      const judge = judgeOf(target, submission);
      prepared ??= judge.load().then((loaded) => loaded.prepare(target, settings));
      return (await prepared).judge(submission);
    });
    yield { submission, verdict };
  }
}

/** @throws QuodError `invalid-input` for files that no judge knows, or that no judge knows together. */
function judgeOf(target: SourceText, submission: SourceText): KnownJudge {
  const [ours, theirs] = [target, submission].map(({ path }) => JUDGES.find(({ fits }) => fits.test(path)));
  if (ours === undefined || theirs === undefined)
    throw new QuodError(
      'invalid-input',
      `${(ours === undefined ? target : submission).path} is no file of a prover that the gate knows.`,
      { remedy: `It judges files of ${JUDGES.map(({ prover }) => prover).join(', ')}.` },
    );
  if (ours !== theirs)
    throw new QuodError(
      'invalid-input',
      `The target is a file of ${ours.prover}, the submission one of ${theirs.prover}.`,
    );
  return ours;
}

/**
 * Whether changed proofs are proofs of the statements that the file had. Other statements of the file may be open,
 * before and after: the verdict names those that a proof rests on (`openStatements`).
 */
export async function judgeProof(changed: ChangedProofs, settings: GateSettings = {}): Promise<Verdict> {
  return asTold(settings.signal, async () => {
    const filled = await filledIn(changed.target, settings);
    const libraries = new SteadyLibraries(filled.project);
    const { onLibraries } = libraries;
    const target = withEnd(changed);
    return libraries.judged(() => judgeChangedProofs({ ...changed, target }, { ...filled, onLibraries }));
  });
}

/**
 * The old file without the words at its end that lack a dot and belonged to a proof that was changed, where the new one does not have them
 * any more: Rocq never read them.
 */
function withEnd({ target, text, statements }: ChangedProofs): SourceText {
  const outline = outlineOf(target.text);
  const last = outline.statements.at(-1);
  if (last === undefined || !statements.includes(last.sentence)) return target;
  const rest = restWithoutDot(outline, last);
  if (rest === undefined || outlineOf(text).unterminated !== undefined) return target;
  const begun = outline.sentences.at(-1)?.span.end ?? rest.start;
  return { ...target, text: target.text.slice(0, begun) + target.text.slice(rest.end) };
}

/**
 * Begins to judge proofs of statements before they are found, for the settings of {@link judgeProof}: the file is
 * compiled meanwhile. Undefined where nothing can be done yet. Whoever asks must end it.
 */
export async function beginProofs(
  changed: Omit<ChangedProofs, 'text'>,
  settings: GateSettings = {},
): Promise<BegunJudgement | undefined> {
  return beginChangedProofs(changed, await filledIn(changed.target, settings));
}

/** Whether a theorem of a file says that a statement of it is false, as the kernel has both: how the file writes it counts for nothing. */
export async function negatesStatement(
  target: SourceText,
  names: NegationNames,
  settings: GateSettings = {},
): Promise<NegationAnswer> {
  return negatesInFile(target, names, await filledIn(target, settings)).catch(unknownFor);
}

/** Where a file stops compiling behind statements whose proofs were judged without what follows (`onlyUpToProofs`). */
export async function firstErrorBehind(
  target: SourceText,
  statements: readonly number[],
  settings: GateSettings = {},
): Promise<RestOfFile> {
  try {
    return await restOfFile(target, statements, await filledIn(target, settings));
  } catch (error) {
    return unknownFor(error);
  }
}

/** The compiler of an installed Rocq where there is one, else the Rocq inside Node. */
async function filledIn(target: SourceText, settings: GateSettings): Promise<JudgeSettings> {
  const backend = settings.backend ?? nativeJudge() ?? new EmbeddedJudge();
  const folder = settings.cacheDirectory ?? cacheDirectory();
  return {
    backend,
    references: new ReferenceCache(join(folder, 'gate-references'), backend),
    project: settings.project ?? (await findRocqProject(target.path)),
    ...(settings.policy && { policy: settings.policy }),
    ...(settings.begun && { begun: settings.begun }),
    ...(settings.inDetail !== undefined && { inDetail: settings.inDetail }),
    ...(settings.givesWay !== undefined && { givesWay: settings.givesWay }),
    ...(settings.startsPrograms !== undefined && { startsPrograms: settings.startsPrograms }),
    ...(settings.signal && { signal: settings.signal }),
  };
}

/** The judge's prover that goes with the one that found a proof. */
export function backendFor(prover: Pick<Prover, 'identity'>): JudgeBackend {
  return (prover.identity.backend === 'embedded' ? undefined : nativeJudge()) ?? new EmbeddedJudge();
}

/** Of the installed Rocq; undefined where there is none. */
export function nativeJudge(): JudgeBackend | undefined {
  const coqc = findExecutable(['coqc']);
  return coqc === undefined ? undefined : new NativeJudge(coqc);
}

/** A judge that cannot look says so in a verdict, and one that finds ten thousand things tells the first. */
async function asTold(signal: AbortSignal | undefined, judge: () => Promise<Verdict>): Promise<Verdict> {
  const verdict = await judge().catch(unknownFor);
  if (verdict.kind === 'rejected') return { ...verdict, findings: toldFindings(verdict.findings) };
  const why: unknown = signal?.reason;
  // A judge sees that its work was ended; who ended it knows why, for example that the time of a call was over.
  const isEnded = verdict.kind === 'unknown' && verdict.reason === 'interrupted';
  return isEnded && why instanceof QuodError ? unknownFor(why) : verdict;
}

function unknownFor(error: unknown): UnknownVerdict {
  if (!(error instanceof QuodError)) throw error;
  return { kind: 'unknown', reason: error.reason, message: error.toString() };
}
