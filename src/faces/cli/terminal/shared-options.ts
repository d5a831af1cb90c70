/** Options that several commands take, with the words that each may be given. */
import { Option, type Command } from 'commander';
import { BACKENDS } from '../../../sessions/find-rocq.ts';

export const COMPATIBLE_SERVERS = ['rocqstar', 'fstar-mcp'] as const;

/** Which Rocq runs. */
export function backendOption(): Option {
  return new Option('--backend <name>', 'which Rocq to use').choices(['auto', ...BACKENDS]).default('auto');
}

export function compatibleOption(): Option {
  return new Option('--compat <server>', 'the tools of another server under their own names').choices(
    COMPATIBLE_SERVERS,
  );
}

/** The same option under a second name, which the help leaves out: several theorems or one are named either way. */
export function addAlias(command: Command, name: string, alias: string): void {
  const isList = command.options.some((option) => option.long === `--${name}` && option.variadic);
  command.addOption(new Option(`--${alias} <value${isList ? '...' : ''}>`).hideHelp());
  command.on(`option:${alias}`, (value: string) => {
    const before: unknown = command.getOptionValue(name);
    const list = [...(Array.isArray(before) ? (before as unknown[]) : []), value];
    command.setOptionValueWithSource(name, isList ? list : value, 'cli');
  });
}
