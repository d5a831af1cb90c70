/** Replays the proofs of a built submission with the kernel of Quod's own, down to the axioms, against the target's. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import type { FindingKind } from '../../verdict.ts';
import type { Ancestry } from '../theory/ancestry.ts';
import type { RefusalCode } from '../kernel/refusal.ts';
import { replayInThread } from '../replay/replay-in-thread.ts';
import type { ReplayFinding } from '../replay/replay-finding.ts';
import type { AllowedAxioms } from '../replay/replay-trace.ts';
import type { ReplayedTheory } from '../replay/replayed-theories.ts';
import type { TheoryFiles, TrustedHol } from '../theory/theory-build.ts';
import { makeScratchFolder } from '../../../process/scratch-folder.ts';

export interface SubmissionToReplay {
  readonly theory: string;
  readonly target: TheoryFiles;
  readonly submission: TheoryFiles;
  readonly ancestry: Ancestry;
  /** Statements that may stand without proof, here and below, compared by content. */
  readonly axioms: AllowedAxioms;
  /** The theorems that must be proved, where others of the target may stay open. */
  readonly wanted?: readonly string[];
  /** Theories of the project, built before the submission was looked at. */
  readonly project: ReadonlyMap<string, TheoryFiles>;
  readonly hol: TrustedHol;
  readonly timeoutMs: number;
  /** What was replayed before; whoever can write there is trusted. */
  readonly cacheDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SubmissionReplay {
  readonly findings: readonly ReplayFinding[];
  /** What the proofs gave; absent when they do not all follow. */
  readonly theory?: ReplayedTheory;
}

/** @throws QuodError where nothing can be said: traces are missing or damaged, or limits are reached. */
export async function replaySubmission(request: SubmissionToReplay): Promise<SubmissionReplay> {
  const { theory, target, submission, axioms, cacheDirectory, signal } = request;
  const folder = makeScratchFolder('replay');
  try {
    const write = async (name: string, bytes: Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    };
    const files = await tracesBelow(request, write);
    if (submission.proof === undefined || target.proof === undefined) throw noTraces([theory]);
    const { verdict, theory: replayed } = await replayInThread(
      [...files, await write('submission.prf', submission.proof)],
      {
        target: await write('target.prf', target.proof),
        timeoutMs: request.timeoutMs,
        axioms,
        ...(request.wanted && { wanted: request.wanted }),
        // They are among `axioms`, as far as they are allowed.
        allowsTargetAxioms: false,
        ...(cacheDirectory !== undefined && { cacheDirectory }),
        ...(signal !== undefined && { signal }),
      },
      theory,
    );
    if (verdict.kind === 'unknown') throw new QuodError(verdict.reason, verdict.message);
    return {
      findings: verdict.kind === 'rejected' ? verdict.findings : [],
      ...(replayed && { theory: replayed }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files with the traces of all theories below. */
async function tracesBelow(
  { ancestry, project, hol }: SubmissionToReplay,
  write: (name: string, bytes: Uint8Array) => Promise<string>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  const files: string[] = [];
  for (const [name, { fromHol }] of ancestry.ancestors) {
    const own = project.get(name)?.proof;
    const stored = fromHol ? hol.traceOf(name) : undefined;
    if (stored !== undefined) files.push(stored);
    else if (own !== undefined && !fromHol) files.push(await write(`${name}.prf`, own));
    else missing.push(name);
  }
  if (missing.length > 0) throw noTraces(missing);
  return files;
}

function noTraces(theories: readonly string[]): QuodError {
  return new QuodError(
    'library-missing',
    `There are no traces of ${theories.slice(0, 5).join(', ')}, so the proofs cannot be replayed.`,
    { remedy: 'Build these theories with the HOL4 that exports its proofs.' },
  );
}

/** The gate's word for what the replay kernel refuses; the message keeps the kernel's own code. */
export function findingKindOf(code: RefusalCode): FindingKind {
  switch (code) {
    case 'missing':
    case 'statement-changed':
    case 'definition-changed':
      return code;
    case 'unproved-statement':
    case 'oracle-tag':
      return 'admitted';
    case 'not-an-ancestor':
    case 'parents-disagree':
      return 'imports-changed';
    case 'proof-missing':
    case 'import-unknown':
    case 'import-changed':
    case 'wrong-inference':
    case 'ill-typed':
    case 'undeclared':
    case 'definition-not-fresh':
    case 'definition-foreign':
    case 'definition-malformed':
    case 'logic-redefined':
    case 'compute-equations':
    case 'export-changed':
    case 'duplicate-name':
      return 'kernel-rejected';
  }
}
