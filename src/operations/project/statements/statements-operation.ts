/** `proof_statements`: everything that a project states, searched, with what is still open under it. */
import { z } from 'zod';
import { counted, someOf } from '../../../core/counted.ts';
import { orNothing } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { COMPILED_STATES, type CompiledState } from '../../../provers/rocq/build/compiled-state.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { sourceLanguageOf } from '../../files/source-language.ts';
import { pathsNamed, unreadSchema, unreadText } from '../named-files.ts';
import { projectOverview, type ProjectOverview } from '../project-overview.ts';
import { AssumedGrounds } from './assumed-grounds.ts';
import { CompiledGrounds, mentionsRead, usesAsCompiled } from './compiled-grounds.ts';
import type { Stated } from './declared.ts';
import { openBelow, statedIn, usesOf, type Ground } from './stated.ts';

const statedSchema = z.object({
  file: z.string(),
  line: z.int(),
  end_line: z.int().describe('In which it ends, with its proof.'),
  name: z.string(),
  kind: z.string(),
  statement: z.string(),
  state: z
    .enum(['proved', 'open', 'assumed', 'defined'])
    .describe('As its text has it: whether a proof compiles, `compiled` says.'),
  compiled: z
    .enum(COMPILED_STATES)
    .nullable()
    .describe('Of its file, where that is a Rocq source of a project; as `proof_status` tells it.'),
  hole: z
    .string()
    .nullable()
    .describe(
      'Why it is open: `admitted`, `obligations` (of a definition by `Program`, one of the obligations before was left open), …',
    ),
  uses: z.array(z.string()).describe('What of the project it mentions, as `file:name`.'),
  rests_on_open: z
    .array(z.string())
    .describe('What is open under it, through whatever it mentions, as `file:name`.'),
  rests_on_assumed: z
    .array(z.string())
    .describe(
      'What is assumed under it in the same way: axioms and parameters; of compiled files also what the kernel did not check.',
    ),
});

export const proofStatements = defineOperation({
  name: 'proof_statements',
  area: 'proof',
  title: 'Statements of a project',
  summary: 'Lists what a project states and defines, searched by words, with what is still open under each.',
  details:
    'Read without any prover. Of a Rocq file that is compiled as it is now the compiled one counts; of others the texts, which do not show what a proof ' +
    'takes from a database of hints or by a notation of symbols. `rocq_assumptions` is the prover’s own word on one theorem. In F* nothing is called ' +
    'proved: what is a lemma there only its type says.',
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
    unread: unreadSchema,
  }),
  annotations: READS,
  defaultTimeout: 300,
  positional: ['words'],
  render: ({ statements }) =>
    statements
      .map((one) => {
        const { file, line, statement, name, state, compiled, hole } = one;
        const stands = `${state}${hole === 'obligations' ? ' (obligations)' : ''}${state === 'proved' ? unproved(compiled) : ''}`;
        return `${file}:${line}: ${[stands, ...restsText(one)].join(', ')}\n${statement === '' ? name : statement}`;
      })
      .join('\n\n'),
  conclude: ({ statements, total, unread }) => {
    const unsure = statements.filter(({ compiled }) => compiled !== null && compiled !== 'yes');
    const files = [...new Set(unsure.map(({ file }) => file))];
    const told =
      files.length === 0
        ? ''
        : `; of ${counted(files.length, 'file')} no compiled one stands for the text (\`proof_build\` compiles): ${someOf(files)}`;
    const from = statements.some(({ compiled }) => compiled === 'yes')
      ? 'the texts and compiled files'
      : 'the texts';
    return [`${counted(total, 'statement')}, read from ${from}${told}`, ...unreadText(unread)].join('\n');
  },
  run: async (input, { workspace, services, signal }) => {
    const named = await Promise.all(input.paths.map((path) => workspace.resolve(path)));
    const { paths, unread } = await pathsNamed(named, signal);
    const { overview, read } = await withRequired(paths, signal);
    const all: Stated[] = [];
    for (const path of read) {
      signal.throwIfAborted();
      const language = sourceLanguageOf(path);
      const compiles = overview.states.get(path) === 'yes';
      if (language !== undefined) appendAll(all, await statedIn(path, language, compiles));
    }
    const required = new Map(
      [...overview.below].map(([path, below]) => [path, new Set(below.map((source) => source.path))]),
    );
    const grounds = await groundsOf(overview, services.get(mentionsRead));
    const uses = usesAsCompiled(usesOf(all, required), grounds);
    const below = openBelow(uses, (stated) => grounds.get(stated.path)?.of(stated));
    // Many rest on the same.
    const names = new Map<Ground, string>();
    const nameOf = (ground: Ground): string => {
      const name = names.get(ground) ?? `${workspace.nameOf(ground.path)}:${ground.name}`;
      names.set(ground, name);
      return name;
    };
    // A definition and its obligations have one name.
    const namesOf = (some: readonly Ground[] = []): string[] => [...new Set(some.map(nameOf))];
    const parts = [...input.words.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, bare]) =>
      orNothing(quoted ?? bare).toLowerCase(),
    );
    const assumed = new AssumedGrounds(all);
    await assumed.readMissing(below.values());
    const openOf = (stated: Stated): readonly Ground[] =>
      (below.get(stated) ?? []).filter((ground) => !assumed.has(ground));
    const asked = new Set(paths);
    const found = all.filter((stated) => {
      if (!asked.has(stated.path)) return false;
      const text = `${stated.name} ${stated.statement}`.toLowerCase();
      const isOpen = stated.state === 'open' || openOf(stated).length > 0;
      return parts.every((part) => text.includes(part)) && (!input.open_only || isOpen);
    });
    return {
      statements: found.slice(input.offset, input.offset + input.limit).map((stated) => ({
        file: workspace.nameOf(stated.path),
        line: stated.line,
        end_line: stated.endLine,
        name: stated.name,
        kind: stated.kind,
        statement: stated.statement,
        state: stated.state,
        compiled: overview.states.get(stated.path) ?? null,
        hole: stated.hole ?? null,
        uses: namesOf(uses.get(stated)),
        rests_on_open: namesOf(openOf(stated)),
        rests_on_assumed: namesOf(below.get(stated)?.filter((ground) => assumed.has(ground))),
      })),
      total: found.length,
      unread: unread.map(({ path, why }) => ({ file: workspace.nameOf(path), why })),
    };
  },
});

