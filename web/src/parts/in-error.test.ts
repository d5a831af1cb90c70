/** What rests on a proof that has an error is told so, however many proofs are between. */
import { expect, it } from 'vitest';
import { errorsBelow, inErrorAmong, inErrorOfBuild } from './in-error.ts';
import type { BuildStep } from './last-build.ts';
import type { Statement } from './stated.ts';

function stated(name: string, lines: readonly [number, number], uses: readonly string[] = []): Statement {
  return {
    ...{
      file: 'a.v',
      line: lines[0],
      end_line: lines[1],
      name,
      kind: 'Lemma',
      statement: '',
      state: 'proved',
    },
    ...{ compiled: 'no', hole: null, uses: uses.map((one) => `a.v:${one}`) },
    ...{ rests_on_open: [], rests_on_assumed: [] },
  };
}

const BAD = stated('bad', [1, 4]);
const USER = stated('user', [6, 8], ['bad']);
const FURTHER = stated('further', [9, 10], ['user', 'fine']);
const FINE = stated('fine', [5, 5]);
const ALL = [BAD, FINE, USER, FURTHER];

it('an error is in what stands at its line, and in nothing where only a command does', () => {
  expect([...inErrorAmong(ALL, new Map([['a.v', [4]]]))]).toEqual([BAD]);
  expect([...inErrorAmong(ALL, new Map([['a.v', [11]]]))]).toEqual([]);
  expect([...inErrorAmong(ALL, new Map([['b.v', [4]]]))]).toEqual([]);
});

it('what rests on it is named, and what does not is not', () => {
  const below = errorsBelow(ALL, new Set([BAD]));
  expect([...below].map(([{ name }, names]) => [name, names])).toEqual([
    ['user', ['bad']],
    ['further', ['bad']],
  ]);
});

it('the last build says so as long as its file is as it was, and not compiled since', () => {
  const fault: BuildStep = {
    ...{ kind: 'failed', reason: null, library: null, file: 'a.v', line: 4, column: 0 },
    ...{ seconds: 0, message: 'No.' },
  };
  const build = { faults: [fault], changed: new Set<string>() };
  expect([...inErrorOfBuild(ALL, build)]).toEqual([BAD]);
  expect([...inErrorOfBuild(ALL, { ...build, changed: new Set(['a.v']) })]).toEqual([]);
  const compiled = ALL.map((one): Statement => ({ ...one, compiled: 'yes' }));
  expect([...inErrorOfBuild(compiled, build)]).toEqual([]);
});
