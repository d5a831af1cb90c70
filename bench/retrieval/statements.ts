/** The theorems of an installed library with their statements and proofs, as its sources have them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { writtenStatement } from '../../src/retrieval/outline-statements.ts';
import type { ProvedStatement } from '../../src/retrieval/proved-statement.ts';
import { eligibleTheorems, sourcesBelow } from '../search/theorems.ts';
import type { HeldOutLibrary } from './held-out.ts';

export function statementsOf(library: HeldOutLibrary, coqFolder: string): ProvedStatement[] {
  return sourcesBelow(library.folders, coqFolder).flatMap((source) => statementsOfSource(source, coqFolder));
}

export function statementsOfSource(source: string, coqFolder: string): ProvedStatement[] {
  const outline = outlineOf(readFileSync(join(coqFolder, source), 'utf8'));
  return eligibleTheorems(outline).flatMap((item) => writtenStatement(outline, item, source) ?? []);
}
