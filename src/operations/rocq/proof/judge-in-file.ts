/**
 * Asks the gate about a proof in its file: the whole file with this proof in its place, to the byte as it would be
 * written. Nothing is written but the text of which the gate itself says that it was accepted.
 */
import { QuodError } from '../../../core/errors.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { sha256 } from '../../../core/sha256.ts';
import { asLines, cutOf, type Verdict } from '../../../gate/verdict.ts';
import { judgeProof } from '../../../gate/verify.ts';
import { axiomsByAsked, openStatementsOf } from './open-statements.ts';
import { applyReplacements, encode } from '../../files/source-file.ts';
import { LARGEST_SOURCE_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { splice } from './splice.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import type { RocqSession } from '../session/rocq-session.ts';

export interface GateAnswer {
  readonly verdict: Verdict['kind'];
  /** When the gate could not look. */
  readonly reason: ReasonCode | null;
  readonly findings: string[];
  /** When accepted: the statements of the file that are open and that the proof rests on. */
  readonly rests_on_open: string[];
  /** When accepted: the axioms that the proof rests on, of the file itself and of libraries, as the gate names them. */
  readonly axioms: string[];
  /** What the verdict says against itself. */
  readonly warnings: string[];
  /** When accepted: where the file stops compiling behind the proof, as `line:column` of the file with it. */
  readonly stops_behind: string | null;
  /** Of the file with this proof, which is what was judged. */
  readonly new_file_hash: string;
}

export const FILE_NOW = ['the-same', 'another', 'gone'] as const;

/** The answer about the file as it was when the session was opened on it, and what is there now. */
export interface SessionGateAnswer extends GateAnswer {
  readonly file_hash: string;
  readonly file_now: (typeof FILE_NOW)[number];
}

/** A proof in its place. */
export interface FilledFile {
  readonly file: RocqFile;
  /** The sentence that states it. */
  readonly sentence: number;
  readonly text: string;
  readonly bytes: Buffer;
}

/** @throws QuodError `not-found` when no statement begins at the sentence. */
export function fillIn(file: RocqFile, sentence: number, proof: string): FilledFile {
  const item = file.outline.statements.find((one) => one.sentence === sentence);
  if (item === undefined) throw new QuodError('not-found', 'There is no such statement.');
  const text = applyReplacements(file.source, [splice(file.outline, item, proof)]);
  return { file, sentence, text, bytes: encode(file.source, text) };
}

/** @param proof The whole proof. @throws QuodError `invalid-input` without a theorem of a file. */
export async function judgeInFile(
  session: RocqSession,
  proof: string,
  signal: AbortSignal,
): Promise<SessionGateAnswer> {
  const { file, target } = session;
  if (file === undefined || target === undefined) {
    throw new QuodError('invalid-input', 'The gate judges proofs of statements in a file.', {
      remedy: 'Open the session with `file` and `theorem`, or call without `final`.',
    });
  }
  const answer = await judgeFilled(fillIn(file, target.item.sentence, proof), signal);
  const { hash, path } = file.source;
  return { ...answer, file_hash: hash, file_now: await fileNow(path, hash) };
}

async function fileNow(path: string, hash: string): Promise<SessionGateAnswer['file_now']> {
  try {
    const now = sha256(await readRegularFile(path, LARGEST_SOURCE_BYTES));
    return now === hash ? 'the-same' : 'another';
  } catch {
    return 'gone';
  }
}

/** In which text a proof was judged, for people. */
export function judgedText(answer: SessionGateAnswer): string {
  return answer.file_now === 'the-same'
    ? 'the file'
    : `the text with which the session was opened (SHA-256 ${answer.file_hash}; ${CHANGED[answer.file_now]})`;
}

const CHANGED = { another: 'the file is another one now', gone: 'the file is gone now' } as const;

export async function judgeFilled(
  { file, sentence, text, bytes }: FilledFile,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const { path } = file.source;
  const verdict = await judgeProof(
    { target: { path, text: file.source.text }, text, statements: [sentence] },
    { signal },
  );
  const answer = {
    verdict: verdict.kind,
    reason: null,
    rests_on_open: [],
    axioms: [],
    warnings: [],
    stops_behind: null,
    new_file_hash: sha256(bytes),
  };
  switch (verdict.kind) {
    case 'accepted': {
      // What the gate says it has seen, not what was meant to be sent to it; where the file does not compile to its
      // end, the gate itself cut it and says so.
      const warnings = verdict.restsOn.warnings ?? [];
      const cut = cutOf(verdict.restsOn);
      if (cut === undefined && verdict.restsOn.submissionSha256 !== sha256(text))
        throw new QuodError('not-verified', 'The gate judged another text than the one to be written.');
      const asked = file.outline.statements.filter((one) => one.sentence === sentence);
      return {
        ...answer,
        findings: [],
        warnings: asLines(warnings),
        stops_behind: cut?.position === undefined ? null : `${cut.position.line}:${cut.position.column}`,
        rests_on_open: openStatementsOf(verdict.statements, asked).flat(),
        axioms: axiomsByAsked(verdict.statements, asked).flat(),
      };
    }
    case 'rejected':
      return { ...answer, findings: asLines(verdict.findings) };
    case 'unknown':
      return { ...answer, reason: verdict.reason, findings: [`${verdict.reason}: ${verdict.message}`] };
  }
}
