import { describe, expect, it } from 'vitest';
import { printEmbeddedLayout } from './layout.ts';

const text = (value: string): unknown => ['Pp_string', value];
const space = ['Pp_print_break', 1, 0];
const glue = (...parts: readonly unknown[]): unknown => ['Pp_glue', parts];
const box = (kind: string, indentation: number, inner: unknown): unknown => [
  'Pp_box',
  [kind, indentation],
  inner,
];

describe('printLayout', () => {
  it('keeps what fits on one line, which is everything', () => {
    const tree = box(
      'Pp_hovbox',
      2,
      glue(text('n'), space, box('Pp_hvbox', 0, glue(text('='), space, text('m')))),
    );
    expect(printEmbeddedLayout(tree)).toBe('n = m');
  });

  it('breaks in a vertical box, at the column where the box began', () => {
    const branches = box(
      'Pp_vbox',
      0,
      glue(text('match n with'), space, text('| O => 1'), space, text('end')),
    );
    expect(printEmbeddedLayout(glue(text('x = '), branches))).toBe('x = match n with\n    | O => 1\n    end');
  });

  it('adds the offset of a break to the indentation of its box', () => {
    const tree = box('Pp_vbox', 1, glue(text('a'), ['Pp_print_break', 1, 2], text('b')));
    expect(printEmbeddedLayout(tree)).toBe('a\n   b');
  });

  it('starts a new line where one is forced', () => {
    expect(printEmbeddedLayout(box('Pp_hovbox', 0, glue(text('a'), ['Pp_force_newline'], text('b'))))).toBe(
      'a\nb',
    );
  });

  it('drops colours and does not trip over what it does not know', () => {
    expect(
      printEmbeddedLayout(glue(['Pp_tag', 'constr.variable', text('nat')], ['Pp_empty'], ['Pp_new', 1])),
    ).toBe('nat');
    expect(printEmbeddedLayout(null)).toBe('');
  });
});

it('is read however deep it is nested', () => {
  let tree: unknown = text('0');
  for (let level = 0; level < 20_000; level += 1) tree = box('Pp_hovbox', 0, glue(text('S'), tree));
  expect(printEmbeddedLayout(tree)).toBe(`${'S'.repeat(20_000)}0`);
  expect(printEmbeddedLayout(['Pp_tag'])).toBe('');
});
