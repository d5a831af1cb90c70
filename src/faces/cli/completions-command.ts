/** `quod completions SHELL`: prints what makes a shell complete the commands and options of this Quod. */
import { commandEntries } from './command-tree.ts';
import type { Shell } from './completions.ts';
import { completionScript } from './completions.ts';
import type { ExitCode } from './exit-codes.ts';
import { wholeProgram } from './whole-program.ts';

export function completionsCommand(shell: Shell): ExitCode {
  process.stdout.write(completionScript(shell, commandEntries(wholeProgram())));
  return 0;
}
