/**
 * The `quod` command. This file knows the commands and their options; what a command does is imported when it is run,
 * so that `quod --help` and shell completions start at once.
 */
import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { addAgentCommands } from './agent/agent-commands.ts';
import type { Shell } from './man-and-completions/completions.ts';
import type { InstallOptions } from './serving/install-command.ts';
import type { McpOptions } from './serving/mcp-command.ts';
import type { ProveOptions } from './prove/file-search.ts';
import type { ServeOptions } from './serving/serve-command.ts';
import type { UiOptions } from './serving/ui-command.ts';
import type { VerifyOptions } from './judge/verify-command.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import type { ExitCode } from './exit/exit-codes.ts';
import { addShortcuts } from './from-operations/shortcuts.ts';
import { SHORTCUTS } from './terminal/shortcut-table.ts';
import { addAlias, backendOption, compatibleOption } from './terminal/shared-options.ts';
import { normalCommandLine, withoutVainHelp } from './terminal/command-line.ts';
import { currentFolder } from './terminal/from-here.ts';
import { milliseconds } from './terminal/duration.ts';
import { addBatchOptions, addLeanCommands, addLeanPolicyOptions } from './judge/lean-commands.ts';
import { count, fileName, fileNames, onlyOne, port, wholeNumber } from './terminal/option-values.ts';
import { QuodError } from '../../core/errors.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { INGREDIENTS } from '../../search/candidates/candidate.ts';
import { PROOF_STYLES } from '../../search/script/style/file-style.ts';
import { MCP_CLIENTS } from '../install/clients.ts';

const TOOLS_HELP = 'core, installed (without those of provers that are not there) or all';

/** The first words of commands that are made from the operations, which are loaded only for them. */
export const OPERATION_WORDS: readonly string[] = [
  ...['rocq', 'lean', 'fstar', 'hol', 'proof', 'gate', 'data', 'agent', 'call'],
];

