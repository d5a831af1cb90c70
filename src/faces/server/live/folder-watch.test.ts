/** Whoever hears of a change and then looks at the file sees, in the end, what stands in it. */
import {
  appendFileSync,
  mkdirSync,
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
  const told = new Set<string>();

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'quod-watch-')));
    seen.length = 0;
    told.clear();
    const feed = new LiveFeed();
    feed.listen(({ event }) => {
      if (event.kind === 'file') told.add(event.path);
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

  it('tells what dune compiles, and nothing else of its folder', async () => {
    for (const path of ['_build/default/sub/.b.objs/c.vo', '_build/install/b.vo', '_build/default/sub/b.v'])
      write(path);
    write('_build/default/sub/b.vo');
    await expect.poll(() => told.has('_build/default/sub/b.vo')).toBe(true);
    expect([...told].filter((path) => path.startsWith('_build'))).toEqual(['_build/default/sub/b.vo']);
  });

  it('tells what says which project the files are of', async () => {
    const names = [
      '_RocqProject',
      '_CoqProject',
      'dune',
      'dune-project',
      'Makefile.coq.conf',
      'Makefile.local',
    ];
    for (const name of names) write(`sub/${name}`);
    await expect.poll(() => names.filter((name) => !told.has(`sub/${name}`))).toEqual([]);
  });

  function write(name: string): void {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
});
