/**
 * Texts name an operation in backticks, as its clients call it, so that each face can say it in its own words; the
 * command line says the command. What every face shows names no command that stands for an operation. Messages of errors name none: they may quote a prover, and are printed as they are.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { CATALOGUE, COMPATIBLE_CATALOGUES } from '../operations/catalogue.ts';
import { commandEntries } from './cli/man-and-completions/command-tree.ts';
import { inCommandWords } from './cli/terminal/command-words.ts';
import { COMPATIBLE_SERVERS } from './cli/terminal/shared-options.ts';
import { wholeProgram } from './cli/whole-program.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const NAMES = CATALOGUE.map(({ name }) => name).join('|');
/** A name that stands by itself: not in backticks, a path, a longer word or a string inside the text. */
const BARE = new RegExp(`(?<![\`\\w"./-]|\\bhol )(?:${NAMES})(?![\`\\w"/-])`, 'u');
const ANY = new RegExp(`\\b(?:${NAMES})\\b`, 'u');

/** The command line itself speaks of commands, and the pages of the reference of both. */
const ABOUT_COMMANDS = /^faces\/(?:cli|reference)\//u;

/** What only models read, and what the gate reports as the backend of a verdict. */
const LEFT_OUT = /^(?:agent-targets\/|faces\/mcp\/prompts|faces\/reference\/|gate\/hol4\/judge\/hol4-judge)/u;

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(path),
);

interface Text {
  readonly place: string;
  readonly text: string;
  /** Whether it is the message of an error. */
  readonly isMessage: boolean;
}

const texts: readonly Text[] = sources.flatMap((path) => {
  const source = readFileSync(join(root, path), 'utf8');
  return new RegExp(`${NAMES}|quod `, 'u').test(source) ? textsOf(path, source) : [];
});

/** The command of each operation that everybody may call: what only a person may do is done at the command line. */
const COMMANDS = CATALOGUE.filter(({ forPeople }) => !forPeople).map(({ name }) =>
  inCommandWords(`\`${name}\``).slice(1, -1),
);

function textsOf(path: string, source: string): Text[] {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const visit = (node: ts.Node, isMessage: boolean): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${path}:${line}`, text: node.text, isMessage });
    }
    const message =
      ts.isNewExpression(node) && node.expression.getText(tree) === 'QuodError'
        ? node.arguments?.[1]
        : undefined;
    ts.forEachChild(node, (child) => visit(child, isMessage || child === message));
  };
  visit(tree, false);
  return found;
}

test('a text of the sources names an operation in backticks only', () => {
  const isProse = ({ place, text }: Text): boolean => !LEFT_OUT.test(place) && /\s/.test(text);
  expect(texts.filter((one) => isProse(one) && BARE.test(one.text))).toEqual([]);
});

test('a text that every face shows names no command of an operation, which MCP clients could not run', () => {
  const command = new RegExp(`\\b(?:${COMMANDS.join('|')})(?![\\w-])`, 'u');
  const isForAll = ({ place }: Text): boolean => !ABOUT_COMMANDS.test(place);
  expect(texts.filter((one) => isForAll(one) && command.test(one.text))).toEqual([]);
});

test('what stands behind an operation, as in `agent_show` with `context`, is an option of it', () => {
  const named = texts.flatMap(({ place, text }) =>
    [...text.matchAll(/`([a-z_]+)` with `([a-z_]+)`/gu)].flatMap(([, name, option]) => {
      const operation = CATALOGUE.find((one) => one.name === name);
      return operation === undefined || option === undefined ? [] : [{ place, operation, option }];
    }),
  );
  expect(named.length).toBeGreaterThan(1);
  for (const { place, operation, option } of named) {
    expect(Object.keys(operation.inputSchema().properties), place).toContain(option);
    expect(operation.positional, place).not.toContain(option);
  }
});

test('the message of an error names no operation', () => {
  const messages = texts.filter(({ place, isMessage }) => isMessage && !LEFT_OUT.test(place));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter(({ text }) => ANY.test(text))).toEqual([]);
});

describe('the command line', () => {
  const entries = commandEntries(wholeProgram());
  const paths = new Set(entries.map(({ path }) => path));

  test.each(CATALOGUE.map(({ name }) => name))('has a command for %s', (name) => {
    expect(paths).toContain(inCommandWords(`\`${name}\``).slice(1, -1));
  });

  test('speaks of commands in its help, and of no operation', () => {
    for (const { path, description, options, arguments: taken } of entries) {
      const help = [description, ...[...options, ...taken].map((one) => one.description)].join('\n');
      // `quod call` takes the name of an operation, and `quod hol holmake` has that of its command.
      if (path !== 'quod call') expect(help.replaceAll('quod hol holmake', ''), path).not.toMatch(ANY);
    }
  });

  test('knows the servers that it can stand in for', () => {
    expect([...COMPATIBLE_SERVERS].sort()).toEqual(Object.keys(COMPATIBLE_CATALOGUES).sort());
  });
});
