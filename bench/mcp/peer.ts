/**
 * The same calls through Quod and through rocq-mcp, each over MCP on stdio and both over the same petanque:
 * `npx node bench/mcp/peer.ts --peer PROGRAM`, with `pet` in PATH. PROGRAM is the peer's own command (`rocq-mcp`),
 * installed from its source. A session is opened at a theorem; then twenty steps are sent, some of which Rocq
 * refuses, each from the state behind the last that went through.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Command } from 'commander';
import { PROOF_STEPS, STATEMENT } from './proof-steps.ts';

const { peer, rounds } = new Command()
  .requiredOption('--peer <program>', 'the command of rocq-mcp')
  .option('--rounds <n>', 'how often the twenty calls are made', Number, 10)
  .parse()
  .opts<{ peer: string; rounds: number }>();

type Answer = Record<string, unknown>;

/** One server: how a session is opened and a step is made in it. */
interface Contestant {
  readonly name: string;
  readonly open: () => Promise<void>;
  /** Whether Rocq took the step. */
  readonly step: (sentence: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const folder = await mkdtemp(join(tmpdir(), 'quod-bench-peer-'));
await writeFile(join(folder, 'a.v'), `Require Import Lia Arith.\n${STATEMENT}\nProof.\nAdmitted.\n`);

async function connect(
  command: string,
  args: string[],
): Promise<{
  readonly call: (name: string, input: Answer) => Promise<Answer>;
  readonly close: () => Promise<void>;
}> {
  const client = new Client({ name: 'bench', version: '1' });
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      cwd: folder,
      env: { ...env, QUOD_ROCQ_BACKEND: 'petanque' },
      stderr: 'ignore',
    }),
  );
  return {
    call: async (name, input) => {
      const { structuredContent, content } = await client.callTool(
        { name, arguments: input },
        { timeout: 300_000 },
      );
      if (structuredContent !== undefined) return structuredContent as Answer;
      const [first] = content;
      return first?.type === 'text' ? (JSON.parse(first.text) as Answer) : {};
    },
    close: () => client.close(),
  };
}

async function quod(): Promise<Contestant> {
  const program = fileURLToPath(new URL('../../src/faces/cli/start.ts', import.meta.url));
  const { call, close } = await connect(process.execPath, [program, 'mcp', '--workspace', folder]);
  let session: unknown;
  let from: unknown;
  return {
    name: 'quod',
    open: async () => {
      const opened = await call('rocq_open', { file: 'a.v', theorem: 'l' });
      [session, from] = [opened['session_id'], opened['state']];
      if (session === undefined) throw new Error(JSON.stringify(opened));
    },
    step: async (script) => {
      const answer = await call('rocq_step', { session_id: session, from, script });
      from = answer['state'];
      return answer['error'] === null;
    },
    close,
  };
}

async function rocqMcp(): Promise<Contestant> {
  const { call, close } = await connect(peer, []);
  let from: unknown;
  return {
    name: 'rocq-mcp',
    open: async () => {
      const opened = await call('rocq_start', { file: 'a.v', theorem: 'l', workspace: folder });
      from = opened['state_id'];
      if (from === undefined) throw new Error(JSON.stringify(opened));
    },
    step: async (body) => {
      const answer = await call('rocq_check', { body, from_state: from, workspace: folder });
      const taken = answer['success'] === true;
      if (taken) from = answer['state_id'];
      return taken;
    },
    close,
  };
}

const median = (values: readonly number[], share = 0.5): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

const contestants = [await quod(), await rocqMcp()];
const opening = new Map<string, number[]>();
const steps = new Map<string, number[]>();
const warmingUp = new Map<string, number[]>();
const took = async (
  work: () => Promise<unknown>,
  into: Map<string, number[]>,
  name: string,
): Promise<void> => {
  const started = performance.now();
  await work();
  into.set(name, [...(into.get(name) ?? []), performance.now() - started]);
};
try {
  for (let round = 0; round <= rounds; round += 1) {
    const outcomes: string[] = [];
    // In turns, the other one first each time; the first round warms both up.
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const taken: boolean[] = [];
      await took(() => contestant.open(), round === 0 ? warmingUp : opening, contestant.name);
      for (const sentence of PROOF_STEPS) {
        // A comment makes each round's sentence a new one: nothing is answered from memory.
        const work = async (): Promise<unknown> =>
          taken.push(await contestant.step(`(* ${round} *) ${sentence}`));
        await took(work, round === 0 ? warmingUp : steps, contestant.name);
      }
      outcomes.push(taken.join());
    }
    if (new Set(outcomes).size !== 1) throw new Error(`Different answers:\n${outcomes.join('\n')}`);
  }
} finally {
  for (const { close } of contestants) await close();
  await rm(folder, { recursive: true });
}

for (const [what, times] of [
  ['a session opened again', opening],
  ['a step', steps],
] as const) {
  const [own = [], others = []] = contestants.map(({ name }) => times.get(name) ?? []);
  console.log(
    `${what}: quod p50 ${median(own).toFixed(1)} ms, p95 ${median(own, 0.95).toFixed(1)} ms; rocq-mcp p50 ` +
      `${median(others).toFixed(1)} ms, p95 ${median(others, 0.95).toFixed(1)} ms; ratio of medians ${(median(own) / median(others)).toFixed(2)}`,
  );
}
