/** What is written is read as the same declarations; what is malformed is told with its line. */
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../declaration.ts';
import { Name } from '../name.ts';
import { TermStore } from '../term-store.ts';
import { arbitraryTerm, testStore } from '../testing/arbitrary-term.ts';
import { declarationsOf, initPrelude, smallExport, smallExports } from '../testing/recorded-exports.ts';
import { fileLines, readExport } from './read-export.ts';
import { NdjsonReader } from './read-ndjson.ts';
import { NdjsonWriter } from './write-ndjson.ts';

const META = { exporter: { name: 'quod', version: '0' }, lean: { version: '4.0.0', githash: '' } };

function written(declarations: Iterable<Declaration>): string {
  const lines: string[] = [];
  const writer = new NdjsonWriter(META, (line) => lines.push(line));
  for (const declaration of declarations) writer.add(declaration);
  return `${lines.join('\n')}\n`;
}

/** A declaration with terms by their number in the store: the same for the same terms, and small. */
function outline(declaration: Declaration): unknown {
  const text = JSON.stringify(declaration, (_, value: unknown) => {
    if (value instanceof Name) return `${value.id} ${value.toString()}`;
    if (typeof value === 'object' && value !== null && 'looseBound' in value && 'id' in value)
      return value.id;
    return value;
  });
  return JSON.parse(text) as unknown;
}

