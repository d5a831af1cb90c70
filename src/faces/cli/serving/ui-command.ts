/**
 * `quod ui`: the workbench of a folder, in the browser. The link that is opened admits one browser once. The port is
 * kept for the folder: a page of that browser which stayed open goes on once the link of the next start is opened.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { z } from 'zod';
import { orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { CATALOGUE } from '../../../operations/catalogue.ts';
import { findExecutable } from '../../../process/executable.ts';
import { openHost } from '../../host.ts';
import type { Host } from '../../host.ts';
import { proveServer } from '../../access/server-proof.ts';
import { makeToken, serveHttp } from '../../server/serve.ts';
import type { HttpServer } from '../../server/serve.ts';
import { findServer, keepPort, readKeptPort, writeServerFile } from '../../server/server-file.ts';
import type { RunningServer } from '../../server/server-file.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { complaintsOf, holdServer } from './held-server.ts';
import { offeredSurface } from './offered-operations.ts';

export interface UiOptions {
  readonly port?: number;
  /** False with --no-open. */
  readonly open: boolean;
}

export async function uiCommand(folder: string, options: UiOptions): Promise<ExitCode> {
  const host = await openHost({ folder: resolve(folder), confined: true, operations: CATALOGUE });
  const running = findServer(host.workspace.root);
  if (running?.workspace === host.workspace.root && (await proveServer(running)) === 'proved') {
    const link = await linkOf(running);
    await host.services.close();
    show(link, options);
    return 0;
  }
  const token = makeToken();
  const port = readKeptPort(host.workspace.root);
  return holdServer({
    host,
    token,
    serve: () => serveAt(host, token, orZero(options.port ?? port), options.port === undefined),
    ready: async (server, own) => {
      await writeServerFile(own);
      const taken = Number(new URL(own.url).port);
      await keepPort(own.workspace, taken);
      console.error(`quod works in ${own.workspace}. Ctrl+C ends it.`);
      if (options.port === undefined && port !== undefined && port !== taken)
        console.error(
          `Another program listens on port ${port}, where the workbench of this folder was before: pages that are open there belong to it now. Close them.`,
        );
      show(server.workbenchLink(), options);
    },
  });
}

/** @param mayMove Whether any free port will do where the wanted one is taken. */
async function serveAt(host: Host, token: string, port: number, mayMove: boolean): Promise<HttpServer> {
  const choice = {
    host,
    surface: (client: string) => offeredSurface({}, host, client),
    token,
    ...complaintsOf('quod ui'),
  };
  try {
    return await serveHttp({ ...choice, port });
  } catch (error) {
    if (!mayMove || port === 0) throw error;
    return serveHttp({ ...choice, port: 0 });
  }
}

const ticketSchema = z.object({ ticket: z.string().nullable() });

/** A link into a server that runs already. */
async function linkOf({ url, token }: RunningServer): Promise<string> {
  const response = await fetch(new URL('/ui/ticket', url), {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  const answer = ticketSchema.safeParse(await response?.json().catch(() => undefined));
  if (!answer.success)
    throw new QuodError('unsupported', `The server at ${url} has no workbench.`, {
      remedy: 'End it, and run `quod ui` again.',
    });
  return `${url}/ui/${answer.data.ticket === null ? '' : `#enter=${answer.data.ticket}`}`;
}

const OPENERS = ['xdg-open', 'open', 'wslview'];

function show(link: string, { open }: UiOptions): void {
  const opener = open ? findExecutable(OPENERS) : undefined;
  if (opener !== undefined) {
    const child = spawn(opener, [link], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  }
  console.log(link);
  if (link.includes('#enter='))
    console.error(
      'The link works once, in one browser, within five minutes. Run `quod ui` again in the same folder for another.',
    );
}
