/** Nothing that stands in the list of a task is left out in silence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuodError } from '../../core/errors.ts';
import { taskTargets } from './task-file.ts';

const targetsIn = (...lines: readonly string[]): readonly string[] =>
  taskTargets(`# T\n\n## Targets\n${lines.join('\n')}\n`, 'TASK.md', () => true).map(
    ({ file, theorems }) => `${file}${theorems === undefined ? '' : `: ${theorems.join(' ')}`}`,
  );

test('what people write is taken: numbers, three kinds of bullets, several files, names as code, lines that go on', () => {
  expect(targetsIn('1. y.v: a', '2) z.v', '+ x.v: b', '* `a b.v`: c', '- `:(top)y.v`, é.v,w.v')).toEqual([
    ...['y.v: a', 'z.v', 'x.v: b', 'a b.v: c', ':(top)y.v', 'é.v', 'w.v'],
  ]);
  expect(targetsIn('- sums.v: a1,', '  a2', 'a3', '-', '- [ ] y.v:', '    z')).toEqual([
    'sums.v: a1 a2 a3',
    'y.v: z',
  ]);
  expect(
    targetsIn(
      'The sums first.',
      '',
      '- sums.v',
      '',
      'All by induction.',
      '```',
      '- y.v',
      '# z',
      '- z.v',
      '```',
    ),
  ).toEqual([...['sums.v', 'y.v', 'z.v']]);
  expect(targetsIn('- sums.v <!-- hard -->', '<!--', '- y.v', '-->')).toEqual(['sums.v']);
  expect(targetsIn('- sums.v', '', 'Notes', '---', 'y.v is hard.')).toEqual(['sums.v']);
});

test('every section of targets counts, with whatever closes its heading', () => {
  const text = '## Targets\n- a.v\n## Why\n- x.v\n\n## targets ##\n- b.v\n';
  expect(taskTargets(text, 'TASK.md', () => true).map(({ file }) => file)).toEqual(['a.v', 'b.v']);
  expect(() => taskTargets(`${text}- c.v — d\n`, 'TASK.md', () => true)).toThrow(/c\.v — d/u);
});

describe('what is not understood is refused with its line', () => {
  test.each([
    '- y.v — secret_y',
    '- y.v secret_y',
    '- y.v and z.v',
    '-y.v: secret_y',
    'y.v: secret_y',
    'See y.v too.',
    '> - y.v',
    '| y.v | secret_y |',
    '### y.v',
    '- a b.v: z',
    '- :(top)y.v: z',
    '- y.v, z.v: a',
    '- y.v: a, z.v: b',
    '- y.v: a, z.v',
    '- y.v; z.v',
    '- the one in y',
    '– fooScript.sml',
    '<!-- y.v',
  ])('%s', (line) => {
    const read = (): unknown => targetsIn('Prose.', '- sums.v: a1', '', line);
    expect(read).toThrow(QuodError);
    expect(read).toThrow(line.replace(/^\s*[-*]\s/u, ''));
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ place: { file: 'TASK.md', position: { line: 7 } } });
    }
  });

  test('whatever line names a file: its file is a target, or it is refused', () => {
    const before = fc.constantFrom(
      '',
      '- ',
      '-',
      '+ ',
      '3. ',
      '  * ',
      '– ',
      '> ',
      '### ',
      '- [ ] ',
      '- the ',
      '\t',
    );
    const behind = fc.constantFrom(
      '',
      ':',
      ': a',
      ' a',
      ' — a',
      ', z.v',
      ' z.v',
      '; z.v',
      ' (z.v)',
      ' |',
      ': a, z.v',
    );
    fc.assert(
      fc.property(before, behind, fc.boolean(), (start, end, isApart) => {
        const line = `${start}y.v${end}`;
        let found: readonly string[];
        try {
          found = targetsIn('- sums.v: a1', ...(isApart ? [''] : []), line);
        } catch (error) {
          expect(error).toBeInstanceOf(QuodError);
          return;
        }
        const files = found.map((target) => target.replace(/:.*/u, ''));
        expect(files).toEqual(['sums.v', ...(line.match(/[yz]\.v/gu) ?? [])]);
      }),
    );
  });
});

test('a file whose name is not of ASCII, or has blanks and stands as code, is named by the text too', () => {
  const text = 'Prove é.v and `a b.v`, not with `coqc x`.';
  expect(taskTargets(text, 'TASK.md', (name) => name.endsWith('.v')).map(({ file }) => file)).toEqual([
    'a b.v',
    'é.v',
  ]);
  expect(() => taskTargets('Prove `sub/é.v`.', 'TASK.md', () => false)).toThrow(/sub\/é\.v/u);
});
