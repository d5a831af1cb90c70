import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { findFstar, locateFstar } from './discovery.ts';
import { prepareFile } from './installation.ts';
import { counterpartOf, findFstarProject, splitWords } from './project.ts';
import { chooseZ3, wantedZ3 } from './z3.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quod-fstar-project-')));
  await mkdir(join(folder, 'src'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<string> {
  await writeFile(join(folder, path), text);
  return join(folder, path);
}

/** A program that prints a text whatever it is asked. */
async function printing(path: string, text: string): Promise<string> {
  const program = await put(path, `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`);
  await chmod(program, 0o755);
  return program;
}

describe('settings', () => {
  it('are not waited for where a pipe stands in their place', async () => {
    execFileSync('mkfifo', [join(folder, 'src/My.fst.config.json')]);
    await expect(findFstarProject(join(folder, 'src/A.fst'))).rejects.toThrow('not a regular file');
  });

  it('come from the nearest file above, with variables of the environment', async () => {
    await put('Outer.fst.config.json', '{"options": ["--outer"]}');
    process.env['QUOD_TEST_INCLUDE'] = '/included';
    const config = await put(
      'src/My.fst.config.json',
      '{"fstar_exe": "my-fstar", "include_dirs": ["$QUOD_TEST_INCLUDE/a", "${QUOD_TEST_INCLUDE}"], "options": ["--cache_dir", "c"], "cwd": ".."}',
    );
    expect(await findFstarProject(join(folder, 'src/A.fst'))).toEqual({
      source: config,
      executable: 'my-fstar',
      folder,
      includeFolders: ['/included/a', '/included'],
      options: ['--cache_dir', 'c'],
    });
    delete process.env['QUOD_TEST_INCLUDE'];
    await expect(findFstarProject(join(folder, 'src/A.fst'))).rejects.toMatchObject({
      reason: 'invalid-input',
    });
  });

  it('above the workspace are not looked at', async () => {
    await put('Outer.fst.config.json', '{"options": ["--outer"]}');
    const found = await findFstarProject(join(folder, 'src/A.fst'), {}, join(folder, 'src'));
    expect(found).toMatchObject({ source: null, folder: join(folder, 'src'), options: [] });
  });

  it('of the call are added, and its folder and program win', async () => {
    await put('My.fst.config.json', '{"include_dirs": ["a"], "options": ["--x"], "fstar_exe": "one"}');
    const wishes = { executable: 'two', folder: '/elsewhere', includeFolders: ['b'], options: ['--y'] };
    expect(await findFstarProject(join(folder, 'A.fst'), wishes)).toMatchObject({
      executable: 'two',
      folder: '/elsewhere',
      includeFolders: ['a', 'b'],
      options: ['--x', '--y'],
    });
  });

  it.each(['{', '[]', '{"options": "--lax"}'])('that make no sense are refused: %s', async (text) => {
    await put('My.fst.config.json', text);
    await expect(findFstarProject(join(folder, 'A.fst'))).rejects.toMatchObject({ reason: 'invalid-input' });
  });

  it.skipIf(findExecutable(['make']) === undefined)(
    'come from a Makefile that tells them (needs make)',
    async () => {
      const makefile = await put('Makefile', `%.fst-in:\n\t@echo --include lib --cache_dir "my cache" $*\n`);
      expect(await findFstarProject(join(folder, 'A.fst'))).toEqual({
        source: makefile,
        executable: null,
        folder,
        includeFolders: ['lib'],
        options: ['--cache_dir', 'my', 'cache', 'A'],
      });
      await put('Makefile', 'all:\n\t@echo --lax\n');
      expect(await findFstarProject(join(folder, 'A.fst'))).toMatchObject({ source: null, options: [] });
    },
  );
});

describe('words', () => {
  it('are read as a shell reads them', () => {
    expect(splitWords(`a 'b c' "d \\"e" f\\ g ''`)).toEqual(['a', 'b c', 'd "e', 'f g', '']);
  });

  it('in quotes come out as they went in', () => {
    const word = fc.string().filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(splitWords(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
      }),
    );
  });
});

it('an interface has its implementation beside it, and the other way round', async () => {
  const [implementation, own] = [await put('A.fst', ''), await put('A.fsti', '')];
  expect([counterpartOf(implementation), counterpartOf(own), counterpartOf(await put('B.fst', ''))]).toEqual([
    own,
    implementation,
    null,
  ]);
});

describe('the F* of the machine', () => {
  it('is the one that is named, else that of FSTAR_HOME, else that in PATH', async () => {
    const named = await printing('named', 'F* 2025.03.25\nplatform=Linux_x86_64');
    await mkdir(join(folder, 'bin'));
    const home = await printing('bin/fstar.exe', 'F* 0.9.7.0~dev');
    expect(locateFstar({ QUOD_FSTAR: named, FSTAR_HOME: folder, PATH: '' })).toBe(named);
    expect(locateFstar({ FSTAR_HOME: folder, PATH: '' })).toBe(home);
    expect(locateFstar({ PATH: join(folder, 'bin') })).toBe(home);
    expect(locateFstar({ PATH: '/nowhere' })).toBeUndefined();
    expect(await findFstar(named)).toEqual({ location: named, version: '2025.03.25' });
    const other = await printing('other', 'hello');
    await expect(findFstar(other)).rejects.toMatchObject({ reason: 'prover-missing' });
    await expect(findFstar(join(folder, 'none'))).rejects.toMatchObject({ reason: 'prover-missing' });
  });
});

describe('the Z3', () => {
  it.each([
    ['0.9.7.0~dev', '4.8.5'],
    ['2024.09.05', '4.8.5'],
    ['2025.03.25', '4.13.3'],
  ])('of F* %s is %s', (fstar, z3) => {
    expect(wantedZ3(fstar)).toBe(z3);
  });

  it('is the right version, or there is a clear word about it', async () => {
    const fstar = { location: join(folder, 'fstar.exe'), version: '2025.03.25' };
    const environment = { PATH: join(folder, 'src') };
    expect(await chooseZ3(fstar, [], environment)).toMatchObject({
      arguments: [],
      warning: expect.stringContaining('There is no Z3') as string,
    });
    const wrong = await printing('src/z3', 'Z3 version 4.8.12 - 64 bit');
    expect(await chooseZ3(fstar, [], environment)).toMatchObject({
      arguments: ['--smt', wrong],
      warning: expect.stringContaining('wants Z3 4.13.3; it gets 4.8.12') as string,
    });
    const right = await printing('src/z3-4.13.3', 'Z3 version 4.13.3 - 64 bit');
    expect(await chooseZ3(fstar, [], environment)).toEqual({
      arguments: ['--smt', right],
      warning: null,
      location: right,
      version: '4.13.3',
    });
    expect(await chooseZ3(fstar, ['--smt', wrong], environment)).toMatchObject({
      arguments: [],
      version: '4.8.12',
    });
  });
});

it('a command line has the file, the solver, the folders and the options', async () => {
  const fstar = await printing('fstar.exe', 'F* 2025.03.25');
  const z3 = await printing('z3-4.13.3', 'Z3 version 4.13.3');
  await put('My.fst.config.json', '{"include_dirs": ["lib"], "options": ["--cache_dir", "c"]}');
  const { launch } = await prepareFile(join(folder, 'src/A.fst'), {
    executable: fstar,
    extraOptions: ['--query_stats'],
  });
  expect(launch).toEqual({
    executable: fstar,
    arguments: [
      '--ide',
      join(folder, 'src/A.fst'),
      '--smt',
      z3,
      '--include',
      join(folder, 'src'),
      '--include',
      'lib',
      '--cache_dir',
      'c',
      '--query_stats',
    ],
    folder,
  });
  await expect(prepareFile(join(folder, 'A.fst'), { folder: '/no/such' })).rejects.toMatchObject({
    reason: 'not-found',
  });
});
