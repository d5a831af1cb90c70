/** Quod's own compile on the compiler of the machine: order, what is left as it is, and what an error costs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { findRocqProject } from '../project/project.ts';
import { type BuildEvent, buildSources, findRocqCompiler } from './build.ts';
import { allSources } from './project-build.ts';
import { isOutdated } from './outdated.ts';
import { compiledStates } from './compiled-state.ts';
import { notCompiled, projectFiles, projectSources, directlyRequired } from './project-sources.ts';
import { uncompiledMessage } from './uncompiled.ts';

const hasCompiler = findExecutable(['coqc', 'rocq']) !== undefined;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function build(): Promise<{ complete: boolean; events: BuildEvent[] }> {
  const project = await findRocqProject(join(folder, 'any.v'));
  const events: BuildEvent[] = [];
  const complete = await buildSources(
    {
      project,
      sources: await allSources(project),
      given: new Set(),
      clashes: new Map(),
      compiler: await findRocqCompiler(),
      jobs: 2,
      cacheDirectory: join(folder, 'cache'),
      signal: new AbortController().signal,
    },
    (event) => events.push(event),
  );
  return { complete, events };
}

const kinds = (events: readonly BuildEvent[]): Record<string, string> =>
  Object.fromEntries(events.map(({ library, kind }) => [library, kind]));

describe.skipIf(!hasCompiler)('a build (skipped without a Rocq compiler)', () => {
  beforeEach(() => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/A.v', 'From My Require Import sub.B Z.\nDefinition a := b + z.\n');
    write('theories/sub/B.v', 'From My Require Z.\nDefinition b := Z.z.\n');
    write('theories/Z.v', 'Definition z := 1.\n');
    write('theories/Alone.v', 'Definition alone := 2.\n');
  });

  it('compiles again what reads files that nobody knows, and what requires it only where that came out otherwise', async () => {
    write('theories/Z.v', 'Cd ".".\nDefinition z := 1.\n');
    await build();
    expect(kinds((await build()).events)).toEqual({
      ...{ 'My.Z': 'compiled', 'My.A': 'fresh' },
      ...{ 'My.sub.B': 'fresh', 'My.Alone': 'fresh' },
    });
  });

  it('leaves what was compiled before as not of its source where that does not compile, however old it is', async () => {
    await build();
    const path = join(folder, 'theories/Z.v');
    write('theories/Z.v', 'Definition z : bool := 1.\n');
    utimesSync(path, new Date(1000), new Date(1000));
    const source = (await projectSources(await findRocqProject(path))).find((one) => one.path === path);
    if (source === undefined) throw new Error('Z.v is of no project.');
    expect(await isOutdated(source)).toBe(true);
    expect(kinds((await build()).events)).toMatchObject({ 'My.Z': 'failed' });
    expect(await isOutdated(source)).toBe(true);
    rmSync(join(folder, 'theories/Z.glob'));
    await build();
    expect(existsSync(join(folder, 'theories/Z.glob'))).toBe(false);
  });

  it('compiles each file behind what it requires, and a second time nothing', async () => {
    const first = await build();
    expect(first.complete).toBe(true);
    expect(kinds(first.events)).toEqual({
      'My.A': 'compiled',
      'My.sub.B': 'compiled',
      'My.Z': 'compiled',
      'My.Alone': 'compiled',
    });
    const order = first.events.map(({ library }) => library);
    expect(order.indexOf('My.Z')).toBeLessThan(order.indexOf('My.sub.B'));
    expect(order.indexOf('My.sub.B')).toBeLessThan(order.indexOf('My.A'));
    expect(new Set((await build()).events.map(({ kind }) => kind))).toEqual(new Set(['fresh']));
  });

  it('goes by content: a touched file is fresh, a changed one is compiled with those that require it', async () => {
    await build();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'theories/Z.v'), later, later);
    expect(new Set((await build()).events.map(({ kind }) => kind))).toEqual(new Set(['fresh']));
    // The times say the same afterwards.
    const project = await findRocqProject(join(folder, 'any.v'));
    const { sources } = await projectFiles(project);
    const states = await compiledStates(await allSources(project), { sources });
    expect(new Set(states.values())).toEqual(new Set(['yes']));
    // As old as it was, so that only the content tells.
    write('theories/sub/B.v', 'From My Require Z.\nDefinition b := Z.z + 1.\n');
    utimesSync(join(folder, 'theories/sub/B.v'), new Date(0), new Date(0));
    expect(kinds((await build()).events)).toEqual({
      'My.Z': 'fresh',
      'My.Alone': 'fresh',
      'My.sub.B': 'compiled',
      'My.A': 'compiled',
    });
  });

  it.each([
    ['with a note of an earlier build', 'fresh'],
    ['by the times of the files', 'compiled'],
  ])(
    'what Rocq loads as statements without proofs is not compiled, until it is built, %s',
    async (how, kind) => {
      await build();
      write('theories/Z.vio', '');
      const project = await findRocqProject(join(folder, 'any.v'));
      const { sources } = await projectFiles(project);
      const ordered = await allSources(project);
      const states = async (): Promise<Record<string, string>> => {
        const found = await compiledStates(ordered, { sources });
        return Object.fromEntries(ordered.map(({ path, library }) => [library, found.get(path) ?? '']));
      };
      const rest = { 'My.Alone': 'yes' };
      expect(await states()).toEqual({ 'My.Z': 'no', 'My.sub.B': 'no', 'My.A': 'no', ...rest });
      expect((await notCompiled(ordered)).map(({ library }) => library)).toEqual(['My.Z']);
      expect(await uncompiledMessage(ordered)).toMatch(/Z\.vio has the statements of My\.Z .* Delete it\.$/u);
      if (!how.startsWith('with')) rmSync(join(folder, 'cache'), { recursive: true });
      expect(kinds((await build()).events)['My.Z']).toBe(kind);
      expect(await states()).toEqual({ 'My.Z': 'yes', 'My.sub.B': 'yes', 'My.A': 'yes', ...rest });
    },
  );

  it('a source that cannot be read costs those that require it and no other', async () => {
    write('theories/Z.v', `(*${' '.repeat(11 * 1024 ** 2)}*)\nDefinition z := 1.\n`);
    const { complete, events } = await build();
    expect(complete).toBe(false);
    const expected = { 'My.Z': 'failed', 'My.A': 'left-out', 'My.sub.B': 'left-out', 'My.Alone': 'compiled' };
    expect(kinds(events)).toEqual(expected);
  });

  it.each(['with a note of an earlier build', 'by the times of the files'])(
    'compiles again what loads a file that changed, %s',
    async (how) => {
      write('theories/common.v', 'Definition loaded := 1.\n');
      write('theories/Alone.v', 'Load "theories/common".\nDefinition alone := loaded.\n');
      await build();
      expect(kinds((await build()).events)['My.Alone']).toBe('fresh');
      write('theories/common.v', 'Definition loaded := 2.\n');
      const when = how.startsWith('with') ? new Date(0) : new Date(Date.now() + 60_000);
      utimesSync(join(folder, 'theories/common.v'), when, when);
      if (!how.startsWith('with')) rmSync(join(folder, 'cache'), { recursive: true });
      expect(kinds((await build()).events)['My.Alone']).toBe('compiled');
    },
  );

  describe('of what another program compiled', () => {
    const compiled = (): string => join(folder, 'theories/Z.vo');
    const rest = { 'My.sub.B': 'fresh', 'My.A': 'fresh', 'My.Alone': 'fresh' };
    beforeEach(async () => {
      await build();
      rmSync(join(folder, 'cache'), { recursive: true });
    });

    it('leaves what is compiled from these sources', async () => {
      expect(kinds((await build()).events)).toEqual({ 'My.Z': 'fresh', ...rest });
    });

    it.each([
      ['garbage', () => Buffer.from('not compiled')],
      ['cut', (whole: Buffer) => whole.subarray(0, whole.length - 40)],
      ['changed inside', (whole: Buffer) => Buffer.concat([whole, Buffer.alloc(0)]).fill(0, 40, 60)],
      ['of another version', (whole: Buffer) => Buffer.concat([whole, Buffer.alloc(0)]).fill(7, 6, 8)],
      ['empty', () => Buffer.alloc(0)],
    ])('compiles again what is %s, though it is newer', async (_, change) => {
      writeFileSync(compiled(), change(readFileSync(compiled())));
      const { complete, events } = await build();
      expect({ complete, Z: kinds(events)['My.Z'] }).toEqual({ complete: true, Z: 'compiled' });
    });

    it.each(['Z', 'É'])('compiles again what was compiled as another library: %s', async (name) => {
      const path = join(folder, 'theories', `${name}.v`);
      writeFileSync(path, 'Definition z := 1.\n');
      execFileSync('coqc', [`${name}.v`], { cwd: join(folder, 'theories') });
      const files = await projectFiles(await findRocqProject(path));
      const alone = files.sources.filter(({ library }) => library === `My.${name}`);
      const seen = async () => [
        ...(await compiledStates(alone, files)).values(),
        (await notCompiled(alone)).length,
      ];
      expect(await seen()).toEqual(['no', 1]);
      const { complete, events } = await build();
      expect({ complete, built: kinds(events)[`My.${name}`] }).toEqual({ complete: true, built: 'compiled' });
      expect(await seen()).toEqual(['yes', 0]);
    });

    it('takes each name that the load path gives a file', async () => {
      write('_CoqProject', '-Q . Top\n-Q theories My\n');
      const path = join(folder, 'theories/Z.v');
      for (const bound of ['-Q . My', '-Q .. Top']) {
        execFileSync('coqc', [...bound.split(' '), 'Z.v'], { cwd: join(folder, 'theories') });
        const { sources } = await projectFiles(await findRocqProject(path));
        const both = sources.filter((source) => source.path === path);
        expect(both.map(({ library }) => library).sort()).toEqual(['My.Z', 'Top.theories.Z']);
        expect(await notCompiled(both)).toEqual([]);
      }
    });

    it('compiles again what is newer than a source that it was not compiled from', async () => {
      write('theories/Z.v', 'Definition z := 5.\n');
      utimesSync(join(folder, 'theories/Z.v'), new Date(0), new Date(0));
      const { complete, events } = await build();
      expect(complete).toBe(true);
      expect(kinds(events)['My.Z']).toBe('compiled');
      rmSync(join(folder, 'theories/Z.glob'));
      rmSync(join(folder, 'cache'), { recursive: true });
      expect(kinds((await build()).events)['My.Z']).toBe('compiled');
    });
  });

  it('leaves out only what requires a file that does not compile, and says where the error is', async () => {
    write('theories/sub/B.v', 'From My Require Z.\nDefinition é := 1. Definition b := nonsense.\n');
    const { complete, events } = await build();
    expect(complete).toBe(false);
    expect(kinds(events)).toEqual({
      'My.Z': 'compiled',
      'My.Alone': 'compiled',
      'My.sub.B': 'failed',
      'My.A': 'left-out',
    });
    expect(events.find(({ kind }) => kind === 'failed')).toMatchObject({
      error: {
        message: expect.stringContaining('nonsense') as unknown,
        place: { position: { line: 2, column: 35 } },
      },
    });
  });

  it.each(['-vos', '-where'])('a compiler that makes nothing (%s) has compiled nothing', async (option) => {
    await build();
    write('_CoqProject', `-Q theories My\n-arg ${option}\n`);
    write('theories/Alone.v', 'Definition alone := 3.\n');
    for (const events of [(await build()).events, (await build()).events])
      expect(events.find(({ library, kind }) => library === 'My.Alone' && kind === 'failed')).toMatchObject({
        error: { message: expect.stringContaining('made no Alone.vo') as unknown },
      });
  });

  it('ends where files require each other', async () => {
    write('theories/Z.v', 'From My Require A.\n');
    const { complete, events } = await build();
    expect(complete).toBe(false);
    expect(Object.values(kinds(events))).toContain('failed');
    expect(kinds(events)).toMatchObject({ 'My.Alone': 'compiled' });
  });
});

describe('the sources that a Require means', () => {
  const source = (library: string, flag: '-Q' | '-R') => ({
    ...{ library, names: [library], flag, path: library, compiled: '', where: { root: '', files: [] } },
  });
  const named = (from: string | undefined, module: string, flag: '-Q' | '-R' = '-Q'): string[] =>
    directlyRequired(
      [{ ...(from !== undefined && { from }), modules: [module] }],
      [source('My.A', flag), source('My.sub.A', flag), source('Other.A', flag)],
    ).map(({ library }) => library);

  it('are named as Rocq lets them be named', () => {
    expect(named('My', 'sub.A')).toEqual(['My.sub.A']);
    expect(named(undefined, 'My.A')).toEqual(['My.A']);
    expect(named(undefined, 'A')).toEqual([]);
    expect(named(undefined, 'sub.A', '-R')).toEqual(['My.sub.A']);
    expect(named('Coq', 'A')).toEqual([]);
  });

  it('of dune are compiled in _build', async () => {
    write('dune-project', '(lang dune 2.9)\n(using coq 0.3)\n');
    write('src/dune', '(coq.theory (name My))\n');
    write('src/A.v', '');
    write('_build/default/src/A.vo', '');
    const project = await findRocqProject(join(folder, 'src/A.v'));
    const sources = await projectSources(project);
    expect(sources).toMatchObject([
      { path: join(folder, 'src/A.v'), compiled: join(folder, '_build/default/src/A.vo'), library: 'My.A' },
    ]);
    expect(await notCompiled(sources)).toEqual([]);
  });
});
