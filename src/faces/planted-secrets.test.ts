/**
 * Secrets where users and projects keep them: the environment, addresses with passwords, headers, settings, a log that
 * another program wrote, a server that repeats the key that it got. Every operation is called over MCP and over REST; no
 * answer and no file that was written holds one of them.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeSettings } from '../agent/settings.ts';
import { CATALOGUE } from '../operations/catalogue.ts';
import type { AnyOperation } from '../operations/definition/operation.ts';
import type { PropertySchema } from '../operations/definition/operation-schema.ts';
import { accessTo, startQuod, type StartedQuod } from './cli/testing/run-quod.ts';
import { routePath } from './rest/routes.ts';

const SECRET = 'hunter2planted';
const secret = (place: string): string => `${SECRET}-${place}`;

const home = mkdtempSync(join(tmpdir(), 'quod-secrets-'));
const folder = join(home, 'project');
const examples = new URL('../../examples/', import.meta.url).pathname;
/** What this test wrote, which may hold secrets; the file of the server has its token, which is no planted one. */
const planted = new Map<string, string>();
let echo: Server;
let server: StartedQuod;
let url = '';
let token = '';
const heard: string[] = [];

function plant(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  planted.set(path, text);
}

beforeAll(async () => {
  for (const name of ['rocq/lists.v', 'fstar/Double.fst', 'hol4/doubleScript.sml', 'lean/Double.lean']) {
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(examples, name), join(folder, name.replace(/.*\//u, '')));
  }
  // A server that tells in its error whatever it was told.
  echo = createServer((request, response) => {
    heard.push(JSON.stringify(request.headers));
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `You sent ${JSON.stringify(request.headers)}` } }));
  });
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
  const address = echo.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const own = { url: `http://127.0.0.1:${port}/v1`, keyVariable: 'MY_KEY', free: true };
  const model = {
    model: 'echo/x',
    searchFirst: false,
    planning: 'direct',
    plans: 1,
    retries: 0,
    refuteSeconds: 0,
  };
  plant(join(home, 'configuration', 'agent.json'), JSON.stringify({ ...model, providers: { echo: own } }));
  plant(
    join(folder, 'Double.fst.config.json'),
    JSON.stringify({ options: ['--z3rlimit', '${MY_KEY}'], include_dirs: ['$MY_PASSWORD'] }),
  );
  plant(join(folder, '.quod', 'notes.json'), JSON.stringify({ key: secret('notes') }));
  server = startQuod(['serve', '--port', '0', '--workspace', folder], folder, {
    ...{ QUOD_CONFIG: join(home, 'configuration'), QUOD_CACHE: join(home, 'cache'), HOME: home },
    ...{ MY_KEY: secret('own-key'), MY_PASSWORD: secret('password'), OPENAI_API_KEY: secret('openai') },
    ...{ ANTHROPIC_API_KEY: secret('anthropic'), HTTPS_PROXY: `http://me:${secret('proxy')}@127.0.0.1:9/` },
    QUOD_PROOF_INDEX: `postgres://me:${secret('database')}@127.0.0.1:9/proofs`,
  });
  ({ url, token } = await accessTo(server));
}, 60_000);

afterAll(async () => {
  server.child.kill('SIGINT');
  const { stdout, stderr } = await server.finished;
  expect(stdout + stderr).not.toContain(SECRET);
  echo.close();
  rmSync(home, { recursive: true });
});

const FILES = { fstar: 'Double.fst', hol: 'doubleScript.sml', lean: 'Double.lean' } as const;

function valueFor(name: string, schema: PropertySchema, { area }: AnyOperation): unknown {
  const kinds = [schema.type].flat();
  if (schema.enum !== undefined) return schema.enum[0];
  if (kinds.includes('integer') || kinds.includes('number')) return 1;
  if (kinds.includes('boolean')) return false;
  if (kinds.includes('array')) return [valueFor(name, schema.items ?? {}, { area } as AnyOperation)];
  if (/^(?:run|session_id|id)$/u.test(name)) return 'last';
  if (/file|target|submission/u.test(name))
    return area in FILES ? FILES[area as keyof typeof FILES] : 'lists.v';
  if (/folder|path|dir|cwd|output/u.test(name)) return '.';
  if (/theorem|name|symbol/u.test(name)) return 'rev_snoc';
  return kinds.includes('object') ? {} : 'auto.';
}

