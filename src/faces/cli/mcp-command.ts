/** `quod mcp`: the operations as tools of one MCP client, over standard input and output. */
import { resolve } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { COMPATIBLE_CATALOGUES, operationsOf } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { CALLS_GRACE_MS } from '../calls.ts';
import { openHost } from '../host.ts';
import { quodSurface } from '../mcp/quod-surface.ts';
import { serveMcpOverStdio } from '../mcp/stdio.ts';
import { areasOf } from './areas.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitSoon } from './exit-soon.ts';
import { listenForInterrupt } from './interrupt.ts';

export interface McpOptions {
  readonly workspace: string;
  readonly tools?: string;
  readonly compat?: string;
}

export async function mcpCommand(options: McpOptions): Promise<ExitCode> {
  keepStandardOutputForTheProtocol();
  const host = await openHost({
    folder: resolve(options.workspace),
    confined: true,
    operations: offered(options),
  });
  const interrupt = listenForInterrupt();
  try {
    await serveMcpOverStdio({
      input: process.stdin,
      output: process.stdout,
      surface: (client) => quodSurface(host, client),
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

function offered({ tools, compat }: McpOptions): readonly Operation[] {
  if (compat === undefined) return operationsOf(areasOf(tools));
  const operations = COMPATIBLE_CATALOGUES[compat];
  if (operations === undefined) {
    throw new QuodError('invalid-input', `Quod cannot take the place of ${compat}.`, {
      remedy: `Choose from ${Object.keys(COMPATIBLE_CATALOGUES).join(', ')}.`,
    });
  }
  return operations;
}

/** Whatever a library prints goes to standard error; a stray line would break the protocol. */
function keepStandardOutputForTheProtocol(): void {
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error;
}
