/**
 * Stands in for `claude` and `codex` in tests: takes their command lines, speaks their stream formats, and calls
 * Quod's real MCP server. What it does in each turn is in a file: STAND_IN_SCRIPT names a JSON list of turns, each
 * a list of steps. It writes down how it was called in STAND_IN_LOG. Exported functions make the program that a
 * test puts into PATH.
 */
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type StandInStep =
  | { readonly say: string }
  | { readonly call: string; readonly input: object }
  /** Changes a file behind Quod's back. */
  | { readonly overwrite: string; readonly text: string; readonly latin1?: boolean }
  | { readonly hang: true }
  /** What it says in the end that the turn cost, and from now on of tokens. */
  | { readonly costs: number; readonly tokens?: number }
  /** Leaves a process behind that has its output open for so many seconds. */
  | { readonly leave: number }
  /**
   * Leaves a process behind that puts a text in the place of a file when the run's log has a word. `hides`: with nothing of
   * the driver's in its environment.
   */
  | {
      readonly exchange: string;
      readonly text: string;
      readonly when: string;
      readonly runs: string;
      readonly hides: boolean;
    }
  | { readonly crash: string };

export interface StandInCall {
  readonly arguments: readonly string[];
  readonly prompt: string;
}

/** Puts a program of that name into a folder. */
export function writeStandIn(folder: string, name: 'claude' | 'codex'): string {
  const file = join(folder, name);
  const self = fileURLToPath(import.meta.url);
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${self}' ${name} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

async function main([name, ...commandLine]: readonly string[]): Promise<void> {
  const { STAND_IN_SCRIPT: script = '', STAND_IN_LOG: log = '' } = process.env;
  let prompt = '';
  for await (const part of process.stdin.setEncoding('utf8')) prompt += String(part);
  const turn = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).split('\n').length - 1;
  appendFileSync(log, `${JSON.stringify({ arguments: commandLine, prompt } satisfies StandInCall)}\n`);
  const steps = (JSON.parse(readFileSync(script, 'utf8')) as StandInStep[][])[turn] ?? [];
  const speak = name === 'claude' ? speakClaude : speakCodex;
  speak({ kind: 'begin' });
  let costs = 0.5;
  let tokens: number | undefined;
  const client = new McpClient(launchOf(name ?? '', commandLine));
  for (const step of steps) {
    if ('say' in step) speak({ kind: 'said', text: step.say }, tokens);
    else if ('overwrite' in step)
      writeFileSync(step.overwrite, step.text, step.latin1 === true ? 'latin1' : 'utf8');
    else if ('costs' in step) ({ costs, tokens } = step);
    else if ('hang' in step) await new Promise((resolve) => setTimeout(resolve, 1_000_000));
    else if ('leave' in step)
      spawn('sleep', [String(step.leave)], {
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
      }).unref();
    else if ('exchange' in step) leaveExchanger(step);
    else if ('crash' in step) {
      process.stderr.write(`${step.crash}\n`);
      process.exit(3);
    } else {
      speak({ kind: 'calls', tool: step.call, input: step.input });
      speak({
        kind: 'result',
        tool: step.call,
        input: step.input,
        text: await client.call(step.call, step.input),
      });
    }
  }
  speak({ kind: 'end', costs }, tokens);
  client.close();
}

const EXCHANGER = `
const { exchange, text, when, runs } = JSON.parse(process.argv[1]);
const { readdirSync, readFileSync, writeFileSync, renameSync } = require('node:fs');
const said = () =>
  readdirSync(runs, { recursive: true })
    .filter((name) => name.endsWith('events.jsonl'))
    .some((name) => readFileSync(runs + '/' + name, 'utf8').includes(when));
const look = () => {
  if (!said()) return setTimeout(look, 2);
  writeFileSync(exchange + '.other', text);
  renameSync(exchange + '.other', exchange);
};
setTimeout(() => process.exit(), 60_000).unref();
look();
`;

