/** What is written into a sectioned file is read back from it, and a file that says something twice is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSectioned, parseSectioned } from './sectioned-file.ts';

const key = fc.stringMatching(/^[a-z][a-z ]{0,8}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const line = fc
  .oneof(fc.string(), fc.constantFrom('== Target ==', '==target==', '# x', 'name: y', '\r', '== =='))
  .map((text) => `${text.replaceAll('\n', ' ')}\n`)
  .filter((text) => !/^== [a-z][a-z ]* ==\r?\n$/.test(text));
const content = fc.array(line).map((lines) => lines.join(''));

describe('a sectioned file', () => {
  it('is read as it was written', () => {
    const file = fc.record({
      head: fc.array(fc.tuple(key, value)).map((entries) => new Map(entries)),
      sections: fc.array(fc.tuple(key, content)).map((entries) => new Map(entries)),
    });
    fc.assert(
      fc.property(file, ({ head, sections }) => {
        const read = parseSectioned(formatSectioned({ head, sections }));
        expect([...read.head]).toEqual([...head]);
        expect([...read.sections]).toEqual([...sections]);
      }),
    );
  });

  it('has remarks and blank lines in its head, and keeps them in its sections', () => {
    const read = parseSectioned('# why\n\nname: a: b \n== target ==\n# no remark\n\nx: y\n');
    expect([...read.head]).toEqual([['name', 'a: b']]);
    expect([...read.sections]).toEqual([['target', '# no remark\n\nx: y\n']]);
  });

  it.each([
    ['name: a\nname: b\n', 'line 2: a key for the second time'],
    ['== cheat ==\n== cheat ==\n', 'line 2: a section for the second time'],
    ['name a\n', 'line 1: neither'],
  ])('%j is refused', (text, message) => {
    expect(() => parseSectioned(text)).toThrow(message);
  });

  it('cannot hold a text that looks like a heading', () => {
    const sections = new Map([['cheat', 'x\n== innocent ==\n']]);
    expect(() => formatSectioned({ head: new Map(), sections })).toThrow('looks like a heading');
  });
});
