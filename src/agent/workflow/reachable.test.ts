/** Nobody is paid for a theorem that cannot be reached any more. */
import { afterEach, expect, test } from 'vitest';
import { QuodError } from '../../core/errors.ts';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { runAgent } from '../run.ts';
import { mergeSettings } from '../settings.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { startModelServer, type ScriptedModelServer } from '../testing/scripted-model-server.ts';
import { toyFile, toyTarget } from '../testing/toy-target.ts';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const broken = (): Promise<never> =>
  Promise.reject(new QuodError('does-not-compile', 'The file has an error before it.'));

async function drive(log: MemoryLog, { isBroken, mode }: { isBroken: boolean; mode: 'plan' | 'few-shot' }) {
  server ??= await startModelServer(() => ({ text: 'No idea.' }));
  const target = { ...toyTarget(), ...(isBroken && { openToolSession: broken }) };
  return await runAgent({
    ...{ log, files: [toyFile(target)], quod: 'test', environment: {}, permissions: OWN_SETTINGS },
    settings: mergeSettings({
      ...{ model: 'scripted/toy', providers: { scripted: { url: server.url, free: true } } },
      ...{
        mode,
        samples: 1,
        plans: 1,
        searchFirst: false,
        maxMessages: isBroken ? null : 1,
        retryDelay: 0.001,
      },
    }),
    signal: new AbortController().signal,
  });
}

test('a resumed run looks at the file before it asks a model', async () => {
  const log = new MemoryLog();
  expect(await drive(log, { isBroken: false, mode: 'plan' })).toMatchObject({ outcome: 'budget-exhausted' });
  const before = server?.requests.length;
  const ended = await drive(new MemoryLog(log.records), { isBroken: true, mode: 'plan' });
  expect(ended).toMatchObject({ outcome: 'failed' });
  expect(ended.message).toContain('The file has an error before it.');
  expect(server?.requests.length).toBe(before);
});

test('so does one that asks for whole proofs', async () => {
  const ended = await drive(new MemoryLog(), { isBroken: true, mode: 'few-shot' });
  expect(ended).toMatchObject({ outcome: 'failed' });
  expect(server?.requests).toEqual([]);
});
