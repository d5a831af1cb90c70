/** A proof goes into its file only as the gate judged it, and only when the gate accepted it. */
import type { Judgement } from '../agent/target.ts';
import { RUN_REMEDIES } from '../core/remedies/run-remedies.ts';
import { QuodError } from '../core/errors.ts';
import { clause } from '../core/sentence.ts';
import { sha256 } from '../core/sha256.ts';
import { replaceFile } from '../operations/files/replace-file.ts';
import { encode, type SourceFile } from '../operations/files/source-file.ts';
import type { RunFile } from './run-file.ts';

/** A file as it is, and the text with the proof that was judged; undefined when the proof does not fit into it. */
export interface JudgedText {
  readonly source: SourceFile;
  readonly text: string | undefined;
  readonly judgement: Pick<Judgement, 'verdict' | 'findings'>;
}

/**
 * @param file The run's, which gets to know the new version.
 * @throws QuodError `not-verified`, `file-changed` where the proof there is somebody else's, and what `replaceFile` throws.
 */
export async function writeJudged(
  { source, text, judgement }: JudgedText,
  target: { readonly theorem: string; readonly file: string },
  file: RunFile,
): Promise<{ readonly fileHash: string }> {
  file.requireOwnProof(source, target.theorem);
  if (text === undefined || judgement.verdict !== 'accepted') throw notWritten(target, judgement.findings);
  const bytes = encode(source, text);
  await replaceFile(source, bytes);
  const fileHash = sha256(bytes);
  file.wrote(fileHash);
  return { fileHash };
}

export function notWritten(
  { theorem, file }: { readonly theorem: string; readonly file: string },
  findings: readonly string[],
): QuodError {
  return new QuodError(
    'not-verified',
    `The proof of ${theorem} was not written: ${clause(findings.join('; '))}.`,
    {
      place: { file },
      remedy: RUN_REMEDIES.printsIt,
    },
  );
}
