import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeAllowed } from '../../process/foreign-folder/allowed.ts';
import { findExecutable } from '../../process/executable.ts';
import { findFstar, locateFstar } from './discovery.ts';
import { prepareFile } from './installation.ts';
import { counterpartOf, findFstarProject, shellWords } from './project.ts';
import { chooseZ3, wantedZ3 } from './z3.ts';

let folder = '';
/** The user's own configuration. */
let own = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quod-fstar-project-')));
  await mkdir(join(folder, 'src'));
  own = await mkdtemp(join(tmpdir(), 'quod-fstar-own-'));
  vi.stubEnv('QUOD_CONFIG', own);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of [folder, own]) await rm(one, { recursive: true, force: true });
});

/** As the user says it in a folder; undefined: in none. */
async function allow(here: string | undefined, program: string): Promise<void> {
  const allowed = here === undefined ? [] : [{ folder: here, reach: { kind: 'program' as const, program } }];
  await changeAllowed(() => allowed, process.env);
}

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
      withheld: null,
      programs: [],
    });
    delete process.env['QUOD_TEST_INCLUDE'];
    await expect(findFstarProject(join(folder, 'src/A.fst'))).rejects.toMatchObject({
      reason: 'invalid-input',
    });
  });

  it.each(['$QUOD_TEST_API_KEY', '--x=${QUOD_TEST_API_KEY}'])(
    'are told no key of the user’s: %s',
    async (text) => {
      vi.stubEnv('QUOD_TEST_API_KEY', 'hunter2');
      await put('My.fst.config.json', JSON.stringify({ options: [text] }));
      const found = findFstarProject(join(folder, 'A.fst'));
      await expect(found).rejects.toThrow('QUOD_TEST_API_KEY is not told to a project');
      await expect(found).rejects.not.toThrow('hunter2');
    },
  );

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

  it.each(['%.fst-in:\n\t@touch ran\n', 'include other.mk\n$(shell touch ran)\n'])(
    'are not read from a Makefile that nobody allowed to be run: %j',
    async (text) => {
      const makefile = await put('Makefile', `$(shell touch ran)\n${text}`);
      await put('other.mk', '%.fst-in:\n\t@touch ran\n');
      for (const allowedIn of [undefined, join(folder, 'src'), `${folder}-other`]) {
        await allow(allowedIn, 'make');
        const found = await findFstarProject(join(folder, 'A.fst'));
        expect(found).toMatchObject({ source: null, options: [] });
        expect(found.withheld).toContain(makefile);
        expect(found.withheld).toContain('quod run allow --program make');
      }
      expect(await readdir(folder)).not.toContain('ran');
    },
  );

  it.each([
    { fstar_exe: './fstar.exe' },
    { options: ['--smt', './fstar.exe'] },
    { options: ['--smt=./fstar.exe'] },
    { options: ['--load', './fstar.exe'] },
    { options: ['--fuel', '2', '--some_option_of_the_future', './fstar.exe'] },
    { options: ['--some_option_of_the_future=./fstar.exe', '--lax'] },
    { options: ['--lax', './fstar.exe'] },
    { options: ['--warn_error', './fstar.exe'] },
  ])('run no program that nobody allowed: %j', async (config) => {
    const program = await put('fstar.exe', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\necho F* 2025.03.25\n');
    await chmod(program, 0o755);
    await put('My.fst.config.json', JSON.stringify(config).replaceAll('./', `${folder}/`));
    const failure = { reason: 'not-allowed', remedy: expect.stringContaining(program) as string };
    await expect(prepareFile(join(folder, 'A.fst'))).rejects.toMatchObject(failure);
    expect(await readdir(folder)).not.toContain('ran');
    await allow(folder, program);
    // Where there is no other F*, what follows is another failure.
    const after = await prepareFile(join(folder, 'A.fst')).catch((error: unknown) => error);
    expect(after).not.toMatchObject({ reason: 'not-allowed' });
    if (config.fstar_exe !== undefined) expect(after).toMatchObject({ installation: { location: program } });
  });

  it.skipIf(findExecutable(['make']) === undefined)(
    'come from a Makefile that tells them and that the user allowed (needs make)',
    async () => {
      await allow(folder, 'make');
      const makefile = await put('Makefile', `%.fst-in:\n\t@echo --include lib --cache_dir "my cache" $*\n`);
      expect(await findFstarProject(join(folder, 'A.fst'))).toEqual({
        source: makefile,
        executable: null,
        folder,
        includeFolders: ['lib'],
        options: ['--cache_dir', 'my', 'cache', 'A'],
        withheld: null,
        programs: [],
      });
      await put('Makefile', 'all:\n\t@echo --lax\n');
      expect(await findFstarProject(join(folder, 'A.fst'))).toMatchObject({ source: null, options: [] });
    },
  );
});

describe('words', () => {
  it('are read as a shell reads them', () => {
    expect(shellWords(`a 'b c' "d \\"e" f\\ g ''`)).toEqual(['a', 'b c', 'd "e', 'f g', '']);
  });

  it('in quotes come out as they went in', () => {
    const word = fc.string().filter((text) => !text.includes("'"));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(shellWords(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
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
