/** The check of a whole export: what must be in it, and on what that may rest. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExport, checkExportHere } from './check-export.ts';
import { smallExport } from './testing/recorded-exports.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function written(text: string): string {
  const path = join(folder, `${count++}.ndjson`);
  writeFileSync(path, text);
  return path;
}

describe('the check of an export', () => {
  it('accepts what rests on no other axioms than the standard ones, or on those that are allowed', async () => {
    const path = written(smallExport('027_letTypeDep').text);
    const check = await checkExport({ path });
    expect(check).toMatchObject({ kind: 'rejected', findings: [{ kind: 'new-axiom' }] });
    expect(check.declaredAxioms.length).toBeGreaterThan(0);
    const allowed = await checkExport({ path, axioms: check.declaredAxioms });
    expect(allowed).toMatchObject({ kind: 'accepted', declarations: 3, theoremCount: 0 });
    expect(allowed.allowedByName.map(({ name }) => name)).toEqual(check.declaredAxioms);
    expect(allowed.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await checkExport({ path, axioms: 'any' })).toMatchObject({ kind: 'accepted' });
  });

  it('tells the declaration and the two terms that differ', async () => {
    const check = await checkExport({ path: written(smallExport('002_badDef').text) });
    expect(check).toMatchObject({ kind: 'rejected', declarations: 0, terms: ['Type 1', 'Prop'] });
    expect(check.findings).toMatchObject([{ kind: 'kernel-rejected', subject: 'badDef' }]);
  });

  it('tells what it could not read, and what it could not decide', async () => {
    expect(await checkExport({ path: join(folder, 'none') })).toMatchObject({
      kind: 'unknown',
      reason: 'not-found',
    });
    expect(await checkExport({ path: written('x\n') })).toMatchObject({
      kind: 'unknown',
      reason: 'unsupported',
    });
    const path = written(smallExport('001_basicDef').text);
    expect(await checkExport({ path, steps: 1 })).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('basicDef') as unknown,
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
    const path = written([...lines, type, zero, succ, ...deep, name, def, ''].join('\n'));
    expect(await checkExport({ path })).toMatchObject({ kind: 'accepted' });
  });

  it('stops when it is told to', async () => {
    const path = written(smallExport('027_letTypeDep').text);
    const signal = AbortSignal.abort();
    await expect(checkExport({ path }, { signal })).rejects.toMatchObject({ reason: 'interrupted' });
  });
});

describe('an export that was cut', () => {
  const { text } = smallExport('closure nat-add-comm');
  const theorem = 'theorem_under_test';
  const whole = (): string => written(text);

  it('is not accepted at any line that is not the end of a declaration', () => {
    const lines = text.trimEnd().split('\n');
    for (let length = 0; length < lines.length; length += 7) {
      const last = lines[length - 1] ?? '';
      const check = checkExportHere({
        path: written(
          lines
            .slice(0, length)
            .map((line) => `${line}\n`)
            .join(''),
        ),
      });
      const isDeclaration = /^\{"(?:def|thm|axiom|opaque|quot|inductive)"/.test(last);
      if (!isDeclaration) expect(check.kind, `${length} lines, the last ${last}`).not.toBe('accepted');
    }
  });

  it('is not accepted at any byte inside a line', () => {
    const end = text.lastIndexOf('\n', text.length - 2) + 1;
    for (let bytes = end + 1; bytes < text.length; bytes += 13) {
      const check = checkExportHere({ path: written(text.slice(0, bytes)) });
      expect(check, `${bytes} bytes`).toMatchObject({ kind: 'unknown', reason: 'invalid-input' });
    }
  });

  it('is told from a whole one by the theorem that should be there', () => {
    const name = checkExportHere({ path: whole() }).statements.at(-1)?.name ?? theorem;
    expect(checkExportHere({ path: whole(), theorems: [name] })).toMatchObject({
      kind: 'accepted',
      statements: [{ name, axioms: [] }],
    });
    const lines = text.trimEnd().split('\n');
    const cut = lines.slice(0, lines.findLastIndex((line) => line.startsWith('{"inductive"')) + 1);
    const path = written(`${cut.join('\n')}\n`);
    expect(checkExportHere({ path })).toMatchObject({ kind: 'accepted' });
    expect(checkExportHere({ path, theorems: [name] })).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'missing', subject: name }],
    });
  });
});