function inputFor(operation: AnyOperation, isWhole: boolean): Record<string, unknown> {
  const { properties, required } = operation.inputSchema();
  const names = Object.keys(properties).filter((name) => isWhole || required.includes(name));
  const given = names.map((name) => [name, valueFor(name, properties[name] ?? {}, operation)] as const);
  return { ...Object.fromEntries(given), timeout: 4 };
}

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...{ cookie: `session=${secret('cookie')}`, 'x-api-key': secret('header') },
});

async function overRest(operation: AnyOperation, isWhole: boolean): Promise<string> {
  const response = await fetch(`${url}${routePath(operation)}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify(inputFor(operation, isWhole)),
  });
  return JSON.stringify([...response.headers]) + (await response.text());
}

/** Every file below in which more was written than what was planted, and a secret with it. */
function written(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile()) return [];
    const bytes = readFileSync(file, 'latin1');
    const own = planted.get(file);
    // Somebody may have written behind what was planted.
    const news = own !== undefined && bytes.startsWith(own) ? bytes.slice(own.length) : bytes;
    return news.includes(SECRET) ? [file] : [];
  });
}

test('no operation tells a secret, and none writes one', async () => {
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: headers() } }),
  );
  const told: { readonly name: string; readonly text: string }[] = [];
  const run = async (operation: AnyOperation): Promise<void> => {
    const { name } = operation;
    for (const isWhole of [false, true]) {
      told.push({ name, text: await overRest(operation, isWhole) });
      const answer = await client
        .callTool({ name, arguments: inputFor(operation, isWhole) })
        .catch((error: unknown) => String(error));
      told.push({ name, text: JSON.stringify(answer) });
    }
  };
  const first = CATALOGUE.filter(({ name }) => name === 'agent_start');
  for (const operation of [...first, ...first]) await run(operation);
  // The server that repeats what it got was asked with the key, and the log of that run is there to be read.
  await expect.poll(() => heard.join(), { timeout: 30_000 }).toContain(secret('own-key'));
  await Promise.all(
    [0, 1, 2].map(async (part) => {
      for (const operation of CATALOGUE.filter((_, at) => at % 3 === part)) await run(operation);
    }),
  );
  // Settings of the folder with passwords, and the log of a run that had them.
  const address = `http://me:${secret('url')}@127.0.0.1:9/v1?key=${secret('query')}`;
  const providers = { mine: { url: address, keyVariable: secret('key-in-the-settings'), free: false } };
  const settings = { ...mergeSettings(), model: 'mine/x', providers };
  const started = {
    ...{ kind: 'run-started', format: 1, quod: 'old', file: join(folder, 'lists.v'), fileHash: '' },
    ...{ theorems: ['rev_snoc'], files: [], task: null, settings },
  };
  const record = JSON.stringify({ seq: 0, at: '2099-01-01T00:00:00.000Z', event: started });
  plant(join(folder, '.quod', 'runs', '20990101-000000-aaaa', 'events.jsonl'), `${record}\n`);
  plant(join(folder, '.quod', 'agent.json'), JSON.stringify({ model: 'mine/x', providers }));
  for (const operation of CATALOGUE.filter(({ area }) => area === 'agent')) await run(operation);
  await client.close();
  expect(new Set(told.map(({ name }) => name)).size).toBe(CATALOGUE.length);
  expect(told.filter(({ text }) => text.includes(SECRET))).toEqual([]);
  // The key was there to be told.
  expect(told.filter(({ text }) => text.includes('You sent')).length).toBeGreaterThan(0);
  expect(written(home)).toEqual([]);
}, 900_000);
