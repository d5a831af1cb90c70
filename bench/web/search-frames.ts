/**
 * Frames of the page with 5,000 goals of a search in view, while it goes on: `node bench/web/search-frames.ts
 * [--goals 5000] [--against FOLDER]`. FOLDER is another build of the page (`dist/web` of an older commit), measured in
 * turns with this one. Times are between calls of `requestAnimationFrame`; a screen of 60 Hz asks each 16.7 ms.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { present } from '../../src/core/entry.ts';
import { chromiumPath } from '../../web/test/workbench.ts';
import { serveGrownSearch } from './grown-search.ts';

const options = new Command()
  .option('--goals <n>', 'goals that are there at once', Number, 5000)
  .option('--rate <n>', 'goals that come each second', Number, 60)
  .option('--rounds <n>', 'measurements of each', Number, 3)
  .option('--against <folder>', 'another build of the page')
  .parse()
  .opts<{ goals: number; rate: number; rounds: number; against?: string }>();

const WATCH_MS = 5000;
const BOX = 'canvas.graph, .graph canvas';

/** Milliseconds between frames while something is done. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(
    'window.frames_ = []; window.last_ = performance.now(); (function next(now) { window.frames_.push(now - window.last_); window.last_ = now; window.raf_ = requestAnimationFrame(next); })(performance.now())',
  );
  await work();
  const frames: unknown = await page.evaluate('cancelAnimationFrame(window.raf_), window.frames_.slice(2)');
  return frames as number[];
}

async function drag(page: Page): Promise<void> {
  const box = present((await page.locator(BOX).boundingBox()) ?? undefined, 'the graph');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.move(x + 80 * Math.sin(step / 8), y + 40 * Math.cos(step / 8));
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
}

async function zoom(page: Page): Promise<void> {
  const box = present((await page.locator(BOX).boundingBox()) ?? undefined, 'the graph');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, step % 40 < 20 ? -40 : 40);
    await page.waitForTimeout(8);
  }
}

/** The older build in place of the one that the server has; the server's policy for it stands. */
async function serveInstead(page: Page, folder: string): Promise<void> {
  await page.route('**/ui/assets/*', async (route) => {
    const name = new URL(route.request().url()).pathname.replace('/ui/assets/', '');
    const contentType = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    await route.fulfill({ body: await readFile(join(folder, 'assets', name)), contentType });
  });
  await page.route('**/ui/file/*', async (route) => {
    const response = await route.fetch();
    const nonce = present(
      /style-nonce" content="([^"]+)"/.exec(await response.text())?.[1],
      'nonce of the page',
    );
    const body = (await readFile(join(folder, 'index.html'), 'utf8')).replace('__NONCE__', nonce);
    await route.fulfill({ response, body });
  });
}

const folder = await mkdtemp(join(tmpdir(), 'quod-bench-frames-'));
await writeFile(join(folder, 'hard.v'), 'Lemma hard : forall n : nat, n = n.\nProof.\nAdmitted.\n');
const server = await serveGrownSearch(folder, { atOnce: options.goals, perSecond: options.rate });
const browser = await chromium.launch({
  executablePath: present(chromiumPath, 'Chromium'),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const collected = new Map<string, number[]>();
try {
  const builds: (readonly [string, string | undefined])[] = [['this build', undefined]];
  if (options.against !== undefined) builds.push(['the other', options.against]);
  for (let round = 0; round < options.rounds; round += 1)
    for (const [name, other] of builds) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      if (other !== undefined) await serveInstead(page, other);
      await page.goto(server.link().replace('/ui/', '/ui/file/hard.v?line=2&pane=prove'));
      await page.getByRole('button', { name: 'Prove hard' }).click();
      await page
        .locator('.search .figures dd', { hasText: /^\d[\d,.]{3,}$/ })
        .first()
        .waitFor();
      await page.waitForTimeout(1500);
      const measured = {
        'live, nothing done': await framesDuring(page, () => page.waitForTimeout(WATCH_MS)),
        'live, dragged': await framesDuring(page, () => drag(page)),
        'live, zoomed': await framesDuring(page, () => zoom(page)),
      };
      for (const [what, times] of Object.entries(measured)) {
        const key = `${name}, ${what}`;
        collected.set(key, [...(collected.get(key) ?? []), ...times]);
      }
      await page.getByRole('button', { name: 'Stop' }).first().click();
      await page.getByRole('button', { name: 'Search again' }).waitFor();
      await context.close();
    }
  for (const [what, unsorted] of collected) {
    const times = unsorted.toSorted((one, other) => one - other);
    const at = (share: number): string =>
      (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(1);
    const late = times.filter((ms) => ms > 25).length;
    console.log(
      `${options.goals} goals and ${options.rate} more each second, ${what}: ${times.length} frames, median ${at(0.5)} ms, ` +
        `p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, above 25 ms ${((100 * late) / times.length).toFixed(1)} %`,
    );
  }
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
}
