/**
 * The gate's word on several proofs of a file of a run together. What the run has put into the file itself is no ground for
 * it to stand on: an axiom, or an open statement, says something else of a value that the run chose than of one that was
 * there. So the file is judged against what it is without the proofs and lemmas of the run.
 */
import type { FoundProof, JointJudgement } from '../../agent/target.ts';
import { present } from '../../core/entry.ts';
import { clause } from '../../core/sentence.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { judgeProof } from '../../gate/verify.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import { openStatementsOf } from '../../operations/rocq/proof/open-statements.ts';
import { statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { outlineOf, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { misleadingFinding } from '../misleading-proof.ts';
import type { WorkOfRun } from '../target-choice.ts';
import { findingsOf, groundsOf, lemmasOf, statementAsked, warningsOf } from './rocq-judgement.ts';
import { withProof } from './rocq-lemma-places.ts';
import { withoutWork } from './rocq-work.ts';

/** A file as it is now; without the work of a run, none of it is the run's. */
export interface FileNow {
  readonly source: SourceFile;
  readonly work?: WorkOfRun;
}

interface Asked {
  readonly theorem: string;
  readonly item: TheoremItem;
}

/** What is judged, and against what. */
interface Compared {
  readonly target: SourceFile;
  readonly text: string;
  readonly asked: readonly Asked[];
  /** Those that nobody asks about, and whose proofs are not those of the target. */
  readonly others: readonly TheoremItem[];
  readonly lemmas: readonly string[];
}

/** One judgement of proofs in a file: those that it has, or others that are put into their places. */
export async function judgeTogether(
  { source, work }: FileNow,
  theorems: readonly string[],
  proofs: ReadonlyMap<string, FoundProof>,
  signal: AbortSignal,
): Promise<JointJudgement> {
  const misleading = [...proofs].flatMap(([theorem, found]) => {
    const finding = misleadingFinding(found);
    return finding === undefined ? [] : [`${theorem}: ${finding}`];
  });
  if (misleading.length > 0) return { verdict: 'rejected', findings: misleading, restsOnOpen: {} };
  const asked = askedOf(source, theorems);
  // In the order of the file, so that a lemma of several stands before the first of them.
  const inOrder = asked.toSorted((one, other) => one.item.sentence - other.item.sentence);
  const text = inOrder.reduce((now, { theorem }) => {
    const found = proofs.get(theorem);
    return found === undefined ? now : withProof({ ...source, text: now }, theorem, found);
  }, source.text);
  const lemmas = [...proofs.values()].flatMap(lemmasOf);
  const asItIs = { target: source, text, asked, others: [], lemmas };
  const begun = work && againstBegun(asItIs, work);
  if (begun === undefined) return jointly(await verdictOn(asItIs, signal), asked);
  const verdict = await verdictOn(begun, signal);
  if (verdict.kind !== 'unknown' || signal.aborted) return jointly(verdict, begun.asked);
  // Without what the run has put there the file may not even compile; with it, it can still be looked at.
  const judged = jointly(await verdictOn(asItIs, signal), asked);
  return judged.verdict === 'accepted' ? withWarning(judged, notAsBegun(verdict)) : judged;
}

/** The same for one proof, in the file as it is without anything that the run has put there. */
export async function judgeAlone(
  { source, work }: FileNow,
  theorem: string,
  found: FoundProof,
  signal: AbortSignal,
): Promise<JointJudgement> {
  const text = work === undefined ? source.text : withoutWork(source.text, work).text;
  return await judgeTogether({ source: { ...source, text } }, [theorem], new Map([[theorem, found]]), signal);
}

/** Undefined where nothing in the file is the run's. */
function againstBegun(asItIs: Compared, work: WorkOfRun): Compared | undefined {
  const { target, text } = asItIs;
  const theorems = asItIs.asked.map(({ theorem }) => theorem);
  const without = withoutWork(target.text, work);
  if (without.text === target.text) return undefined;
  const source = { ...target, text: without.text };
  const asked = askedOf(source, theorems);
  const sentences = new Set(asked.map(({ item }) => item.sentence));
  const outline = outlineOf(source.text);
  const others = without.theorems.flatMap((theorem) => {
    const item = statementNamed(outline, theorem);
    return item === undefined || sentences.has(item.sentence) ? [] : [item];
  });
  return { target: source, text, asked, others, lemmas: [...new Set([...asItIs.lemmas, ...without.lemmas])] };
}

function askedOf({ text, path }: SourceFile, theorems: readonly string[]): readonly Asked[] {
  const outline = outlineOf(text);
  return theorems.map((theorem) => ({ theorem, item: statementAsked(outline, theorem, path) }));
}

async function verdictOn(
  { target, text, asked, others, lemmas }: Compared,
  signal: AbortSignal,
): Promise<Verdict> {
  const statements = [...asked.map(({ item }) => item), ...others].map(({ sentence }) => sentence);
  return await judgeProof({ target, text, statements, lemmas }, { signal });
}

function jointly(verdict: Verdict, asked: readonly Asked[]): JointJudgement {
  const items = asked.map(({ item }) => item);
  const nameOf = (index: number): string => present(asked[index], 'theorem').theorem;
  const open = verdict.kind === 'accepted' ? openStatementsOf(verdict.statements, items) : [];
  return {
    verdict: verdict.kind,
    findings: [...findingsOf(verdict), ...warningsOf(verdict)],
    restsOnOpen: Object.fromEntries(open.map((names, index) => [nameOf(index), names])),
    grounds: Object.fromEntries(groundsOf(verdict, items).map((one, index) => [nameOf(index), one])),
  };
}

function notAsBegun(verdict: Verdict): string {
  const why = clause(findingsOf(verdict).join('; '));
  return `The file could not be compared with what it was as the run found it, so that what speaks of values that this run chose is not told: ${why}.`;
}

function withWarning(judged: JointJudgement, warning: string): JointJudgement {
  return {
    ...judged,
    findings: [...judged.findings, warning],
    grounds: Object.fromEntries(
      Object.entries(judged.grounds ?? {}).map(([theorem, { axioms, warnings }]) => [
        theorem,
        { axioms, warnings: [...warnings, warning] },
      ]),
    ),
  };
}
