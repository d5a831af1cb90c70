import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkAllowedCache } from './allowed-cache.ts';

describe('the cache that a search sees', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quod-bench-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has steps of loaded modules, and never those of the task’s own file or of later ones', () => {
    const cache = join(folder, 'cache');
    mkdirSync(join(cache, 'steps-9'), { recursive: true });
    mkdirSync(join(cache, 'lemmas-1'));
    mkdirSync(join(cache, 'something-new'));
    for (const [key, library] of [
      ['a1', 'ExtLib.Core'],
      ['b2', 'ExtLib.Data.List'],
      ['c3', 'ExtLib.Later'],
    ] as const) {
      writeFileSync(join(cache, 'steps-9', `${key}.header.json`), JSON.stringify({ library }));
      writeFileSync(join(cache, 'steps-9', `${key}.json.gz`), '');
    }
    linkAllowedCache(join(folder, 'seen'), cache, {
      source: 'user-contrib/ExtLib/Data/List.v',
      loaded: ['ExtLib.Core', 'ExtLib.Data.List', 'Coq.Lists.List'],
    });
    expect(readdirSync(join(folder, 'seen')).sort()).toEqual(['lemmas-1', 'steps-9']);
    expect(readdirSync(join(folder, 'seen', 'steps-9')).sort()).toEqual(['a1.header.json', 'a1.json.gz']);
  });

  it('is empty when there is none', () => {
    linkAllowedCache(join(folder, 'seen'), join(folder, 'none'), { source: 'theories/A.v', loaded: [] });
    expect(readdirSync(join(folder, 'seen'))).toEqual([]);
  });
});
