/**
 * A command for each operation, `quod AREA VERB`, made from its schema; the same under the shortcuts; and `quod
 * call`, which takes the input as JSON.
 */
import { readFileSync } from 'node:fs';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { orNothing } from '../../../core/entry.ts';
import { lazyConstant } from '../../../core/lazy-constant.ts';
import { errorText, QuodError } from '../../../core/errors.ts';
import { decimalNumber } from '../../../core/numbers/decimal-number.ts';
import { askedJson } from '../../../core/json.ts';
import { nearestNames } from '../../../core/names/nearest-names.ts';
import type { AnyOperation } from '../../../operations/definition/operation.ts';
import { verbOf } from '../../host.ts';
import type { PropertySchema } from '../../../operations/definition/operation-schema.ts';
import { milliseconds } from '../terminal/duration.ts';
import { fileName } from '../terminal/option-values.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { inCommandWords } from '../terminal/command-words.ts';
import type { CallOptions } from './call-command.ts';
import { SHORTCUTS } from '../terminal/shortcut-table.ts';
import { addAlias } from '../terminal/shared-options.ts';
import { shortcutCommand } from './shortcuts.ts';
import { TextCommand } from './text-command.ts';

type Finish = (code: ExitCode) => void;

/**
 * Adds the commands of the operations; those of an area stand beside the commands that the area has already.
 * @param commandLine Where it names one of them, that one is enough to run it: what the others take is read from their
 * schemas, which takes longer than to check a short file.
 */
export function addOperationCommands(
  program: Command,
  operations: readonly AnyOperation[],
  finish: Finish,
  commandLine: readonly string[] = [],
): void {
  const commands = [
    ...operations.map((operation) => ({
      words: `${operation.area} ${verbOf(operation)}`,
      add: () => {
        const command = configured(new TextCommand(verbOf(operation))).summary(operation.title);
        groupOf(program, operation.area).addCommand(takingInputOf(command, operation, {}, finish));
      },
    })),
    ...SHORTCUTS.flatMap((shortcut) => {
      const operation = operations.find(({ name }) => name === shortcut.operation);
      if (operation === undefined) return [];
      const command = (): Command => shortcutCommand(program, shortcut);
      return {
        words: shortcut.words,
        add: () => void takingInputOf(command(), operation, shortcut.short ?? {}, finish),
      };
    }),
  ];
  const call = { words: 'call', add: () => void program.addCommand(callCommandOf(operations, finish)) };
  const named = [...commands, call].find(({ words }) =>
    words.split(' ').every((word, index) => word === commandLine[index]),
  );
  for (const { add } of named === undefined ? [...commands, call] : [named]) add();
}

function groupOf(program: Command, area: string): Command {
  const existing = program.commands.find((command) => command.name() === area);
  if (existing !== undefined) return existing;
  const group = configured(new Command(area)).summary(`the operations of ${area}`);
  program.addCommand(group);
  return group;
}

/** Where what is printed is to be kept in a file, which the description for all faces cannot say. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['proof_export', 'quod proof export lists.v app_nil_r > app_nil_r.html'],
]);

/** What names theorems is said either way, whether it takes one or several. */
const THEOREM_OPTIONS = new Map([
  ['theorem', 'theorems'],
  ['theorems', 'theorem'],
]);

