import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedTarget, taskTargets, withHandoff, withoutHandoff } from './task-file.ts';

const any = (): boolean => true;

describe('targets of a task', () => {
  test('are listed with or without names', () => {
    const text =
      '# Sums\n\nProve them, not other.v.\n\n## Targets\n- [ ] `a/sum.v`: one, `two`\n* fooScript.sml\n\n## Notes\n- x.v\n';
    expect(taskTargets(text, 'TASK.md', any)).toEqual([
      { file: 'a/sum.v', theorems: ['one', 'two'] },
      { file: 'fooScript.sml', theorems: undefined },
    ]);
  });

  test('are the files that the text names, where nothing is listed, without what was handed off', () => {
    const task = 'Prove `sum.v` and sum.v, then listScript.sml (see README.md).\n';
    const text = withHandoff(task, 'other.v');
    expect(taskTargets(text, 'TASK.md', (name) => name !== 'README.md')).toEqual([
      { file: 'sum.v', theorems: undefined },
      { file: 'listScript.sml', theorems: undefined },
    ]);
  });

  test('that are missing are an error that says what to write', () => {
    expect(() => taskTargets('Prove everything.', 'TASK.md', any)).toThrow(/names no file/u);
    expect(() => taskTargets('Prove none.v.', 'TASK.md', () => false)).toThrow(/names no file/u);
  });
});

test.each(['b.v', 'a.lean', 'A.fst', 'B.fsti', 'foo.sml', 'barScript.sml'])(
  'a file that stands as code and cannot be proved in is named: %s',
  (name) => {
    const isTarget = (one: string): boolean => one === 'a.v';
    const task = (more: string): string => `Prove \`a.v\` and \`${name}\`.\n${more}`;
    expect(() => taskTargets(task(''), 'TASK.md', isTarget)).toThrow(new RegExp(name, 'u'));
    expect(taskTargets(task('\n## Targets\n- a.v\n'), 'TASK.md', isTarget)).toHaveLength(1);
  },
);

describe('the handoff section', () => {
  test('is replaced, and nothing else changes', () => {
    const mark = '<!-- Quod writes this section anew with each hand-off. -->';
    const text = `# Task\nProve a.v.\n\n## Handoff\n\n${mark}\nold\n### inner\n\n## After\nkept\n`;
    const next = withHandoff(text, 'new');
    expect(next).toBe(`# Task\nProve a.v.\n\n## Handoff\n\n${mark}\n\nnew\n\n## After\nkept\n`);
    expect(withoutHandoff(next)).toBe('# Task\nProve a.v.\n\n## After\nkept\n');
  });

  test('of the user is part of the task, and stays as it is', () => {
    const text = '# Task\n\n## Handoff\nmine\n\n## After\nkept\n';
    expect(withoutHandoff(text)).toBe(text);
    const next = withHandoff(withHandoff(text, 'old'), 'new');
    expect(next.startsWith(text)).toBe(true);
    expect(next).not.toContain('old');
    expect(withoutHandoff(next).trim()).toBe(text.trim());
  });

  test('holds no character that acts on a terminal or turns the text around', () => {
    const next = withHandoff('# Task\n', 'done\u001b]0;x\u0007\r\n\u202eback\r# one');
    expect(next.replace(/<!--.*-->\n\n/u, '')).toBe(
      '# Task\n\n## Handoff\n\ndone\\u{1b}]0;x\\u{7}\n\\u{202e}back\\u{d}# one\n',
    );
  });

  test('comes out as it went in, whatever the note and the text are', () => {
    const lines = fc.array(
      fc.constantFrom(
        '# one',
        '## two',
        '##\tTargets',
        '### three',
        'text',
        '',
        '- a.v',
        '## Handoff!',
        '## Handoff',
      ),
    );
    fc.assert(
      fc.property(lines, lines, lines, (before, note, second) => {
        const text = before.join('\n');
        const once = withHandoff(text, note.join('\n'));
        expect(withoutHandoff(once).trim()).toBe(text.trim());
        expect(withHandoff(once, second.join('\n'))).toBe(withHandoff(text, second.join('\n')));
      }),
    );
  });
});

test('a target is told by the way from its task', () => {
  const named = (file: string): string =>
    namedTarget({ theorem: 'sum', file }, { file: '/home/me/work/TASK.md' });
  expect(named('/home/me/work/a/sum.v')).toBe('sum (a/sum.v)');
  expect(named('/home/me/other/sum.v')).toBe('sum (../other/sum.v)');
  expect(named('a/sum.v')).toBe('sum (a/sum.v)');
});
