/** The manual page quod(1), made from the commands. */
import { onOneLine } from '../../../core/sentence.ts';
import type { CommandEntry } from './command-tree.ts';
import { EXIT_CODES } from '../exit/exit-codes.ts';

export function manPage(entries: readonly CommandEntry[], version: string): string {
  const [program, ...commands] = entries;
  if (program === undefined) throw new RangeError('There is no program.');
  return [
    '.\\" Made from the commands by `npm run reference`; do not edit.',
    `.TH QUOD 1 "" ${argument(`Quod ${version}`)} "User Commands"`,
    '.SH NAME',
    `quod \\- ${text(lowerFirst(program.description).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B quod',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR]',
    '.SH DESCRIPTION',
    text(program.description),
    'Each command tells what it takes with',
    '.BR \\-\\-help .',
    '.SH OPTIONS',
    ...program.options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_CODES).flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '',
  ].join('\n');
}

function commandLines({ path, usage, description, arguments: taken, options }: CommandEntry): string[] {
  return [
    `.SS ${argument(`${path} ${usage}`)}`,
    text(description),
    ...taken.flatMap((one) =>
      one.description === '' ? [] : ['.TP', `.I ${text(one.name)}`, text(one.description)],
    ),
    ...options.filter(({ name }) => name !== '--help').flatMap(optionLines),
  ];
}

function optionLines({ flags, description, choices }: CommandEntry['options'][number]): string[] {
  const known = choices === undefined ? '' : `: ${choices.join(', ')}`;
  return ['.TP', `.B ${text(flags)}`, text(`${description}${known}`)];
}

/** Text that roff takes as it is: hyphens are what one types, and no line is taken for a request. */
function text(words: string): string {
  const escaped = onOneLine(words).replaceAll('\\', '\\e').replaceAll('-', '\\-');
  const ascii = escaped.replace(/[^\0-\x7e]/gu, (letter) => `\\[u${codeOf(letter)}]`);
  return /^[.']/.test(ascii) ? `\\&${ascii}` : ascii === '' ? '\\&' : ascii;
}

function argument(words: string): string {
  return `"${text(words).replaceAll('"', '\\(dq')}"`;
}

/** Roff's name of a character: at least four hexadecimal digits in capitals. */
function codeOf(letter: string): string {
  return Number(letter.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
