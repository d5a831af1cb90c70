/** `quod serve`: the operations of one workspace over HTTP, for as long as the process lives. */
import { resolve } from 'node:path';
import { openHost } from '../../host.ts';
import { makeToken, serveHttp } from '../../server/serve.ts';
import { writeServerFile } from '../../server/server-file.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { complaintsOf, holdServer } from './held-server.ts';
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
  const token = options.auth ? (process.env[TOKEN_VARIABLE] ?? makeToken()) : null;
  return holdServer({
    host,
    token,
    serve: () =>
      serveHttp({
        host,
        surface: (client) => offeredSurface(options, host, client),
        port: options.port,
        token,
        ...complaintsOf('quod serve'),
      }),
    ready: async ({ url }, running) => {
      // The commands of this Quod would not find their operations at a server that stands in for another.
      if (options.compat === undefined) await writeServerFile(running);
      console.error(
        `quod serves ${running.workspace} at ${url} (workbench: /ui/, MCP: /mcp, REST: /api, pages: /docs).`,
      );
      console.error(token === null ? 'No token is asked for.' : `Token: ${token}`);
    },
  });
}
