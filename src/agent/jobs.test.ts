/** Several theorems at once: budgets hold for all of them together, and no proof lands at another's theorem. */
import { OWN_SETTINGS } from './configuration/reach.ts';
import { afterEach, expect, test } from 'vitest';
import { runAgent } from './run.ts';
import { foldRun } from './runs/fold.ts';
import { mergeSettings } from './settings.ts';
import { MemoryLog } from './testing/memory-log.ts';
import { startModelServer } from './testing/scripted-model-server.ts';
import type { ScriptedModelServer } from './testing/scripted-model-server.ts';
import { ACCEPTED, toyFile, toyTarget } from './testing/toy-target.ts';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function drive(settings: Record<string, unknown>, proof = ACCEPTED, log = new MemoryLog()) {
  let busy = 0;
  let most = 0;
  server ??= await startModelServer(async ({ tools }) => {
    busy++;
    most = Math.max(most, busy);
    await new Promise((resolve) => setTimeout(resolve, 5));
    busy--;
    if (tools === undefined) return { text: '{"score": 5}' };
    return { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }] };
  });
  const order: string[] = [];
  let proving = 0;
  const targets = Array.from({ length: 10 }, (_, number) => {
    const target = toyTarget(`toy-${number}`);
    return {
      ...target,
      openToolSession: async (signal: AbortSignal) => {
        proving++;
        const toolSession = await target.openToolSession(signal);
        return { ...toolSession, close: () => ((proving -= 1), Promise.resolve()) };
      },
      write: (written: string) => {
        order.push(`${target.theorem} ${proving}`);
        return target.write(written, new AbortController().signal);
      },
    };
  });
  const { outcome } = await runAgent({
    log,
    files: [toyFile(...targets)],
    settings: mergeSettings({
      model: 'scripted/toy',
      providers: { scripted: { url: server.url } },
      prices: { 'scripted/toy': { input: 100, output: 1000 } },
      ...{
        searchFirst: false,
        planning: 'direct',
        plans: 2,
        plansExecuted: 1,
        jobs: 10,
        write: true,
        ...settings,
      },
    }),
    quod: 'test',
    environment: {},
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  return { outcome, order, targets, records: log.records, most, requests: server.requests.length };
}

test('ten at once: each is proved by its own proof, and written when nobody works any more', async () => {
  const { outcome, order, targets, records, most } = await drive({});
  expect(outcome).toBe('proved');
  expect(most).toBeGreaterThan(1);
  for (const { judged, written, theorem } of targets) {
    expect([theorem, judged, written]).toEqual([theorem, [ACCEPTED], [ACCEPTED]]);
  }
  expect(order.map((entry) => entry.split(' ')[1])).toEqual(Array.from({ length: 10 }, () => '0'));
  expect(records.filter(({ event }) => event.kind === 'rechecked')).toHaveLength(1);
  for (const { theorem, proof } of foldRun(records)?.theorems ?? [])
    expect([theorem, proof]).toEqual([theorem, ACCEPTED]);
});

// A call costs 100 * 100 / 1e6 + 10 * 1000 / 1e6 = 0.02 dollars.
test.each([
  [{ maxCost: 0.1 }, 6],
  [{ maxMessages: 13 }, 13],
  [{ maxToolCalls: 7 }, Number.POSITIVE_INFINITY],
])('%j holds for all of them together', async (budget, mostCalls) => {
  const { outcome, records, requests, targets } = await drive(budget, 'wrong.');
  expect(outcome).toBe('budget-exhausted');
  expect(requests).toBeLessThanOrEqual(mostCalls);
  const state = foldRun(records);
  if ('maxCost' in budget) expect(state?.spent.cost).toBeLessThanOrEqual(0.1 + 0.02 + 1e-9);
  if ('maxToolCalls' in budget) {
    expect(targets.reduce((sum, { made }) => sum + made.length, 0)).toBeLessThanOrEqual(7);
    expect(state?.toolCalls).toBeLessThanOrEqual(7);
  }
});

// Ten plans, ten scores: the other five messages are at least five proofs.
test('what was accepted when a budget ended the run is written all the same', async () => {
  const { outcome, targets } = await drive({ maxMessages: 25, plans: 1 });
  expect(outcome).toBe('budget-exhausted');
  const proved = targets.filter(({ judged }) => judged.length > 0);
  expect(proved.length).toBeGreaterThan(0);
  for (const { written } of proved) expect(written).toEqual([ACCEPTED]);
});

test('a theorem is proved when it is, whatever it is called, also when the run is gone on with', async () => {
  for (const name of ['toString', 'constructor', '__proto__', 'valueOf']) {
    for (const found of [null, ACCEPTED]) {
      const files = [toyFile(toyTarget('a', ACCEPTED), toyTarget('b', ACCEPTED), toyTarget(name, found))];
      const request = {
        ...{ files, settings: mergeSettings({ write: true }), quod: 'test', environment: {} },
        ...{ permissions: OWN_SETTINGS, signal: new AbortController().signal },
      };
      const log = new MemoryLog();
      const outcome = found === null ? 'not-proved' : 'proved';
      expect(await runAgent({ ...request, log })).toMatchObject({ outcome });
      const again = new MemoryLog(log.records);
      expect(await runAgent({ ...request, log: again })).toMatchObject({ outcome });
      expect(foldRun(again.records)?.theorems.at(-1)).toMatchObject({ theorem: name, outcome });
    }
  }
});
