import { expect, it } from 'vitest';
import { definedTogether } from './mutual-recursion.ts';

it('reads functions that are defined together, with the types that they go by', () => {
  const body = `fix size (t : tree A) : nat :=
  match t with
  | node _ f => S (fsize f)
  end
with fsize (f : forest
                  A) : nat :=
  match f with
  | fcons t r => size t + fsize r
  end
for
fsize`;
  expect(definedTogether(body)).toEqual([
    { name: 'size', argument: 't', type: 'tree A' },
    { name: 'fsize', argument: 'f', type: 'forest A' },
  ]);
});

it('reads none where a function stands alone', () => {
  expect(definedTogether('fix size (t : tree) : nat := match t with | leaf => 0 end')).toEqual([]);
  expect(definedTogether('S (fsize f)')).toEqual([]);
});
