/** The commands about compiled Lean modules and their options. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { COMPILER_ATTRIBUTES } from '../../../gate/lean/judge/lean-policy.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { fileName } from '../terminal/option-values.ts';
import type { LeanExportOptions } from './lean-export-command.ts';
import type { LeanVerifyOptions } from './verify-lean-command.ts';

type Finish = (code: ExitCode) => void;

/** What `quod verify` takes for compiled Lean modules; with files of other provers they are refused. */
export function addLeanPolicyOptions(command: Command): Command {
  return command
    .option('--allow-axiom <name...>', 'Lean: axioms to allow besides the three standard ones')
    .option(
      '--axioms <file>',
      'Lean: a file with the axioms to allow, one a line, instead of the standard ones',
    )
    .option('--disallow-partial', 'Lean: refuse partial definitions')
    .addOption(
      new Option(
        '--disallow-attribute <name...>',
        'Lean: refuse definitions that are compiled to something else',
      ).choices(COMPILER_ATTRIBUTES),
    )
    .option('-d, --disproofs', 'Lean: accept a theorem X.disproof of the negation of X')
    .option('--strict-holes', 'Lean: only definitions in whose own body sorry stands may be filled')
    .option('--fresh', 'Lean: check the imported modules, too')
    .addOption(searchPathOption())
    .option('--fuel <steps>', 'Lean: steps that the kernel may take for one declaration', steps)
    .option('-v, --verbose', 'Lean: print what differs')
    .option('-s, --save <file>', 'Lean: save how each declaration fared as JSON');
}

/** What only `quod verify` takes. */
export function addBatchOptions(command: Command): Command {
  return command
    .option('--batch <path>', 'Lean: judge all pairs of a list, or of the folders with a Target.olean')
    .option('--jobs <number>', 'Lean: pairs that are judged at once', steps)
    .option('--log <file>', 'Lean: where answers of a batch are kept, so that it can go on');
}

export function addLeanCommands(program: Command, finish: Finish): void {
  addLeanPolicyOptions(
    program
      .command('safe-verify')
      .summary('judge compiled Lean modules with the command line and the output of SafeVerify')
      .description(
        'Checks whether SUBMISSION implements the theorems and definitions of TARGET, two .olean files. Takes the command line of safe_verify and prints what it prints; needs no Lean.',
      )
      .argument('<target>', 'the .olean file with the trusted statements', fileName)
      .argument('<submission>', 'the .olean file with the proofs', fileName),
  ).action(async (target: string, submission: string, options: LeanVerifyOptions) => {
    const { safeVerifyCommand } = await import('./verify-lean-command.ts');
    finish(await safeVerifyCommand(target, submission, options));
  });

  const lean = program.command('lean').summary('judge, check and show Lean files, without Lean');
  lean
    .command('export')
    .summary("print a compiled module in lean4export's format")
    .description(
      'Prints the constants of a compiled module as NDJSON of lean4export 3, each after what it rests on.',
    )
    .argument('<file>', 'a .olean file', fileName)
    .option('--closure <name...>', 'only these constants and what they rest on, through imported modules')
    .addOption(searchPathOption())
    .action(async (file: string, options: LeanExportOptions) => {
      const { leanExportCommand } = await import('./lean-export-command.ts');
      finish(leanExportCommand(file, options));
    });
}

function searchPathOption(): Option {
  return new Option('--search-path <folder...>', 'Lean: folders with compiled modules, before LEAN_PATH');
}

function steps(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}
