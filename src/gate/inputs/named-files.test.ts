import { expect, it } from 'vitest';
import { filesNamedIn } from './named-files.ts';

it.each([
  ['Load Defs.', ['Defs.v']],
  ['Load Verbose "sub/Defs.v".', ['sub/Defs.v']],
  ['Load(* of (* all *) "*)" *) Verbose (**) Defs .', ['Defs.v']],
  ['Time Load "a""b".', ['a"b.v']],
  // Rocq may read this as code.
  ['(* Load Defs. *)', ['Defs.v']],
  ['From P Extra Dependency "p.elpi" as p.', ['p.elpi']],
  ['Elpi Accumulate File "q.elpi".', ['q.elpi']],
  ['Require Import Defs. Check Loading. Print Load_it.', []],
])('%s', (text, names) => {
  expect(filesNamedIn(text).names).toEqual(names);
});

it.each(['Load "$HOME/x".', 'Load "~/x".', 'Cd "/tmp".', 'Elpi Accumulate File "q.elpi".'])(
  'what %s takes in is not all known',
  (text) => {
    expect(filesNamedIn(text).more).not.toEqual([]);
  },
);

it('knows the folders that a text puts on the load path', () => {
  expect(filesNamedIn('Add Rec LoadPath "/usr/share/rocq" as R. Add LoadPath "here".').folders).toEqual([
    '/usr/share/rocq',
  ]);
});
