/**
 * The answers of another server (`--compat`) in the form that its clients read. RocqStar's agent parses every answer as
 * JSON and knows no error of the protocol; clients of fstar-mcp look for `status` in a failed answer.
 */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { withRemedy } from '../../core/errors.ts';
import type { ErrorObject } from '../error-object.ts';
import { ERROR_META_KEY } from './operation-tool.ts';
import type { McpSurface, McpTool } from './surface.ts';

const FORMS = {
  rocqstar: {
    listing: (listing: Tool): Tool => {
      const own = { ...listing };
      delete own.outputSchema;
      return own;
    },
    answer: ({ content }: CallToolResult): CallToolResult => ({ content }),
    failure: (message: string): CallToolResult => jsonResult({ success: false, message }),
  },
  'fstar-mcp': {
    listing: (listing: Tool): Tool => listing,
    answer: (result: CallToolResult): CallToolResult => result,
    failure: (message: string): CallToolResult => ({
      ...jsonResult({ status: 'error', error: message }),
      isError: true,
    }),
  },
} as const;

export type CompatibleServer = keyof typeof FORMS;

export function isCompatibleServer(name: string | undefined): name is CompatibleServer {
  return name !== undefined && name in FORMS;
}

export function compatibleSurface(server: CompatibleServer, surface: McpSurface): McpSurface {
  const form = FORMS[server];
  const inForm = ({ listing, call }: McpTool): McpTool => ({
    listing: form.listing(listing),
    call: async (input, context) => {
      const result = await call(input, context);
      if (result.isError !== true) return form.answer(result);
      // Under this key stands what `operationTool` put there.
      const told = withRemedy(result._meta?.[ERROR_META_KEY] as ErrorObject);
      return { ...form.failure(told), _meta: result._meta };
    },
  });
  return { ...surface, tools: surface.tools.map(inForm) };
}

function jsonResult(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
