/**
 * Every command with what it takes, as plain values: what the man page and the completions of the shells are made
 * from.
 */
import type { Command, Option } from 'commander';

export interface CommandEntry {
  /** `quod mcp install`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** `[options] <file>`. */
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  /** What an argument may be, where that is a choice. */
  readonly choices: readonly string[];
  /** Whether its first argument is a run of the agent. */
  readonly takesRun: boolean;
  readonly options: readonly OptionEntry[];
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[];
}

export interface OptionEntry {
  /** `--budget <time>`. */
  readonly flags: string;
  /** `--budget`. */
  readonly name: string;
  readonly description: string;
  /** Undefined: any value, or none. */
  readonly choices: readonly string[] | undefined;
}

/** The program first, then its commands, each before its own. */
export function commandEntries(command: Command, before: readonly string[] = []): CommandEntry[] {
  const words = [...before, command.name()];
  const own = command.commands.map((inner) => ({ name: inner.name(), summary: summaryOf(inner) }));
  const help: OptionEntry = {
    flags: '-h, --help',
    name: '--help',
    description: 'display help for command',
    choices: undefined,
  };
  return [
    {
      path: words.join(' '),
      summary: summaryOf(command),
      description: command.description(),
      usage: command.usage(),
      arguments: command.registeredArguments.map((argument) => ({
        name: argument.name(),
        description: argument.description,
      })),
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      takesRun: command.registeredArguments[0]?.name() === 'run',
      options: [...command.options.filter(({ hidden }) => !hidden).map(optionEntry), help],
      subcommands: own,
    },
    ...command.commands.flatMap((inner) => commandEntries(inner, words)),
  ];
}

function optionEntry({ flags, long, short, description, argChoices, defaultValue }: Option): OptionEntry {
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean';
  return {
    flags,
    name: long ?? short ?? flags,
    description: isShown ? `${description} (default: ${JSON.stringify(defaultValue)})` : description,
    choices: argChoices,
  };
}

function summaryOf(command: Command): string {
  return command.summary() === '' ? command.description() : command.summary();
}
