/** Command lines that say the same in another way, made into those that the commands take. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';

/** The option that names theorems, by the first word of the command. */
const THEOREM_OPTIONS: Readonly<Record<string, string>> = { prove: '--theorem', refute: '--theorems' };

export function normalCommandLine(commandLine: readonly string[]): readonly string[] {
  const [first = '', ...rest] = commandLine;
  // `help X` knows no options of the commands that are made from operations; `X --help` does.
  if (first === 'help' && rest.length > 0) return [...rest, '--help'];
  const option = THEOREM_OPTIONS[first];
  return option === undefined ? commandLine : [first, ...pathsInFront(rest, option)];
}

/** An option that takes several names takes the path behind them, too: what is a file or a folder is none of them. */
function pathsInFront(words: readonly string[], option: string): readonly string[] {
  const named = words.map((word) => (/^--theorems?$/u.test(word) ? option : word));
  if (named.includes('--')) return named;
  const paths = new Set<number>();
  let isInNames = false;
  for (const [index, word] of named.entries()) {
    if (word.startsWith('-')) isInNames = word === option;
    // The word behind the option is a name, whatever there is.
    else if (isInNames && named[index - 1] !== option && existsSync(word)) paths.add(index);
  }
  return [...named.filter((_, index) => paths.has(index)), ...named.filter((_, index) => !paths.has(index))];
}

/** Asked for help on a command that there is not, commander shows that of what stands above: without, it complains. */
export function withoutVainHelp(program: Command, commandLine: readonly string[]): string[] {
  return namesCommand(program, commandLine)
    ? [...commandLine]
    : commandLine.filter((word) => word !== '--help' && word !== '-h');
}

function namesCommand(group: Command, [word, ...rest]: readonly string[]): boolean {
  if (word === undefined || word.startsWith('-') || word === 'help' || group.commands.length === 0)
    return true;
  const inner = group.commands.find((command) => command.name() === word);
  return inner === undefined ? group.registeredArguments.length > 0 : namesCommand(inner, rest);
}
