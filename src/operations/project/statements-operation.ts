/** `proof_statements`: everything that a project states, searched, with what is still open under it. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import {
  sourcesInDependencyOrder,
  projectSources,
  requiresOf,
} from '../../provers/rocq/build/project-sources.ts';
import { findRocqProject } from '../../provers/rocq/project.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { sourceLanguageOf } from '../files/source-language.ts';
import { pathsNamed } from './named-files.ts';
import type { Stated } from './declared.ts';
import { openBelow, statedIn, usesOf } from './stated.ts';

const statedSchema = z.object({
  file: z.string(),
  line: z.int(),
  name: z.string(),
  kind: z.string(),
  statement: z.string(),
  state: z.enum(['proved', 'open', 'assumed', 'defined']),
  hole: z
    .string()
    .nullable()
    .describe(
      'Why it is open: `admitted`, `obligations` (of a definition by `Program`, one of the obligations before was left open), …',
    ),
  uses: z.array(z.string()).describe('What of the project it mentions, as `file:name`.'),
  rests_on_open: z
    .array(z.string())
    .describe('What is open or assumed under it, through whatever it mentions, as `file:name`.'),
});

export const proofStatements = defineOperation({
  name: 'proof_statements',
  area: 'proof',
  title: 'Statements of a project',
  summary: 'Lists what a project states and defines, searched by words, with what is still open under each.',
  details:
    'Read from the texts, without any prover: what a proof takes from a database of hints or by a notation of symbols is not seen. `rocq_assumptions` is the ' +
    'prover’s own word on one theorem. In F* nothing is called proved: what is a lemma there only its type says.',
  input: z.object({
    paths: z.array(z.string()).min(1).default(['.']).describe('Files or folders.'),
    words: z
      .string()
      .default('')
      .describe('Parts of names or statements, all of which must occur; a part in quotes may have blanks.'),
    open_only: z.boolean().default(false).describe('Only what is open or rests on something open.'),
    offset: z.int().nonnegative().default(0),
    limit: z.int().positive().max(10_000).default(200),
  }),
  output: z.object({
    statements: z.array(statedSchema),
    total: z.int().describe('How many there are; ask with a larger `offset` for the rest.'),
  }),
  annotations: READS,
  defaultTimeout: 300,
  positional: ['words'],
  render: ({ statements }) =>
    statements
      .map(({ file, line, statement, name, state, hole, rests_on_open }) =>
        [
          `${file}:${line}: ${state}${hole === 'obligations' ? ' (obligations)' : ''}${rests_on_open.length === 0 ? '' : `, rests on ${rests_on_open.join(', ')}`}`,
          statement === '' ? name : statement,
        ].join('\n'),
      )
      .join('\n\n'),
  conclude: ({ total }) => counted(total, 'statement'),
  run: async (input, { workspace, signal }) => {
    const named = await Promise.all(input.paths.map((path) => workspace.resolve(path)));
    const paths = await pathsNamed(named);
    const all: Stated[] = [];
    for (const path of paths) {
      signal.throwIfAborted();
      const language = sourceLanguageOf(path);
      if (language !== undefined) all.push(...(await statedIn(path, language)));
    }
    const uses = usesOf(all, await requiredBy(paths));
    const below = openBelow(uses);
    const nameOf = ({ path, name }: Stated): string => `${workspace.nameOf(path)}:${name}`;
    // A definition and its obligations have one name.
    const namesOf = (some: readonly Stated[] = []): string[] => [...new Set(some.map(nameOf))];
    const parts = [...input.words.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, bare]) =>
      orNothing(quoted ?? bare).toLowerCase(),
    );
    const found = all.filter((stated) => {
      const text = `${stated.name} ${stated.statement}`.toLowerCase();
      const isOpen = stated.state === 'open' || orZero(below.get(stated)?.length) > 0;
      return parts.every((part) => text.includes(part)) && (!input.open_only || isOpen);
    });
    return {
      statements: found.slice(input.offset, input.offset + input.limit).map((stated) => ({
        file: workspace.nameOf(stated.path),
        line: stated.line,
        name: stated.name,
        kind: stated.kind,
        statement: stated.statement,
        state: stated.state,
        hole: stated.hole ?? null,
        uses: namesOf(uses.get(stated)),
        rests_on_open: namesOf(below.get(stated)),
      })),
      total: found.length,
    };
  },
});

/** Of each Rocq file the files of its project that it requires, directly or through others. */
async function requiredBy(paths: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const listings = new Map<string, ReturnType<typeof projectSources>>();
  const required = new Map<string, ReadonlySet<string>>();
  for (const path of paths) {
    if (sourceLanguageOf(path) !== 'rocq') continue;
    const project = await findRocqProject(path);
    const key = project.source ?? project.root;
    const listing = listings.get(key) ?? projectSources(project);
    listings.set(key, listing);
    const below = await sourcesInDependencyOrder(await requiresOf(path), await listing, path);
    required.set(path, new Set(below.map((source) => source.path)));
  }
  return required;
}
