/** Asks the gate about a proof that a session found: the file that was opened, with this proof in its place. */
import { QuodError } from '../../core/errors.ts';
import { judgeProof } from '../../gate/verify.ts';
import type { ScriptState } from '../../sessions/script-state.ts';
import { applyReplacements } from '../source-file.ts';
import { splice } from './splice.ts';
import type { RocqFile } from './rocq-file.ts';
import type { RocqSession } from './rocq-session.ts';

export interface GateAnswer {
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  readonly findings: string[];
}

/** @param proved The state behind the closing command. @throws QuodError `invalid-input` without a theorem of a file. */
export async function judgeInFile(
  session: RocqSession,
  proved: ScriptState,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const { file, target } = session;
  if (file === undefined || target === undefined) {
    throw new QuodError('invalid-input', 'The gate judges proofs of statements in a file.', {
      remedy: 'Open the session with `file` and `theorem`, or call without `final`.',
    });
  }
  return judgeText(file, target.item.sentence, session.scriptTo(proved).join('\n'), signal);
}

/** Judges a proof script of the statement at a sentence of the file. */
export async function judgeText(
  file: RocqFile,
  sentence: number,
  proof: string,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const { path, text } = file.source;
  const item = file.outline.statements.find((one) => one.sentence === sentence);
  if (item === undefined) {
    return { verdict: 'unknown', findings: ['There is no such statement.'] };
  }
  const verdict = await judgeProof(
    {
      target: { path, text },
      text: applyReplacements(file.source, [splice(file.outline, item, proof)]),
      statements: [sentence],
    },
    { signal },
  );
  switch (verdict.kind) {
    case 'accepted':
      return { verdict: 'accepted', findings: [] };
    case 'rejected':
      return {
        verdict: 'rejected',
        findings: verdict.findings.map(({ kind, message }) => `${kind}: ${message}`),
      };
    case 'unknown':
      return { verdict: 'unknown', findings: [`${verdict.reason}: ${verdict.message}`] };
  }
}
