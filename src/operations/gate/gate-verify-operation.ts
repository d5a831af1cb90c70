/** The gate as an operation. */
import { z } from 'zod';
import { type GatePolicy, readPolicy } from '../../gate/policy.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { verify } from '../../gate/verify.ts';
import { defineOperation } from '../definition/operation.ts';
import { readJudgedFile } from '../files/judged-file.ts';

/** A verdict as operations answer it. */
export const verdictSchema = z.object({
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  statements: z.array(z.object({ name: z.string(), assumptions: z.array(z.string()) })),
  findings: z.array(
    z.object({
      kind: z.string(),
      message: z.string(),
      remedy: z.string(),
      subject: z.string().nullable(),
      line: z.int().nullable(),
      column: z.int().nullable(),
    }),
  ),
  reason: z.string().nullable().describe('Why it could not judge.'),
  message: z.string().nullable(),
  warnings: z.array(z.object({ kind: z.string(), message: z.string() })),
  isolation: z.string().nullable().describe('In what foreign code was run: bubblewrap, unshare, or none.'),
  judged_by: z.string().nullable(),
  target_sha256: z.string().nullable(),
  submission_sha256: z.string().nullable(),
});

export const gateVerify = defineOperation({
  name: 'gate_verify',
  area: 'gate',
  title: 'Judge a submission',
  summary:
    'Judges in a fresh process whether a submission proves the statements of a target, without trusting the submission.',
  input: z.object({
    target: z.string().describe('The file with the trusted statements.'),
    submission: z.string().describe('The file with the proofs.'),
    policy: z
      .string()
      .nullable()
      .default(null)
      .describe('A TOML or JSON file with what is allowed; null: the axioms of the target, helper lemmas.'),
    require_sandbox: z.boolean().default(false).describe('Judge nothing where there is no sandbox.'),
  }),
  output: verdictSchema,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 1800,
  positional: ['target', 'submission'],
  run: async (input, { workspace, signal }) => {
    const policy: GatePolicy = {
      ...(input.policy !== null && readPolicy(await workspace.resolve(input.policy))),
      ...(input.require_sandbox && { requireSandbox: true }),
    };
    const [target, submission] = [
      await readJudgedFile(await workspace.resolve(input.target)),
      await readJudgedFile(await workspace.resolve(input.submission)),
    ];
    return verdictAnswer(await verify(target, submission, { policy, signal }));
  },
});

export function verdictAnswer(verdict: Verdict): z.input<typeof verdictSchema> {
  const restsOn = verdict.kind === 'unknown' ? undefined : verdict.restsOn;
  return {
    verdict: verdict.kind,
    statements:
      verdict.kind === 'accepted'
        ? verdict.statements.map(({ name, assumptions }) => ({ name, assumptions: [...assumptions] }))
        : [],
    findings:
      verdict.kind === 'rejected'
        ? verdict.findings.map(({ kind, message, remedy, subject, position }) => ({
            kind,
            message,
            remedy,
            subject: subject ?? null,
            line: position?.line ?? null,
            column: position?.column ?? null,
          }))
        : [],
    reason: verdict.kind === 'unknown' ? verdict.reason : null,
    message: verdict.kind === 'unknown' ? verdict.message : null,
    warnings: [...(restsOn?.warnings ?? [])],
    isolation: restsOn?.isolation ?? null,
    judged_by: restsOn === undefined ? null : `${restsOn.prover} (${restsOn.backend})`,
    target_sha256: restsOn?.targetSha256 ?? null,
    submission_sha256: restsOn?.submissionSha256 ?? null,
  };
}
