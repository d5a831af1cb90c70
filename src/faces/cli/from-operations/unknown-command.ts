/**
 * A first word that is no command, and names what a command of an area does: `export` is that of `quod proof export`. It is told,
 * where commander would name the command that is spelt like it.
 */
import type { Command } from 'commander';
import type { AnyOperation } from '../../../operations/definition/operation.ts';
import { verbOf } from '../../host.ts';
import { inCommandWords } from '../terminal/command-words.ts';

/**
 * Ends with the message of an unknown command where the word names something of an area.
 * @param program With the commands that are written by hand and the shortcuts.
 * @throws CommanderError
 */
export function refuseUnknownWord(program: Command, word: string, operations: readonly AnyOperation[]): void {
  const meant = [...new Set([...ofOperations(word, operations), ...ofGroups(program, word)])];
  if (meant.length === 0) return;
  program.error(`error: unknown command '${word}'\n(Did you mean ${meant.join(' or ')}?)`, {
    code: 'commander.unknownCommand',
  });
}

/** Also by the name under which MCP clients call it: `proof_export`. */
function ofOperations(word: string, operations: readonly AnyOperation[]): readonly string[] {
  const name = word.replaceAll('-', '_');
  return operations
    .filter((operation) => operation.name === name || verbOf(operation) === word.replaceAll('_', '-'))
    .map((operation) => inCommandWords(`\`${operation.name}\``));
}

function ofGroups(program: Command, word: string): readonly string[] {
  return program.commands.flatMap((group) =>
    group.commands.some((command) => command.name() === word) ? [`\`quod ${group.name()} ${word}\``] : [],
  );
}
