/** `tools_search` and `tools_call`: the way to the operations that a client is not shown. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { nearestNames } from '../../core/names/nearest-names.ts';
import { parseInput } from '../../operations/definition/call-operation.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { PROVER_AREAS } from '../../sessions/installed-provers.ts';
import type { ProverArea } from '../../sessions/installed-provers.ts';
import { listedSchema } from './listed-schema.ts';
import { errorResult } from './operation-tool.ts';
import type { McpTool } from './surface.ts';

const MOST_FOUND = 10;

const searchInput = z.strictObject({
  query: z.string().min(1),
  limit: z.int().min(1).max(MOST_FOUND).default(3),
});

const callInput = z.strictObject({
  name: z.string(),
  input: z.record(z.string(), z.unknown()).default({}),
});

export interface FoundTools {
  readonly operations: readonly AnyOperation[];
  readonly installed: readonly ProverArea[];
  /** Each operation as a tool, by its name. */
  readonly tools: ReadonlyMap<string, McpTool>;
}

export function findingTools(found: FoundTools): readonly McpTool[] {
  const areas = [...new Set(found.operations.map(({ area }) => area))].join(', ');
  return [
    {
      listing: {
        name: 'tools_search',
        title: 'Find more tools',
        description: `Finds tools that are not listed here, with their inputs. There are ${found.operations.length}, of the areas ${areas}. Ask in a few words, or name a tool or an area; then call with tools_call.`,
        inputSchema: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'Such as "print assumptions" or "hol".' },
            limit: { type: 'integer', default: 3, description: `At most ${MOST_FOUND}.` },
          },
          required: ['query'],
          additionalProperties: false,
        },
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      call: (input) => answered(() => Promise.resolve(searched(found, parseInput(searchInput, input)))),
    },
    {
      listing: {
        name: 'tools_call',
        title: 'Call a tool that was found',
        description: 'Calls a tool that tools_search found. The answer is that of the tool.',
        inputSchema: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            input: { type: 'object', description: 'As the tool’s own schema says.' },
          },
          required: ['name'],
          additionalProperties: false,
        },
        annotations: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        },
      },
      call: (input, context) =>
        answered(async () => {
          const { name, input: inner } = parseInput(callInput, input);
          const tool = found.tools.get(name);
          if (tool === undefined) throw unknownTool(name, [...found.tools.keys()]);
          return tool.call(inner, context);
        }),
    },
  ];
}

async function answered(answer: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await answer();
  } catch (error) {
    return errorResult(error);
  }
}

function unknownTool(name: string, names: readonly string[]): QuodError {
  const nearest = nearestNames(name, names);
  return new QuodError('invalid-input', `There is no tool ${name}.`, {
    remedy: nearest.length === 0 ? 'Ask tools_search.' : `Did you mean ${nearest.join(' or ')}?`,
  });
}

function searched({ operations, installed }: FoundTools, { query, limit }: z.output<typeof searchInput>) {
  const found = rankedOperations(query, operations).slice(0, limit);
  const text = found.map(({ name, area, summary, details, ...operation }) =>
    [
      `## ${name}${isMissing(area, installed) ? ' (its prover is not installed here)' : ''}`,
      summary,
      ...(details === '' ? [] : [details]),
      `input: ${JSON.stringify(listedSchema({ name, area, summary, details, ...operation }))}`,
    ].join('\n'),
  );
  const others = operations.filter((operation) => !found.includes(operation)).map(({ name }) => name);
  return {
    content: [
      {
        type: 'text' as const,
        text: found.length === 0 ? `Nothing fits. There are: ${others.join(', ')}.` : text.join('\n\n'),
      },
    ],
    structuredContent: {
      tools: found.map((operation) => ({
        ...{ name: operation.name, summary: operation.summary, details: operation.details },
        ...{ installed: !isMissing(operation.area, installed), input: listedSchema(operation) },
      })),
    },
  };
}

function isMissing(area: string, installed: readonly ProverArea[]): boolean {
  const prover = PROVER_AREAS.find((one) => one === area);
  return prover !== undefined && !installed.includes(prover);
}

/** How much a word of the query is worth where it is found. */
const WEIGHTS = { name: 8, title: 4, summary: 2, details: 1 } as const;

const PARTS = ['name', 'title', 'summary', 'details'] as const;

/** Best first; those that share no word with the query are left out. Words that few operations have count more. */
export function rankedOperations(
  query: string,
  operations: readonly AnyOperation[],
): readonly AnyOperation[] {
  const texts = operations.map((operation) => ({
    operation,
    words: {
      name: wordsOf(operation.name),
      title: wordsOf(operation.title),
      summary: wordsOf(operation.summary),
      details: wordsOf(operation.details),
    },
  }));
  const asked = [...wordsOf(query)].map((word) => {
    const having = texts.filter(({ words }) => PARTS.some((part) => words[part].has(word))).length;
    return [word, having === 0 ? 0 : Math.log(1 + operations.length / having)] as const;
  });
  const exact = query.trim().toLowerCase();
  return texts
    .map(({ operation, words }) => {
      const parts = PARTS.flatMap((part) =>
        asked.flatMap(([word, rarity]) => (words[part].has(word) ? [WEIGHTS[part] * rarity] : [])),
      );
      const score = parts.reduce((sum, value) => sum + value, operation.name === exact ? 1000 : 0);
      return { operation, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

/** Words in small letters, without the `s` of a plural, so that "assumptions" finds "assumption". */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}*]+/gu) ?? [];
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/u, '') : word)));
}
