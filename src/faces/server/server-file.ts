/**
 * How the command line finds the server of a workspace: a file with address and token in the cache, readable by its
 * owner only. It goes when the server ends; one that was left behind by a killed server is recognised by its process.
 */
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { isAlive } from '../../process/process-table.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';

const serverSchema = z.object({
  /** The address without a path: `http://127.0.0.1:4770`. */
  url: z.url(),
  /** Null when the server asks for none. */
  token: z.string().nullable(),
  /** With what it proves that it is the one that wrote this, before it is sent the token. */
  identity: z.string(),
  pid: z.number().int().positive(),
  /** The folder whose files the server reads; absolute, links resolved. */
  workspace: z.string(),
});

export type RunningServer = z.output<typeof serverSchema>;

export async function writeServerFile(server: RunningServer): Promise<void> {
  await writePrivately(serverFile(server.workspace), server);
}

/** Removes the file unless a later server of the same workspace wrote another. */
export async function removeServerFile(server: RunningServer): Promise<void> {
  if (readServerFile(server.workspace)?.pid === server.pid) {
    await rm(serverFile(server.workspace), { force: true });
  }
}

/** The server of the folder or of the nearest folder above it whose process is alive. */
export function findServer(folder: string): RunningServer | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const server = readServerFile(at);
    if (server !== undefined && isAlive(server.pid)) return server;
    if (dirname(at) === at) return undefined;
  }
}

function readServerFile(workspace: string): RunningServer | undefined {
  try {
    const server = serverSchema.parse(
      JSON.parse(readRegularFileSync(serverFile(workspace)).toString('utf8')),
    );
    return server.workspace === workspace ? server : undefined;
  } catch {
    // No file, or none of ours: then there is no server to be found this way.
    return undefined;
  }
}

function serverFile(workspace: string): string {
  const name = sha256(workspace).slice(0, 32);
  return join(cacheDirectory(), 'servers', `${name}.json`);
}

const keptSchema = z.object({ port: z.number().int().positive().max(65_535) });

/**
 * The port of the last workbench of a folder. Browsers keep by the port what a page stores, such as text that was not
 * saved. No secret is kept: whoever takes the port meanwhile is sent what admitted pages to a server that is gone.
 */
export function readKeptPort(workspace: string): number | undefined {
  try {
    return keptSchema.parse(JSON.parse(readRegularFileSync(keptFile(workspace)).toString('utf8'))).port;
  } catch {
    // Nothing is kept, or nothing of ours: then any port will do.
    return undefined;
  }
}

export async function keepPort(workspace: string, port: number): Promise<void> {
  await writePrivately(keptFile(workspace), { port });
}

function keptFile(workspace: string): string {
  return serverFile(workspace).replace(/\.json$/, '.kept.json');
}

/** Whole or not at all, readable by its owner only. */
async function writePrivately(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  await rm(temporary, { force: true });
  await writeFile(temporary, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
