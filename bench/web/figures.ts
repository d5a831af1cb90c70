/**
 * Figures of the workbench, on the real server with the real Rocq and Chromium: bytes, first paint, time to goals,
 * frames with a search of thousands of goals, memory after much use. `node bench/web/figures.ts [SENTENCES]`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { Workbench, missing } from '../../web/test/workbench.ts';

const SENTENCES = Number(process.argv[2] ?? 5000);
const SEARCH_MS = 40_000;
const BUILD = fileURLToPath(new URL('../../dist/web/', import.meta.url));

if (missing !== undefined) throw new Error(missing);

function longFile(sentences: number): string {
  const lemma = (index: number): string =>
    `Lemma l${index} (p q : Prop) : p /\\ q -> q /\\ p.\nProof.\n  intros [a b].\n  split.\n  - exact b.\n  - exact a.\nQed.\n`;
  return Array.from({ length: Math.ceil(sentences / 9) }, (_, index) => lemma(index)).join('\n');
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Milliseconds between frames while something is done. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<string> {
  await page.evaluate(
    'window.frames_ = []; window.last_ = performance.now(); (function next(now) { window.frames_.push(now - window.last_); window.last_ = now; window.raf_ = requestAnimationFrame(next); })(performance.now())',
  );
  await work();
  const frames: unknown = await page.evaluate('cancelAnimationFrame(window.raf_), window.frames_.slice(2)');
  const times = (frames as number[]).toSorted((one, other) => one - other);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1);
  return `${times.length} frames, median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.999)} ms`;
}

const files = readdirSync(BUILD, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
const plain = bytes.reduce((sum, file) => sum + file.length, 0);
const packed = bytes.reduce((sum, file) => sum + gzipSync(file).length, 0);
console.log(
  `bytes: ${(plain / 1024).toFixed(0)} KB, ${(packed / 1024).toFixed(0)} KB compressed, ${files.length} files`,
);

/** It has many ways and no end: the search goes on for as long as it may. */
const HARD = `Fixpoint f (n : nat) : nat := match n with 0 => 0 | S m => S (S (f m)) end.
Lemma hard (a b c d : nat) (h : f a + b = c /\\ (b = d \\/ c = f d)) :
  exists e, (f e = a + b \\/ e + d = f c) /\\ (e + a = f b \\/ d = c + f e).
Proof.
Admitted.
`;

const bench = new Workbench({
  'long.v': longFile(SENTENCES),
  'short.v': longFile(90),
  'hard.v': HARD,
});
try {
  await bench.start();
  const page = await bench.open('/ui/project');
  await page.locator('.file-tree .virtual-row').first().waitFor();
  const paints: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await page.reload();
    await page.locator('.file-tree .virtual-row').first().waitFor();
    paints.push(
      Number(await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime')),
    );
  }
  console.log(`first contentful paint: median ${median(paints).toFixed(0)} ms of ${paints.length}`);

  await page.goto(`${bench.url}/ui/file/short.v?line=1`);
  await page.locator('.badge.good').waitFor();
  const goals: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const before = performance.now();
    const answered = page.waitForResponse(/text-goals/, { timeout: 2000 }).catch(() => undefined);
    await page.keyboard.press('Alt+ArrowDown');
    if ((await answered) !== undefined) goals.push(performance.now() - before);
  }
  console.log(`goals for a place that was checked: median ${median(goals).toFixed(0)} ms of ${goals.length}`);

  await page.goto(`${bench.url}/ui/file/hard.v?line=5&pane=prove`);
  await page.locator('.badge.good').waitFor();
  await page.getByRole('button', { name: 'Prove hard' }).click();
  await page.locator('canvas.graph').waitFor();
  const searching = await framesDuring(page, () => page.waitForTimeout(SEARCH_MS));
  const shown = await page.locator('.search .figures dd').allInnerTexts();
  console.log(
    `a search with ${shown[0]} open, ${shown[1]} solved and ${shown[2]} dead goals, live: ${searching}`,
  );
  // It may have used up its time.
  const stop = page.getByRole('button', { name: 'Stop' }).first();
  if (await stop.isVisible()) await stop.click();

  const opened = performance.now();
  await page.goto(`${bench.url}/ui/file/long.v?line=1`);
  await page.locator('.cm-line').first().waitFor();
  console.log(
    `a file of ${SENTENCES} sentences is shown after ${(performance.now() - opened).toFixed(0)} ms`,
  );
  const scrolling = await framesDuring(page, async () => {
    for (let round = 0; round < 40; round += 1) {
      await page.mouse.move(300, 400);
      await page.mouse.wheel(0, 1200);
      await page.waitForTimeout(30);
    }
  });
  console.log(`scrolling it while it is checked: ${scrolling}`);
  await page.locator('.badge.good').waitFor({ timeout: 600_000 });
  console.log(`checked whole after ${((performance.now() - opened) / 1000).toFixed(1)} s`);
  const typing = await framesDuring(page, async () => {
    await page.locator('.cm-content').click();
    await page.keyboard.type('(* typing in a long file *) ', { delay: 30 });
  });
  console.log(`typing in it: ${typing}`);
  const memory = await page.evaluate('performance.memory?.usedJSHeapSize');
  console.log(`memory of the page then: ${(Number(memory) / 2 ** 20).toFixed(0)} MB`);
} finally {
  await bench.close();
}
