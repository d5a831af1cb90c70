/** `quod completions SHELL`: prints what makes a shell complete the commands and options of this Quod. */
import type { Command } from 'commander';
import { commandEntries } from './command-tree.ts';
import type { Shell } from './completions.ts';
import { completionScript } from './completions.ts';
import type { ExitCode } from '../exit/exit-codes.ts';

export function completionsCommand(shell: Shell, program: Command): ExitCode {
  process.stdout.write(completionScript(shell, commandEntries(program)));
  return 0;
}
