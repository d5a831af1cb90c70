/** Files that somebody else worked on, compared with what they were: which targets are proved now. */
import type { Comparison } from '../../agent/target.ts';
import { present } from '../../core/entry.ts';
import { replaced } from '../../core/replacement.ts';
import { judgeProof, verify } from '../../gate/verify.ts';
import { openStatementsOf } from '../../operations/rocq/proof/open-statements.ts';
import { splice } from '../../operations/rocq/proof/splice.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { OperationCalls } from '../operation-calls.ts';
import { readUnlinkedSource } from '../../operations/files/source-file.ts';
import { findingsOf, groundsOf } from './rocq-judgement.ts';

/**
 * The whole file is judged against what it was. Where that is not accepted (it has holes, or more of it is wrong),
 * the gate is asked about the proofs of the targets alone: first all of them in the file as it is, then each in the
 * file as it was.
 */
export async function compareRocq(
  calls: OperationCalls,
  { file, original, wanted }: { file: string; original: string; wanted: readonly string[] },
  signal: AbortSignal,
): Promise<Comparison> {
  const { path, text } = await readUnlinkedSource(file);
  const target = { path, text: original };
  const whole = await verify(target, { path, text }, { signal });
  const findings = findingsOf(whole);
  const proofs = await finishedProofs(calls, { file, original: outlineOf(original), wanted, signal });
  if (whole.kind === 'accepted') {
    const grounds = groundsOf(
      whole,
      proofs.map(({ item }) => item),
    );
    const accepted = proofs.map(({ theorem, proof }, index) => ({
      ...{ theorem, proof, restsOnOpen: [] },
      grounds: grounds[index],
    }));
    return { clean: true, accepted, unjudged: [], findings };
  }
  const changed = proofs.filter(({ alone }) => alone !== original);
  const statements = changed.map(({ item }) => item.sentence);
  const together =
    changed.length === 0 ? undefined : await judgeProof({ target, text, statements }, { signal });
  if (together?.kind === 'accepted') {
    const items = changed.map(({ item }) => item);
    const open = openStatementsOf(together.statements, items);
    const grounds = groundsOf(together, items);
    return {
      clean: true,
      accepted: changed.map(({ theorem, proof }, index) => ({
        ...{ theorem, proof },
        restsOnOpen: present(open[index], 'statement'),
        grounds: grounds[index],
      })),
      unjudged: [],
      findings,
    };
  }
  const accepted: Comparison['accepted'][number][] = [];
  const unjudged: Comparison['unjudged'][number][] = [];
  for (const { theorem, proof, item, alone } of changed) {
    const judged = await judgeProof({ target, text: alone, statements: [item.sentence] }, { signal });
    if (judged.kind === 'accepted')
      accepted.push({
        ...{ theorem, proof, grounds: groundsOf(judged, [item])[0] },
        restsOnOpen: openStatementsOf(judged.statements, [item]).flat(),
      });
    else if (judged.kind === 'unknown') unjudged.push({ theorem, proof, message: judged.message });
  }
  const clean = whole.kind === 'rejected' && whole.findings.every(({ kind }) => kind === 'admitted');
  return { clean, accepted, unjudged, findings };
}

interface FinishedProof {
  readonly theorem: string;
  readonly proof: string;
  readonly item: TheoremItem;
  /** The original with this proof and nothing else changed. */
  readonly alone: string;
}

async function finishedProofs(
  calls: OperationCalls,
  {
    file,
    original,
    wanted,
    signal,
  }: {
    readonly file: string;
    readonly original: FileOutline;
    readonly wanted: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<FinishedProof[]> {
  const finished: FinishedProof[] = [];
  for (const theorem of wanted) {
    const found = await calls.call('rocq_theorem', { file, theorem }, signal).catch(() => undefined);
    const proof = found?.proof ?? null;
    const item = original.statements.find(({ name }) => name === theorem);
    if (proof === null || item === undefined) continue;
    const alone = replaced(original.text, [splice(original, item, proof)]);
    finished.push({ theorem, proof, item, alone });
  }
  return finished;
}
