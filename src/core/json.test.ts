import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedJson, hasKeyTwice, jsonFault } from './json.ts';

test.each([
  'sk-hunter2hunter2',
  '{"key": sk-hunter2}',
  '{"a": "b"}, "sk-hunter2"',
  '{"key":\n"sk-hunter2" "b"}',
  '',
])('why %j is no JSON is told without what stands in it', (text) => {
  let fault = '';
  try {
    JSON.parse(text);
  } catch (error) {
    fault = jsonFault(error);
  }
  expect(fault).toMatch(/JSON/u);
  expect(fault).not.toMatch(/hunter|sk-/u);
});

test.each([
  ['{"thm":{"name":1},"thm":{"name":2}}', true],
  ['{"thm":{"name":1,"type":0,"name":2}}', true],
  ['{"a" : 1, "\\u0061" : 2}', true],
  ['{"def":[{"name":1},{"name":2}]}', false],
  ['{"str":{"pre":0,"str":":\\"a\\":\\\\"}}', false],
  ['{"__proto__":{"a":1},"a":2}', false],
])('%s', (line, isTwice) => {
  expect(hasKeyTwice(line, JSON.parse(line))).toBe(isTwice);
});

test('what somebody asks for is one JSON text in which no key stands twice', () => {
  expect(askedJson('{"a": {"b": 1}, "b": ["a", "a"]}', 'The body')).toEqual({ a: { b: 1 }, b: ['a', 'a'] });
  expect(() => askedJson('{"a": 1', 'The body')).toThrow(/^The body is not JSON\./u);
  expect(() => askedJson('{"a": {"b": 1, "b": 2}}', 'The body')).toThrow(/^The body has a key twice/u);
});

test('no line that a writer of JSON writes has a key twice', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1), (text, indent) => {
      const value: unknown = JSON.parse(text);
      expect(hasKeyTwice(JSON.stringify(value, undefined, indent), value)).toBe(false);
    }),
  );
});

test('a value that nests deeper than the stack goes has none twice', () => {
  const depth = 1_000_000;
  const line = '['.repeat(depth) + ']'.repeat(depth);
  expect(hasKeyTwice(line, JSON.parse(line))).toBe(false);
});
