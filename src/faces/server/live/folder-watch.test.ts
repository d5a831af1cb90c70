/** Whoever hears of a change and then looks at the file sees, in the end, what stands in it. */
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchFolder } from './folder-watch.ts';
import { LiveFeed } from './live-feed.ts';

describe('a folder that is watched', () => {
  let folder: string;
  let close: () => Promise<void>;
  const seen: string[] = [];

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'quod-watch-')));
    seen.length = 0;
    const feed = new LiveFeed();
    feed.listen(({ event }) => {
      if (event.kind === 'file' && event.path === 'a.v') seen.push(readFileSync(join(folder, 'a.v'), 'utf8'));
    });
    close = watchFolder(folder, feed);
    // The first change that it tells says that it has begun.
    let tries = 0;
    await expect
      .poll(() => {
        writeFileSync(join(folder, 'a.v'), `begun ${(tries += 1)}`);
        return seen.length;
      })
      .toBeGreaterThan(0);
    await expect.poll(() => seen.at(-1)).toBe(readFileSync(join(folder, 'a.v'), 'utf8'));
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  it('tells what is written at once behind a change that it told', async () => {
    for (let round = 0; round < 10; round += 1) {
      truncateSync(join(folder, 'a.v'), 0);
      await expect.poll(() => seen.at(-1), { interval: 1 }).toBe('');
      appendFileSync(join(folder, 'a.v'), `round ${round}`);
      await expect.poll(() => seen.at(-1)).toBe(`round ${round}`);
    }
  });
});
