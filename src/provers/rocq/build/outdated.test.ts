/** What was compiled is of the source that Rocq or dune compiled, and not of the copies that dune makes. Needs no Rocq. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRocqProject } from '../project/project.ts';
import { notCompiled, projectSources } from './project-sources.ts';

const TEXT = 'Definition l := 1.\n';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-outdated-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string, seconds = 1_000): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, seconds, seconds);
}

/** What the compiler leaves: a file and, beside it, of which text it is. */
function compiled(name: string, text: string, library: string): void {
  write(`${name}.vo`, '', 2_000);
  write(`${name}.glob`, `DIGEST ${createHash('md5').update(text).digest('hex')}\nF${library}\n`, 2_000);
}

async function stale(): Promise<readonly string[]> {
  const project = await findRocqProject(join(folder, 'theories/sub/any.v'));
  return (await notCompiled(await projectSources(project))).map(({ library }) => library);
}

describe('with dune', () => {
  beforeEach(() => {
    write('dune-project', '(lang dune 2.9)\n(using coq 0.3)\n');
    write('theories/dune', '(coq.theory (name P))\n(include_subdirs qualified)\n');
    write('theories/sub/L.v', TEXT);
    write('_build/default/theories/sub/L.v', TEXT);
    compiled('_build/default/theories/sub/L', TEXT, 'P.sub.L');
  });

  it('nothing is stale after a build', async () => {
    expect(await stale()).toEqual([]);
  });

  it.each([1_000, 3_000])('the source is what counts, and not its copy, changed at %i', async (seconds) => {
    write('theories/sub/L.v', 'Definition l := 2.\n', seconds);
    expect(await stale()).toEqual(['P.sub.L']);
  });

  it('a copy of another text, compiled there by somebody else, is not of the source', async () => {
    write('_build/default/theories/sub/L.v', 'Axiom l : nat.\n');
    compiled('_build/default/theories/sub/L', 'Axiom l : nat.\n', 'P.sub.L');
    expect(await stale()).toEqual(['P.sub.L']);
  });

  // Dune would not compile it again: nobody could get rid of the warning.
  it('a source that was touched is what was compiled, and where that is not told, times count', async () => {
    write('theories/sub/L.v', TEXT, 3_000);
    expect(await stale()).toEqual([]);
    rmSync(join(folder, '_build/default/theories/sub/L.glob'));
    expect(await stale()).toEqual(['P.sub.L']);
  });

  it('what it loads counts, by its text', async () => {
    write('theories/sub/L.v', 'Load "K".\n');
    compiled('_build/default/theories/sub/L', 'Load "K".\n', 'P.sub.L');
    for (const place of ['', '_build/default/']) write(`${place}theories/sub/K.v`, TEXT);
    compiled('_build/default/theories/sub/K', TEXT, 'P.sub.K');
    expect(await stale()).toEqual([]);
    write('theories/sub/K.v', TEXT, 3_000);
    expect(await stale()).toEqual([]);
    write('theories/sub/K.v', 'Definition l := 2.\n', 3_000);
    expect(await stale()).toEqual(['P.sub.K', 'P.sub.L']);
    // The copy was made anew, and the build ended before this was compiled again.
    write('_build/default/theories/sub/K.v', 'Definition l := 2.\n', 3_000);
    expect(await stale()).toEqual(['P.sub.K', 'P.sub.L']);
  });

  it('where the theory is that of the whole folder, the copies in `_build` are no sources', async () => {
    rmSync(join(folder, 'theories/dune'));
    write('dune', '(coq.theory (name P))\n(include_subdirs qualified)\n');
    compiled('_build/default/theories/sub/L', TEXT, 'P.theories.sub.L');
    const sources = await projectSources(await findRocqProject(join(folder, 'T.v')));
    expect(sources.map(({ path }) => path)).toEqual([join(folder, 'theories/sub/L.v')]);
    expect(await notCompiled(sources)).toEqual([]);
  });
});

it('without dune the times count, also those of what is loaded', async () => {
  write('_CoqProject', '-Q theories P\n');
  write('theories/sub/L.v', 'Load "K".\n');
  write('theories/sub/K.v', TEXT);
  compiled('theories/sub/L', 'Load "K".\n', 'P.sub.L');
  compiled('theories/sub/K', TEXT, 'P.sub.K');
  expect(await stale()).toEqual([]);
  write('theories/sub/K.v', TEXT, 3_000);
  expect(await stale()).toEqual(['P.sub.K', 'P.sub.L']);
});
