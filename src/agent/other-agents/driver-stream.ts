/**
 * What other command-line agents write while they work, one JSON object a line: Claude Code with
 * `--output-format stream-json`, Codex with `exec --json`. Pure: a line in, what it tells out. Lines that are no
 * JSON and events that say nothing of interest tell nothing; both programs add new ones now and then.
 */
import { z } from 'zod';
import { orZero } from '../../core/entry.ts';
import type { ToolCall } from '../models/conversation.ts';
import { BEYOND_COUNTING, countedUp } from '../models/prices.ts';
import type { Usage } from '../models/prices.ts';
import { sessionName } from '../runs/session-name.ts';

export type DriverName = 'claude-code' | 'codex';

export type DriverEvent =
  | { readonly kind: 'session'; readonly id: string }
  /** A message of the model. `results` are answers of tools, also of calls told before. */
  | {
      readonly kind: 'said';
      /** Of the message, parts of which other events may tell; undefined where it has no name. */
      readonly id: string | undefined;
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly results: readonly string[];
      /** Counts as an answer of the model: results alone do not. */
      readonly message: boolean;
      /** Of the whole message, as far as it is known. */
      readonly usage: Usage | undefined;
    }
  | {
      readonly kind: 'ended';
      readonly failed: boolean;
      readonly message: string;
      /** US dollars, where the program tells. */
      readonly cost: number | null;
      /** Of the whole turn; undefined where the program does not tell. */
      readonly usage: Usage | undefined;
    };

export function readDriverLine(driver: DriverName, line: string): readonly DriverEvent[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  switch (driver) {
    case 'claude-code':
      return claudeEvents(value);
    case 'codex':
      return codexEvents(value);
  }
}

/** What is written as more than any number is that, not nothing. */
const beyondCounting = ({ value }: { readonly value: unknown }): number | undefined =>
  value === Number.POSITIVE_INFINITY ? BEYOND_COUNTING : undefined;
const count = z
  .number()
  .nonnegative()
  .catch((said) => orZero(beyondCounting(said)))
  .default(0);

const claudeUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const claudeBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool_result'), content: z.unknown() }),
]);

const claudeLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('system'), session_id: sessionName.optional().catch(undefined) }),
  z.object({
    type: z.enum(['assistant', 'user']),
    message: z.object({
      id: z.string().optional().catch(undefined),
      content: z.unknown(),
      usage: claudeUsage.optional().catch(undefined),
    }),
  }),
  z.object({
    type: z.literal('result'),
    subtype: z.string().default(''),
    is_error: z.boolean().default(false),
    result: z.string().optional().catch(undefined),
    session_id: sessionName.optional().catch(undefined),
    total_cost_usd: z
      .number()
      .nullable()
      .default(null)
      .catch((said) => beyondCounting(said) ?? null)
      // A cost below nothing is none that was told.
      .transform((cost) => (cost !== null && cost < 0 ? null : cost)),
    usage: claudeUsage.optional().catch(undefined),
  }),
]);

function claudeEvents(value: unknown): readonly DriverEvent[] {
  const parsed = claudeLine.safeParse(value);
  if (!parsed.success) return [];
  const line = parsed.data;
  switch (line.type) {
    case 'system':
      return line.session_id === undefined ? [] : [{ kind: 'session', id: line.session_id }];
    case 'assistant':
    case 'user': {
      const { id, content, usage } = line.message;
      const blocks = (Array.isArray(content) ? content : []).flatMap((block) => {
        const known = claudeBlock.safeParse(block);
        return known.success ? [known.data] : [];
      });
      const isMessage = line.type === 'assistant';
      // What the user's own side said is known.
      const texts = isMessage ? blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [];
      const calls = blocks.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ id: block.id, name: block.name, input: JSON.stringify(block.input ?? {}) }]
          : [],
      );
      const results = blocks.flatMap((block) =>
        block.type === 'tool_result' ? [textOfContent(block.content)] : [],
      );
      return [
        {
          kind: 'said',
          id,
          text: texts.join('\n'),
          calls,
          results,
          message: isMessage,
          usage: usage && usageOfClaude(usage),
        },
      ];
    }
    case 'result': {
      const { subtype, is_error: failed, result, session_id: id, total_cost_usd: cost, usage } = line;
      return [
        ...(id === undefined ? [] : [{ kind: 'session' as const, id }]),
        {
          kind: 'ended',
          failed: failed || (subtype !== '' && subtype !== 'success'),
          message: result ?? subtype,
          cost,
          usage: usage && usageOfClaude(usage),
        },
      ];
    }
  }
}

