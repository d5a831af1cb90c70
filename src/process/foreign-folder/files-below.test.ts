import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesBelow, filesOfLoadPath } from './files-below.ts';

let folder: string;
let other: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-files-'));
  other = mkdtempSync(join(tmpdir(), 'quod-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(other, { recursive: true });
});

function put(root: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
}

async function found(below: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of filesBelow(below)) paths.push(relative(below, path));
  return paths.sort();
}

describe('the files of a project', () => {
  it('are not those of builds, packages, hidden folders and editors', async () => {
    put(
      folder,
      'a.v',
      '_b.v',
      'x/y/c.v',
      'x/.#c.v',
      '_build/a.v',
      'x/_old/d.v',
      '.git/e.v',
      'node_modules/p/f.v',
    );
    expect(await found(folder)).toEqual(['_b.v', 'a.v', 'x/y/c.v']);
  });

  it('are not the copies that a benchmark works on, wherever its results are', async () => {
    put(folder, 'a.v', 'cells/b.v', 'r/cells.jsonl', 'r/c.v', 'r/cells/m/t/d.v', 'r/scratch/e.v');
    expect(await found(folder)).toEqual(['a.v', 'cells/b.v', 'r/c.v', 'r/cells.jsonl']);
    expect(await found(join(folder, 'r/cells/m/t'))).toEqual(['d.v']);
  });

  it('are not reached by links that lead out, nor twice by links to folders', async () => {
    put(folder, 'x/a.v');
    put(other, 'secret.v');
    symlinkSync(join(folder, 'x/a.v'), join(folder, 'same.v'));
    symlinkSync(join(other, 'secret.v'), join(folder, 'secret.v'));
    symlinkSync(other, join(folder, 'out'));
    symlinkSync(folder, join(folder, 'x/round'));
    expect(await found(folder)).toEqual(['same.v', 'x/a.v']);
  });

  it('of a folder that is not there are an error', async () => {
    await expect(found(join(folder, 'none'))).rejects.toThrow('ENOENT');
  });
});

describe('the files of a load path', () => {
  it('are told in the order of their paths, and alone where nothing below is asked for', async () => {
    put(folder, 'x/b.v', 'x/a.v', 'x/a.vo', 'c.v', '_lib/d.v', '_build/x/a.v', '.git/e.v');
    symlinkSync(join(folder, 'c.v'), join(folder, 'link.v'));
    const named = async (isDeep: boolean): Promise<string[]> =>
      (await filesOfLoadPath(folder, '.v', isDeep)).map((path) => relative(folder, path));
    expect(await named(true)).toEqual(['_lib/d.v', 'c.v', 'x/a.v', 'x/b.v']);
    expect(await named(false)).toEqual(['c.v']);
    expect(await filesOfLoadPath(join(folder, 'none'), '.v')).toEqual([]);
  });
});
