/** `quod mcp install` and `uninstall`: changes a program's settings after showing how, and undoes that exactly. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { createTwoFilesPatch } from 'diff';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { MCP_CLIENTS } from '../../install/clients.ts';
import type { Launch, McpClient, Place } from '../../install/clients.ts';
import {
  applyInstall,
  applyUninstall,
  plannedInstall,
  plannedUninstall,
} from '../../install/settings-change.ts';
import type { SettingsChange } from '../../install/settings-change.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { drawingStream } from '../terminal/guarded-stream.ts';

export interface InstallOptions {
  readonly client: string;
  readonly workspace: string;
  readonly command?: string;
  readonly yes?: boolean;
}

export async function installCommand(options: InstallOptions): Promise<ExitCode> {
  const client = clientOf(options.client);
  const place = placeOf(options);
  const change = await plannedInstall(client, place, launchOf(options, place));
  return confirmAndApply(
    change,
    options,
    applyInstall,
    `${client.title} will find Quod after it was started again.`,
  );
}

export async function uninstallCommand(options: InstallOptions): Promise<ExitCode> {
  const client = clientOf(options.client);
  const change = await plannedUninstall(client, placeOf(options));
  return confirmAndApply(change, options, applyUninstall, `${client.title} no longer knows Quod.`);
}

async function confirmAndApply(
  change: SettingsChange,
  { yes }: InstallOptions,
  apply: (change: SettingsChange) => Promise<void>,
  done: string,
): Promise<ExitCode> {
  if (change.before === change.after) {
    console.error(`${change.file} stays as it is.`);
    return 0;
  }
  const [from, to] = [change.before, change.after].map((text) => (text === null ? '/dev/null' : change.file));
  console.log(
    createTwoFilesPatch(orNothing(from), orNothing(to), orNothing(change.before), orNothing(change.after)),
  );
  if (yes !== true && !(await agreed())) {
    console.error('Nothing was changed.');
    return 1;
  }
  await apply(change);
  console.error(done);
  return 0;
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new QuodError('invalid-input', 'There is nobody to ask whether this change is wanted.', {
      remedy: 'Say --yes when it is.',
    });
  }
  const terminal = createInterface({ input: process.stdin, output: drawingStream(process.stderr) });
  try {
    return /^y(es)?$/i.test((await terminal.question('Change the file so? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
}

function clientOf(name: string): McpClient {
  const found = Object.entries(MCP_CLIENTS).find(([known]) => known === name)?.[1];
  if (found === undefined) {
    throw new QuodError('invalid-input', `Quod does not know the program ${name}.`, {
      remedy: `Choose from ${Object.keys(MCP_CLIENTS).join(', ')}, or add \`quod mcp\` to its settings by hand.`,
    });
  }
  return found;
}

function placeOf({ workspace }: InstallOptions): Place {
  return {
    home: homedir(),
    workspace: resolve(workspace),
    platform: process.platform,
    environment: process.env,
  };
}

/**
 * This Node and this Quod, by their places, since a program's `PATH` is often not the shell's; or what the user
 * names.
 */
function launchOf({ command }: InstallOptions, { workspace }: Place): Launch {
  const args = ['mcp', '--workspace', workspace];
  if (command !== undefined) return { command, args };
  const script = fileURLToPath(new URL('../../../../bin/quod.mjs', import.meta.url));
  return { command: process.execPath, args: [script, ...args] };
}
