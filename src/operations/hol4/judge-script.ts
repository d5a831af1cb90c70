/** What the gate says of an HOL4 script in which proofs were put. Nobody else is asked whether they are proofs. */
import type { GatePolicy } from '../../gate/policy.ts';
import { asLines, type Verdict } from '../../gate/verdict.ts';
import { verify } from '../../gate/verify.ts';

export interface JudgedScript {
  readonly file: string;
  /** The script whose statements count. */
  readonly original: string;
  /** As it stands in the file, or will be written, to the byte. */
  readonly text: string;
  /** Those that must be proved; others may stay open. */
  readonly theorems: readonly string[];
}

export interface ScriptJudgement {
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
  /** Why it was not accepted, or what the acceptance rests on besides the kernel and the axioms. */
  readonly findings: string[];
  /** When accepted: for each theorem the statements of the script that are open themselves and that it rests on. */
  readonly restsOnOpen: Readonly<Record<string, readonly string[]>>;
  /** When accepted: for each theorem its axioms, and what the verdict says against itself. */
  readonly grounds?: Readonly<Record<string, { readonly axioms: string[]; readonly warnings: string[] }>>;
}

export async function judgeScript(
  { file, original, text, theorems }: JudgedScript,
  policy: GatePolicy,
  signal: AbortSignal,
): Promise<ScriptJudgement> {
  const verdict = await verify(
    { path: file, text: original },
    { path: file, text },
    { policy: { ...policy, theorems: [...theorems] }, othersMayStayOpen: true, signal },
  );
  return judgementOf(verdict);
}

function judgementOf(verdict: Verdict): ScriptJudgement {
  switch (verdict.kind) {
    case 'accepted': {
      const { statements, restsOn } = verdict;
      const warnings = asLines(restsOn.warnings ?? []);
      return {
        verdict: verdict.kind,
        findings: warnings,
        grounds: Object.fromEntries(
          statements.map(({ name, assumptions }) => [name, { axioms: [...assumptions], warnings }]),
        ),
        restsOnOpen: Object.fromEntries(statements.map(({ name, openStatements }) => [name, openStatements])),
      };
    }
    case 'rejected':
      return {
        verdict: 'rejected',
        findings: asLines(verdict.findings),
        restsOnOpen: {},
      };
    case 'unknown':
      return {
        verdict: 'unknown',
        findings: [
          verdict.reason === 'not-replayed'
            ? `found, not judged (not-replayed): ${verdict.message}`
            : `${verdict.reason}: ${verdict.message}`,
        ],
        restsOnOpen: {},
      };
  }
}
