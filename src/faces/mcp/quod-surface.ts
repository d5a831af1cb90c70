/** Quod's own MCP surface: operations of the host as tools, files and goals as resources, and a few prompts. */
import { PROMPTS } from './prompts.ts';
import { operationTool } from './operation-tool.ts';
import type { Host } from '../host.ts';
import { workspaceResources } from './workspace-resources.ts';
import { installedProvers } from '../../sessions/installed-provers.ts';
import { findingTools } from './finding-tools.ts';
import type { McpSurface, McpTool } from './surface.ts';
import { shownOperations } from './tool-choice.ts';
import type { ToolList } from './tool-choice.ts';

const INSTRUCTIONS = `Quod holds live sessions with proof assistants and judges proofs.
A state id names a proof state: pass it as \`from\`; there is no "current" state, so you can try things from the same state again and again.
\`proved\` means that the closing command (Qed or its equivalent) went through. Every answer says what it rests on: prover, version, file hash, stale dependencies.
Positions are lines from 1 and columns from 0 in Unicode code points. A failed call carries a reason in brackets and what to do.
A call that runs into its \`timeout\` costs that call; the session goes on.`;

const MORE_TOOLS = `
Only the tools that one needs first are listed. tools_search finds the others, tools_call calls them.`;

export interface Offer {
  /** Which operations are listed as tools; every one can be called. */
  readonly list: ToolList;
  /** Whether the list says what the answers look like, for clients that read `structuredContent` by it. */
  readonly outputSchemas: boolean;
}

export const OFFER_ALL: Offer = { list: 'all', outputSchemas: true };

export function quodSurface(host: Host, client: string, offer: Offer = OFFER_ALL): McpSurface {
  const resources = workspaceResources(host, client);
  const operations = host.operations.filter(({ forPeople }) => !forPeople);
  const { list, outputSchemas } = offer;
  const installed = list === 'all' ? [] : installedProvers();
  const shown = new Set(shownOperations(list, operations, installed));
  const tools = new Map(
    operations.map((operation) => [
      operation.name,
      operationTool(operation, { host, client, outputSchemas }),
    ]),
  );
  const those = (areShown: boolean): readonly McpTool[] =>
    operations.flatMap((operation) => {
      const tool = tools.get(operation.name);
      return tool === undefined || shown.has(operation) !== areShown ? [] : [tool];
    });
  const unlisted = those(false);
  return {
    instructions: unlisted.length === 0 ? INSTRUCTIONS : INSTRUCTIONS + MORE_TOOLS,
    tools: [...those(true), ...(unlisted.length === 0 ? [] : findingTools({ operations, installed, tools }))],
    unlisted,
    prompts: PROMPTS,
    resources,
    complete: async ({ argument: { name, value } }, signal) => {
      if (name !== 'file' && name !== 'path') return [];
      const files = (await resources.list(signal)).filter(({ uri }) => uri.startsWith('quod://file/'));
      return files.map((file) => file.name).filter((file) => file.startsWith(value));
    },
  };
}
