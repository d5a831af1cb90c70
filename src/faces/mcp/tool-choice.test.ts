import { InMemoryTransport, Client } from '@modelcontextprotocol/client';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { present } from '../../core/entry.ts';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { PROVER_AREAS } from '../../sessions/installed-provers.ts';
import type { ProverArea } from '../../sessions/installed-provers.ts';
import { openHost } from '../host.ts';
import type { Host } from '../host.ts';
import { rankedOperations } from './finding-tools.ts';
import { listedTokens, listings } from './listed-tokens.ts';
import { makeMcpServer } from './mcp-server.ts';
import { quodSurface } from './quod-surface.ts';
import { MOST_CORE_TOOLS, shownOperations } from './tool-choice.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test.each(listings().filter(({ name }) => name.startsWith('core')))(
  'the $name: at most 16 tools, below 5,000 tokens in all',
  ({ tools }) => {
    expect(tools.length).toBeLessThanOrEqual(MOST_CORE_TOOLS);
    expect(listedTokens(tools)).toBeLessThan(5000);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['tools_search', 'tools_call']));
  },
);

test('the documents say how long the lists are', () => {
  const text = readFileSync(new URL('../../../docs/agents/mcp.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| ([a-z ,]+) \| (\d+) \| ([\d,]+) \|$/gmu)];
  expect(rows.length).toBe(5);
  for (const [, name, tools, tokens] of rows) {
    const listing = present(
      listings().find((one) => one.name === name),
      'a list of this name',
    );
    expect(listing.tools.length).toBe(Number(tools));
    const said = Number(tokens?.replace(',', ''));
    expect(Math.abs(listedTokens(listing.tools) / said - 1)).toBeLessThan(0.05);
  }
});

test('each installed prover has its share of the core, and what is not installed has none', () => {
  for (const area of PROVER_AREAS) {
    const others = PROVER_AREAS.filter((other) => other !== area);
    const areas = (installed: readonly ProverArea[]): readonly string[] =>
      shownOperations('core', CATALOGUE, installed).map((operation) => operation.area);
    expect(areas(PROVER_AREAS).filter((one) => one === area).length).toBeGreaterThanOrEqual(2);
    for (const list of ['core', 'installed'] as const)
      expect(shownOperations(list, CATALOGUE, others).map((one) => one.area)).not.toContain(area);
    expect(areas([area])).toContain(area);
  }
});

test('every operation is found first by its own name, and by what it does', () => {
  for (const operation of CATALOGUE) expect(rankedOperations(operation.name, CATALOGUE)[0]).toBe(operation);
  const first = (query: string, count: number): readonly string[] =>
    rankedOperations(query, CATALOGUE)
      .slice(0, count)
      .map(({ name }) => name);
  expect(first('axioms a theorem rests on, print assumptions', 3)).toContain('rocq_assumptions');
  expect(first('close a session', 5)).toContain('rocq_close');
  expect(first('compile a rocq file', 3)).toContain('rocq_compile');
  expect(first('xyzzy', 3)).toEqual([]);
});

async function connected(list: 'core' | 'all'): Promise<Client> {
  const host: Host = await openHost({ folder: '.', confined: true, operations: CATALOGUE });
  const surface = quodSurface(host, 'test', { list, outputSchemas: false });
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  const server = makeMcpServer(surface);
  await server.connect(ours);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  closing.push(async () => {
    await client.close();
    await host.services.close();
  });
  return client;
}

test('a client of the core finds a tool that is not listed, and calls it; by its own name too', async () => {
  const client = await connected('core');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('agent_providers');
  expect(tools.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
  const found = await client.callTool({
    name: 'tools_search',
    arguments: { query: 'providers of models', limit: 1 },
  });
  expect(found.structuredContent).toMatchObject({
    tools: [{ name: 'agent_providers', installed: true, input: { type: 'object' } }],
  });
  expect(JSON.stringify(found.content)).toContain('agent_providers');
  const called = await client.callTool({ name: 'tools_call', arguments: { name: 'agent_providers' } });
  const direct = await client.callTool({ name: 'agent_providers', arguments: {} });
  expect(called.isError).toBeFalsy();
  expect(called.structuredContent).toEqual(direct.structuredContent);
});

test('a call of what is not there, or without a name, is told to the model with the nearest name', async () => {
  const client = await connected('core');
  const call = (input: Record<string, unknown>) => client.callTool({ name: 'tools_call', arguments: input });
  const unknown = await call({ name: 'rocq_comple' });
  expect(unknown.isError).toBe(true);
  expect(JSON.stringify(unknown.content)).toContain('rocq_compile');
  expect((await call({})).isError).toBe(true);
  // The tool's own complaint comes through.
  const wrong = await call({ name: 'rocq_outline', input: { fil: 'a.v' } });
  expect(JSON.stringify(wrong.content)).toContain('did you mean `file`?');
  const other = await call({ name: 'rocq_outline', arguments: { file: 'a.v' } });
  expect(other.content).toMatchObject([
    {
      text: expect.stringMatching(
        /^There is no parameter `arguments`.*What it takes: `name`, `input`\./u,
      ) as string,
    },
  ]);
  const search = await client.callTool({ name: 'tools_search', arguments: {} });
  expect(JSON.stringify(search.content)).toContain('`query` is missing. What it takes: `query`');
});

test('what only a person may decide is not offered to a model: not listed, not found, not called by its name', async () => {
  const client = await connected('core');
  const input = { address: 'https://stranger.example/v1', key_variable: 'A_KEY' };
  const found = await client.callTool({
    name: 'tools_search',
    arguments: { query: 'agent_allow an address or a program', limit: 20 },
  });
  expect(JSON.stringify(found)).not.toMatch(/"agent_allow"/u);
  const called = await client.callTool({ name: 'tools_call', arguments: { name: 'agent_allow', input } });
  expect(called.isError).toBe(true);
  expect(JSON.stringify(called.content)).toContain('There is no tool agent_allow');
  await expect(client.callTool({ name: 'agent_allow', arguments: input })).rejects.toThrow(/agent_allow/u);
});

test('all tools are listed where all are asked for, and the two that find others are not', async () => {
  const { tools } = await (await connected('all')).listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    CATALOGUE.filter(({ forPeople }) => !forPeople).map(({ name }) => name),
  );
});