describe('NDJSON', () => {
  it.each(smallExports())('is read, written and read again as the same: $name', ({ text }) => {
    const store = new TermStore();
    const declarations = declarationsOf(text, store);
    const again = declarationsOf(written(declarations), store);
    // Terms of one store are the same object exactly when they are equal, binder names included.
    expect(again.map(outline)).toEqual(declarations.map(outline));
  });

  it('is written as it was read, once it was written', () => {
    const once = written(declarationsOf(initPrelude(), new TermStore()));
    const twice = written(declarationsOf(once, new TermStore()));
    expect(twice === once).toBe(true);
  });

  it('keeps any term', () => {
    const name = testStore.names.of('c');
    fc.assert(
      fc.property(arbitraryTerm(3), (type) => {
        const axiom: Declaration = { kind: 'axiom', name, levelParameters: [], type, isUnsafe: false };
        expect(declarationsOf(written([axiom]), testStore).map(outline)).toEqual([outline(axiom)]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps names with any components, and numbers that no double holds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string().map((text) => text.toWellFormed()),
            fc.bigInt({ min: 0n, max: 1n << 80n }),
          ),
        ),
        (components) => {
          const name = testStore.names.of('x', ...components);
          const type = testStore.sort(testStore.levels.zero);
          const axiom: Declaration = { kind: 'axiom', name, levelParameters: [], type, isUnsafe: false };
          expect(declarationsOf(written([axiom]), testStore).map(outline)).toEqual([outline(axiom)]);
        },
      ),
    );
  });

  const META_LINE = smallExport('001_basicDef').text.split('\n')[0] ?? '';
  it.each([
    ['no JSON', '{'],
    ['nothing known', '{"x":1}'],
    ['a term of no known kind', '{"ie":0,"x":1}'],
    ['a number that is not there', '{"ie":0,"sort":7}'],
    ['a fraction', '{"ie":0,"bvar":0.5}'],
    ['a negative number', '{"ie":0,"bvar":-1}'],
    ['an index beyond what a double holds', '{"ie":0,"bvar":9007199254740993}'],
    ['a number literal that is none', '{"ie":0,"natVal":"-1"}'],
    ['a number literal that is not a string', '{"ie":0,"natVal":1}'],
    ['a number literal that begins with 0', '{"ie":0,"natVal":"03"}'],
    ['a number literal in another base', '{"ie":0,"natVal":"0x10"}'],
    ['a lone surrogate', '{"ie":0,"strVal":"\\ud800"}'],
    ['a maximum of one level', '{"il":1,"max":[0]}'],
    ['null for a declaration', '{"axiom":null}'],
    ['an axiom without a type', '{"axiom":{"name":0,"levelParams":[],"isUnsafe":false}}'],
    [
      'a flag that is a number',
      '{"ie":0,"sort":0}\n{"axiom":{"name":0,"levelParams":[],"isUnsafe":0,"type":0}}',
    ],
    ['a number given twice', '{"ie":0,"sort":0}\n{"ie":0,"sort":0}'],
    ['a name of two kinds', '{"in":1,"str":{"pre":0,"str":"a"},"num":{"pre":0,"i":1}}'],
    ['a level of two kinds', '{"il":1,"succ":0,"param":0}'],
    ['a term of two kinds', '{"ie":0,"sort":0,"bvar":0}'],
    ['a term beside a declaration', '{"ie":0,"sort":0,"axiom":{}}'],
    ['two declarations on a line', '{"ie":0,"sort":0}\n{"quot":{},"axiom":{}}'],
    ['a second meta line', META_LINE],
    ['garbage behind an object', '{"ie":0,"sort":0} x'],
    ['an object behind an object', '{"ie":0,"sort":0}{"ie":1,"sort":0}'],
    ['a name with a number that is none', '{"in":1,"num":{"pre":0,"i":true},"i":7}'],
    ['zeros of a hole in the file', '\0\0\0'],
    ['terms that nothing needs, at the end', '{"ie":0,"sort":0}'],
  ])('refuses %s with its line', (_, line) => {
    const text = `${META_LINE}\n${line}`;
    const last = text.split('\n').length;
    expect(() => declarationsOf(text, new TermStore())).toThrow(`Line ${last} of the export`);
  });

  it('refuses versions that it does not know', () => {
    const line = META_LINE.replace('"version":"3.1.0"},"lean"', '"version":"4.0.0"},"lean"');
    expect(() => new NdjsonReader(new TermStore()).read(line)).toThrow('Version "4.0.0"');
  });

  it.each([
    ['nothing but the format', '{"meta":{"format":{"version":"3.1.0"}}}', undefined, undefined],
    ['null', '{"meta":{"format":{"version":"3.0.1"},"exporter":null,"lean":null}}', undefined, undefined],
    ['words', '{"meta":{"format":{"version":"3.1.0"},"exporter":"me","lean":"4"}}', undefined, undefined],
    [
      'a name without a version',
      '{"meta":{"format":{"version":"3.1.0"},"exporter":{"name":"me"},"lean":{"version":"4.9"},"more":1}}',
      'me (no version)',
      '4.9',
    ],
  ])('reads a meta line with %s: nothing rests on who exported', (_, line, exporter, lean) => {
    const reader = new NdjsonReader(new TermStore());
    reader.read(line);
    expect(reader.origin).toMatchObject({ exporter, lean });
  });

  it.each([
    ['{"meta":{}}', 'does not say the version'],
    ['{"meta":{"format":3}}', 'does not say the version'],
    ['{"meta":{"format":{"version":3.1}}}', 'does not say the version'],
    ['{"meta":{"format":{"version":"3.2.0"}}}', 'not known'],
    ['{"meta":{"format":{"version":"3.1"}}}', 'not known'],
    ['{"meta":{"format":{"version":"2.0.0"}}}', 'not known'],
    ['{"meta":null}', 'object'],
    ['{"meta":[]}', 'object'],
    ['{"meta":{"format":{"version":"3.1.0"}},"axiom":{}}', 'stands beside'],
    ['{"in":1,"str":{"pre":0,"str":"a"}}', 'does not begin with the meta line'],
  ])('refuses to begin with %s', (line, problem) => {
    expect(() => declarationsOf(line, new TermStore())).toThrow(problem);
  });

  it('reads version 3.0, in which definitions of a block stand together', () => {
    const { text } = smallExport('001_basicDef');
    const old = text
      .replace('"format":{"version":"3.1.0"}', '"format":{"version":"3.0.0"}')
      .replace(/^\{"def":(.*)\}$/m, '{"def":[$1]}');
    expect(old).not.toBe(text);
    const store = new TermStore();
    expect(declarationsOf(old, store).map(outline)).toEqual(declarationsOf(text, store).map(outline));
  });
});

