/** Replays the proofs of a built submission with the kernel of Quod's own, down to the axioms, against the target's. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindingKind } from '../verdict.ts';
import type { Ancestry } from './ancestry.ts';
import type { RefusalCode } from './kernel/refusal.ts';
import { replayFiles, type ReplayVerdict } from './replay-files.ts';
import type { TheoryFiles, TrustedHol } from './theory-build.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';

export interface SubmissionToReplay {
  readonly theory: string;
  readonly target: TheoryFiles;
  readonly submission: TheoryFiles;
  readonly ancestry: Ancestry;
  /** Theories of the project, built before the submission was looked at. */
  readonly project: ReadonlyMap<string, TheoryFiles>;
  readonly hol: TrustedHol;
  readonly timeoutMs: number;
  /** What was replayed before; whoever can write there is trusted. */
  readonly cacheDirectory?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `missing` names the theories below of which there is no trace. */
export type SubmissionReplay =
  | { readonly kind: 'replayed'; readonly verdict: ReplayVerdict }
  | { readonly kind: 'no-traces'; readonly missing: readonly string[] };

export async function replaySubmission(request: SubmissionToReplay): Promise<SubmissionReplay> {
  const { theory, target, submission, ancestry, project, hol, cacheDirectory, signal } = request;
  const folder = makeScratchFolder('replay');
  try {
    const missing: string[] = [];
    const files: string[] = [];
    const write = async (name: string, bytes: Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    };
    for (const [name, { fromHol }] of ancestry.ancestors) {
      const own = project.get(name)?.proof;
      const stored = fromHol ? hol.traceOf(name) : undefined;
      if (stored !== undefined) files.push(stored);
      else if (own !== undefined && !fromHol) files.push(await write(`${name}.prf`, own));
      else missing.push(name);
    }
    if (submission.proof === undefined || target.proof === undefined) missing.push(theory);
    if (missing.length > 0 || submission.proof === undefined || target.proof === undefined)
      return { kind: 'no-traces', missing };
    const { verdict } = await replayFiles([...files, await write('submission.prf', submission.proof)], {
      target: await write('target.prf', target.proof),
      timeoutMs: request.timeoutMs,
      ...(cacheDirectory !== undefined && { cacheDirectory }),
      ...(signal !== undefined && { signal }),
    });
    return { kind: 'replayed', verdict };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
