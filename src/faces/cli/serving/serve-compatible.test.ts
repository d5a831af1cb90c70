/** `quod serve --compat`: what a client of RocqStar or fstar-mcp meets over HTTP. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startQuod } from '../testing/run-quod.ts';
import type { StartedQuod } from '../testing/run-quod.ts';

let folder: string;
let started: StartedQuod | undefined;
let client: Client | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-compatible-'));
  mkdirSync(join(folder, 'inside'));
  writeFileSync(join(folder, 'inside', 'a.v'), 'Lemma one : True.\nProof. exact I. Qed.\n');
  writeFileSync(join(folder, 'outside.v'), 'Lemma two : True.\nProof. exact I. Qed.\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  await client?.close();
  started?.child.kill('SIGTERM');
  await started?.finished;
});

async function serve(...options: string[]): Promise<Client> {
  const run = startQuod(['serve', '--port', '0', '--no-auth', '--workspace', 'inside', ...options], folder);
  started = run;
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    run.child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /at (http:\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void run.finished.then(({ stderr }) => reject(new Error(stderr)));
  });
  client = new Client({ name: 'another', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return client;
}

async function answer(of: Client, name: string, input: Record<string, unknown>): Promise<unknown> {
  const { content, isError } = await of.callTool({ name, arguments: input });
  const [first] = content;
  return [isError === true, first?.type === 'text' ? (JSON.parse(first.text) as unknown) : undefined];
}

const NAMES = 'get_theorem_names_from_file_without_target_theorem';

test('rocqstar: every answer is JSON, and a failure is told in it and is no error of the protocol', async () => {
  const rocqstar = await serve('--compat', 'rocqstar');
  const { tools } = await rocqstar.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['check_proof', 'start_session']));
  expect(await answer(rocqstar, NAMES, { filePath: 'a.v' })).toEqual([
    false,
    expect.objectContaining({ theoremNames: ['one'] }),
  ]);
  const refused = { success: false, message: expect.stringContaining('out of the workspace') as unknown };
  expect(await answer(rocqstar, NAMES, { filePath: '../outside.v' })).toEqual([false, refused]);
});

test('rocqstar with --any-path: files outside the workspace', async () => {
  const rocqstar = await serve('--compat', 'rocqstar', '--any-path');
  expect(await answer(rocqstar, NAMES, { filePath: join(folder, 'outside.v') })).toEqual([
    false,
    expect.objectContaining({ theoremNames: ['two'] }),
  ]);
});

test('fstar-mcp: `status: error` where a buffer is not taken, and in what fails', async () => {
  const fstar = await serve('--compat', 'fstar-mcp');
  const session = { session_id: 'none' };
  const failed = { status: 'error', error: expect.stringContaining('none') as unknown };
  expect(await answer(fstar, 'update_buffer', { ...session, file_path: 'A.fst', contents: '' })).toEqual([
    false,
    failed,
  ]);
  expect(await answer(fstar, 'close_session', session)).toEqual([true, failed]);
});
