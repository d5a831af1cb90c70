import { expect, test } from 'vitest';
import { OWN_SETTINGS } from './configuration/reach.ts';
import { runAgent } from './run.ts';
import { mergeSettings } from './settings.ts';
import { answeringServer } from './testing/answering-server.ts';
import { MemoryLog } from './testing/memory-log.ts';
import { toyFile, toyTarget } from './testing/toy-target.ts';

test('a refusal that is said with a good status costs nothing, and is not asked for again', async () => {
  let requests = 0;
  const url = await answeringServer((_, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 402, message: 'no credit left' } }));
  });
  const log = new MemoryLog();
  const { message } = await runAgent({
    log,
    files: [toyFile(toyTarget())],
    settings: mergeSettings({
      ...{
        model: 'own/m',
        prices: { 'own/m': { input: 1, output: 5 } },
        searchFirst: false,
        plans: 1,
        retryDelay: 0.001,
      },
      providers: { own: { url } },
    }),
    quod: 'test',
    environment: {},
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  expect(message).toContain('The server wants to be paid');
  const failed = log.records.flatMap(({ event }) => (event.kind === 'model-failed' ? [event] : []));
  expect(failed).toMatchObject([{ cost: 0, tries: 1 }]);
  expect(requests).toBe(1);
});

test.each([
  ['chat', 401, 'Incorrect API key provided'],
  ['chat', 403, 'This key may not use this model'],
  ['responses', 401, 'Incorrect API key provided'],
  ['anthropic', 401, 'invalid x-api-key'],
  ['google', 403, 'The caller does not have permission'],
  ['google', 400, 'API key not valid. Please pass a valid API key.'],
] as const)(
  '%s: a key that is refused with %i ends the run after one request',
  async (protocol, status, message) => {
    const asked: string[] = [];
    const url = await answeringServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, code: status } }));
    });
    const log = new MemoryLog();
    const ended = await runAgent({
      log,
      files: [toyFile(toyTarget())],
      settings: mergeSettings({
        ...{ model: 'own/m', searchFirst: false, plans: 4, retryDelay: 0.001 },
        providers: { own: { url, protocol, keyVariable: 'OWN_KEY' } },
      }),
      quod: 'test',
      environment: { OWN_KEY: 'sk-refused-4711' },
      permissions: OWN_SETTINGS,
      signal: new AbortController().signal,
    });
    expect(asked).toHaveLength(1);
    expect(ended.message).toContain(message);
    expect(ended.message).toContain('The server of the provider own refuses the key in OWN_KEY: check it');
  },
);
