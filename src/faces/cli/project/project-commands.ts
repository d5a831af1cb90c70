/** The commands about whole projects of Rocq, and their options. */
import { Option, type Command } from 'commander';
import type { BuildOptions } from './build-command.ts';
import type { StatusOptions } from './status-command.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { count } from '../terminal/option-values.ts';

export function addProjectCommands(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('build')
    .summary('compile a project, or what a file needs')
    .description(
      'Compiles Rocq sources in the order of what they require: with dune or make where the project uses them, else by itself. What did not change is not compiled again.',
    )
    .argument('[path...]', 'files, with all that they require, or folders', ['.'])
    .option('--jobs <number>', 'files that are compiled at once', count)
    .addOption(
      new Option('--tool <name>', 'who compiles; default: what the project uses').choices([
        'dune',
        'make',
        'quod',
      ]),
    )
    .option('--json', 'print one JSON object a line for each file')
    .action(async (paths: string[], options: BuildOptions) => {
      const { buildCommand } = await import('./build-command.ts');
      finish(await buildCommand(paths, options));
    });

  program
    .command('status')
    .summary('holes of a project, and what rests on them')
    .description(
      'Lists the files of a project with their holes, whether they are compiled, and the holes of what they require. Runs no prover; with --check it runs each Rocq, HOL4 and F* file and counts its errors.',
    )
    .argument('[path...]', 'files or folders', ['.'])
    .option('--check', 'also run the files and count their errors')
    .option('--json', 'print one JSON object a line for each file')
    .action(async (paths: string[], options: StatusOptions) => {
      const { statusCommand } = await import('./status-command.ts');
      finish(await statusCommand(paths, options));
    });
}
