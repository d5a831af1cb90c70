import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REASON_CODES } from '../../core/reason.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { buildProgram } from './main.ts';

const page = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

/** The cells of each row of the tables of a page. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

test('docs/reason-codes.md lists exactly the reason codes, with their meanings', () => {
  const rows = tableRows(page('docs/reason-codes.md')).slice(1);
  expect(rows.map(([code = '', meaning]) => [code.replaceAll('`', ''), meaning])).toEqual(
    Object.entries(REASON_CODES),
  );
});

test('docs/command-line.md has the exit codes and every command with every option', () => {
  const guide = page('docs/command-line.md');
  for (const [code, meaning] of Object.entries(EXIT_CODES)) {
    expect(tableRows(guide)).toContainEqual([code, meaning]);
  }
  const sections = guide.split(/^## /m);
  for (const command of buildProgram(() => {}).commands) {
    const section = sections.find((text) => text.startsWith(`\`quod ${command.name()}`));
    expect(section, command.name()).toBeDefined();
    const documented = [...(section ?? '').matchAll(/^\| `(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(documented.sort(), command.name()).toEqual(command.options.map(({ long }) => long).sort());
  }
});

test('the README names every command', () => {
  for (const command of buildProgram(() => {}).commands) {
    expect(page('README.md')).toContain(`quod ${command.name()}`);
  }
});
