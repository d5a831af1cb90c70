/** The tools, resources and prompts that the MCP conformance suite asks a server for, on Quod's own MCP face. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { orNothing } from '../../src/core/entry.ts';
import { errorResult } from '../../src/faces/mcp/operation-tool.ts';
import type { McpPrompt, McpSurface, McpTool } from '../../src/faces/mcp/surface.ts';

/** One red pixel, and a tenth of a second of silence. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const EMBEDDED = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'An embedded resource.' },
});

export const CONFORMANCE_SURFACE: McpSurface = {
  instructions: 'Answers what the conformance suite asks for.',
  tools: [
    tool('test_simple_text', () => [text('This is a simple text response for testing.')]),
    tool('test_image_content', () => [{ type: 'image', data: IMAGE, mimeType: 'image/png' }]),
    tool('test_audio_content', () => [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }]),
    tool('test_embedded_resource', () => [EMBEDDED('test://embedded-resource')]),
    tool('test_multiple_content_types', () => [
      text('Multiple content types test:'),
      { type: 'image', data: IMAGE, mimeType: 'image/png' },
      EMBEDDED('test://mixed-content-resource'),
    ]),
    tool('test_tool_with_logging', async ({ mcpReq }) => {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: message } });
        await pause(50);
      }
      return [text('Logged.')];
    }),
    tool('test_tool_with_progress', async ({ mcpReq }) => {
      const { progressToken = 0 } = mcpReq._meta ?? {};
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
        await pause(50);
      }
      return [text('Done.')];
    }),
    tool('test_error_handling', () => {
      throw new Error('This tool intentionally returns an error for testing');
    }),
    tool('test_reconnection', async ({ http }) => {
      http?.closeSSE?.();
      await pause(100);
      return [text('Answered after the stream was closed.')];
    }),
    {
      ...tool('json_schema_2020_12_tool', () => [text('Called.')]),
      listing: {
        name: 'json_schema_2020_12_tool',
        description: 'Has a schema with definitions of its own.',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          $defs: {
            address: {
              $anchor: 'addressDef',
              type: 'object',
              properties: { street: { type: 'string' }, city: { type: 'string' } },
            },
          },
          properties: {
            name: { type: 'string' },
            address: { $ref: '#/$defs/address' },
            contactMethod: { type: 'string', enum: ['phone', 'email'] },
            phone: { type: 'string' },
            email: { type: 'string' },
          },
          allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
          if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
          then: { required: ['phone'] },
          else: { required: ['email'] },
          additionalProperties: false,
        },
      },
    },
  ],
  resources: {
    list: () =>
      Promise.resolve([
        { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
      ]),
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
    read: (uri) => {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
      if (id !== undefined) {
        return Promise.resolve({
          contents: [
            { uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${id}` }) },
          ],
        });
      }
      if (uri === 'test://static-text') {
        return Promise.resolve({
          contents: [{ uri, mimeType: 'text/plain', text: 'A static text resource.' }],
        });
      }
      if (uri === 'test://static-binary') {
        return Promise.resolve({ contents: [{ uri, mimeType: 'image/png', blob: IMAGE }] });
      }
      return Promise.resolve(undefined);
    },
  },
  prompts: [
    prompt('test_simple_prompt', [], () => [text('This is a simple prompt for testing.')]),
    prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
      text(`Prompt with arguments: arg1='${orNothing(arg1)}', arg2='${orNothing(arg2)}'`),
    ]),
    prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri }) => [
      EMBEDDED(orNothing(resourceUri)),
      text('Please process the embedded resource above.'),
    ]),
    prompt('test_prompt_with_image', [], () => [
      { type: 'image', data: IMAGE, mimeType: 'image/png' },
      text('Please analyze the image above.'),
    ]),
  ],
  complete: ({ argument }) =>
    Promise.resolve(['paris', 'park', 'party'].filter((word) => word.startsWith(argument.value))),
};

type Content = CallToolResult['content'];

function text(content: string): Content[number] & { type: 'text' } {
  return { type: 'text', text: content };
}

function tool(name: string, run: (context: ServerContext) => Content | Promise<Content>): McpTool {
  return {
    listing: { name, description: `For ${name}.`, inputSchema: { type: 'object', properties: {} } },
    call: async (_input, context) => {
      try {
        return { content: await run(context) };
      } catch (error) {
        return errorResult(error);
      }
    },
  };
}

function prompt(
  name: string,
  required: readonly string[],
  content: (values: Readonly<Record<string, string>>) => readonly Content[number][],
): McpPrompt {
  return {
    listing: {
      name,
      description: `For ${name}.`,
      arguments: required.map((argument) => ({ name: argument, description: argument, required: true })),
    },
    get: (values) => ({
      messages: content(values).map((part) => ({ role: 'user' as const, content: part })),
    }),
  };
}
