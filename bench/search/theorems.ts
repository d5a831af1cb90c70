/** The theorems of an installed library that may become tasks, read from its sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, orNothing } from '../../src/core/entry.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { proofLength } from './cut.ts';
import type { Library } from './libraries.ts';

export interface LibraryTheorem {
  readonly library: string;
  /** Path of the source, relative to what `coqc -where` prints. */
  readonly source: string;
  readonly name: string;
  readonly length: number;
}

const KEYWORDS = new Set(['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property']);

/** The sources below these folders, in alphabetical order; both are relative to what `coqc -where` prints. */
export function sourcesBelow(folders: readonly string[], coqFolder: string): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(coqFolder, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((source) => source.endsWith('.v'))
    .sort();
}

export function theoremsOf(library: Library, coqFolder: string): LibraryTheorem[] {
  return sourcesBelow(library.folders, coqFolder)
    .filter((source) => library.excluded?.test(source) !== true)
    .flatMap((source) => {
      const outline = outlineOf(readFileSync(join(coqFolder, source), 'utf8'));
      return eligibleTheorems(outline).map((item) => ({
        library: library.name,
        source,
        name: orNothing(item.name),
        length: proofLength(outline, item),
      }));
    });
}

/** Named theorems with a proof script that ends in `Qed`. A name that a file has twice would not say which is meant. */
export function eligibleTheorems(outline: FileOutline): TheoremItem[] {
  const seen = new Map<string, number>();
  for (const { name } of outline.statements) if (name !== undefined) seen.set(name, countOf(seen, name) + 1);
  return outline.statements.filter(
    (item) =>
      item.name !== undefined &&
      KEYWORDS.has(item.keyword) &&
      seen.get(item.name) === 1 &&
      item.otherNames.length === 0 &&
      item.closingWord === 'Qed' &&
      item.hole === undefined &&
      proofLength(outline, item) > 0,
  );
}
