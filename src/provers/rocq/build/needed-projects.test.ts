/** In which order projects are built that need each other, and what each of them leaves to the others. Needs no Rocq. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { QuodError } from '../../../core/errors.ts';
import { findRocqProject } from '../project/project.ts';
import { buildEach, neededFirst, type BuildSources, type PlannedBuild } from './needed-projects.ts';
import { allSources } from './project-build.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-needed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function projectOf(name: string): Promise<BuildSources> {
  const project = await findRocqProject(join(folder, name, 'any.v'));
  return { project, sources: await allSources(project) };
}

const nameOf = ({ project }: BuildSources): string => relative(folder, project.root);

/** What each compiles itself, and what it is given. */
const told = (planned: readonly PlannedBuild[]): readonly string[] =>
  planned.map((one) => {
    const [own, given] = [false, true].map((isGiven) =>
      one.sources.filter(({ path }) => one.given.has(path) === isGiven).map(({ library }) => library),
    );
    return `${nameOf(one)}: ${own?.toSorted().join(' ')} | ${given?.toSorted().join(' ')}`;
  });

beforeEach(() => {
  write('dep/_CoqProject', '-R . Dep\n');
  write('dep/D.v', '');
  write('lib/_CoqProject', '-R . Lib\n-R ../dep Dep\n');
  write('lib/A.v', '');
  write('lib/C.v', 'Require Import Dep.D.\n');
  write('ex/_CoqProject', '-R ../lib Lib\n-R . Ex\n');
  write('ex/B.v', 'Require Import Lib.A.\n');
});

async function planned(names: readonly string[]): Promise<readonly PlannedBuild[]> {
  return neededFirst(await Promise.all(names.map(async (name) => ofOwn(await projectOf(name), name))));
}

/** What stands in its folder, with what that needs. */
function ofOwn({ project, sources }: BuildSources, name: string): BuildSources {
  const rest = name === 'ex' ? ['ex/', 'lib/A.v'] : name === 'lib' ? ['lib/', 'dep/'] : [''];
  return {
    project,
    sources: sources.filter(({ path }) => rest.some((one) => relative(folder, path).startsWith(one))),
  };
}

it.each([['ex lib dep'], ['ex dep lib'], ['lib ex dep'], ['dep lib ex'], ['lib dep ex']])(
  'each once, behind all that it needs, however they are asked for: %s',
  async (names) => {
    const order = told(await planned(names.split(' ')));
    expect(order).toEqual(['dep: Dep.D | ', 'lib: Lib.A Lib.C | Dep.D', 'ex: Ex.B | Lib.A']);
  },
);

it('what another project calls otherwise is not taken from it', async () => {
  write('lib/_CoqProject', '-R . Other\n-R ../dep Dep\n');
  expect(told(await planned(['ex']))).toEqual(['lib: Other.A | ', 'ex: Ex.B Lib.A | ']);
});

it('what dune compiles lies elsewhere, and is not taken from there', async () => {
  rmSync(join(folder, 'lib/_CoqProject'));
  write('lib/dune-project', '(lang dune 3.8)\n(using coq 0.8)\n');
  write('lib/dune', '(coq.theory (name Lib))\n');
  expect(told(await planned(['ex']))).toEqual(['lib: Lib.A | ', 'ex: Ex.B Lib.A | ']);
});

it('of projects that need each other one compiles what it needs of the other', async () => {
  write('dep/_CoqProject', '-R . Dep\n-R ../lib Lib\n');
  write('dep/D.v', 'Require Import Lib.A.\n');
  const order = told(await planned(['lib']));
  expect(order).toEqual(['dep: Dep.D Lib.A | ', 'lib: Lib.A Lib.C | Dep.D']);
});

it('one whose tool fails is tried again when another was built, and those that need it wait for that', async () => {
  const all = await planned(['ex', 'lib', 'dep']);
  const [dep, lib, ex] = all;
  const tried: string[] = [];
  const failsBefore = (needed: PlannedBuild | undefined) => (one: PlannedBuild) => {
    tried.push(nameOf(one));
    if (one !== dep || (needed !== undefined && tried.includes(nameOf(needed)))) return Promise.resolve(true);
    return Promise.resolve({ file: 'dep', error: new QuodError('does-not-compile', 'no') });
  };
  const failed: string[] = [];
  const run = (order: readonly (PlannedBuild | undefined)[], needed?: PlannedBuild) =>
    buildEach(
      order.filter((one) => one !== undefined),
      failsBefore(needed),
      ({ file }) => failed.push(file),
    );
  const other = (await planned(['dep'])).map((one) => ({
    ...one,
    project: { ...one.project, root: join(folder, 'z') },
  }));
  expect(await run([dep, lib, ex, ...other], other[0])).toBe(true);
  expect({ tried, failed }).toEqual({ tried: ['dep', 'z', 'dep', 'lib', 'ex'], failed: [] });
  tried.length = 0;
  expect(await run([dep, lib, ex])).toBe(false);
  expect({ tried, failed }).toEqual({ tried: ['dep', 'lib', 'ex', 'dep'], failed: ['dep'] });
});
