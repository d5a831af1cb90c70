import { describe, expect, it } from 'vitest';
import { parseDeclarations } from './declarations.ts';
import { tacticStepAt, withDumps } from './tactic-steps.ts';

/** The step at the mark `^` of a text. */
function stepAt(marked: string): string | undefined {
  const offset = marked.indexOf('^');
  const text = marked.replace('^', '');
  const [declaration] = parseDeclarations(text);
  const step = declaration && tacticStepAt(declaration, offset);
  return step && text.slice(step.start, step.end);
}

describe('the step at a place', () => {
  it.each([
    ['let f = assert p by (a ()^; b (); c ())', 'a ()'],
    ['let f = assert p by (a (); ^b (); c ())', 'b ()'],
    ['let f = assert p by (a (); b (x; ^y); c ())', 'b (x; y)'],
    ['let f = assert p by (a (); c (^))', 'c ()'],
    ['let f = assert_by_tactic p (fun () -> a ();\n  ^b ())', 'b ()'],
    ['let f = assert p by (a (); seq (fun () -> ^b (); d ()) c)', 'b ()'],
    ['let f = ^assert p by (a ())', undefined],
    ['let f (x:int{^x > 0}) = x', undefined],
  ])('%s is %j', (marked, step) => {
    expect(stepAt(marked)).toBe(step);
  });
});

it('is dumped around without moving a line', () => {
  const text = 'let f = assert p by (a ();\n  b ())\n';
  const [declaration] = parseDeclarations(text);
  if (declaration === undefined) throw new Error('a declaration');
  const step = { start: text.indexOf('b ()'), end: text.indexOf('b ()') + 4 };
  expect(withDumps(text, declaration, step)).toBe(
    'let f = assert p by (a ();\n  dump "quod:before"; (b ()); dump "quod:behind")\n',
  );
});
