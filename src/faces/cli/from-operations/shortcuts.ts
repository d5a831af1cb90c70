/** The commands of the shortcuts, without what they take. */
import { Command } from 'commander';
import { SHORTCUTS, type Shortcut } from '../terminal/shortcut-table.ts';

/** What stands above shortcuts of two words. */
const SHORTCUT_GROUPS: Readonly<Record<string, string>> = {
  run: 'work with a run of the agent',
  dataset: 'work with data sets of `quod mine`',
};

/** Adds the shortcuts by name, so that the help lists them; what they take is added with the operations. */
export function addShortcuts(program: Command): void {
  for (const shortcut of SHORTCUTS) shortcutCommand(program, shortcut).summary(shortcut.summary);
}

/** The command of a shortcut, made when it is first asked for. */
export function shortcutCommand(program: Command, { words }: Shortcut): Command {
  return words.split(' ').reduce((parent, word) => {
    const known = parent.commands.find((command) => command.name() === word);
    if (known !== undefined) return known;
    const command = new Command(word).exitOverride();
    const group = SHORTCUT_GROUPS[word];
    if (group !== undefined && word !== words) command.summary(group);
    parent.addCommand(command);
    return command;
  }, program);
}
