/**
 * Lets the gate judge what the search found, so that nothing is reported as proved before a fresh prover has accepted it
 * against the statement of the original text.
 */
import type { Prover } from '../core/prover.ts';
import { Script } from '../gate/rocq/script.ts';
import type { SourceText, Verdict } from '../gate/verdict.ts';
import { backendFor, judgeProof } from '../gate/verify.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Judge } from '../search/prove-file.ts';

/** `path` is where the file is, which says what project it belongs to. */
export function judgeFoundProof(path: string, prover: Prover, signal: AbortSignal): Judge {
  return async ({ target: targetText, text, theorems }) => {
    const target = { path, text: targetText };
    const { statements } = new Script(target);
    for (const theorem of theorems) {
      if (statements.some(({ item }) => item.sentence === theorem.sentence)) continue;
      if (theorems.length === 1) return rerun(target, text, theorem, prover, signal);
      return 'A statement without a name is judged alone.';
    }
    const verdict = await judgeProof(
      { target, text, statements: theorems.map(({ sentence }) => sentence) },
      { backend: backendFor(prover), signal },
    );
    return refusalOf(verdict);
  };
}

function refusalOf(verdict: Verdict): string | undefined {
  switch (verdict.kind) {
    case 'accepted':
      return undefined;
    case 'rejected':
      return `The gate rejected the proof: ${verdict.findings.map(({ message }) => message).join(' ')}`;
    case 'unknown':
      return `The gate could not judge the proof: ${verdict.message}`;
  }
}

/**
 * The gate judges statements by name. One without a name (`Goal`, most obligations) can be used by nothing but what
 * stands in the file, so it is enough that a fresh session runs its proof to the closing word and nothing is given up.
 */
async function rerun(
  target: SourceText,
  text: string,
  theorem: TheoremItem,
  prover: Prover,
  signal: AbortSignal,
): Promise<string | undefined> {
  const outline = outlineOf(text);
  const proved = outline.statements.find(({ sentence }) => sentence === theorem.sentence);
  if (proved?.closing === undefined || proved.hole !== undefined) return 'The proof has a hole.';
  const session = await prover.openSession({ file: target.path, signal });
  try {
    let state = session.root;
    for (const sentence of outline.sentences.slice(0, proved.closing + 1)) {
      const result = await session.run(state, sentence.text, { signal });
      if (result.status !== 'done') {
        const message = result.status === 'failed' ? result.error.message : result.message;
        return `A fresh prover refused it: ${message}`;
      }
      state = result.state;
    }
    return (await session.goals(state)) === null ? undefined : 'The proof stays open.';
  } finally {
    await session.close();
  }
}
