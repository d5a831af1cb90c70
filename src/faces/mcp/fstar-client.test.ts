/**
 * A client that is configured for fstar-mcp works with Quod: a real MCP client drives a session of F* from start to
 * end.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { locateFstar } from '../../provers/fstar/discovery.ts';

const GOOD = 'module Demo\nlet rec f (n:nat) : nat = if n = 0 then 0 else 1 + f (n-1)\n';

test.skipIf(locateFstar() === undefined)(
  'quod mcp --compat fstar-mcp (skipped when there is no F* on the machine)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quod-fstar-mcp-'));
    await writeFile(join(folder, 'Demo.fst'), `${GOOD}let bad : int = true\n`);
    const start = join(import.meta.dirname, '../cli/start.ts');
    const environment = Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const client = new Client({ name: 'a client of fstar-mcp', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [start, 'mcp', '--compat', 'fstar-mcp', '--workspace', folder],
        cwd: folder,
        env: Object.fromEntries(environment),
      }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('typecheck_buffer');
      const created = await client.callTool({ name: 'create_session', arguments: { file_path: 'Demo.fst' } });
      expect(created.structuredContent).toMatchObject({ status: 'error' });
      const { session_id } = created.structuredContent as { session_id: string };
      const checked = await client.callTool({
        name: 'typecheck_buffer',
        arguments: { session_id, code: GOOD },
      });
      expect(checked.structuredContent).toMatchObject({ status: 'ok' });
      const found = await client.callTool({
        name: 'lookup_symbol',
        arguments: { session_id, file_path: 'Demo.fst', line: 2, column: 8, symbol: 'f' },
      });
      expect(found.structuredContent).toMatchObject({ kind: 'symbol', name: 'Demo.f' });
      const refused = await client.callTool({
        name: 'typecheck_buffer',
        arguments: { session_id, code: GOOD, kind: 'verify-to-position', to_line: 1 },
      });
      expect(refused.isError).toBe(true);
      const closed = await client.callTool({ name: 'close_session', arguments: { session_id } });
      expect(closed.structuredContent).toEqual({ status: 'ok' });
    } finally {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
