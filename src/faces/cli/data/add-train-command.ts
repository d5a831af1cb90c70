/** The command `quod train` and its options. */
import type { Command } from 'commander';
import type { ExitCode } from '../terminal/exit-codes.ts';
import type { TrainOptions } from './train-command.ts';

export function addTrainCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('train')
    .summary('make a ranker for your own project')
    .description(
      'Trains the ranker of similar proofs on data sets of `quod mine`, from the shipped model on. Needs Python and its packages: docs/data/training.md.',
    )
    .argument('<dataset...>', 'what `quod mine` wrote')
    .requiredOption('-o, --output <folder>', 'where the model goes; QUOD_RANKER_MODEL then names it')
    .option('--held-out <library...>', 'libraries to measure on and never to train on')
    .option('--start-from <model>', 'go on from this model instead of the shipped one')
    .option('--from-scratch', 'start from chance, with a vocabulary of its own')
    .option('--set <name=value...>', 'a setting of the training: steps=5000, minutes=30, threads=8')
    .option('--python <program>', 'the Python to use (default .quod/python/bin/python, else python3)')
    .action(async (datasets: string[], options: TrainOptions) => {
      const { trainCommand } = await import('./train-command.ts');
      finish(await trainCommand(datasets, options));
    });
}
