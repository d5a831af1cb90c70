import { expect, it } from 'vitest';
import { sha256 } from '../../../core/sha256.ts';
import { RocqFile } from './rocq-file.ts';

const TEXT = `Module A. Theorem t : True. Admitted. Theorem inner : True. Admitted. End A.
Module B. Theorem u : True. Admitted. End B.
Module C. Theorem u : True. Admitted. End C.
Theorem t : 1 = 2. Abort.
Theorem t : 1 = 1. Admitted.
`;

const file = new RocqFile(
  {
    ...{ name: 'a.v', path: '/a.v', text: TEXT, byteOrderMark: false, lineEnd: '\n' as const },
    hash: sha256(Buffer.from(TEXT)),
  },
  'a.v',
  { file: '/a.v', libraries: '' },
);

it.each([
  // What is given up and stated again was an attempt.
  ['t', '1 = 1'],
  ['A.t', 'True'],
  ['inner', 'True'],
  ['B.u', 'True'],
])(
  'a name means the statement that has just this name, else the only one that ends so: %s',
  (name, statement) => {
    expect(file.theorem(name).statement).toBe(statement);
  },
);

it('a name that is short for several statements is refused, with those that can be meant', () => {
  expect(() => file.theorem('u')).toThrow('The file states several theorems u.');
  expect(() => file.theorem('u')).toThrow(expect.objectContaining({ remedy: 'Say which: B.u, C.u.' }));
  expect(() => file.theorem('v')).toThrow('The file states no v.');
});
