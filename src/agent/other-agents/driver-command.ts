/**
 * How other command-line agents are started for one turn: without anybody to ask, with Quod's tools by MCP, the
 * prompt on standard input. They get no other tools that write than Quod's, as far as their own settings do not say
 * otherwise.
 */
import type { DriverName } from './driver-stream.ts';

/** How Quod's own MCP server is started. */
export interface McpLaunch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface DriverTurn {
  readonly mcp: McpLaunch;
  /** A file with the MCP server for programs that read it from one. */
  readonly mcpFile: string;
  /** As the program calls it; whatever it begins with, it is no option of its own. */
  readonly model: string | null;
  /** An earlier turn's session to go on with: a `sessionName`, which is no option. */
  readonly session: string | null;
}

export const DRIVER_PROGRAMS: Readonly<
  Record<DriverName, { readonly title: string; readonly program: string }>
> = {
  'claude-code': { title: 'Claude Code', program: 'claude' },
  codex: { title: 'Codex', program: 'codex' },
};

export function mcpFileText({ command, args }: McpLaunch): string {
  return JSON.stringify({ mcpServers: { quod: { type: 'stdio', command, args } } });
}

export function driverArguments(
  driver: DriverName,
  { mcp, mcpFile, model, session }: DriverTurn,
): readonly string[] {
  switch (driver) {
    case 'claude-code':
      return [
        ...['--print', '--output-format', 'stream-json', '--verbose'],
        ...['--mcp-config', mcpFile, '--strict-mcp-config'],
        ...['--allowedTools', 'mcp__quod,Read,Grep,Glob'],
        // The user's own settings may allow more. What it writes all the same, the gate sees.
        ...['--disallowedTools', 'Bash,Edit,MultiEdit,Write,NotebookEdit,WebFetch,WebSearch,Task,Agent'],
        ...(model === null ? [] : [`--model=${model}`]),
        ...(session === null ? [] : ['--resume', session]),
      ];
    case 'codex': {
      // Values of `-c` are TOML; a JSON string is one of TOML too.
      const set = (name: string, value: unknown): string[] => [
        '-c',
        `mcp_servers.quod.${name}=${JSON.stringify(value)}`,
      ];
      return [
        'exec',
        ...['--json', '--skip-git-repo-check', '--sandbox', 'read-only'],
        ...set('command', mcp.command),
        ...set('args', mcp.args),
        // Without it calls of tools that write are cancelled where nobody can be asked.
        ...set('default_tools_approval_mode', 'approve'),
        ...(model === null ? [] : [`--model=${model}`]),
        ...(session === null ? [] : ['resume', session]),
        '-',
      ];
    }
  }
}
