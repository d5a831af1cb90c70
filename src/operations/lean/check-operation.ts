/** A Lean file through Quod's kernel alone. */
import { z } from 'zod';
import { restsOnAxiomsText } from '../../core/rests-on.ts';
import { counted } from '../../core/counted.ts';
import { checkExport } from '../../gate/lean/check-export.ts';
import { checkLeanModule } from '../../gate/lean/check-module.ts';
import type { KernelCheck } from '../../gate/lean/kernel-check.ts';
import { QuodError } from '../../core/errors.ts';
import { READS, defineOperation, type Saying } from '../definition/operation.ts';
import { allowedAxioms, axiomInputs, foldersOf, fuelInput, searchPathInput } from './inputs.ts';

const findingSchema = z.object({
  kind: z.string(),
  subject: z.string().nullable().describe('The declaration concerned.'),
  message: z.string(),
  remedy: z.string(),
});

const outputSchema = z.object({
  verdict: z.enum(['accepted', 'rejected', 'unknown']),
  findings: z.array(findingSchema),
  reason: z.string().nullable().describe('Why nothing may be concluded.'),
  message: z.string().nullable(),
  statements: z
    .array(
      z.object({
        name: z.string(),
        level_parameters: z.array(z.string()),
        type: z.string(),
        axioms: z.array(z.string()).describe('The axioms that it rests on, through everything that it uses.'),
      }),
    )
    .describe('The theorems that were asked for; when none were, the first hundred.'),
  theorems: z.int().describe('How many theorems the file has.'),
  declarations: z.int().describe('How many the kernel accepted.'),
  constants: z.int(),
  declared_axioms: z.array(z.string()).describe('Whether anything rests on them or not.'),
  allowed_by_name: z
    .array(z.object({ name: z.string(), type: z.string() }))
    .describe('Axioms in use that nobody compared with anything: read what they say.'),
  unchecked: z
    .array(z.string())
    .describe('Unsafe and partial constants; nothing that was checked rests on them.'),
  terms: z.array(z.string()).nullable().describe('The two terms that should be equal and are not.'),
  format: z.string().nullable(),
  exporter: z.string().nullable().describe('null: the export does not say.'),
  lean: z.string().nullable().describe('The version of Lean; null: the export does not say.'),
  checked_modules: z.int(),
  trusted_modules: z.int().describe('Imported modules that were taken as they are.'),
  sha256: z.string().nullable().describe('Of the file; null when it was not read to its end.'),
  target_sha256: z.string().nullable(),
});

export const leanCheck = defineOperation({
  name: 'lean_check',
  area: 'lean',
  title: 'Check a Lean file with the kernel',
  summary: "Checks an export of lean4export or a compiled module with Quod's Lean kernel alone.",
  details:
    'Name with `theorem` what must be there: a file that was cut behind a declaration is an export like any other. With `target`, an export, each theorem must say what it says there. The three standard axioms are known by what they say; others must be allowed.',
  input: z.object({
    file: z.string().describe('An export (NDJSON of version 3, text of version 2) or a `.olean` file.'),
    theorem: z
      .array(z.string())
      .default([])
      .describe('Full names of theorems that must be there; none: all constants are asked for.'),
    target: z
      .string()
      .nullable()
      .default(null)
      .describe('An export in which the theorems stand as they should.'),
    ...axiomInputs,
    any_axiom: z.boolean().default(false).describe('Refuse no axiom, and list those that are used.'),
    fresh: z.boolean().default(false).describe('Check the modules that a module imports, too.'),
    search_path: searchPathInput,
    fuel: fuelInput,
    memory: z.int().positive().max(65_536).default(4096).describe('Megabytes that the check may use.'),
  }),
  output: outputSchema,
  annotations: READS,
  defaultTimeout: 1800,
  positional: ['file'],
  render: checkText,
  run: async (input, { workspace, signal }) => {
    const path = await workspace.resolve(input.file);
    const request = {
      path,
      theorems: input.theorem,
      axioms: input.any_axiom ? ('any' as const) : await allowedAxioms(input, workspace),
      ...(input.fuel !== null && { steps: input.fuel }),
    };
    const limits = { signal, memoryMb: input.memory };
    if (!path.endsWith('.olean')) {
      const target = input.target === null ? undefined : await workspace.resolve(input.target);
      return answer(await checkExport({ ...request, ...(target !== undefined && { target }) }, limits));
    }
    if (input.target !== null)
      throw new QuodError('invalid-input', 'Compiled modules are not compared with a target here.', {
        remedy: '`lean_verify` does that.',
      });
    const searchPath = await foldersOf(input.search_path, workspace);
    return answer(await checkLeanModule({ ...request, searchPath, fresh: input.fresh }, limits));
  },
});

