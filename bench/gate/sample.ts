/** Theorems of Debian's Rocq libraries for the benches of the gate, in an order that a seed decides. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import type { RocqProject } from '../../src/provers/rocq/project/project.ts';
import { coqFolder } from '../search/coqc.ts';
import { shuffled } from '../search/draw.ts';
import { LIBRARIES, type Library } from '../search/libraries.ts';
import { eligibleTheorems, sourcesBelow, theoremsOf } from '../search/theorems.ts';

export interface SampledTheorem {
  readonly library: string;
  /** Relative to what `coqc -where` prints. */
  readonly source: string;
  readonly name: string;
  readonly outline: FileOutline;
  readonly item: TheoremItem;
  readonly project: RocqProject;
}

export interface Sampling {
  readonly count: number;
  /** `2/10`: the second of ten parts of the sample. */
  readonly slice: { readonly part: number; readonly of: number };
  /** Larger sources are left out: their compilation takes too long. */
  readonly largestBytes: number;
  readonly seed: string;
}

/** Each library gets the same share, as far as it has that many. */
export function sampleTheorems({ count, slice, largestBytes, seed }: Sampling): SampledTheorem[] {
  const folder = coqFolder();
  const perLibrary = Math.ceil(count / LIBRARIES.length);
  const drawn = LIBRARIES.flatMap((library) =>
    shuffled(theoremsOf(library, folder), `${seed}/${library.name}`)
      .filter(({ source }) => statSync(join(folder, source)).size <= largestBytes)
      .slice(0, perLibrary)
      .map((theorem) => ({ ...theorem, of: library })),
  );
  return shuffled(drawn, seed)
    .slice(0, count)
    .filter((_, index) => index % slice.of === slice.part - 1)
    .flatMap(({ of, source, name }) => {
      const outline = outlineOf(readFileSync(join(folder, source), 'utf8'));
      const item = outline.statements.find((statement) => statement.name === name);
      return item === undefined
        ? []
        : [{ library: of.name, source, name, outline, item, project: projectOf(of, folder) }];
    });
}

/** One theorem of each file, the files in an order that the seed decides; a file is read when its turn comes. */
export function* sampleFiles({ count, slice, largestBytes, seed }: Sampling): Generator<SampledTheorem> {
  const folder = coqFolder();
  const files = LIBRARIES.flatMap((library) =>
    sourcesBelow(library.folders, folder)
      .filter((source) => library.excluded?.test(source) !== true)
      .filter((source) => statSync(join(folder, source)).size <= largestBytes)
      .map((source) => ({ library, source })),
  );
  let drawn = 0;
  for (const { library, source } of shuffled(files, seed)) {
    if (drawn >= count) return;
    const outline = outlineOf(readFileSync(join(folder, source), 'utf8'));
    const [item] = eligibleTheorems(outline);
    if (item?.name === undefined) continue;
    drawn += 1;
    if ((drawn - 1) % slice.of !== slice.part - 1) continue;
    yield {
      library: library.name,
      source,
      name: item.name,
      outline,
      item,
      project: projectOf(library, folder),
    };
  }
}

function projectOf({ root }: Library, folder: string): RocqProject {
  const loadPath =
    root === undefined
      ? []
      : [{ flag: '-R' as const, physical: join(folder, root.folder), logical: root.logicalName }];
  return { root: folder, source: undefined, loadPath, ocamlPath: [], arguments: [] };
}

/** `--name value` and `--flag` of the command line. */
export function optionsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    if (!word.startsWith('--')) continue;
    const value = words[index + 1];
    options.set(word.slice(2), value === undefined || value.startsWith('--') ? '' : value);
  }
  return options;
}

export function samplingOf(options: ReadonlyMap<string, string>, count: number): Sampling {
  const [part = 1, of = 1] = (options.get('slice') ?? '1/1').split('/').map(Number);
  return {
    count: Number(options.get('count') ?? count),
    slice: { part, of },
    largestBytes: Number(options.get('max-bytes') ?? 60_000),
    seed: options.get('seed') ?? '1',
  };
}
