/** The programs that `quod mcp install` knows: where each keeps its MCP servers, and how an entry looks there. */
import { join } from 'node:path';
import { sharedFolder } from '../../process/configuration-directory.ts';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Place {
  readonly home: string;
  /** The folder that Quod shall work in; absolute. */
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
}

export interface McpClient {
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** Whether the settings belong to the workspace, and not to the user. */
  readonly perWorkspace: boolean;
  readonly file: (place: Place) => string;
  /** Where the entry stands in the settings; its last part is Quod's name. */
  readonly path: readonly string[];
  readonly entry: (launch: Launch) => Readonly<Record<string, unknown>>;
}

const plainEntry = ({ command, args }: Launch): Readonly<Record<string, unknown>> => ({ command, args });
const typedEntry = (launch: Launch): Readonly<Record<string, unknown>> => ({
  type: 'stdio',
  ...plainEntry(launch),
});

export const MCP_CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    perWorkspace: true,
    file: ({ workspace }) => join(workspace, '.mcp.json'),
    path: ['mcpServers', 'quod'],
    entry: typedEntry,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    perWorkspace: false,
    file: (place) => join(applicationData(place), 'Claude', 'claude_desktop_config.json'),
    path: ['mcpServers', 'quod'],
    entry: plainEntry,
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    perWorkspace: true,
    file: ({ workspace }) => join(workspace, '.cursor', 'mcp.json'),
    path: ['mcpServers', 'quod'],
    entry: plainEntry,
  },
  vscode: {
    title: 'Visual Studio Code',
    format: 'json',
    perWorkspace: true,
    file: ({ workspace }) => join(workspace, '.vscode', 'mcp.json'),
    path: ['servers', 'quod'],
    entry: typedEntry,
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    perWorkspace: false,
    file: ({ home, environment }) => join(environment['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml'),
    path: ['mcp_servers', 'quod'],
    entry: plainEntry,
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    perWorkspace: true,
    file: ({ workspace }) => join(workspace, '.gemini', 'settings.json'),
    path: ['mcpServers', 'quod'],
    entry: plainEntry,
  },
  zed: {
    title: 'Zed',
    format: 'json',
    perWorkspace: true,
    file: ({ workspace }) => join(workspace, '.zed', 'settings.json'),
    path: ['context_servers', 'quod'],
    entry: plainEntry,
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    perWorkspace: false,
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    path: ['mcpServers', 'quod'],
    entry: plainEntry,
  },
} as const satisfies Readonly<Record<string, McpClient>>;

function applicationData({ home, platform, environment }: Place): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    case 'win32':
      return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
    default:
      return sharedFolder(environment['XDG_CONFIG_HOME'], join(home, '.config'));
  }
}