function answer(check: KernelCheck): z.input<typeof outputSchema> {
  return {
    verdict: check.kind,
    findings: check.findings.map(({ kind, subject, message, remedy }) => ({
      kind,
      subject: subject ?? null,
      message,
      remedy,
    })),
    reason: check.reason ?? null,
    message: check.message ?? null,
    statements: check.statements.map(({ name, levelParameters, type, axioms }) => ({
      name,
      level_parameters: [...levelParameters],
      type,
      axioms: [...axioms],
    })),
    theorems: check.theoremCount,
    declarations: check.declarations,
    constants: check.constants,
    declared_axioms: [...check.declaredAxioms],
    allowed_by_name: [...check.allowedByName],
    unchecked: [...check.unchecked],
    terms: check.terms === undefined ? null : [...check.terms],
    format: check.origin?.format ?? null,
    exporter: check.origin?.exporter ?? null,
    lean: check.origin?.lean ?? null,
    checked_modules: check.checkedModules.length,
    trusted_modules: check.trustedModules.length,
    sha256: check.sha256 ?? null,
    target_sha256: check.targetSha256 ?? null,
  };
}

function checkText(check: z.output<typeof outputSchema>, say: Saying): string {
  const lines: string[] = [check.verdict];
  if (check.message !== null) lines.push(`  ${check.message} [${check.reason ?? 'no reason'}]`);
  for (const { kind, message, remedy } of check.findings)
    lines.push(`  ${message} [${kind}]`, `    ${say(remedy)}`);
  const [left, right] = check.terms ?? [];
  if (left !== undefined && right !== undefined) lines.push(`    ${left}`, '  is not', `    ${right}`);
  for (const { name, level_parameters: levels, type, axioms } of check.statements)
    lines.push(
      `  ${name}${levels.length === 0 ? '' : `.{${levels.join(', ')}}`} : ${type}`,
      `    ${restsOnAxiomsText(axioms)}`,
    );
  if (check.theorems > check.statements.length) lines.push(`  theorems in the file: ${check.theorems}`);
  // Of a file that could not be read, the kernel has seen nothing.
  if (check.declarations > 0)
    lines.push(
      `  accepted by the kernel: ${counted(check.declarations, 'declaration')}, ${counted(check.constants, 'constant')}`,
    );
  for (const { name, type } of check.allowed_by_name)
    lines.push(`  note: the axiom ${name} was allowed by its name; it says ${type}`);
  if (check.declared_axioms.length > 0) lines.push(`  declared axioms: ${check.declared_axioms.join(', ')}`);
  if (check.unchecked.length > 0)
    lines.push(`  unsafe or partial, not checked: ${check.unchecked.join(', ')}`);
  if (check.format !== null)
    lines.push(
      `  format ${check.format}, exporter ${check.exporter ?? 'not said'}, Lean ${check.lean ?? 'not said'}`,
    );
  if (check.sha256 !== null) lines.push(`  SHA-256 ${check.sha256}`);
  return lines.join('\n');
}
