/** Beside a theorem that is proved: that it is not finished, since something that it rests on is open. */
import { Badge } from './badge.tsx';
import type { Statement } from './stated.ts';

export function OpenBelow({ one: { state, rests_on_open } }: { readonly one: Statement }) {
  if (state !== 'proved' || rests_on_open.length === 0) return null;
  return (
    <Badge tone="open" title={`It rests on ${rests_on_open.join(', ')}`}>
      {rests_on_open.length} open below
    </Badge>
  );
}
