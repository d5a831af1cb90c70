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

const keptSchema = z.object({ token: z.string(), port: z.number().int().positive().nullable() });

/** What a workbench of a folder keeps from one start to the next, so that pages that are open find it again. */
export type StoredAccess = z.output<typeof keptSchema>;

/** What is kept for a folder, or a new token. */
export function readStoredAccess(workspace: string, makeToken: () => string): StoredAccess {
  try {
    return keptSchema.parse(JSON.parse(readRegularFileSync(keptFile(workspace)).toString('utf8')));
  } catch {
    return { token: makeToken(), port: null };
  }
}

export async function keepAccess(workspace: string, access: StoredAccess): Promise<void> {
  await writePrivately(keptFile(workspace), access);
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
