/** The commands `quod mine` and `quod dataset` and their options. */
import type { Command } from 'commander';
import { backendOption } from '../terminal/backend-option.ts';
import type { DatasetOptions, IndexOptions, MergeOptions } from './dataset-command.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import type { MineOptions } from './mine-command.ts';
import { amount, count, wholeNumber } from '../terminal/option-values.ts';

export function addCorpusCommands(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('mine')
    .summary('make a data set of every state of every proof')
    .description(
      'Runs Rocq sources and writes each state of each proof as a theorem with its proof, checked to Qed. Sources that are done already and have not changed are not run again.',
    )
    .argument('<path...>', 'files or directories of Rocq sources')
    .requiredOption('-o, --output <folder>', 'where the data set is, or will be')
    .option('--after <steps>', 'only the state of each theorem after so many tactic sentences', wholeNumber)
    .option('--effort <number>', 'time for checking, in times that of the source itself', amount, 1)
    .option('--seed <number>', 'seed of the split into train, validation and test', wholeNumber, 0)
    .option('--jobs <number>', 'provers that run at once', count)
    .addOption(backendOption())
    .option('--json', 'print one JSON object a line for each source')
    .action(async (paths: string[], options: MineOptions) => {
      const { mineCommand } = await import('./mine-command.ts');
      finish(await mineCommand(paths, options));
    });

  const dataset = program
    .command('dataset')
    .summary('work with data sets of `quod mine`')
    .description('Figures, faults and unions of the data sets that `quod mine` makes.');
  dataset
    .command('stats')
    .summary('figures of a data set')
    .description('Prints how many proofs, items and sources there are, and why goals became no items.')
    .argument('<folder>', 'a data set')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, options: DatasetOptions) => {
      const { statsCommand } = await import('./dataset-command.ts');
      finish(await statsCommand(folder, options));
    });
  dataset
    .command('check')
    .summary('find what is wrong with a data set')
    .description('Reads every line and compares it with the records. Runs no prover.')
    .argument('<folder>', 'a data set')
    .option('--json', 'print one JSON object a line for each fault')
    .action(async (folder: string, options: DatasetOptions) => {
      const { checkDatasetCommand } = await import('./dataset-command.ts');
      finish(await checkDatasetCommand(folder, options));
    });
  dataset
    .command('merge')
    .summary('put data sets together')
    .description('Copies the sources of data sets with the same settings into one.')
    .argument('<folder...>', 'data sets')
    .requiredOption('-o, --output <folder>', 'where the union is, or will be')
    .option('--json', 'print one JSON object')
    .action(async (folders: string[], options: MergeOptions) => {
      const { mergeCommand } = await import('./dataset-command.ts');
      finish(await mergeCommand(folders, options));
    });
  dataset
    .command('index')
    .summary('make a vector index of a data set')
    .description(
      'Encodes every item with the learned ranker and adds what the index does not have, source by source. A build that was stopped goes on where it was.',
    )
    .argument('<folder>', 'a data set')
    .requiredOption('-o, --output <place>', 'a folder, or the URL of a PostgreSQL with pgvector')
    .option('--threads <number>', 'threads of the encoder', count, 1)
    .option('--json', 'print one JSON object a line for each source')
    .action(async (folder: string, options: IndexOptions) => {
      const { indexCommand } = await import('./dataset-command.ts');
      finish(await indexCommand(folder, options));
    });
}
