/** A real MCP client drives a session of a real HOL4 from start to end, through `quod mcp` as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { findHol4 } from '../../provers/hol4/discovery.ts';

const QUOD = fileURLToPath(new URL('../cli/start.ts', import.meta.url));

class ProcessTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #child: ChildProcess;

  constructor(folder: string) {
    const programArguments = [QUOD, 'mcp', '--tools', 'hol', '--workspace', folder];
    this.#child = spawn(process.execPath, programArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
  }

  start(): Promise<void> {
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
    this.#child.once('exit', () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }
}

describe.skipIf(findHol4() === undefined)(
  'an MCP client of HOL4 (skipped without one: set QUOD_HOL4)',
  () => {
    it('fills a cheat and sees that Holmake is clean', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'quod-mcp-hol4-'));
      const path = join(folder, 'mcpScript.sml');
      await writeFile(path, 'Theory mcp\n\nTheorem swap:\n  p /\\ q ==> q /\\ p\nProof\n  cheat\nQED\n');
      const client = new Client({ name: 'test', version: '1' });
      const transport = new ProcessTransport(folder);
      await client.connect(transport);
      const call = async (name: string, input: Record<string, unknown> = {}): Promise<unknown> => {
        const result = await client.callTool({ name, arguments: input });
        expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
        return result.structuredContent;
      };
      try {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['hol_start', 'holmake', 'hol_cursor_complete', 'hol_state_at']),
        );
        await call('hol_start');
        expect(await call('hol_cursor_init', { file: 'mcpScript.sml' })).toMatchObject({
          current: { name: 'swap' },
        });
        await call('hol_cursor_start');
        expect(await call('hol_send', { command: 'e (simp[])' })).toMatchObject({ proof: { proved: true } });
        expect(await call('hol_cursor_complete', { unjudged: true })).toMatchObject({
          theorem: 'swap',
          verdict: 'not-asked',
          current: null,
        });
        expect(await call('holmake')).toMatchObject({ status: 'clean' });
        expect(await call('hol_stop')).toMatchObject({ stopped: true });
        expect(await readFile(path, 'utf8')).toContain('Proof\n  simp[]\nQED');
      } finally {
        await client.close();
        await rm(folder, { recursive: true });
      }
    });
  },
);
