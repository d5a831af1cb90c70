/** Whether a Lean file proves what another one states. */
import { z } from 'zod';
import { orZero } from '../../core/entry.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import type { ReportedJudgement } from '../../gate/lean/judge/judge-in-thread.ts';
import { COMPILER_ATTRIBUTES } from '../../gate/lean/judge/lean-policy.ts';
import { LeanTarget } from '../../gate/lean/lean-judge.ts';
import { type GatePolicy, readPolicy } from '../../gate/policy.ts';
import type { Workspace } from '../definition/workspace.ts';
import { verdictAnswer, verdictSchema, verdictText } from '../gate/verdict-answer.ts';
import { readJudgedFile } from '../files/judged-file.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { appendAll } from '../../core/lists/many.ts';
import { defineOperation } from '../definition/operation.ts';
import { allowedAxioms, axiomInputs, foldersOf, fuelInput, searchPathInput } from './inputs.ts';

/** What may be said of the policy, in the words of the command line. */
export const leanPolicyFields = {
  policy: z.string().nullable().default(null).describe('A TOML or JSON file with what is allowed.'),
  theorem: z
    .array(z.string())
    .default([])
    .describe('Full names of the theorems that must be proved; none: all of the target.'),
  ...axiomInputs,
  disallow_partial: z.boolean().default(false).describe('Refuse partial definitions.'),
  disallow_attribute: z
    .array(z.enum(COMPILER_ATTRIBUTES))
    .default([])
    .describe('Refuse definitions that are compiled to something else.'),
  disproofs: z
    .boolean()
    .default(false)
    .describe('Accept a theorem X.disproof of the negation of X in its place.'),
  strict_holes: z
    .boolean()
    .default(false)
    .describe('Only definitions in whose own value sorry stands may be filled.'),
  fresh: z.boolean().default(false).describe('Check the imported modules, too.'),
  search_path: searchPathInput,
  fuel: fuelInput,
};

export const leanVerdictSchema = verdictSchema.extend({
  statements: z.array(
    z.object({
      name: z.string(),
      type: z.string().nullable().describe('As the submission states it.'),
      assumptions: z.array(z.string()).describe('The axioms that it rests on.'),
      open_statements: z.array(z.string()).describe('Statements that are open and that it rests on.'),
    }),
  ),
  remarks: z.array(z.string()).describe('What the policy allows and a reader may want to know.'),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  checked_modules: z.int().describe('Imported modules that were checked.'),
  trusted_modules: z.int().describe('Imported modules that were taken as they are.'),
});

export type LeanVerdict = z.output<typeof leanVerdictSchema>;

export const leanVerify = defineOperation({
  name: 'lean_verify',
  area: 'lean',
  title: 'Judge a Lean file',
  summary:
    "Judges with Quod's own kernel whether a Lean file proves the statements of a target; compiled modules need no Lean.",
  details:
    'Both are compiled modules (`.olean`), or sources (`.lean`), which are compiled in a sandbox where a Lean toolchain is found. Every declaration of the target must be in the submission with the same meaning; free are proofs, and definitions that rest on `sorry`.',
  input: z.object({
    target: z.string().describe('The file with the trusted statements.'),
    submission: z.string().describe('The file with the proofs.'),
    ...leanPolicyFields,
  }),
  output: leanVerdictSchema,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 1800,
  positional: ['target', 'submission'],
  render: leanVerdictText,
  run: async (input, { workspace, signal }) => {
    const given = input.policy === null ? {} : readPolicy(await workspace.resolve(input.policy));
    const policy = await leanGatePolicy(given, input, workspace);
    const target = await readJudgedFile(await workspace.resolve(input.target));
    const submission = await readJudgedFile(await workspace.resolve(input.submission));
    const judgement = await new LeanTarget(target, { policy, signal }).judgeInDetail(submission);
    return leanVerdictOf(judgement, workspace);
  },
});

/** The policy of a file, with what the call says in its place or besides. */
export async function leanGatePolicy(
  given: GatePolicy,
  input: Omit<z.output<z.ZodObject<typeof leanPolicyFields>>, 'policy'>,
  workspace: Workspace,
): Promise<GatePolicy> {
  const folders = await foldersOf(input.search_path, workspace);
  return {
    ...given,
    ...((input.axioms !== null || input.allow_axiom.length > 0) && {
      axioms: await axiomsBeside(given, input, workspace),
    }),
    ...(input.theorem.length > 0 && { theorems: input.theorem }),
    lean: {
      ...given.lean,
      ...(input.disallow_partial && { disallowPartial: true }),
      ...(input.disallow_attribute.length > 0 && { disallowedAttributes: input.disallow_attribute }),
      ...(input.disproofs && { disproofs: true }),
      ...(input.strict_holes && { strictHoles: true }),
      ...(input.fresh && { fresh: true }),
      ...(folders.length > 0 && { searchPath: folders }),
      ...(input.fuel !== null && { fuel: input.fuel }),
    },
  };
}

export function leanVerdictOf(
  { verdict, remarks }: Pick<ReportedJudgement, 'verdict' | 'remarks'>,
  workspace: Workspace,
): LeanVerdict {
  const restsOn = verdict.kind === 'unknown' ? undefined : verdict.restsOn;
  return {
    ...verdictAnswer(verdict),
    statements:
      verdict.kind === 'accepted'
        ? verdict.statements.map(({ name, printed, assumptions }) => ({
            name,
            type: printed ?? null,
            assumptions: [...assumptions],
            open_statements: [],
          }))
        : [],
    remarks: [...remarks],
    files: (restsOn?.files ?? []).map(({ path, sha256 }) => ({ path: workspace.nameOf(path), sha256 })),
    checked_modules: orZero(restsOn?.checkedModules?.length),
    trusted_modules: orZero(restsOn?.trustedModules?.length),
  };
}

export function leanVerdictText(answer: LeanVerdict): string {
  const lines = [verdictText(answer), ...answer.remarks.map((remark) => `  note: ${foreignText(remark)}`)];
  if (answer.verdict !== 'unknown')
    appendAll(lines, [
      `  Quod ${readPackageVersion()}; imported modules checked: ${answer.checked_modules}, taken as they are: ${answer.trusted_modules}`,
      ...answer.files.map(({ path, sha256 }) => `  SHA-256 ${sha256}  ${foreignName(path)}`),
    ]);
  return lines.join('\n');
}

/** Names of the call come besides those of the policy file; a list of the call takes their place. */
async function axiomsBeside(
  given: GatePolicy,
  input: Parameters<typeof allowedAxioms>[0],
  workspace: Parameters<typeof allowedAxioms>[1],
): Promise<string[]> {
  if (input.axioms === null && given.axioms !== undefined && given.axioms !== 'target')
    return [...given.axioms, ...input.allow_axiom];
  return allowedAxioms(input, workspace);
}