/** Runs one command line and answers the exit code. Never rejects. */
export async function main(given: readonly string[]): Promise<ExitCode> {
  const commandLine = normalCommandLine(given);
  let exitCode: ExitCode = 0;
  const finish = (code: ExitCode): void => {
    exitCode = code;
  };
  const program = buildProgram(finish).hook('preAction', requireCurrentFolder);
  try {
    if (mayBeOperation(program, commandLine)) {
      const { addOperationCommands } = await import('./from-operations/operation-commands.ts');
      addOperationCommands(program, await operationsMeant(commandLine), finish, commandLine);
    }
    pointToOwnHelp(program);
    await refuseWordOfArea(program, commandLine);
    await program.parseAsync(withoutVainHelp(program, commandLine), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; asking for help or the version is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { printError } = await import('./terminal/print-error.ts');
    return printError(error, { json: commandLine.includes('--json') });
  }
}

/** Whatever is asked: every command begins at the folder in which it is run. @throws QuodError `not-found`. */
function requireCurrentFolder(): void {
  if (currentFolder() !== undefined) return;
  throw new QuodError('not-found', 'The folder in which `quod` was run is not there any more.', {
    remedy: 'Go to one that is there (`cd`), and run the command again.',
  });
}

/** Whether the command may be one of an operation: it begins with the word for some, and none of ours is meant. */
function mayBeOperation(program: Command, [first, second]: readonly string[]): boolean {
  if (SHORTCUTS.some(({ words }) => words.split(' ')[0] === first)) return true;
  const own = program.commands.find((command) => command.name() === first);
  if (own?.commands.some((command) => command.name() === second)) return false;
  return [first, second].some((word) => word !== undefined && OPERATION_WORDS.includes(word));
}

/** The operation that the command line names; all of them where it names none. */
async function operationsMeant(commandLine: readonly string[]): Promise<readonly AnyOperation[]> {
  const [first, second = ''] = commandLine;
  const shortcut = SHORTCUTS.find(({ words }) =>
    words.split(' ').every((word, index) => word === commandLine[index]),
  );
  const name = first === 'call' ? second : `${first}_${second.replaceAll('-', '_')}`;
  const { loadOperation } = await import('../../operations/load-operation.ts');
  const operation = await loadOperation(shortcut?.operation ?? name);
  if (operation !== undefined) return [operation];
  return (await import('../../operations/catalogue.ts')).CATALOGUE;
}

/** Words that are spelt like no command are looked for among the operations, which are loaded only for them. */
async function refuseWordOfArea(program: Command, [first = '-']: readonly string[]): Promise<void> {
  const isKnown = program.commands.some(
    (command) => command.name() === first || command.aliases().includes(first),
  );
  if (isKnown || first === 'help' || !/^[a-z]/u.test(first)) return;
  const { refuseUnknownWord } = await import('./from-operations/unknown-command.ts');
  const { CATALOGUE } = await import('../../operations/catalogue.ts');
  refuseUnknownWord(program, first, CATALOGUE);
}

/** Has every command end the message of a wrong command line with the command that lists what it takes. */
function pointToOwnHelp(command: Command, before: readonly string[] = []): void {
  const words = [...before, command.name()];
  const listed = command.commands.length > 0 ? 'commands and options' : 'arguments and options';
  command.showHelpAfterError(`(${words.join(' ')} --help lists the ${listed})`);
  for (const inner of command.commands) pointToOwnHelp(inner, words);
}

/** The commands and their options. `finish` gets the exit code of the one that is run. */
export function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('quod')
    .description('Proves theorems and judges proofs, offline.')
    .version(readPackageVersion())
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      // What a shortcut takes is known when the operations are loaded, which help alone does not need.
      subcommandTerm: (command) => {
        const takes = SHORTCUTS.find(({ words }) => words === command.name())?.takes;
        return takes === undefined
          ? new Help().subcommandTerm(command)
          : `${command.name()} [options] ${takes}`;
      },
    })
    .addHelpText(
      'after',
      '\nEvery operation is a command too: quod rocq --help, and so lean, fstar, hol, proof, gate, data, agent; quod call OPERATION takes JSON.',
    );

  const prove = program
    .command('prove')
    .summary('find proofs for the holes of a file or project')
    .description(
      'Finds proofs for the holes of files and prints them. A hole is Admitted, admit, give_up, Abort or an empty proof. Files change only with --write. Of HOL4, F* and Lean files the holes are listed.',
    )
    .argument('<path...>', 'Rocq files, or folders of them', fileNames)
    .option('--theorem <name...>', 'prove these theorems only')
    .addOption(new Option('--all-holes', 'prove every hole (the default)').conflicts('theorem'))
    .option('--budget <time>', 'time for each theorem: 500ms, 60s, 2m (default 60s)', milliseconds)
    .option('--nodes <number>', 'nodes for each theorem instead of a time: makes a run reproducible', count)
    .option('--jobs <number>', 'provers that run at once', count)
    .option('--seed <number>', 'seed of every random choice', wholeNumber, 0)
    .addOption(
      new Option('--style <style>', 'how proofs are written: terse, or readable with everything named')
        .choices(PROOF_STYLES)
        .default('terse'),
    )
    .addOption(
      new Option(
        '--without <ingredient...>',
        'switch off an ingredient of the search (for measurements)',
      ).choices(INGREDIENTS),
    )
    .addOption(backendOption())
    .option('--build', 'first compile what the file requires of its project')
    .addOption(
      new Option('--watch', 'prove again whenever a file changes, until Ctrl+C').conflicts(['write', 'diff']),
    )
    .addOption(
      new Option(
        '--write',
        'put the proofs into the file; with --diff the patch that was made is printed, and `patch -R -p1` takes it back',
      ),
    )
    .addOption(new Option('--diff', 'print a patch instead of the proofs').conflicts('json'))
    .addOption(new Option('--json', 'print one JSON object a line for each theorem'))
    .option('--allow-open', 'exit with 0 also when a proof rests on statements of the file that are open')
    .action(async (paths: string[], options: ProveOptions) => {
      const { proveCommand } = await import('./prove/prove-command.ts');
      finish(await proveCommand(paths, options));
    });
  addAlias(prove, 'theorem', 'theorems');
  addShortcuts(program);

  const verify = program
    .command('verify')
    .summary('judge a submission against the statements of a target')
    .description(
      'Judges whether SUBMISSION proves the statements of TARGET, in a fresh process, without trusting the submission.',
    )
    .argument('[target]', 'the file with the trusted statements', fileName)
    .argument(
      '[submission...]',
      'the file with the proofs; several are judged against the one target',
      fileNames,
    )
    .option('--policy <file>', 'what is allowed: a TOML or JSON file', onlyOne)
    .option('--require-sandbox', 'judge nothing where there is no sandbox')
    .option('--allow-open', 'exit with 0 also when a proof rests on statements that are open')
    .option(
      '--report <file>',
      'write a report with hashes, versions, policy, statements and findings',
      onlyOne,
    )
    .option('--attest <key>', 'sign the report with this Ed25519 key (PEM), into FILE.dsse.json', onlyOne)
    .option('--json', 'print the verdict as one JSON object');
  addBatchOptions(addLeanPolicyOptions(verify)).action(
    async (target: string | undefined, submissions: string[], options: VerifyOptions) => {
      const { verifyCommand } = await import('./judge/verify-command.ts');
      finish(await verifyCommand(target, submissions, options));
    },
  );

  addLeanCommands(program, finish);

  const mcp = program
    .command('mcp')
    .summary('serve the operations to an AI client over MCP')
    .description(
      'Serves the operations as MCP tools over standard input and output, and ends when the client closes them.',
    )
    .addOption(
      new Option('--tools <which>', `${TOOLS_HELP}, or areas: rocq,gate; default: core`).conflicts('compat'),
    )
    .addOption(
      new Option('--without <areas>', 'areas of which no operation can be called: agent,data').conflicts(
        'compat',
      ),
    )
    .option('--output-schemas', 'list the schemas of the answers too')
    .addOption(compatibleOption())
    .option('--workspace <folder>', 'the folder whose files the client may name', '.')
    .option('--any-path', 'let the client name files outside the workspace too')
    .action(async (options: McpOptions) => {
      const { mcpCommand } = await import('./serving/mcp-command.ts');
      finish(await mcpCommand(options));
    });

  for (const [name, summary] of [
    ['install', 'add Quod to the settings of an AI client'],
    ['uninstall', 'take Quod out of the settings of an AI client'],
  ] as const) {
    const command = mcp
      .command(name)
      .summary(summary)
      .description('Shows how the settings would change, asks, and changes nothing else in them.')
      .requiredOption('--client <name>', Object.keys(MCP_CLIENTS).join(', '))
      .option('--yes', 'do not ask');
    if (name === 'install')
      command.option('--command <command>', 'how the client starts Quod; default: this one');
    command.action(async () => {
      const { installCommand, uninstallCommand } = await import('./serving/install-command.ts');
      const options = command.optsWithGlobals<InstallOptions>();
      finish(await (name === 'install' ? installCommand : uninstallCommand)(options));
    });
  }

  program
    .command('ui')
    .summary('open the workbench of a folder in the browser')
    .description(
      'Serves the workbench of FOLDER on the loopback address, for this user only, and opens the browser at it. Where a server of the folder runs already, its page is opened.',
    )
    .argument('[folder]', 'the folder whose proofs are worked on', '.')
    .option('--port <number>', 'the port; default: that of the last time, else any that is free', port)
    .option('--no-open', 'print the link and open no browser')
    .action(async (folder: string, options: UiOptions) => {
      const { uiCommand } = await import('./serving/ui-command.ts');
      finish(await uiCommand(folder, options));
    });

  program
    .command('serve')
    .summary('serve the operations over HTTP: MCP, REST and pages to read')
    .description(
      'Serves every operation on the loopback address: the workbench at /ui/, MCP at /mcp, REST at /api, documentation at /docs. Prints the token that callers need.',
    )
    .option('--port <number>', 'the port; 0 takes any that is free', port, 4770)
    .option('--no-auth', 'ask callers for no token')
    .addOption(
      new Option(
        '--tools <which>',
        `the MCP tools: ${TOOLS_HELP}; or areas, for all callers: rocq,gate; default: core`,
      ).conflicts('compat'),
    )
    .option('--output-schemas', 'list the schemas of the answers of MCP tools too')
    .addOption(compatibleOption())
    .option('--workspace <folder>', 'the folder whose files callers may name', '.')
    .option('--any-path', 'let callers name files outside the workspace too')
    .action(async (options: ServeOptions) => {
      const { serveCommand } = await import('./serving/serve-command.ts');
      finish(await serveCommand(options));
    });

  addAgentCommands(program, finish);

  program
    .command('completions')
    .summary('print what makes a shell complete commands and options')
    .description(
      'Prints completions for a shell. bash: `eval "$(quod completions bash)"` in ~/.bashrc; zsh: the same in ~/.zshrc, after compinit; fish: `quod completions fish > ~/.config/fish/completions/quod.fish`.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell) => {
      const { completionsCommand } = await import('./man-and-completions/completions-command.ts');
      const { addOperationCommands } = await import('./from-operations/operation-commands.ts');
      const { CATALOGUE } = await import('../../operations/catalogue.ts');
      addOperationCommands(program, CATALOGUE, finish);
      finish(completionsCommand(shell, program));
    });

  return program;
}
