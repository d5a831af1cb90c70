/** One MCP server over a surface, for one connection or one request: every method of the protocol that Quod answers. */
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isRecord } from '../../core/json.ts';
import { nearestNames } from '../../core/names/nearest-names.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import type { McpSurface } from './surface.ts';

/** The input goes on as it came: the protocol's own schema passes over a `__proto__` in it, which operations refuse. */
const calledTool = z.object({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isRecord, { error: 'is no object' }).optional(),
});

/** How many values a completion answers at most; the protocol's own limit. */
const MOST_COMPLETIONS = 100;

export function makeMcpServer(surface: McpSurface): McpServer {
  const { tools, unlisted = [], prompts, resources } = surface;
  const callable = [...tools, ...unlisted];
  const facade = new McpServer(
    { name: 'quod', title: 'Quod', version: readPackageVersion() },
    {
      instructions: surface.instructions,
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    },
  );
  // The facade derives schemas from zod values of its own; ours are derived once for all faces, so the methods are
  // ours.
  const { server } = facade;

  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listing }) => listing) }));
  server.setRequestHandler('tools/call', { params: calledTool }, async (params, context) => {
    const tool = callable.find(({ listing }) => listing.name === params.name);
    if (tool === undefined) {
      const names = callable.map(({ listing }) => listing.name);
      const nearest = nearestNames(params.name, names)[0];
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
      );
    }
    return tool.call(params.arguments ?? {}, context);
  });

  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ listing }) => listing) }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ listing }) => listing.name === params.name);
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
    }
    const values = params.arguments ?? {};
    for (const { name, required } of prompt.listing.arguments ?? []) {
      if (required === true && values[name] === undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `${params.name} needs the argument ${name}.`,
        );
      }
    }
    return prompt.get(values);
  });

  server.setRequestHandler('resources/list', async (_request, { mcpReq }) => ({
    resources: [...(await resources.list(mcpReq.signal))],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...resources.templates],
  }));
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => {
    const found = await resources.read(params.uri, mcpReq.signal);
    if (found === undefined) throw new ResourceNotFoundError(params.uri);
    return found;
  });

  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq }) => {
    const values = await surface.complete(params, mcpReq.signal);
    return {
      completion: {
        values: values.slice(0, MOST_COMPLETIONS),
        total: values.length,
        hasMore: values.length > MOST_COMPLETIONS,
      },
    };
  });
  return facade;
}
