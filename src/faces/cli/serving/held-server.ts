/** A server that lives as long as its command: other commands find it by its file, and an interrupt ends it. */
import type { Host } from '../../host.ts';
import type { HttpServer } from '../../server/serve.ts';
import { removeServerFile, type RunningServer } from '../../server/server-file.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';

interface ServerLife {
  readonly host: Host;
  /** Null where none is asked for. */
  readonly token: string | null;
  readonly serve: () => Promise<HttpServer>;
  /** Called once the server answers. */
  readonly ready: (server: HttpServer, running: RunningServer) => Promise<void>;
}

export async function holdServer({ host, token, serve, ready }: ServerLife): Promise<ExitCode> {
  const interrupt = listenForInterrupt();
  try {
    const server = await serve();
    const { url, identity } = server;
    const running = { url, token, identity, pid: process.pid, workspace: host.workspace.root };
    try {
      await ready(server, running);
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

/** What a server's errors are told with. */
export function complaintsOf(command: string) {
  return {
    onError: (error: Error) => {
      console.error(`${command}: ${error.stack ?? error.message}`);
    },
    onClientError: (error: Error) => {
      console.error(`${command}: a client sent what is not MCP: ${error.message}`);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else {
      signal.addEventListener('abort', () => {
        resolve();
      });
    }
  });
}