function usageOfClaude(usage: z.output<typeof claudeUsage>): Usage {
  const { input_tokens: fresh, cache_creation_input_tokens: kept, cache_read_input_tokens: read } = usage;
  return {
    inputTokens: [kept, read].reduce(countedUp, fresh),
    cachedTokens: read,
    outputTokens: usage.output_tokens,
  };
}

/** Results are a text, or blocks with texts. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
    )
    .join('');
}

const codexLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: sessionName }),
  z.object({
    type: z.literal('item.completed'),
    item: z.looseObject({ id: z.string().default(''), type: z.string() }),
  }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
      .optional()
      .catch(undefined),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string().default('') }) }),
  z.object({ type: z.literal('error'), message: z.string().default('') }),
]);

function codexEvents(value: unknown): readonly DriverEvent[] {
  const parsed = codexLine.safeParse(value);
  if (!parsed.success) return [];
  const line = parsed.data;
  const ended = (failed: boolean, message: string, usage?: Usage): readonly DriverEvent[] => [
    { kind: 'ended', failed, message, cost: null, usage },
  ];
  switch (line.type) {
    case 'thread.started':
      return [{ kind: 'session', id: line.thread_id }];
    case 'turn.completed': {
      const { usage } = line;
      return ended(
        false,
        'success',
        usage && {
          inputTokens: usage.input_tokens,
          cachedTokens: usage.cached_input_tokens,
          outputTokens: usage.output_tokens,
        },
      );
    }
    case 'turn.failed':
      return ended(true, line.error.message);
    case 'error':
      return ended(true, line.message);
    case 'item.completed':
      return codexItem(line.item);
  }
}

function codexItem(
  item: { readonly id: string; readonly type: string } & Record<string, unknown>,
): readonly DriverEvent[] {
  const said = (
    text: string,
    {
      name,
      input,
      result,
      message,
    }: {
      readonly name: string;
      readonly input?: unknown;
      readonly result: string;
      readonly message: boolean;
    },
  ): readonly DriverEvent[] => [
    {
      kind: 'said',
      id: undefined,
      text,
      calls: name === '' ? [] : [{ id: item.id, name, input: JSON.stringify(input ?? {}) }],
      results: result === '' ? [] : [result],
      message,
      usage: undefined,
    },
  ];
  switch (item.type) {
    case 'agent_message':
      return said(textField(item, 'text'), { name: '', result: '', message: true });
    case 'mcp_tool_call': {
      const { server, tool, arguments: input, result, error } = item;
      const text =
        error == null ? textOfContent((result as { content?: unknown } | null)?.content) : messageOf(error);
      // A turn of the model leads to each call, which Codex does not tell by itself.
      return said('', {
        name: `mcp__${String(server)}__${String(tool)}`,
        input,
        result: text,
        message: true,
      });
    }
    case 'command_execution':
      return said('', {
        name: 'command',
        input: { command: item['command'] },
        result: textField(item, 'aggregated_output'),
        message: true,
      });
    case 'file_change':
      return said('', {
        name: 'file_change',
        input: { changes: item['changes'] },
        result: '',
        message: true,
      });
    case 'error':
      return said(textField(item, 'message'), { name: '', result: '', message: false });
    default:
      return [];
  }
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
}

function textField(item: Readonly<Record<string, unknown>>, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : '';
}
