import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { REASON_CODES } from '../../core/reason.ts';
import { EXIT_CODES } from './exit/exit-codes.ts';
import { buildProgram } from './main.ts';

const page = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

/** The cells of each row of the tables of a page. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Each command that does something: `prove`, or `hol replay` where there are commands below a command. */
function commandsWithOptions(above: Command, prefix = ''): [string, (string | undefined)[]][] {
  return above.commands.flatMap((command) =>
    command.commands.length > 0
      ? commandsWithOptions(command, `${command.name()} `)
      : [
          [
            `${prefix}${command.name()}`,
            command.options.filter(({ hidden }) => !hidden).map(({ long }) => long),
          ],
        ],
  );
}

test('docs/prove/reason-codes.md lists exactly the reason codes, with their meanings', () => {
  const rows = tableRows(page('docs/prove/reason-codes.md')).slice(1);
  expect(rows.map(([code = '', meaning]) => [code.replaceAll('`', ''), meaning])).toEqual(
    Object.entries(REASON_CODES),
  );
});

test('docs/prove/command-line.md has the exit codes and every command with every option', () => {
  const guide = page('docs/prove/command-line.md');
  for (const [code, meaning] of Object.entries(EXIT_CODES)) {
    expect(tableRows(guide)).toContainEqual([code, meaning]);
  }
  const sections = guide.split(/^## /m);
  for (const [name, options] of commandsWithOptions(buildProgram(() => {}))) {
    const section = sections.find((text) => text.startsWith(`\`quod ${name}`));
    expect(section, name).toBeDefined();
    const documented = [...(section ?? '').matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(documented.sort(), name).toEqual(options.sort());
  }
});

test('the README names every command', () => {
  for (const command of buildProgram(() => {}).commands) {
    expect(page('README.md')).toContain(`quod ${command.name()}`);
  }
});
