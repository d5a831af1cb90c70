/**
 * Texts that speak to every face, in the words of the command line. What tells of an operation writes its name in
 * backticks, as MCP clients call it: `rocq_fill`. Here it becomes the command that does it: `quod rocq fill`, and a
 * parameter of the operation that is called becomes its argument or option: `--session-id`. What stands behind another
 * operation (`agent_show` with `context`) is an option of that one. A test holds every text of the sources to this.
 */
import { AREAS } from '../../../operations/definition/operation.ts';
import type { AnyOperation } from '../../../operations/definition/operation.ts';
import { SHORTCUTS } from './shortcut-table.ts';

/** What of an operation says how its parameters are written. */
export type Taking = Pick<AnyOperation, 'positional' | 'inputSchema'>;

/** Operations that a command stands for which is not made from them. */
const OWN_COMMANDS = [
  ['gate_verify', 'verify'],
  ['agent_resume', 'resume'],
  ['holmake', 'hol holmake'],
] as const;

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ...SHORTCUTS.map(({ operation, words }) => [operation, words] as const),
  ...OWN_COMMANDS,
]);

const OPERATION_NAME = new RegExp(`^(${AREAS.join('|')})_([a-z0-9_]+)$`, 'u');

export function inCommandWords(text: string, operation?: Taking): string {
  return text
    .replace(/(?<=`([a-z][a-z0-9_]*)` with `)[a-z][a-z0-9_]*(?=`)/gu, (option, word: string) =>
      commandOf(word) === undefined ? option : optionNamed(option),
    )
    .replace(/`([a-z][a-z0-9_]*)`/gu, (quoted, word: string) => {
      const command = commandOf(word);
      if (command !== undefined) return `\`${command}\``;
      return operation === undefined ? quoted : (parameterOf(operation, word) ?? quoted);
    });
}

/** `quod check` for `proof_check`; undefined for what is not the name of an operation. */
function commandOf(name: string): string | undefined {
  const known = COMMANDS.get(name);
  if (known !== undefined) return `quod ${known}`;
  const [, area, verb] = OPERATION_NAME.exec(name) ?? [];
  return area === undefined || verb === undefined ? undefined : `quod ${area} ${verb.replaceAll('_', '-')}`;
}

function parameterOf({ positional, inputSchema }: Taking, name: string): string | undefined {
  const { properties } = inputSchema();
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (schema === undefined) return undefined;
  const words = name.replaceAll('_', '-');
  if (positional.includes(name)) return `<${words}>`;
  return schema.default === true ? `\`--no-${words}\`` : `\`${optionNamed(name)}\``;
}

function optionNamed(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}
