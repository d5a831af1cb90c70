/**
 * What a run of thirty turns pays for its input, by the rules of the vendors.
 *   npx node bench/agent-tokens.ts [turns]
 * A scripted model makes one tool call a turn, each answered with about 1,500 characters; the thirtieth finds the
 * proof. Tokens are counted as four characters. Anthropic: what is marked is written at 1.25 of the price and read
 * again at 0.1, looked for at the marks and up to 20 blocks before each. OpenAI: the longest beginning that any
 * earlier request had, in steps of 128 tokens from 1,024 on, at 0.1 (the price of the models of 2025 and later).
 * Minimal lengths are left out for Anthropic.
 */
import { OWN_SETTINGS } from '../src/agent/configuration/reach.ts';
import { runAgent } from '../src/agent/run.ts';
import { mergeSettings } from '../src/agent/settings.ts';
import { startAnthropicServer } from '../src/agent/testing/scripted-anthropic-server.ts';
import { startModelServer } from '../src/agent/testing/scripted-model-server.ts';
import { MemoryLog } from '../src/agent/testing/memory-log.ts';
import { ACCEPTED, toyFile, toyTarget } from '../src/agent/testing/toy-target.ts';

const turns = Number(process.argv[2] ?? 30);
const LONG = 'n, m : nat\nIH : forall k, n + k = k + n\n'.repeat(36);

/** A toy whose tools answer at length, and whose descriptions are as long as the real ones. */
function wordyTarget() {
  const target = toyTarget();
  return {
    ...target,
    tools: target.tools.map((tool) => ({ ...tool, description: `${tool.description} `.repeat(60) })),
    statement: `Lemma toy : Toy.\n${'(* what is known of toys *)\n'.repeat(100)}`,
    openToolSession: async (signal: AbortSignal) => {
      const toolSession = await target.openToolSession(signal);
      return {
        ...toolSession,
        call: async (...call: Parameters<typeof toolSession.call>) => {
          const answer = await toolSession.call(...call);
          return answer.check?.proof == null ? { ...answer, text: `${answer.text}\n${LONG}` } : answer;
        },
      };
    },
  };
}

const tokens = (value: unknown): number => JSON.stringify(value).length / 4;

interface Block {
  readonly text: string;
  readonly marked: boolean;
}

/** A request as Anthropic reads it: tools, system, messages; each block with its mark. */
function blocksOf({ tools = [], system = [], messages }: Record<string, unknown>): Block[] {
  const block = (value: unknown): Block => {
    const { cache_control: mark, ...rest } = value as Record<string, unknown>;
    return { text: JSON.stringify(rest), marked: mark !== undefined };
  };
  const list = (value: unknown): unknown[] =>
    Array.isArray(value) ? value : [{ type: 'text', text: value }];
  return [
    ...list(tools).map(block),
    ...list(system).map(block),
    ...(messages as { role: string; content: unknown }[]).flatMap(({ role, content }) =>
      list(content).map((part) => block({ role, ...(part as object) })),
    ),
  ];
}

const LOOKBACK = 20;

function paidToAnthropic(requests: readonly Record<string, unknown>[]): { sent: number; paid: number } {
  const cached = new Set<string>();
  let sent = 0;
  let paid = 0;
  for (const request of requests) {
    const blocks = blocksOf(request);
    const prefixes = blocks.map((_, index) =>
      blocks
        .slice(0, index + 1)
        .map(({ text }) => text)
        .join('\n'),
    );
    const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
    const read = Math.max(
      -1,
      ...marks.flatMap((mark) =>
        Array.from({ length: LOOKBACK + 1 }, (_, back) => mark - back).filter((at) =>
          cached.has(prefixes[at] ?? '-'),
        ),
      ),
    );
    const written = marks.at(-1) ?? -1;
    for (const [index, { text }] of blocks.entries()) {
      const size = text.length / 4;
      sent += size;
      paid += size * (index <= read ? 0.1 : index <= written ? 1.25 : 1);
    }
    for (const mark of marks) cached.add(prefixes[mark] ?? '-');
  }
  return { sent, paid };
}

function paidToOpenAi(requests: readonly Record<string, unknown>[]): { sent: number; paid: number } {
  const earlier: string[] = [];
  let sent = 0;
  let paid = 0;
  for (const { tools, messages } of requests) {
    const text = JSON.stringify([tools, ...(messages as unknown[])]);
    let shared = 0;
    for (const before of earlier) {
      let length = 0;
      while (length < before.length && before[length] === text[length]) length += 1;
      shared = Math.max(shared, length);
    }
    const cached = shared / 4 < 1024 ? 0 : Math.floor(shared / 4 / 128) * 128;
    sent += tokens([tools, messages]);
    paid += text.length / 4 - cached * 0.9;
    earlier.push(text);
  }
  return { sent, paid };
}

async function drive(model: string, providers: object): Promise<void> {
  await runAgent({
    log: new MemoryLog(),
    files: [toyFile(wordyTarget())],
    settings: mergeSettings({
      ...{ model, providers, searchFirst: false, plans: 1, plansExecuted: 1, planning: 'direct' },
      ...{ toolCallsPerPlan: turns, historyMessages: 4 * turns, failuresBeforeCritic: 2 * turns },
    }),
    quod: 'bench',
    environment: { ANTHROPIC_API_KEY: 'key' },
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
}

const proofOf = (turn: number): string => (turn < turns ? `step ${turn}.` : ACCEPTED);
const line = (vendor: string, count: number, { sent, paid }: { sent: number; paid: number }): void => {
  console.log(
    `${vendor}: ${count} turns, ${Math.round(sent)} input tokens sent, paid as ${Math.round(paid)} (${Math.round(paid / count)} a turn)`,
  );
};

{
  const requests: Record<string, unknown>[] = [];
  let turn = 0;
  const server = await startModelServer((request) => {
    if (request.tools === undefined) return { text: '{"score": 5}' };
    requests.push({ ...request });
    turn += 1;
    return { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof: proofOf(turn) }) }] };
  });
  await drive('scripted/toy', { scripted: { url: server.url, free: true } });
  await server.close();
  line('OpenAI', requests.length, paidToOpenAi(requests));
}
{
  const requests: Record<string, unknown>[] = [];
  let turn = 0;
  const server = await startAnthropicServer((request) => {
    const asked = { ...request } as Record<string, unknown>;
    if (asked['tools'] === undefined) return { text: '{"score": 5}' };
    requests.push(asked);
    turn += 1;
    return { call: { name: 'rocq_check_proof', input: { proof: proofOf(turn) } } };
  });
  process.env['ANTHROPIC_BASE_URL'] = server.url;
  await drive('anthropic/claude-sonnet-4-20250514', {});
  await server.close();
  line('Anthropic', requests.length, paidToAnthropic(requests));
}
