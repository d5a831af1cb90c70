/** Quod's cutting of texts against F*'s own parser, on the library of the F* that is on the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LineIndex } from '../../../core/position.ts';
import { findFstar, locateFstar } from '../discovery.ts';
import { readSegments } from '../protocol/answers.ts';
import { FstarConnection } from '../session/connection.ts';
import { parseDeclarations } from '../syntax/declarations.ts';
import { fstarTokens } from '../syntax/lexer.ts';
import { fstarUnderTest, type FstarUnderTest } from '../testing/fstar-under-test.ts';

const fstar = locateFstar();
let under: FstarUnderTest | undefined;
afterAll(() => under?.end());

it.skipIf(fstar === undefined)(
  'F* finds the same declarations in every file of its library (skipped when there is no F* on the machine)',
  { timeout: 600_000 },
  async () => {
    under = await fstarUnderTest('library', { 'A.fst': 'module A\n' });
    const connection = await FstarConnection.start(await under.launch('A.fst'));
    const { location, version } = await findFstar();
    const library = join(dirname(dirname(location)), 'ulib');
    const dialect = version.startsWith('0.') ? '2019' : 'modern';
    const disagreements: string[] = [];
    let files = 0;
    for (const name of readdirSync(library)) {
      if (!/\.fsti?$/.test(name)) continue;
      const text = readFileSync(join(library, name), 'utf8');
      const answer = await connection.ask({ query: 'segment', code: text });
      const segments = answer.status === 'success' ? readSegments(answer.response) : undefined;
      if (segments === undefined) continue;
      files += 1;
      const lines = new LineIndex(text);
      const comments = fstarTokens(text, dialect).filter(({ kind }) => kind === 'comment');
      // F* of 2019 takes a documentation comment that stands alone for a declaration.
      const theirs = segments.flatMap(({ start }) => {
        const offset = lines.offsetOfPrinted(start) ?? -1;
        const commented = comments.some(
          (token) => token.start <= offset && offset <= token.start + token.text.length,
        );
        return commented ? [] : [offset];
      });
      const ours = new Set(
        parseDeclarations(text, dialect).flatMap(({ start, keyword }) => [start, keyword]),
      );
      if (theirs.some((offset) => !ours.has(offset))) disagreements.push(name);
      if (theirs.length !== parseDeclarations(text, dialect).length) disagreements.push(`${name} (count)`);
    }
    await connection.kill();
    expect(disagreements).toEqual([]);
    expect(files).toBeGreaterThan(100);
  },
);
