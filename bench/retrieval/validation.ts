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
import { sourcesBelow } from '../search/theorems.ts';
import { statementsOfSource } from './statements.ts';

/** Seed of the shipped model's training. */
const SEED = 1;

interface Card {
  readonly corpus: readonly { readonly library: string }[];
}

export interface Pool {
  readonly name: string;
  readonly statements: readonly ProvedStatement[];
}

/** By library, in the order of the files; none with fewer than 60 statements. */
export function validationLibraries(coq: string): Pool[] {
  const card = JSON.parse(readFileSync(join(rankerModelFolder(), 'card.json'), 'utf8')) as Card;
  return card.corpus.flatMap(({ library }) => {
    const folder = join('user-contrib', ...library.split('.'));
    if (!existsSync(join(coq, folder))) return [];
    const statements = sourcesBelow([folder], coq)
      .filter((source) => isForValidation(readFileSync(join(coq, source))))
      .flatMap((source) => statementsOfSource(source, coq));
    return statements.length < 60 ? [] : [{ name: library, statements }];
  });
}

/** At most so many statements of a library, in their order. */
export function drawnFrom({ name, statements }: Pool, most: number): Pool {
  const drawn = new Set(shuffled(statements, `validation/${name}`).slice(0, most));
  return { name, statements: statements.filter((statement) => drawn.has(statement)) };
}

/** The library's files with enough statements to rank and not too many to be one file. */
export function filesOf({ statements }: Pool): Pool[] {
  return [...Map.groupBy(statements, ({ origin }) => origin)].flatMap(([name, ofFile]) =>
    ofFile.length >= 6 && ofFile.length <= 60 ? [{ name, statements: ofFile }] : [],
  );
}

function isForValidation(content: Buffer): boolean {
  const share =
    Number(createHash('sha256').update(`${SEED}\n`).update(content).digest().readBigUInt64BE()) / 2 ** 64;
  return share >= 0.7 && share < 0.9;
}
