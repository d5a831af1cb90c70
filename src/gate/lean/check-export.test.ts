/** The check of a whole export, in a thread with a deep stack. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExport } from './check-export.ts';
import { smallExport } from './testing/recorded-exports.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the check of an export', () => {
  it('lists axioms, and refuses them only when others are given', async () => {
    const path = written('let', smallExport('027_letTypeDep').text);
    const check = await checkExport({ path });
    expect(check).toMatchObject({ kind: 'accepted', declarations: 3, problem: undefined });
    expect(check.axioms.length).toBeGreaterThan(0);
    expect(check.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await checkExport({ path, axioms: check.axioms })).toMatchObject({ kind: 'accepted' });
    expect(await checkExport({ path, axioms: [] })).toMatchObject({ kind: 'rejected' });
  });

  it('tells the declaration and the two terms that differ', async () => {
    const check = await checkExport({ path: written('bad', smallExport('002_badDef').text) });
    expect(check).toMatchObject({ kind: 'rejected', declarations: 0 });
    expect(check.problem).toMatchObject({ declaration: 'badDef', terms: ['Type 1', 'Prop'] });
  });

  it('throws what reading throws', async () => {
    await expect(checkExport({ path: join(folder, 'none') })).rejects.toMatchObject({ reason: 'not-found' });
    await expect(checkExport({ path: written('text', 'x') })).rejects.toMatchObject({
      reason: 'unsupported',
    });
  });

  it('accepts a number that is 20,000 constructors deep', async () => {
    const { text } = smallExport('037_natDef');
    const lines = text.trimEnd().split('\n');
    const numbers = new Map<string, number>();
    for (const line of lines) {
      const { in: name, str } = JSON.parse(line) as { in?: number; str?: { str: string } };
      if (name !== undefined && str !== undefined && !numbers.has(str.str)) numbers.set(str.str, name);
    }
    const type = JSON.stringify({ const: { name: numbers.get('N') ?? 1, us: [] }, ie: 100_000 });
    const zero = JSON.stringify({ const: { name: numbers.get('zero'), us: [] }, ie: 100_001 });
    const succ = JSON.stringify({ const: { name: numbers.get('succ'), us: [] }, ie: 100_002 });
    const deep = Array.from({ length: 20_000 }, (_, depth) =>
      JSON.stringify({
        app: { fn: 100_002, arg: depth === 0 ? 100_001 : 200_000 + depth - 1 },
        ie: 200_000 + depth,
      }),
    );
    const name = JSON.stringify({ in: 5_000, str: { pre: 0, str: 'deep' } });
    const def = JSON.stringify({
      def: {
        all: [5_000],
        hints: 'abbrev',
        levelParams: [],
        name: 5_000,
        safety: 'safe',
        type: 100_000,
        value: 219_999,
      },
    });
    const path = written('deep', [...lines, type, zero, succ, ...deep, name, def].join('\n'));
    expect(await checkExport({ path })).toMatchObject({ kind: 'accepted' });
  });

  it('stops when it is told to', async () => {
    const path = written('good', smallExport('027_letTypeDep').text);
    const signal = AbortSignal.abort();
    await expect(checkExport({ path }, { signal })).rejects.toMatchObject({ reason: 'interrupted' });
  });
});