describe('the text format', () => {
  const TEXT = [
    '2.0.0',
    '1 #NS 0 Nat',
    '2 #NS 1 zero',
    '3 #NS 1 a b',
    '4 #NS 0 f',
    '5 #NI 4 18446744073709551616',
    '1 #US 0',
    '0 #ES 1',
    '1 #EC 1 ',
    '#IND 1 0 0 0 0 0 0 1 1 1 2 ',
    '#CTOR 2 1 1 0 0 0 ',
    '2 #EC 2 ',
    '3 #EP #BI 3 1 1',
    '4 #EL #BI 3 1 2',
    '#DEF 4 3 4 R 7 ',
    '5 #ELS 68 C3 A9',
    '6 #ELN 123456789012345678901234567890',
    '7 #EJ 1 0 6',
    '8 #EZ 3 1 2 5',
    '#AX 5 7 ',
    '#OPAQ 3 8 6 ',
  ].join('\n');

  it('is read like the NDJSON of the same', () => {
    const store = new TermStore();
    const declarations = declarationsOf(TEXT, store);
    expect(declarations.map(({ kind }) => kind)).toEqual([
      'inductive-block',
      'definition',
      'axiom',
      'opaque',
    ]);
    expect(declarationsOf(written(declarations), store).map(outline)).toEqual(declarations.map(outline));
    const [, , axiom, opaque] = declarations;
    expect(axiom?.kind === 'axiom' && axiom.name === store.names.of('f', 18446744073709551616n)).toBe(true);
    const value = store.natural(123456789012345678901234567890n);
    expect(opaque?.kind === 'opaque' && opaque.value === value).toBe(true);
  });

  it('is the same with line ends of Windows; elsewhere a return is a letter of the name', () => {
    const store = new TermStore();
    const names = (text: string): unknown[] => declarationsOf(text, store).map(outline);
    expect(names(TEXT.replaceAll('\n', '\r\n'))).toEqual(names(TEXT));
    expect(names(TEXT.replace(/#NS 0 f$/mu, '#NS 0 f\r'))).not.toEqual(names(TEXT));
  });

  it.each([
    '1 #NS 9 x',
    '1 #EX 0',
    '#DEF 1',
    '1 #EV x',
    '1 #ELS zz',
    '1 #EL #BX 0 0 0',
    '1 #EL toString 0 0 0',
    '0 #US 0',
  ])('refuses %s', (line) => {
    expect(() => declarationsOf(`2.0.0\n${line}`, new TermStore())).toThrow('Line 2 of the export');
  });

  it.each([
    ['behind a term', 9, 'ends before the declaration'],
    ['in a block', 10, 'of a block that is not complete'],
  ])('refuses a text that was cut %s', (_, lines, problem) => {
    const cut = TEXT.split('\n').slice(0, lines).join('\n');
    expect(() => declarationsOf(cut, new TermStore())).toThrow(problem);
  });

  it('is told from what is no export', () => {
    expect(() => declarationsOf('1.0.0\n', new TermStore())).toThrow('cannot begin with');
    expect(() => [...readExport([], new TermStore())]).toThrow('empty');
  });
});

describe('the lines of a file', () => {
  it('are the same however long the file is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-lines-'));
    try {
      const path = join(folder, 'lines');
      const lines = Array.from({ length: 1200 }, (_, index) => 'é'.repeat(index));
      const text = lines.map((line) => `${line}\n`).join('');
      writeFileSync(path, text);
      let bytes = 0;
      expect([...fileLines(path, (piece) => (bytes += piece.length))]).toEqual(lines);
      expect(bytes).toBe(Buffer.byteLength(text));
      writeFileSync(path, text.slice(0, -1));
      expect(() => [...fileLines(path)]).toThrow('was cut');
      writeFileSync(path, Buffer.from([0x7b, 0xff]));
      expect(() => [...fileLines(path)]).toThrow('UTF-8');
      expect(() => [...fileLines(join(folder, 'none'))]).toThrow('There is no such file');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
