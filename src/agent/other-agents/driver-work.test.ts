/** The end of the turns of another agent, by a program that stands for it, with toy theorems. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { runAgent } from '../run.ts';
import { mergeSettings } from '../settings.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { writeStandIn } from '../testing/stand-in-driver.ts';
import { ACCEPTED, toyFile, toyTarget } from '../testing/toy-target.ts';

test('what is proved when the time is over is committed all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-driver-work-'));
  const log = new MemoryLog();
  const recorded = (kind: string) => log.records.filter(({ event }) => event.kind === kind);
  const now = performance.now.bind(performance);
  const isLate = (): boolean => recorded('compared').length > 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (isLate() ? 200_000 : 0));
  onTestFinished(() => {
    clock.mockRestore();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'script.json'), JSON.stringify([[{ say: 'Done.' }]]));
  const accepted = [{ theorem: 'toy', proof: ACCEPTED, restsOnOpen: [] }];
  const { outcome } = await runAgent({
    log,
    files: [
      {
        ...toyFile(toyTarget()),
        file: join(folder, 'toy.v'),
        compare: () => Promise.resolve({ clean: true, accepted, unjudged: [], findings: [] }),
      },
    ],
    task: {
      task: { file: join(folder, 'TASK.md'), text: 'Prove it.', instructions: '', prompt: '', usersOwn: [] },
      mcp: { command: 'none', args: [] },
      files: { updateTask: (change) => Promise.resolve(change('')) },
    },
    settings: mergeSettings({
      ...{ driver: 'claude-code', driverCommand: writeStandIn(folder, 'claude') },
      ...{ commit: true, maxTime: 100 },
    }),
    quod: 'test',
    environment: {
      ...process.env,
      STAND_IN_SCRIPT: join(folder, 'script.json'),
      STAND_IN_LOG: join(folder, 'calls.jsonl'),
    },
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  expect(outcome).toBe('proved');
  expect(recorded('committed')).toHaveLength(1);
});
