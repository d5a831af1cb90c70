/** The gate as an operation. */
import { basename } from 'node:path';
import { z } from 'zod';
import { type GatePolicy, readPolicy } from '../../gate/policy.ts';
import { verify } from '../../gate/verify.ts';
import { defineOperation } from '../definition/operation.ts';
import { readJudgedFile } from '../files/judged-file.ts';
import { verdictAnswer, verdictSchema, verdictText } from './verdict-answer.ts';

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
  render: verdictText,
  run: async (input, { workspace, signal }) => {
    const policy: GatePolicy = {
      ...(input.policy !== null && readPolicy(await workspace.resolve(input.policy))),
      ...(input.require_sandbox && { requireSandbox: true }),
    };
    const [target, submission] = [
      await readJudgedFile(await workspace.resolve(input.target)),
      await readJudgedFile(await workspace.resolve(input.submission), basename(input.target)),
    ];
    return verdictAnswer(await verify(target, submission, { policy, signal }));
  },
});
