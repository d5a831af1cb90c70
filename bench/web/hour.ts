/**
 * An hour of use in a few minutes: files are opened, walked, edited, saved and searched, statements looked up, views
 * changed, again and again: `node bench/web/hour.ts [--rounds 60] [--files 12] [--snapshots FOLDER]`. It prints what the
 * page and the server hold after a collection of garbage, what the server and its provers take from the machine, and
 * how they grew over the second half: what leaks grows there, too. Memory that the server takes and does not hold is
 * what the allocator keeps for the next search.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { CDPSession, Page } from 'playwright-core';
import { orNothing } from '../../src/core/entry.ts';
import { Workbench } from '../../web/test/workbench.ts';
import { Inspector } from './inspector.ts';

const options = new Command()
  .option('--rounds <n>', 'how often everything is done', Number, 60)
  .option('--files <n>', 'files that are opened in turn', Number, 12)
  .option('--snapshots <folder>', 'where to write what the server holds, for the memory view of Chromium')
  .parse()
  .opts<{ rounds: number; files: number; snapshots?: string }>();

const LEMMAS = 40;
/** Measured after so many rounds. */
const EVERY = 5;

function fileOf(number: number): string {
  const lemma = (index: number): string =>
    `Lemma add_${number}_${index} (n m : nat) : n + ${index} + m = m + (n + ${index}).\nProof.\n  rewrite PeanoNat.Nat.add_comm.\n  reflexivity.\nQed.\n`;
  const hole = `Lemma hole_${number} (n : nat) : n + ${number} = ${number} + n.\nProof.\nAdmitted.\n`;
  return `From Coq Require Import Arith.\n\n${Array.from({ length: LEMMAS }, (_, index) => lemma(index)).join('\n')}\n${hole}`;
}

interface Held {
  readonly round: number;
  readonly pageMb: number;
  readonly nodes: number;
  readonly listeners: number;
  /** Of the server's heap and its buffers, after a collection. */
  readonly heapMb: number;
  readonly serverMb: number;
  readonly proversMb: number;
}

async function held(
  round: number,
  devtools: CDPSession,
  inspector: Inspector,
  pids: readonly number[],
): Promise<Held> {
  const [server, ...provers] = pids.map(residentMb);
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    round,
    pageMb: metric('JSHeapUsedSize') / 2 ** 20,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    heapMb: (await inspector.bytesHeld()) / 2 ** 20,
    serverMb: server ?? Number.NaN,
    proversMb: provers.reduce((sum, one) => sum + one, 0),
  };
}

function residentMb(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(orNothing(kilobytes)) / 1024;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

/** Without loading the page anew: that would free everything. */
async function view(page: Page, title: string): Promise<void> {
  await page.locator('.views a', { hasText: title }).click();
}

async function openFile(page: Page, file: string): Promise<void> {
  await view(page, 'Project');
  await page.locator('.file-tree .tree-name', { hasText: file }).click();
  await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
}

async function work(page: Page, round: number): Promise<void> {
  const number = round % options.files;
  await openFile(page, `f${number}.v`);
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 15; step += 1) await page.keyboard.press('Alt+ArrowDown');
  await page.locator('.goals').first().waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`(* round ${round} *)\nCheck ${round}.\n`);
  await page.keyboard.press('Control+s');
  await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
  await page.keyboard.press('Alt+h');
  await page.keyboard.press('Alt+2');
  await page.locator('textarea').fill('lia.\nring.\nsimpl.\nintros.\napply Nat.add_comm.');
  await page.keyboard.press('Control+Enter');
  await page.locator('.alternatives li').nth(4).waitFor();
  await page.keyboard.press('Alt+3');
  await page.getByRole('button', { name: `Prove hole_${number}` }).click();
  await page.locator('.found .badge').first().waitFor();
  await page.keyboard.press('Alt+4');
  await page.locator('.similar li').first().waitFor();
  await page.keyboard.press('Alt+1');
  await view(page, 'Project');
  await page.getByLabel('Search statements').fill(`add_${number}`);
  await page.locator('.statements .virtual-row').first().click();
  await page.getByLabel('Search statements').fill('');
  for (const title of ['Proof', 'Agent', 'Gate', 'Bench']) {
    await view(page, title);
    await page.locator('main > *').first().waitFor();
  }
}

const files = Object.fromEntries(
  Array.from({ length: options.files }, (_, number) => [`f${number}.v`, fileOf(number)]),
);
// Another port than that of whoever inspects something else.
process.env['NODE_OPTIONS'] = '--inspect-port=0';
const bench = new Workbench(files);
try {
  await bench.start();
  const inspector = await Inspector.of(bench.server.child);
  const page = await bench.open('/ui/project');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const all: Held[] = [];
  const row = (values: readonly (string | number)[]): string =>
    values.map((value) => String(value).padStart(11)).join('');
  console.log(row(['round', 'page MB', 'nodes', 'listeners', 'heap MB', 'server MB', 'provers MB']));
  const begun = performance.now();
  for (let round = 0; round < options.rounds; round += 1) {
    await work(page, round);
    if ((round + 1) % EVERY !== 0) continue;
    const { pid } = bench.server.child;
    const others = bench.server.survivors().filter((one) => one !== pid);
    const now = await held(round + 1, devtools, inspector, [...(pid === undefined ? [] : [pid]), ...others]);
    all.push(now);
    if (options.snapshots !== undefined)
      await inspector.writeSnapshot(join(options.snapshots, `server-${round + 1}.heapsnapshot`));
    console.log(
      row([
        now.round,
        ...[now.pageMb.toFixed(1), now.nodes, now.listeners],
        ...[now.heapMb.toFixed(1), now.serverMb.toFixed(0), now.proversMb.toFixed(0)],
      ]),
    );
  }
  const half = all[Math.floor((all.length - 1) / 2)];
  const last = all.at(-1);
  if (half !== undefined && last !== undefined)
    console.log(
      `${options.rounds} rounds in ${((performance.now() - begun) / 1000).toFixed(0)} s; in the second half the page grew by ` +
        `${(last.pageMb - half.pageMb).toFixed(1)} MB, the server's heap by ${(last.heapMb - half.heapMb).toFixed(1)} MB, ` +
        `the server by ${(last.serverMb - half.serverMb).toFixed(0)} MB`,
    );
  inspector.close();
} finally {
  await bench.close();
}
