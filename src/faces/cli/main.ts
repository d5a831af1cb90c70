/**
 * The `quod` command. This file knows the commands and their options; what a command does is imported when it is run,
 * so that `quod --help` and shell completions start at once.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { CheckOptions } from './check-command.ts';
import type { DoctorOptions } from './doctor-command.ts';
import type { IndexOptions } from './index-command.ts';
import type { ProveOptions } from './prove-command.ts';
import type { VerifyOptions } from './verify-command.ts';
import type { ExitCode } from './exit-codes.ts';
import { BACKENDS } from '../../provers/rocq/discovery.ts';
import { milliseconds } from './duration.ts';
import { readPackageVersion } from './package-version.ts';

/** Runs one command line and answers the exit code. Never rejects. */
export async function main(commandLine: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...commandLine], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; asking for help or the version is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { printError } = await import('./print-error.ts');
    return printError(error, { json: commandLine.includes('--json') });
  }
}

/** The commands and their options. `finish` gets the exit code of the one that is run. */
export function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('quod')
    .description('Proves theorems and judges proofs, offline.')
    .version(readPackageVersion())
    .exitOverride()
    .showHelpAfterError('(quod --help lists the commands and options)')
    .configureHelp({ showGlobalOptions: true });

  program
    .command('prove')
    .summary('find proofs for the holes of a file')
    .description(
      'Finds proofs for the holes of a file and prints them. A hole is Admitted, admit, give_up, Abort or an empty proof. The file changes only with --write.',
    )
    .argument('<file>', 'a Rocq file')
    .option('--theorem <name...>', 'prove these theorems only')
    .addOption(new Option('--all-holes', 'prove every hole (the default)').conflicts('theorem'))
    .option('--budget <time>', 'time for each theorem: 500ms, 60s, 2m (default 60s)', milliseconds)
    .option('--nodes <number>', 'nodes for each theorem instead of a time: makes a run reproducible', count)
    .option('--jobs <number>', 'provers that run at once', count)
    .option('--seed <number>', 'seed of every random choice', wholeNumber, 0)
    .option('--without <ingredient...>', 'switch off an ingredient of the search (for measurements)')
    .addOption(backendOption())
    .addOption(new Option('--write', 'put the proofs into the file').conflicts('diff'))
    .addOption(new Option('--diff', 'print a patch instead of the proofs').conflicts(['json', 'write']))
    .addOption(new Option('--json', 'print one JSON object a line for each theorem'))
    .action(async (file: string, options: ProveOptions) => {
      const { proveCommand } = await import('./prove-command.ts');
      finish(await proveCommand(file, options));
    });

  program
    .command('check')
    .summary('list all errors and holes of a file')
    .description(
      'Runs a file, goes on after each error, and lists all errors, the holes and the slowest sentences.',
    )
    .argument('<file>', 'a Rocq file')
    .addOption(backendOption())
    .option('--allow-holes', 'exit with 0 when there are holes but no errors')
    .option('--timeout <time>', 'time for each sentence', milliseconds, 60_000)
    .option('--slowest <number>', 'how many of the slowest sentences to list', wholeNumber, 5)
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: CheckOptions) => {
      const { checkCommand } = await import('./check-command.ts');
      finish(await checkCommand(file, options));
    });

  program
    .command('verify')
    .summary('judge a submission against the statements of a target')
    .description(
      'Judges whether SUBMISSION proves the statements of TARGET, in a fresh process, without trusting the submission.',
    )
    .argument('<target>', 'the file with the trusted statements')
    .argument('<submission>', 'the file with the proofs')
    .option('--json', 'print the verdict as one JSON object')
    .action(async (target: string, submission: string, options: VerifyOptions) => {
      const { verifyCommand } = await import('./verify-command.ts');
      finish(await verifyCommand(target, submission, options));
    });

  program
    .command('index')
    .summary('learn from the proofs of a project or library')
    .description(
      'Runs sources once and stores the steps of their proofs, so that `quod prove` can use them. What is stored already is not run again.',
    )
    .argument('<path...>', 'files or directories of Rocq sources')
    .option('--jobs <number>', 'provers that run at once', count)
    .addOption(backendOption())
    .option('--json', 'print one JSON object a line for each file')
    .action(async (paths: string[], options: IndexOptions) => {
      const { indexCommand } = await import('./index-command.ts');
      finish(await indexCommand(paths, options));
    });

  program
    .command('doctor')
    .summary('say what is installed and what would help')
    .description('Tries every prover on this machine and says what would get better by installing what.')
    .option('--json', 'print one JSON object')
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import('./doctor-command.ts');
      finish(await doctorCommand(options));
    });

  return program;
}

function backendOption(): Option {
  return new Option('--backend <name>', 'which Rocq to use').choices(['auto', ...BACKENDS]).default('auto');
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return value;
}

function count(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be at least 1.');
  return value;
}
