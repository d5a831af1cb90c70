/** A specification is somebody else's word: what it asks for without measure is refused with a sentence. */
import { expect, test } from 'vitest';
import { parseSpec } from './spec.ts';

const spec = (repeats: number) => ({
  name: 'N',
  theorems: { 'a.v': ['t'] },
  methods: [{ name: 'm' }],
  repeats,
});

test('more repeats than anybody waits for are refused', () => {
  expect(parseSpec(spec(1000), 'spec.json').repeats).toBe(1000);
  for (const repeats of [1001, 1e12, 0, 1.5])
    expect(() => parseSpec(spec(repeats), 'spec.json')).toThrow(/The specification is wrong: repeats: /u);
});

test.for([{}, [], { 'a.v': [] }])('a specification without a theorem is refused: %j', (theorems) => {
  expect(() => parseSpec({ name: 'x', theorems, methods: [{ name: 'm' }] }, 's.json')).toThrow(
    /names no theorem/u,
  );
});

test.for([
  [['-load-vernac-source', '/etc/passwd'], /loadPath[^:]*: "-load-vernac-source" is not taken/u],
  [['-R', 'lib', 'X', '-l', 'ev.v'], /"-l" is not taken/u],
  [['-init-file', 'x'], /"-init-file"/u],
  [['-coqlib', 'x'], /"-coqlib"/u],
  [['-set', 'A=B'], /"-set"/u],
  [['-nois'], /"-nois"/u],
  [['-type-in-type'], /"-type-in-type"/u],
  [['-o', 'x'], /"-o"/u],
  [['lib'], /"lib"/u],
  [['CFLAGS', '=', 'x'], /"CFLAGS"/u],
  [['-Q', 'lib'], /"-Q" lacks one of the two words/u],
  [['-I'], /"-I" lacks the word/u],
] as const)('a load path with anything but folders is refused by its name: %j', ([words, problem]) => {
  const written = (loadPath: readonly string[]) => ({ ...spec(1), loadPath: { '.': loadPath } });
  expect(() => parseSpec(written(words), 's.json')).toThrow(problem);
  const good = ['-R', 'lib', 'X', '-Q', '.', '', '-I', 'p', '-arg', '-w none'];
  expect(parseSpec(written(good), 's.json').loadPath).toEqual({ '.': good });
});
