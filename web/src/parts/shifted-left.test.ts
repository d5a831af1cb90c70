/** Cases that Rocq prints below a `match` far to the right come to the left, as they stand to each other. */
import { expect, test } from 'vitest';
import { shiftedLeft } from './shifted-left.ts';

const far = ' '.repeat(60);

test('lines that stand far to the right are moved together, and no others', () => {
  const text = `flatten = fix flatten (t : tree) := match t with
${far}| leaf => match 0 with
${far}          | _ => nil
${far}          end
${far}end
     : tree -> list`;
  expect(shiftedLeft(text)).toBe(`flatten = fix flatten (t : tree) := match t with
    | leaf => match 0 with
              | _ => nil
              end
    end
     : tree -> list`);
});

test.each([
  ['what stands near stays', 'a = match n with\n    | 0 => 1\n    end'],
  ['a string stays what it is', `"a\n${far}b" = s`],
  ['one line stays', `a${far}b`],
])('%s', (_, text) => {
  expect(shiftedLeft(text)).toBe(text);
});

test('many lines are moved, too', () => {
  const lines = Array.from({ length: 200_000 }, () => `${far}| _ => 0`).join('\n');
  expect(shiftedLeft(`m\n${lines}`)).toBe(`m\n${lines.replaceAll(far, '    ')}`);
});
