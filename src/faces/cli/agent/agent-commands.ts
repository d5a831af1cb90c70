/** `quod agent`, `resume`, `run original` and `bench run`: proving with language models. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { AgentOptions } from './agent-command.ts';
import { milliseconds } from '../terminal/duration.ts';
import type { BenchOptions } from './bench-command.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { amount, count, fileName } from '../terminal/option-values.ts';
import { addAlias } from '../terminal/shared-options.ts';

export function addAgentCommands(program: Command, finish: (code: ExitCode) => void): void {
  const agent = program
    .command('agent')
    .summary('prove with language models, under budgets, never their own judge')
    .description(
      'Proves the holes of a file with the model of your choice, or without one by the offline search. A proof counts once the gate accepts it. Every run is logged and can be resumed.',
    )
    .argument('[file]', 'a Rocq file or an HOL4 script', fileName)
    .option(
      '-t, --task <file>',
      'work on the targets of a task file, in contexts that hand off to each other',
    )
    .option('-p, --prompt <text>', 'task: what to say to the model first')
    .option('-c, --instructions <file>', 'task: the project’s instructions (default: AGENTS.md or CLAUDE.md)')
    .addOption(new Option('--claude-md <file>', 'task: the same as --instructions').conflicts('instructions'))
    .option('--fresh', 'task: start a new run, also where one on this task is not finished')
    .addOption(new Option('--driver <name>', 'task: who works').choices(['quod', 'claude-code', 'codex']))
    .option('--theorem <name...>', 'prove these theorems only')
    .addOption(
      new Option('--mode <mode>', 'plans and tools, or samples of whole proofs').choices([
        'plan',
        'few-shot',
      ]),
    )
    .addOption(new Option('--planning <way>', 'how a plan is made').choices(['debate', 'direct']))
    .option('--rounds <number>', 'few-shot: rounds in which a sample sees its error', count)
    .option('--no-search-first', 'do not try the offline search before the models')
    .option('--config <file>', 'settings as JSON (default .quod/agent.json)')
    .option('--outside', 'with --task: also files outside of this folder, which the task names')
    .option('--print-config', 'print all settings and end');
  addAlias(agent, 'theorem', 'theorems');
  addRunOptions(agent).action(async (file: string | undefined, options: AgentOptions, command: Command) => {
    const { agentCommand } = await import('./agent-command.ts');
    finish(await agentCommand(file, withoutDefaults(options, command)));
  });

  addRunOptions(
    program
      .command('resume')
      .summary('go on with a run of the agent')
      .description('Goes on where the log of a run ends. No call that was answered is made again.')
      .argument(
        '[run]',
        'its name, the beginning of it, or `last`; without one, those that are not finished are named',
      )
      .option('--outside', 'go on also with files outside of this folder, which the log names'),
  ).action(async (name: string | undefined, options: AgentOptions) => {
    const { resumeCommand } = await import('./agent-command.ts');
    finish(await resumeCommand(name, options));
  });

  // The group is there already, for the shortcuts in it.
  const runCommands = program.commands.find((command) => command.name() === 'run') ?? program.command('run');
  runCommands
    .command('original')
    .summary('print a file as it was before a run')
    .description('Prints the file that a run worked on as it was when the run began.')
    .argument('<run>', 'its name, the beginning of it, or `last`')
    .option('--file <file>', 'which one, when the run worked on several')
    .action(async (name: string, options: { readonly file?: string }) => {
      const { originalCommand } = await import('./original-command.ts');
      finish(originalCommand(name, options));
    });
  const bench = program
    .command('bench')
    .summary('measure methods of the agent on a set of theorems')
    .description('Benchmarks of the agent and the search on theorems of your choice.');
  bench
    .command('compare')
    .summary('two benchmarks side by side')
    .description('Compares the methods of the same name in two folders of results, theorem by theorem.')
    .argument('<one>', 'a folder of results of `quod bench run`')
    .argument('<other>', 'another one')
    .action(async (one: string, other: string) => {
      const { compareCommand } = await import('./bench-command.ts');
      finish(compareCommand(one, other));
    });
  bench
    .command('run')
    .summary('run a benchmark, or go on with it')
    .description(
      'Runs each method of a specification on each theorem, as a logged run, and writes tables and plots from the logs. Called again, it goes on where it was.',
    )
    .argument('<spec>', 'a specification in JSON')
    .option('--out <folder>', 'where runs and the report go (default: beside the specification)')
    .option('--report-only', 'only make the report of what was run, as the logs say it')
    .option('--outside', 'also files outside of this folder, which the specification names')
    .action(async (spec: string, options: BenchOptions) => {
      const { benchCommand } = await import('./bench-command.ts');
      finish(await benchCommand(spec, options));
    });
}

/** What can be said about a run at its start and when it is resumed. */
function addRunOptions(command: Command): Command {
  return command
    .option('-m, --model <provider/model>', 'the model, such as anthropic/claude-sonnet-5 or ollama/qwen3')
    .option('--max-cost <dollars>', 'spend no more than this', amount)
    .option('--max-time <time>', 'work no longer than this: 90s, 10m', milliseconds)
    .option('--max-tool-calls <number>', 'call no more tools than this', count)
    .option(
      '--max-messages <number>',
      'call models no more often than this; with --task: messages of a context before a fresh one goes on (100)',
      count,
    )
    .option('--jobs <number>', 'theorems at once', count)
    .option('--set <setting=value...>', 'any other setting of --print-config')
    .option('--write', 'put accepted proofs into the file')
    .option('--allow-open', 'exit with 0 also when a proof rests on statements of the file that are open')
    .option('--json', 'print the events of the run, one JSON object a line')
    .option('--steered', 'as --json, and read messages to the model from the input: {"say": "…"}, one a line')
    .option(
      '--held',
      'as --steered, and ask and write nothing before the line {"begin": true} is read, which is waited for behind the name of the run',
    );
}

/** `--no-search-first` has a default in commander, which would hide what the environment and the file say. */
function withoutDefaults(options: AgentOptions, command: Command): AgentOptions {
  if (command.getOptionValueSource('searchFirst') !== 'default') return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'searchFirst'));
}
