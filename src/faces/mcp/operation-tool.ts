/** An operation as an MCP tool: schemas, annotations, structured results, errors with reasons, and signs of life. */
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { AnyOperation, Progress } from '../../operations/definition/operation.ts';
import { asQuodError, errorWithReason, errorObject } from '../error-object.ts';
import type { Host } from '../host.ts';
import { paceProgress, progressText } from '../paced-progress.ts';
import { listedSchema } from './listed-schema.ts';
import type { McpTool } from './surface.ts';

/** Where a failed result carries `{reason, message, …}`. Not in `structuredContent`, which older clients hold to the
 * schema of successful answers and then hide the error behind their own. */
export const ERROR_META_KEY = 'quod/error';

export interface OperationToolChoice {
  readonly host: Host;
  readonly client: string;
  /** Whether the listing says what the answers look like. */
  readonly outputSchemas: boolean;
}

export function operationTool(
  operation: AnyOperation,
  { host, client, outputSchemas }: OperationToolChoice,
): McpTool {
  return {
    // Made when the tools are listed: a client that has just connected does not wait for sixty schemas.
    get listing() {
      return toolListing(operation, outputSchemas);
    },
    call: async (input, context) => {
      const progress = paceProgress(progressSender(context));
      try {
        const answer = await host.calls.answer(operation, input, {
          client,
          signal: context.mcpReq.signal,
          progress: progress.report,
        });
        return {
          content: [{ type: 'text', text: answer.text() }],
          structuredContent: answer.value,
        };
      } catch (error) {
        return errorResult(error);
      } finally {
        progress.stop();
      }
    },
  };
}

export function errorResult(thrown: unknown): CallToolResult {
  const error = asQuodError(thrown);
  return {
    isError: true,
    content: [{ type: 'text', text: errorWithReason(error) }],
    _meta: { [ERROR_META_KEY]: errorObject(error) },
  };
}

export function toolListing(operation: AnyOperation, outputSchemas: boolean): Tool {
  const { readOnly, destructive, idempotent, openWorld } = operation.annotations;
  return {
    name: operation.name,
    title: operation.title,
    description: [operation.summary, operation.details].filter((part) => part !== '').join('\n\n'),
    inputSchema: { ...listedSchema(operation) } as Tool['inputSchema'],
    ...(outputSchemas && { outputSchema: { ...operation.outputSchema() } }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/**
 * Sends progress to clients that asked for it. Its number is seconds, since it must grow also when the work does
 * not.
 */
function progressSender({ mcpReq }: ServerContext): (progress: Progress, elapsedMs: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return (progress, elapsedMs) => {
    const params = { progressToken, progress: elapsedMs / 1000, message: progressText(progress) };
    // A client that went away cancels the call; that it could not be told of its progress is nothing more.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
