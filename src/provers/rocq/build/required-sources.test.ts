/** What the sources of a project require, against a walk over the graph that the files were made of. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectSources, requiresOf } from './project-sources.ts';
import { RequiredSources, sourcesInDependencyOrder } from './required-sources.ts';
import { findRocqProject } from '../project/project.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-required-'));
  await writeFile(join(folder, '_CoqProject'), '-Q . P\n');
});
afterEach(() => rm(folder, { recursive: true }));

const FILES = 6;
const graphs = fc.array(fc.uniqueArray(fc.nat(FILES - 1), { maxLength: 4 }), {
  ...{ minLength: FILES, maxLength: FILES },
});

/** Each behind what it requires, in the order in which it is met. */
function below(graph: readonly (readonly number[])[], start: number): readonly number[] {
  const ordered: number[] = [];
  const seen = new Set([start]);
  const visit = (at: number): void => {
    for (const next of graph[at] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      visit(next);
      ordered.push(next);
    }
  };
  visit(start);
  return ordered;
}

it('what is below a file is the same, in the same order, circles among it', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const names = graph.map((_, at) => join(folder, `f${at}.v`));
      for (const [at, required] of graph.entries())
        await writeFile(
          join(folder, `f${at}.v`),
          required.map((one) => `From P Require Import f${one}.\n`).join(''),
        );
      const sources = await projectSources(await findRocqProject(join(folder, 'f0.v')));
      const required = new RequiredSources(sources);
      for (const [at, path] of names.entries()) {
        const expected = below(graph, at).map((one) => names[one]);
        const found = await required.below(path);
        expect(found.map((source) => source.path)).toEqual(expected);
        expect(found).toEqual(await sourcesInDependencyOrder(await requiresOf(path), sources, path));
      }
    }),
    { numRuns: 40 },
  );
});