function leaveExchanger(step: Extract<StandInStep, { readonly exchange: string }>): void {
  spawn(process.execPath, ['-e', EXCHANGER, JSON.stringify(step)], {
    detached: true,
    stdio: 'ignore',
    ...(step.hides && { env: {} }),
  }).unref();
}

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

function launchOf(name: string, commandLine: readonly string[]): Launch {
  if (name === 'claude') {
    const file = commandLine[commandLine.indexOf('--mcp-config') + 1] ?? '';
    return (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { quod: Launch } }).mcpServers.quod;
  }
  const value = (key: string): unknown => {
    const found = commandLine.find((one) => one.startsWith(`mcp_servers.quod.${key}=`)) ?? '';
    return JSON.parse(found.slice(found.indexOf('=') + 1));
  };
  return { command: value('command') as string, args: value('args') as string[] };
}

type Speech =
  | { readonly kind: 'begin' }
  | { readonly kind: 'end'; readonly costs: number }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'calls'; readonly tool: string; readonly input: object }
  | { readonly kind: 'result'; readonly tool: string; readonly input: object; readonly text: string };

const write = (value: object): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

function speakClaude(speech: Speech, tokens = 100): void {
  const usage = {
    input_tokens: tokens,
    output_tokens: tokens / 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = (type: string, content: object): void =>
    write({ type, session_id: 'session-1', message: { content: [content], usage } });
  switch (speech.kind) {
    case 'begin':
      write({ type: 'system', subtype: 'init', session_id: 'session-1', tools: [], mcp_servers: [] });
      break;
    case 'said':
      message('assistant', { type: 'text', text: speech.text });
      break;
    case 'calls':
      message('assistant', {
        type: 'tool_use',
        id: 'call',
        name: `mcp__quod__${speech.tool}`,
        input: speech.input,
      });
      break;
    case 'result':
      message('user', {
        type: 'tool_result',
        tool_use_id: 'call',
        content: [{ type: 'text', text: speech.text }],
      });
      break;
    case 'end':
      write({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'Done.',
        session_id: 'session-1',
        total_cost_usd: speech.costs,
        usage,
      });
      break;
  }
}

function speakCodex(speech: Speech): void {
  switch (speech.kind) {
    case 'begin':
      write({ type: 'thread.started', thread_id: 'thread-1' });
      write({ type: 'turn.started' });
      break;
    case 'said':
      write({ type: 'item.completed', item: { id: 'm', type: 'agent_message', text: speech.text } });
      break;
    case 'calls':
      break;
    case 'result':
      write({
        type: 'item.completed',
        item: {
          ...{ id: 'c', type: 'mcp_tool_call', server: 'quod', tool: speech.tool, arguments: speech.input },
          ...{ result: { content: [{ type: 'text', text: speech.text }] }, error: null, status: 'completed' },
        },
      });
      break;
    case 'end':
      write({
        type: 'turn.completed',
        usage: { input_tokens: 1000, cached_input_tokens: 0, output_tokens: 100 },
      });
      break;
  }
}

/** As little of MCP as a call takes. */
class McpClient {
  readonly #launch: Launch;
  #server: ReturnType<typeof this.start> | undefined;
  #number = 0;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  start() {
    const child = spawn(this.#launch.command, this.#launch.args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Record<string, unknown>;
      waiting.get(Number(answer['id']))?.(answer);
    });
    const ask = (method: string, params: object): Promise<Record<string, unknown>> => {
      const id = ++this.#number;
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    };
    return { child, ask };
  }

  async call(name: string, input: object): Promise<string> {
    if (this.#server === undefined) {
      this.#server = this.start();
      const clientInfo = { name: 'stand-in', version: '1' };
      await this.#server.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      this.#server.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    }
    const { result } = (await this.#server.ask('tools/call', { name, arguments: input })) as {
      result?: { content?: { text?: string }[] };
    };
    return result?.content?.map(({ text = '' }) => text).join('\n') ?? 'no result';
  }

  close(): void {
    this.#server?.child.stdin.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
