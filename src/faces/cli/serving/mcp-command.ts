/** `quod mcp`: the operations as tools of one MCP client, over standard input and output. */
import { resolve } from 'node:path';
import { CALLS_GRACE_MS } from '../../calls.ts';
import { openHost } from '../../host.ts';
import { serveMcpOverStdio } from '../../mcp/stdio.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { offeredOperations, offeredSurface } from './offered-operations.ts';

export interface McpOptions {
  readonly workspace: string;
  readonly tools?: string;
  readonly without?: string;
  readonly compat?: string;
  readonly outputSchemas?: boolean;
  readonly anyPath?: boolean;
}

export async function mcpCommand(options: McpOptions): Promise<ExitCode> {
  keepStandardOutputForTheProtocol();
  const host = await openHost({
    folder: resolve(options.workspace),
    confined: options.anyPath !== true,
    operations: offeredOperations(options),
  });
  const interrupt = listenForInterrupt();
  try {
    await serveMcpOverStdio({
      input: process.stdin,
      output: process.stdout,
      surface: (client) => offeredSurface(options, host, client),
      signal: interrupt.signal,
      ending: () => host.calls.end(CALLS_GRACE_MS),
      onError: (error) => {
        console.error(`quod mcp: ${error.message}`);
      },
    });
  } finally {
    await host.services.close();
    interrupt.stop();
  }
  exitSoon();
  return 0;
}

/** Whatever a library prints goes to standard error; a stray line would break the protocol. */
function keepStandardOutputForTheProtocol(): void {
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error;
}
