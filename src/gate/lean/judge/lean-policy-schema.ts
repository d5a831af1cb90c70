/** What a policy file says about Lean alone, in its table `lean`. */
import { z } from 'zod';
import { COMPILER_ATTRIBUTES } from './lean-policy.ts';

export const leanPolicySchema = z.strictObject({
  disallowPartial: z.boolean().optional().describe('Refuse partial definitions.'),
  disallowedAttributes: z
    .array(z.enum(COMPILER_ATTRIBUTES))
    .optional()
    .describe('Refuse definitions that are compiled to something else than what the kernel checks.'),
  disproofs: z
    .boolean()
    .optional()
    .describe('Accept a theorem `X.disproof` of the negation of `X` in its place.'),
  strictHoles: z
    .boolean()
    .optional()
    .describe('Only definitions in whose own value `sorry` stands may be filled.'),
  fresh: z.boolean().optional().describe('Check the imported modules, too.'),
  searchPath: z
    .array(z.string().min(1))
    .optional()
    .describe('Folders with compiled modules, before LEAN_PATH.'),
  fuel: z.int().positive().optional().describe('Steps that the kernel may take for one declaration.'),
});
