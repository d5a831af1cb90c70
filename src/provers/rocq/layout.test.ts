import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY, type LayoutTree, printTree } from './layout.ts';

const anyTree = fc.letrec<{ tree: LayoutTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.record({ kind: fc.constant('text' as const), text: fc.string() }),
    fc.record({
      kind: fc.constant('break' as const),
      blanks: fc.nat(3),
      offset: fc.integer({ min: -3, max: 3 }),
    }),
    fc.constantFrom<LayoutTree>({ kind: 'newline' }, EMPTY),
    fc.record({ kind: fc.constant('tag' as const), content: tie('tree') }),
    fc.record({ kind: fc.constant('glue' as const), parts: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({
      kind: fc.constant('box' as const),
      vertical: fc.boolean(),
      indentation: fc.integer({ min: -3, max: 3 }),
      content: tie('tree'),
    }),
  ),
})).tree;

function textsOf(tree: LayoutTree): string {
  switch (tree.kind) {
    case 'text':
      return tree.text;
    case 'glue':
      return tree.parts.map(textsOf).join('');
    case 'tag':
    case 'box':
      return textsOf(tree.content);
    default:
      return '';
  }
}

const withoutBlanks = (text: string): string => text.replace(/[ \n]/gu, '');

it('prints all texts in order and adds nothing but blanks and line ends', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      expect(withoutBlanks(printTree(tree))).toBe(withoutBlanks(textsOf(tree)));
    }),
  );
});

it('begins the lines of a vertical box at the column where the box began', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{0,9}$/),
      fc.array(fc.stringMatching(/^[a-z]{1,5}$/)),
      (before, lines) => {
        const parts = lines.flatMap((text): LayoutTree[] => [
          { kind: 'break', blanks: 1, offset: 0 },
          { kind: 'text', text },
        ]);
        const box: LayoutTree = {
          kind: 'box',
          vertical: true,
          indentation: 0,
          content: { kind: 'glue', parts },
        };
        const printed = printTree({ kind: 'glue', parts: [{ kind: 'text', text: before }, box] });
        expect(printed).toBe([before, ...lines.map((line) => ' '.repeat(before.length) + line)].join('\n'));
      },
    ),
  );
});

it('prints trees that are nested as deep as terms are', () => {
  let tree: LayoutTree = { kind: 'text', text: '0' };
  for (let level = 0; level < 20_000; level += 1)
    tree = {
      kind: 'box',
      vertical: false,
      indentation: 0,
      content: { kind: 'glue', parts: [{ kind: 'text', text: 'S' }, tree] },
    };
  expect(printTree(tree)).toBe(`${'S'.repeat(20_000)}0`);
});
