/** What an MCP server offers, apart from how it is reached: tools, resources and prompts as plain values. */
import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';

export interface McpTool {
  readonly listing: Tool;
  /** Answers a failure that the model should see as a result with `isError`. */
  readonly call: (input: Record<string, unknown>, context: ServerContext) => Promise<CallToolResult>;
}

export interface McpPrompt {
  readonly listing: Prompt;
  readonly get: (values: Readonly<Record<string, string>>) => GetPromptResult | Promise<GetPromptResult>;
}

export interface McpResources {
  readonly list: (signal: AbortSignal) => Promise<readonly Resource[]>;
  readonly templates: readonly ResourceTemplateType[];
  /** Undefined when there is no such resource. */
  readonly read: (uri: string, signal: AbortSignal) => Promise<ReadResourceResult | undefined>;
}

export interface McpSurface {
  readonly instructions: string;
  readonly tools: readonly McpTool[];
  /** Not listed, and can be called all the same. */
  readonly unlisted?: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: McpResources;
  /** Values that a prompt's argument or a part of a resource's address may have, best first. */
  readonly complete: (params: CompleteRequestParams, signal: AbortSignal) => Promise<readonly string[]>;
}