/** What the files rest on may be open in a file that they require and that was not asked for. */
async function withRequired(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly overview: ProjectOverview; readonly read: readonly string[] }> {
  const overview = await projectOverview(paths, signal);
  const asked = new Set(paths);
  const required = new Set<string>();
  for (const below of overview.below.values())
    for (const { path } of below) if (!asked.has(path)) required.add(path);
  const read = [...paths];
  for (const path of required) {
    signal.throwIfAborted();
    // What cannot be read shows nothing of what is open in it.
    if (
      await readRegularText(path).then(
        () => true,
        () => false,
      )
    )
      read.push(path);
  }
  return { overview: read.length === paths.length ? overview : await projectOverview(read, signal), read };
}

function restsText({
  rests_on_open,
  rests_on_assumed,
}: Pick<z.output<typeof statedSchema>, 'rests_on_open' | 'rests_on_assumed'>): readonly string[] {
  return [
    ...(rests_on_open.length === 0 ? [] : [`rests on ${rests_on_open.join(', ')}`]),
    ...(rests_on_assumed.length === 0 ? [] : [`assumes ${rests_on_assumed.join(', ')}`]),
  ];
}

/** What keeps `proved` from being more than what a text says. */
function unproved(compiled: CompiledState | null): string {
  return compiled === null ? '' : UNPROVED[compiled];
}

const UNPROVED: Readonly<Record<CompiledState, string>> = {
  yes: '',
  no: ', as far as its text tells; the file is not compiled as it is now',
  'not-known': ', as far as its text tells; whether the compiled file is of this text is not known',
  'no-module-name': ', as far as its text tells; a file of this name cannot be compiled',
};

/** What the compiled files of each project say, by the paths of its sources. */
async function groundsOf(
  { compiled }: ProjectOverview,
  read: ReturnType<typeof mentionsRead>,
): Promise<ReadonlyMap<string, CompiledGrounds>> {
  const grounds = new Map<string, CompiledGrounds>();
  for (const sources of compiled) {
    const known = await CompiledGrounds.of(sources, read);
    for (const { path } of sources) grounds.set(path, known);
  }
  return grounds;
}
