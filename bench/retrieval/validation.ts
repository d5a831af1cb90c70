/**
 * The files that the shipped ranker was kept by and not trained on: a fifth of the files of its training libraries, as
 * training/quod_training/dataset.py splits sources. What is chosen about rankers is chosen on these.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankerModelFolder } from '../../src/retrieval/model/model-format.ts';
import type { ProvedStatement } from '../../src/retrieval/proved-statement.ts';
import { shuffled } from '../search/draw.ts';
import { sourcesBelow, statementsOfSource } from './statements.ts';

/** Seed of the shipped model's training. */
const SEED = 1;

interface Card {
  readonly corpus: readonly { readonly library: string }[];
}

export interface Pool {
  readonly name: string;
  readonly statements: readonly ProvedStatement[];
}

/** By library, at most so many statements of each, in the order of the files; none with fewer than 60. */
export function validationLibraries(coq: string, most: number): Pool[] {
  const card = JSON.parse(readFileSync(join(rankerModelFolder(), 'card.json'), 'utf8')) as Card;
  return card.corpus.flatMap(({ library }) => {
    const folder = join('user-contrib', ...library.split('.'));
    if (!existsSync(join(coq, folder))) return [];
    const statements = sourcesBelow(folder, coq)
      .filter((source) => isForValidation(readFileSync(join(coq, source))))
      .flatMap((source) => statementsOfSource(source, coq));
    if (statements.length < 60) return [];
    const drawn = new Set(shuffled(statements, `validation/${library}`).slice(0, most));
    return [{ name: library, statements: statements.filter((statement) => drawn.has(statement)) }];
  });
}

/** Files of these libraries with enough statements to rank and not too many to be one file. */
export function validationFiles(coq: string): Pool[] {
  return validationLibraries(coq, Infinity).flatMap(({ statements }) =>
    [...Map.groupBy(statements, ({ origin }) => origin)].flatMap(([name, ofFile]) =>
      ofFile.length >= 6 && ofFile.length <= 60 ? [{ name, statements: ofFile }] : [],
    ),
  );
}

function isForValidation(content: Buffer): boolean {
  const share =
    Number(createHash('sha256').update(`${SEED}\n`).update(content).digest().readBigUInt64BE()) / 2 ** 64;
  return share >= 0.7 && share < 0.9;
}
