/**
 * `proof_history`: how many holes a project had at its last commits. Reads git's objects; nothing is checked out
 * and no hook runs.
 */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { inView, repositoryOf } from '../../process/foreign-folder/git.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';
import { visibleHoles } from './visible-holes.ts';

interface Counts {
  readonly holes: number;
  readonly statements: number;
}

export const proofHistory = defineOperation({
  name: 'proof_history',
  area: 'proof',
  title: 'Progress of a project',
  summary: 'Counts the holes and statements of a project at its last commits in git, oldest first.',
  details: 'Reads the texts and runs no prover. `commits` is empty where the folder is under no git.',
  input: z.object({
    commits: z.int().positive().max(500).default(40).describe('At most so many of the last commits.'),
  }),
  output: z.object({
    commits: z.array(
      z.object({
        commit: z.string(),
        date: z.string(),
        subject: z.string(),
        holes: z.int(),
        statements: z.int().describe('Statements of Rocq files.'),
      }),
    ),
  }),
  annotations: READS,
  defaultTimeout: 300,
  render: ({ commits }) =>
    commits
      .map(
        ({ commit, date, subject, holes }) =>
          `${commit.slice(0, 10)} ${date} ${counted(holes, 'hole')}  ${subject}`,
      )
      .join('\n'),
  run: async (input, { workspace, signal, progress }) => {
    const repository = await repositoryOf(workspace.root, signal).catch((cause: unknown) => {
      if (signal.aborted) throw interrupted(cause);
      return undefined;
    });
    if (repository?.head === undefined) return { commits: [] };
    const { head } = repository;
    return await inView(repository, { index: 'own', signal }, async (git) => {
      const log = await git('log', `-n${input.commits}`, '--format=%H%x00%cI%x00%s', head, '--', '.');
      const listed = log.split('\n').filter((line) => line !== '');
      const known = new Map<string, Counts>();
      const commits = [];
      for (const [index, line] of listed.reverse().entries()) {
        progress({ message: 'Reading the history', done: index, total: listed.length });
        const [commit, date, subject] = line.split('\0');
        if (commit === undefined || date === undefined || subject === undefined) continue;
        let sum: Counts = { holes: 0, statements: 0 };
        for (const { object, language } of sourcesOf(await git('ls-tree', '-r', '-z', commit, '.'))) {
          const counts = known.get(object) ?? countsOf(language, await git('cat-file', 'blob', object));
          known.set(object, counts);
          sum = { holes: sum.holes + counts.holes, statements: sum.statements + counts.statements };
        }
        commits.push({ commit, date, subject, ...sum });
      }
      return { commits };
    }).catch((cause: unknown) => {
      throw signal.aborted ? interrupted(cause) : cause;
    });
  },
});

function interrupted(cause: unknown): QuodError {
  return new QuodError('interrupted', 'The history was not read to its end.', { cause });
}

function sourcesOf(tree: string): { readonly object: string; readonly language: SourceLanguage }[] {
  return tree.split('\0').flatMap((line) => {
    const [, object, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    const language = path === undefined ? undefined : sourceLanguageOf(path);
    return object === undefined || language === undefined ? [] : [{ object, language }];
  });
}

function countsOf(language: SourceLanguage, text: string): Counts {
  return {
    holes: visibleHoles(language, text).length,
    statements: language === 'rocq' ? outlineOf(text).statements.length : 0,
  };
}
