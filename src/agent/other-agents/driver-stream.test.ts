/** Lines as the programs write them: Claude Code’s `stream-json`, Codex’s `exec --json`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BEYOND_COUNTING } from '../models/prices.ts';
import { eventSchema } from '../runs/events.ts';
import { driverArguments } from './driver-command.ts';
import { readDriverLine } from './driver-stream.ts';

const claude = (value: unknown) => readDriverLine('claude-code', JSON.stringify(value));
const codex = (value: unknown) => readDriverLine('codex', JSON.stringify(value));

test('Claude Code: session, messages with calls, results of tools, cost', () => {
  expect(claude({ type: 'system', subtype: 'init', session_id: 's1', tools: [], mcp_servers: [] })).toEqual([
    { kind: 'session', id: 's1' },
  ]);
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 20,
    output_tokens: 5,
  };
  const counted = { inputTokens: 33, cachedTokens: 20, outputTokens: 5 };
  expect(
    claude({
      type: 'assistant',
      session_id: 's1',
      message: {
        id: 'm1',
        role: 'assistant',
        usage,
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I try.' },
          { type: 'tool_use', id: 't1', name: 'mcp__quod__rocq_try', input: { a: 1 } },
        ],
      },
    }),
  ).toEqual([
    {
      kind: 'said',
      id: 'm1',
      text: 'I try.',
      calls: [{ id: 't1', name: 'mcp__quod__rocq_try', input: '{"a":1}' }],
      results: [],
      message: true,
      usage: counted,
    },
  ]);
  expect(
    claude({
      type: 'user',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'ok' }] },
          { type: 'tool_result', tool_use_id: 't2', content: 'plain' },
        ],
      },
    }),
  ).toMatchObject([{ text: '', calls: [], results: ['ok', 'plain'], message: false }]);
  expect(
    claude({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done.',
      session_id: 's1',
      total_cost_usd: 0.25,
      usage,
    }),
  ).toEqual([
    { kind: 'session', id: 's1' },
    { kind: 'ended', failed: false, message: 'Done.', cost: 0.25, usage: counted },
  ]);
  expect(claude({ type: 'result', subtype: 'error_max_turns', is_error: true })).toMatchObject([
    { kind: 'ended', failed: true, message: 'error_max_turns', cost: null },
  ]);
});

test('Codex: thread, items, usage, failures', () => {
  expect(codex({ type: 'thread.started', thread_id: 'th' })).toEqual([{ kind: 'session', id: 'th' }]);
  expect(codex({ type: 'turn.started' })).toEqual([]);
  expect(codex({ type: 'item.started', item: { id: 'i', type: 'mcp_tool_call' } })).toEqual([]);
  expect(
    codex({ type: 'item.completed', item: { id: 'i0', type: 'agent_message', text: 'Hi.' } }),
  ).toMatchObject([{ text: 'Hi.', calls: [], message: true }]);
  expect(
    codex({
      type: 'item.completed',
      item: {
        id: 'i1',
        type: 'mcp_tool_call',
        server: 'quod',
        tool: 'rocq_fill',
        arguments: { file: 'a.v' },
        result: { content: [{ type: 'text', text: 'Written' }], structured_content: null },
        error: null,
        status: 'completed',
      },
    }),
  ).toMatchObject([
    { calls: [{ id: 'i1', name: 'mcp__quod__rocq_fill', input: '{"file":"a.v"}' }], results: ['Written'] },
  ]);
  expect(
    codex({
      type: 'item.completed',
      item: {
        id: 'i2',
        type: 'mcp_tool_call',
        server: 'quod',
        tool: 'x',
        error: { message: 'user cancelled MCP tool call' },
        status: 'failed',
      },
    }),
  ).toMatchObject([{ results: ['user cancelled MCP tool call'] }]);
  expect(
    codex({
      type: 'turn.completed',
      usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 7 },
    }),
  ).toEqual([
    {
      kind: 'ended',
      failed: false,
      message: 'success',
      cost: null,
      usage: { inputTokens: 100, cachedTokens: 40, outputTokens: 7 },
    },
  ]);
  expect(codex({ type: 'turn.failed', error: { message: 'quota' } })).toMatchObject([
    { failed: true, message: 'quota' },
  ]);
});

test('whatever else is written is not an error', () => {
  const lines = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        type: fc.constantFrom('assistant', 'result', 'item.completed', 'user'),
        message: fc.anything(),
        item: fc.anything(),
      })
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(lines, fc.constantFrom('claude-code' as const, 'codex' as const), (line, driver) => {
      for (const { kind } of readDriverLine(driver, line))
        expect(['session', 'said', 'ended']).toContain(kind);
    }),
  );
});

const TURN = {
  mcp: { command: 'node', args: ['quod', 'mcp'] },
  mcpFile: '/m.json',
  model: 'big',
  session: 's1',
};

test('command lines: nobody is asked, only Quod’s tools write, an earlier session goes on', () => {
  expect(driverArguments('claude-code', TURN).join(' ')).toBe(
    '--print --output-format stream-json --verbose --mcp-config /m.json --strict-mcp-config --allowedTools mcp__quod,Read,Grep,Glob --disallowedTools Bash,Edit,MultiEdit,Write,NotebookEdit,WebFetch,WebSearch,Task,Agent --model=big --resume s1',
  );
  expect(driverArguments('codex', { ...TURN, model: null })).toEqual([
    ...['exec', '--json', '--skip-git-repo-check', '--sandbox', 'read-only'],
    ...['-c', 'mcp_servers.quod.command="node"'],
    ...['-c', 'mcp_servers.quod.args=["quod","mcp"]'],
    ...['-c', 'mcp_servers.quod.default_tools_approval_mode="approve"'],
    ...['resume', 's1', '-'],
  ]);
});

test.each(['--settings=evil.json', '-c', '', 'a b', 'a=b', '/tmp/s', `a${'b'.repeat(200)}`, 'é', 'a\n'])(
  'what could be an option is no session: %j',
  (session) => {
    const lines = [
      claude({ type: 'system', session_id: session }),
      claude({ type: 'result', session_id: session }),
      codex({ type: 'thread.started', thread_id: session }),
    ].flat();
    expect(lines.filter(({ kind }) => kind === 'session')).toEqual([]);
    for (const kind of ['driver-started', 'driver-ended']) {
      const counts = { usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }, cost: null };
      const times = { calls: 0, toolCalls: 0, ms: 0 };
      const event = { kind, key: 'k', driver: 'codex', session, outcome: 'ended', message: '' };
      expect(eventSchema.parse({ ...event, ...counts, ...times })).toMatchObject({ session: null });
    }
    expect(driverArguments('codex', { ...TURN, model: session })).toContain(`--model=${session}`);
  },
);

test('a number that is larger than any is no small one', () => {
  const line = '{"type":"result","total_cost_usd":1e999,"usage":{"input_tokens":1e999,"output_tokens":1}}';
  const [ended] = readDriverLine('claude-code', line);
  expect(ended).toMatchObject({ cost: BEYOND_COUNTING, usage: { inputTokens: BEYOND_COUNTING } });
});
