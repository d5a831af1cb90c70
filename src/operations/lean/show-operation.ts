/** Declarations of a Lean file for people. */
import { z } from 'zod';
import { type ShownDeclaration, showDeclarations } from '../../gate/lean/show-declarations.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { foldersOf, searchPathInput } from './inputs.ts';

const outputSchema = z.object({
  declarations: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      level_parameters: z.array(z.string()),
      type: z.string(),
      value: z.string().nullable().describe('null in lists, and for what has no value.'),
      details: z.array(z.string()),
      axioms: z.array(z.string()).nullable().describe('The axioms that it rests on; null: nobody asked.'),
    }),
  ),
  total: z.int().describe('How many constants the file has.'),
});

export const leanShow = defineOperation({
  name: 'lean_show',
  area: 'lean',
  title: 'Show declarations of a Lean file',
  summary:
    'Prints kind, type, value and axioms of constants of a compiled module or an export, without Lean.',
  details: 'Nothing is checked: this is what the file says. `lean_check` checks it.',
  input: z.object({
    file: z.string().describe('A `.olean` file, or an export of lean4export.'),
    name: z
      .string()
      .nullable()
      .default(null)
      .describe('The full name of a constant, of the file or of what it imports; null: all of the file.'),
    axioms: z.boolean().default(true).describe('Look for the axioms that it rests on.'),
    limit: z.int().positive().max(10_000).default(100).describe('How many declarations to list.'),
    search_path: searchPathInput,
  }),
  output: outputSchema,
  annotations: READS,
  defaultTimeout: 300,
  positional: ['file', 'name'],
  render: ({ declarations, total }) =>
    [
      ...declarations.map(declarationText),
      ...(declarations.length > 1 && total > declarations.length
        ? [`${declarations.length} of ${total} constants`]
        : []),
    ].join('\n'),
  run: async (input, { workspace, signal }) => {
    const searchPath = await foldersOf(input.search_path, workspace);
    const { declarations, total } = await showDeclarations(
      {
        path: await workspace.resolve(input.file),
        ...(input.name !== null && { name: input.name }),
        axioms: input.axioms,
        limit: input.limit,
        ...(searchPath.length > 0 && { searchPath }),
      },
      { signal },
    );
    return { declarations: declarations.map(answer), total };
  },
});

type Shown = z.output<typeof outputSchema>['declarations'][number];

function answer({ kind, name, levelParameters, type, value, details, axioms }: ShownDeclaration): Shown {
  return {
    kind,
    name,
    level_parameters: [...levelParameters],
    type,
    value: value ?? null,
    details: [...details],
    axioms: axioms === undefined ? null : [...axioms],
  };
}

function declarationText({
  kind,
  name,
  level_parameters: levels,
  type,
  value,
  details,
  axioms,
}: Shown): string {
  return [
    `${kind} ${name}${levels.length === 0 ? '' : `.{${levels.join(', ')}}`} : ${type}`,
    ...(value === null ? [] : [`  := ${value}`]),
    ...details.map((line) => `  ${line}`),
    ...(axioms === null ? [] : [`  axioms: ${axioms.length === 0 ? 'none' : axioms.join(', ')}`]),
  ].join('\n');
}
