/** `quod serve`: the operations of one workspace over HTTP, for as long as the process lives. */
import { resolve } from 'node:path';
import { openHost } from '../../host.ts';
import { makeToken, serveHttp } from '../../server/serve.ts';
import { removeServerFile, writeServerFile } from '../../server/server-file.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { offeredOperations, offeredSurface } from './offered-operations.ts';

export interface ServeOptions {
  readonly port: number;
  /** False with --no-auth. */
  readonly auth: boolean;
  readonly workspace: string;
  readonly tools?: string;
  readonly compat?: string;
  readonly outputSchemas?: boolean;
  readonly anyPath?: boolean;
}

/** A token for every start, so that the clients' settings need not change when the server is started again. */
const TOKEN_VARIABLE = 'QUOD_TOKEN';

export async function serveCommand(options: ServeOptions): Promise<ExitCode> {
  const host = await openHost({
    folder: resolve(options.workspace),
    confined: options.anyPath !== true,
    operations: offeredOperations(options),
  });
  const interrupt = listenForInterrupt();
  const token = options.auth ? (process.env[TOKEN_VARIABLE] ?? makeToken()) : null;
  try {
    const server = await serveHttp({
      host,
      surface: (client) => offeredSurface(options, host, client),
      port: options.port,
      token,
      onError: (error) => {
        console.error(`quod serve: ${error.stack ?? error.message}`);
      },
      onClientError: (error) => {
        console.error(`quod serve: a client sent what is not MCP: ${error.message}`);
      },
    });
    const running = { url: server.url, token, pid: process.pid, workspace: host.workspace.root };
    try {
      // The commands of this Quod would not find their operations at a server that stands in for another.
      if (options.compat === undefined) await writeServerFile(running);
      console.error(
        `quod serves ${host.workspace.root} at ${server.url} (workbench: /ui/, MCP: /mcp, REST: /api, pages: /docs).`,
      );
      console.error(token === null ? 'No token is asked for.' : `Token: ${token}`);
      await aborted(interrupt.signal);
    } finally {
      await removeServerFile(running);
      await server.close();
    }
  } finally {
    await host.services.close();
    interrupt.stop();
  }
  exitSoon();
  return 0;
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else {
      signal.addEventListener('abort', () => {
        resolve();
      });
    }
  });
}
