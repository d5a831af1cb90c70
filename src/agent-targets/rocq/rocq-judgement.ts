/** The gate's word on proofs of a Rocq file that may come with helper lemmas. */
import type { FoundProof, JointJudgement, Judgement } from '../../agent/target.ts';
import { present } from '../../core/entry.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { judgeProof, verify } from '../../gate/verify.ts';
import { readSourceFile, type SourceFile } from '../../operations/files/source-file.ts';
import { openStatementsOf } from '../../operations/rocq/proof/open-statements.ts';
import { outlineOf, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { noSuchTheorem } from '../operation-calls.ts';
import { withProof } from './rocq-lemma-places.ts';

/** One judgement of proofs, in the file as it is now: those that it has, or others that are put into their places. */
export async function judgeTogether(
  file: string,
  theorems: readonly string[],
  proofs: ReadonlyMap<string, FoundProof>,
  signal: AbortSignal,
): Promise<JointJudgement> {
  const source = await readSourceFile(file);
  const { statements } = outlineOf(source.text);
  const items = theorems.map((theorem) => itemOf(source, theorem));
  // In the order of the file, so that a lemma of several stands before the first of them.
  const text = statements.reduce((now, { name }) => {
    const found = name === undefined || !theorems.includes(name) ? undefined : proofs.get(name);
    return name === undefined || found === undefined ? now : withProof({ ...source, text: now }, name, found);
  }, source.text);
  const hasLemmas = [...proofs.values()].some(({ before }) => before !== undefined && before !== '');
  const verdict = hasLemmas
    ? await judgeWhole(source, text, theorems, signal)
    : await judgeProof(
        { target: source, text, statements: items.map(({ sentence }) => sentence) },
        { signal },
      );
  const open = verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, items) : [];
  return {
    verdict: verdict.kind,
    findings: [...findingsOf(verdict), ...warningsOf(verdict)],
    restsOnOpen: Object.fromEntries(open.map((names, index) => [present(theorems[index], 'theorem'), names])),
  };
}

/** A proof in its place with the lemmas that it uses. @returns the text that was judged, too. */
export async function judgeWithLemmas(
  source: SourceFile,
  theorem: string,
  found: FoundProof,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly judgement: Judgement }> {
  const text = withProof(source, theorem, found);
  const verdict = await judgeWhole(source, text, [theorem], signal);
  const restsOnOpen =
    verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, [itemOf(source, theorem)]).flat() : [];
  return { text, judgement: { verdict: verdict.kind, findings: findingsOf(verdict), restsOnOpen } };
}

/** As a whole file, since a changed proof alone may add nothing to it. */
function judgeWhole(
  { path, text: original }: SourceFile,
  text: string,
  theorems: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  return verify({ path, text: original }, { path, text }, { policy: { theorems: [...theorems] }, signal });
}

function itemOf({ text, path }: SourceFile, theorem: string): TheoremItem {
  const item = outlineOf(text).statements.find(({ name }) => name === theorem);
  if (item === undefined) throw noSuchTheorem(theorem, [], path);
  return item;
}

export function findingsOf(verdict: Verdict): string[] {
  switch (verdict.kind) {
    case 'rejected':
      return verdict.findings.map(({ kind, message }) => `${kind}: ${message}`);
    case 'unknown':
      return [`${verdict.reason}: ${verdict.message}`];
    case 'accepted':
      return [];
  }
}

/** What a verdict that accepts says against itself. */
function warningsOf(verdict: Verdict): string[] {
  if (verdict.kind !== 'accepted') return [];
  return (verdict.restsOn.warnings ?? []).map(({ kind, message }) => `${kind}: ${message}`);
}
