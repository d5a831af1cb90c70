/** Quod's own MCP surface: every operation of the host as a tool, files and goals as resources, and a few prompts. */
import { PROMPTS } from './prompts.ts';
import { operationTool } from './operation-tool.ts';
import type { Host } from '../host.ts';
import { workspaceResources } from './workspace-resources.ts';
import type { McpSurface } from './surface.ts';

const INSTRUCTIONS = `Quod holds live sessions with proof assistants and judges proofs.
A state id names a proof state: pass it as \`from\`; there is no "current" state, so you can try things from the same state again and again.
\`proved\` means that the closing command (Qed or its equivalent) went through. Every answer says what it rests on: prover, version, file hash, stale dependencies.
Positions are lines from 1 and columns from 0 in Unicode code points. A failed call carries a reason in brackets and what to do.
A call that runs into its \`timeout\` costs that call; the session goes on.`;

export function quodSurface(host: Host, client: string): McpSurface {
  const resources = workspaceResources(host, client);
  return {
    instructions: INSTRUCTIONS,
    tools: host.operations.map((operation) => operationTool(operation, host, client)),
    prompts: PROMPTS,
    resources,
    complete: async ({ argument: { name, value } }, signal) => {
      if (name !== 'file' && name !== 'path') return [];
      const files = (await resources.list(signal)).filter(({ uri }) => uri.startsWith('quod://file/'));
      return files.map((file) => file.name).filter((file) => file.startsWith(value));
    },
  };
}
