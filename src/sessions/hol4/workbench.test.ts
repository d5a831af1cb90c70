/** What becomes of a HOL that people type into when it is lost. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findHol4 } from '../../provers/hol4/discovery.ts';
import { obedientHol, type ObedientInstallation } from '../../provers/hol4/testing/obedient-installation.ts';
import { HolWorkbench } from './workbench.ts';

let hol: ObedientInstallation;
let folder: string;
let workbench: HolWorkbench;
beforeEach(async () => {
  hol = obedientHol();
  folder = mkdtempSync(join(tmpdir(), 'quod-workbench-'));
  const installation = findHol4({ ...process.env, QUOD_HOL4: hol.folder });
  if (installation === undefined) throw new Error('There is no installation.');
  workbench = await HolWorkbench.start({ installation, folder });
});
afterEach(async () => {
  await workbench.close();
  hol.remove();
  rmSync(folder, { recursive: true });
});

async function send(...lines: readonly string[]): Promise<void> {
  for (const line of lines) expect(await workbench.send(line)).toMatchObject({ reply: { status: 'ok' } });
}

function executed(file: string): number {
  return readFileSync(join(folder, file), 'utf8').split('\n').length - 1;
}

it('is told every line once more, and the line that it died of is not executed twice', async () => {
  await send(`log ${join(folder, 'one')}`, `log ${join(folder, 'two')}`);
  process.kill(workbench.pid, 'SIGKILL');
  const lost = await workbench.send(`log ${join(folder, 'three')}`);
  expect(lost).toMatchObject({ status: 'lost', recovery: { replayed: 2, failedAt: undefined } });
  expect([executed('one'), executed('two'), workbench.generation, workbench.told]).toEqual([2, 2, 2, 2]);
  const died = await workbench.send(`log ${join(folder, 'last')} die`);
  expect(died).toMatchObject({ status: 'lost', reason: 'prover-crashed', recovery: { replayed: 2 } });
  expect([executed('last'), workbench.generation]).toEqual([1, 3]);
  await send('val it = 1');
});

it('drops what HOL does not take again, with all that came after it, and names it', async () => {
  const obstacle = join(folder, 'obstacle');
  await send('val a = 1', `unless ${obstacle}`, 'val b = 2');
  writeFileSync(obstacle, '');
  process.kill(workbench.pid, 'SIGKILL');
  expect(await workbench.send('val c = 3')).toMatchObject({
    status: 'lost',
    recovery: { replayed: 1, failedAt: `unless ${obstacle}` },
  });
  expect(workbench.told).toBe(1);
  await send('val d = 4');
});

it('remembers nothing that failed, was stopped or was only asked, and nothing after a reset', async () => {
  await send('val a = 1');
  expect(await workbench.send(`unless ${folder}`)).toMatchObject({ reply: { status: 'exception' } });
  expect(await workbench.send('sleep 600', { timeoutMs: 50 })).toMatchObject({ stopped: 'timeout' });
  expect(await workbench.send('sleep 600', { signal: AbortSignal.timeout(50) })).toMatchObject({
    stopped: 'interrupted',
  });
  expect(await workbench.proof()).toMatchObject({ kind: 'goalstack' });
  expect([workbench.told, workbench.generation]).toEqual([1, 1]);
  await workbench.reset();
  expect([workbench.told, workbench.generation]).toEqual([0, 2]);
  await send('val b = 2');
});
