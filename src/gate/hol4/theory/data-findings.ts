/**
 * What the data of a built submission says against it, next to the data of the target: terms, not text, and no code
 * run.
 */
import { type Finding, type FindingKind, naming } from '../../verdict.ts';
import { theoryAxioms } from './ancestry.ts';
import { printStatement } from '../kernel/statement.ts';
import type { StoredTheorem, TheoryData } from './theory-data.ts';

export interface DataPolicy {
  /** Those of the target are the caller's to allow. */
  readonly allowsAxiom: (name: string) => boolean;
  readonly allowsOracle: (name: string) => boolean;
  readonly definitionsMayChange: readonly string[];
  readonly helperLemmas: boolean;
}

/** @param file The submission, for the findings. */
export function dataFindings(
  file: string,
  target: TheoryData,
  submission: TheoryData,
  policy: DataPolicy,
): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (kind: FindingKind, subject: string, message: string, remedy: string): void => {
    findings.push({ kind, file, subject, message: naming(subject, message), remedy });
  };
  for (const [name, wanted] of target.theorems) {
    const given = submission.theorems.get(name);
    if (given === undefined) {
      report(
        'missing',
        name,
        'The built theory does not have it.',
        'Prove it under this name, and export it.',
      );
    } else if (given.statement !== wanted.statement || given.kind !== wanted.kind) {
      if (wanted.kind !== 'theorem' && policy.definitionsMayChange.includes(name.replace(/_def$/, '')))
        continue;
      report(...changed(name, wanted, given));
    }
  }
  for (const axiom of theoryAxioms(submission)) {
    if (policy.allowsAxiom(axiom)) continue;
    report('new-axiom', axiom, 'The submission asserts it.', 'Prove it, or have the policy allow it.');
  }
  for (const [name, { oracles, kind }] of submission.theorems) {
    const refused = oracles.filter((oracle) => !policy.allowsOracle(oracle));
    if (refused.length > 0) {
      const message = `It rests on the oracle ${refused.join(', ')} instead of a proof.`;
      report('admitted', name, message, 'Prove it by rules and tactics alone.');
    }
    if (!policy.helperLemmas && kind !== 'axiom' && !target.theorems.has(name))
      report('helper-not-allowed', name, 'The target does not have it.', 'Keep to what the target declares.');
  }
  return findings;
}

function changed(
  name: string,
  wanted: StoredTheorem,
  given: StoredTheorem,
): [FindingKind, string, string, string] {
  const kind = wanted.kind === 'theorem' ? 'statement-changed' : 'definition-changed';
  const [before, after] = [printStatement(wanted.statement), printStatement(given.statement)];
  const remedy = 'Prove what the target states, about the constants that it defines.';
  if (given.statement === wanted.statement)
    return [kind, name, `The target has it as a ${wanted.kind}, the submission as a ${given.kind}.`, remedy];
  const why =
    before === after
      ? `Both print as ${before}, but they are different terms.`
      : `The target states ${before}, the submission ${after}.`;
  const hypotheses =
    given.hasHypotheses && !wanted.hasHypotheses ? ' It has hypotheses, which the target has not.' : '';
  return [kind, name, why + hypotheses, remedy];
}

/** What may be called a definition: the theorem that states it, and the constants, which stand in what it states. */
export function definedBy(theorems: TheoryData['theorems']): readonly string[] {
  return [...theorems].flatMap(([name, { kind, statement }]) =>
    kind === 'definition'
      ? [
          name,
          name.replace(/_def$/, ''),
          ...(printStatement(statement).match(/[\p{L}_][\p{L}\p{N}_']*/gu) ?? []),
        ]
      : [],
  );
}
