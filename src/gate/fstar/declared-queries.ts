/** Which declaration asked the solver what, and how often it was answered with a proof. */
import { basename } from 'node:path';
import { LineIndex } from '../../core/position.ts';
import { bodyOf } from '../../provers/fstar/syntax/declaration-parts.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import type { Dialect } from '../../provers/fstar/syntax/lexer.ts';
import type { AnsweredQuery } from './queries.ts';

export interface QueryCount {
  readonly asked: number;
  readonly proved: number;
}

export const NO_QUERIES: QueryCount = { asked: 0, proved: 0 };

/** The questions of each declaration, by its names. */
export function countQueries(
  text: string,
  dialect: Dialect,
  queries: readonly AnsweredQuery[],
  own: string,
): ReadonlyMap<string, QueryCount> {
  const lines = new LineIndex(text);
  const declarations = parseDeclarations(text, dialect);
  const counts = new Map<string, QueryCount>();
  for (const { file, start, proved } of queries) {
    const offset = lines.offsetOfPrinted(start);
    if (basename(file) !== own || offset === undefined) continue;
    const name = declarations.find((one) => one.start <= offset && offset < one.end)?.names.join(', ');
    if (name === undefined) continue;
    const before = counts.get(name) ?? NO_QUERIES;
    counts.set(name, { asked: before.asked + 1, proved: before.proved + (proved ? 1 : 0) });
  }
  return counts;
}

/** The text with `()` as the body of some definitions. */
export function withUnitBodies(text: string, dialect: Dialect, names: ReadonlySet<string>): string {
  let changed = '';
  let copied = 0;
  for (const declaration of parseDeclarations(text, dialect)) {
    const body = bodyOf(declaration);
    if (body === undefined || declaration.kind !== 'let' || !names.has(declaration.names.join(', ')))
      continue;
    changed += `${text.slice(copied, body)} ()\n`;
    copied = declaration.end;
  }
  return changed + text.slice(copied);
}
