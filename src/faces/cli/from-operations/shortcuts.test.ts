import { Command } from 'commander';
import { expect, it } from 'vitest';
import { orNothing } from '../../../core/entry.ts';
import { CATALOGUE } from '../../../operations/catalogue.ts';
import { buildProgram } from '../main.ts';
import { addOperationCommands } from './operation-commands.ts';
import { SHORTCUTS } from '../terminal/shortcut-table.ts';
import { shortcutCommand } from './shortcuts.ts';

it('the list of commands shows the arguments that a shortcut takes', () => {
  const program = new Command('quod');
  addOperationCommands(program, CATALOGUE, () => undefined);
  const help = buildProgram(() => undefined).helpInformation();
  for (const shortcut of SHORTCUTS) {
    const taken = shortcutCommand(program, shortcut)
      .registeredArguments.map((argument) => {
        const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${name}>` : `[${name}]`;
      })
      .join(' ');
    expect([shortcut.words, orNothing(shortcut.takes)]).toEqual([shortcut.words, taken]);
    if (taken !== '' && !shortcut.words.includes(' '))
      expect(help).toContain(`${shortcut.words} [options] ${taken} `);
  }
});