function takingInputOf(
  command: Command,
  operation: AnyOperation,
  short: Readonly<Record<string, string>>,
  finish: Finish,
): Command {
  const { required } = operation.inputSchema();
  const properties = spokenProperties(operation);
  const paragraphs = [operation.summary, operation.details].filter((part) => part !== '');
  command.description(inCommandWords(paragraphs.join('\n\n'), operation));
  for (const name of operation.positional) {
    const schema = withoutNull(properties[name] ?? {});
    command.addArgument(positionalOf(name, schema, required.includes(name)));
  }
  const taken = operation.positional.filter((name) => name !== SESSION);
  const rest = Object.entries(properties).filter(([name]) => !taken.includes(name));
  for (const [name, schema] of rest) {
    const isArgument = operation.positional.includes(name);
    command.addOption(optionOf(name, schema, required.includes(name) && !isArgument, short[name]));
    // Its words are then those behind it, which are looked at below.
    const alias = THEOREM_OPTIONS.get(name);
    const hasAlias = alias !== undefined && properties[alias] === undefined;
    if (hasAlias) addAlias(command, name, alias);
    if (isArgument)
      for (const said of hasAlias ? [name, alias] : [name])
        command.on(`option:${kebab(said)}`, () => {
          for (const argument of command.registeredArguments) argument.argOptional();
        });
  }
  addCallOptions(command);
  const example = EXAMPLES.get(operation.name);
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`);
  return command.action(async () => {
    const options = command.opts<CallOptions & Record<string, unknown>>();
    const given = new Map<string, unknown>();
    const values =
      options[optionAttribute(SESSION)] === undefined || !operation.positional.includes(SESSION)
        ? command.processedArgs
        : [undefined, ...valuesBehind(taken, properties, command)];
    operation.positional.forEach((name, index) => {
      const value: unknown = values[index];
      // A list of which nothing was said is left out, too.
      if (!Array.isArray(value) || value.length > 0) given.set(name, value);
    });
    for (const [name] of rest) {
      // What commander presets is left out: the operation has its own defaults.
      const attribute = optionAttribute(name);
      const source = command.getOptionValueSource(attribute);
      if (source !== undefined && source !== 'default') given.set(name, options[attribute]);
    }
    const input = Object.fromEntries([...given].filter(([, value]) => value !== undefined));
    const { callCommand } = await import('./call-command.ts');
    finish(await callCommand(operation, input, options));
  });
}

/** The session of a call, which may be its first argument and an option as well. */
const SESSION = 'session_id';

/** What the words stand for where the session is named by its option: the arguments behind the session's. */
function valuesBehind(
  names: readonly string[],
  properties: Readonly<Record<string, PropertySchema>>,
  command: Command,
): unknown[] {
  const words = [...command.args];
  const values = names.map((name) => {
    const schema = withoutNull(properties[name] ?? {});
    if (schema.type === 'array')
      return words
        .splice(0)
        .reduce<unknown>((list, word) => valueOf(schema, nameIn(name, word), list), undefined);
    const word = words.shift();
    return word === undefined ? undefined : valueOf(schema, nameIn(name, word), undefined);
  });
  if (words.length > 0) command.error('error: too many arguments.');
  return values;
}

/** What the operation takes, described in the words of the command line. */
function spokenProperties(operation: AnyOperation): Readonly<Record<string, PropertySchema>> {
  return Object.fromEntries(
    Object.entries(operation.inputSchema().properties).map(([name, schema]) => [
      name,
      { ...schema, description: inCommandWords(orNothing(schema.description), operation) },
    ]),
  );
}

function callCommandOf(operations: readonly AnyOperation[], finish: Finish): Command {
  const command = configured(new Command('call'))
    .summary('call an operation with its input as JSON')
    .description('Calls an operation by its name, with its input as one JSON object.')
    .argument('<operation>', 'its name, as MCP clients see it: `rocq_outline`')
    .option('--input <json>', 'the input; - reads it from standard input', '{}');
  addCallOptions(command);
  return command.action(async (name: string, options: CallOptions & { readonly input: string }) => {
    const operation = operations.find((known) => known.name === name);
    if (operation === undefined) {
      const names = nearestNames(
        name,
        operations.map((known) => known.name),
      );
      throw new QuodError('not-found', `There is no operation ${name}.`, {
        ...(names.length > 0 && { remedy: `Did you mean ${names.join(' or ')}?` }),
      });
    }
    const { callCommand } = await import('./call-command.ts');
    finish(
      await callCommand(operation, askedJson(textOf(options.input), 'The input'), {
        ...options,
        asJson: true,
      }),
    );
  });
}

function addCallOptions(command: Command): void {
  command
    .option('--json', 'print the whole answer as one JSON object')
    .addOption(
      new Option('--server <url>', 'call this server, with the token in QUOD_TOKEN').conflicts('local'),
    )
    .option('--local', 'run it in this process, also when a server of the workspace is running');
}

function positionalOf(name: string, schema: PropertySchema, isRequired: boolean): Argument {
  const word = `${kebab(name)}${schema.type === 'array' ? '...' : ''}`;
  const argument = new Argument(isRequired ? `<${word}>` : `[${word}]`, orNothing(schema.description));
  const choices = choicesOf(schema);
  if (choices !== undefined) return argument.choices(choices);
  return argument.argParser((text, previous: unknown) => valueOf(schema, nameIn(name, text), previous));
}

/** Leaving an option out is how a command line says null: what is written is a value of the other type. */
function withoutNull(schema: PropertySchema): PropertySchema {
  if (schema.type !== undefined && typeof schema.type !== 'string') {
    const [type, ...more] = schema.type.filter((one) => one !== 'null');
    return type === undefined || more.length > 0 ? schema : { ...schema, type };
  }
  const [choice, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return choice === undefined || others.length > 0 ? schema : { ...schema, ...choice };
}

function optionOf(name: string, given: PropertySchema, isRequired: boolean, short?: string): Option {
  const schema = withoutNull(given);
  // A switch that is off by default needs no word about it.
  const isShown = schema.default !== undefined && schema.default !== false;
  const description = [
    orNothing(schema.description),
    isShown ? `(default: ${JSON.stringify(schema.default)})` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  if (schema.type === 'boolean') {
    return new Option(schema.default === true ? `--no-${kebab(name)}` : `--${kebab(name)}`, description);
  }
  const word = schema.type === 'array' ? 'value...' : isTime(name) ? 'time' : valueWord(name, schema);
  const flags = `${short === undefined ? '' : `${short}, `}--${kebab(name)} <${word}>`;
  const option = new Option(flags, description).makeOptionMandatory(isRequired);
  const choices = choicesOf(schema);
  if (choices !== undefined) return option.choices(choices);
  return option.argParser((text, previous: unknown) =>
    isTime(name) ? milliseconds(text) / 1000 : valueOf(schema, nameIn(name, text), previous),
  );
}

/** The words of which one is to be chosen, or several of a list; undefined where anything may be written. */
function choicesOf({ enum: values, items }: PropertySchema): string[] | undefined {
  const words = (values ?? items?.enum)?.filter((value) => typeof value === 'string');
  return words === undefined || words.length === 0 ? undefined : words;
}

/** Inputs in seconds, which a person may write with another unit: `500ms`, `2m`. */
function isTime(name: string): boolean {
  return /(?:^|_)(?:timeout|budget)$/u.test(name);
}

/**
 * What names a file in every operation that has it as an option. Arguments show no such word: the `target` of `holmake`
 * is one, and a theory. In schemas it is not said: some vendors refuse a tool with a `format` that they do not know.
 */
const FILES = new Set(['file', 'key', 'target', 'submission', 'axioms', 'search_in']);

/** Whose words are names of files: what comes on standard input is the text of one. */
const ONLY_NAMED = new Set(['file', 'files', 'paths', 'target', 'submission', 'search_in']);

function nameIn(name: string, word: string): string {
  return ONLY_NAMED.has(name) ? fileName(word) : word;
}

function valueWord(name: string, { type }: PropertySchema): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type !== 'string') return 'json';
  return FILES.has(name) ? 'file' : 'text';
}

/** The value that a word on the command line stands for. Whether it is allowed, the operation says. */
function valueOf(schema: PropertySchema, text: string, previous: unknown): unknown {
  switch (schema.type) {
    case 'string':
      return textOf(text);
    case 'integer':
    case 'number': {
      const value = decimalNumber(text);
      if (value === undefined) throw new InvalidArgumentError('It must be a number.');
      return value;
    }
    case 'array':
      return [
        ...(Array.isArray(previous) ? (previous as unknown[]) : []),
        valueOf(schema.items ?? {}, text, undefined),
      ];
    default:
      try {
        return askedJson(text, 'It');
      } catch (error) {
        throw new InvalidArgumentError(errorText(error));
      }
  }
}

/** `-` stands for what comes on standard input: proofs have several lines. */
function textOf(word: string): string {
  return word === '-' ? standardInput() : word;
}

/** Read once: a word can be looked at for two arguments, and behind its end there is nothing more to read. */
const standardInput = lazyConstant(() => readFileSync(0, 'utf8'));

function configured(command: Command): Command {
  return command.exitOverride();
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

/** The attribute under which commander keeps an option. */
function optionAttribute(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
