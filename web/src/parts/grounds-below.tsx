/**
 * Beside a theorem that is proved, on what it rests: something open below it, and then it is not finished; or something
 * that is assumed, and then it is, as far as that holds.
 */
import { counted, someOf } from '../../../src/core/counted.ts';
import { SaidBadge, type Said } from './badge.tsx';
import type { Statement } from './stated.ts';

export function GroundsBelow({ one, inList = false }: GroundsBelowProps) {
  return (
    <>
      {groundsSaid(one).map((said) => (
        <SaidBadge key={said.sign} {...{ said, inList }} />
      ))}
    </>
  );
}

interface GroundsBelowProps {
  readonly one: Grounded;
  readonly inList?: boolean;
}

type Grounded = Pick<Statement, 'state' | 'rests_on_open' | 'rests_on_assumed'>;

/** Nothing of what is not proved itself: that alone is to be done first. */
export function groundsSaid({ state, rests_on_open, rests_on_assumed }: Grounded): Said[] {
  if (state !== 'proved') return [];
  const said: Said[] = [];
  const [open, assumed] = [rests_on_open.length, rests_on_assumed.length];
  if (open > 0)
    said.push({
      ...{ word: `${open} open below`, short: String(open), sign: 'below', tone: 'open' },
      title: `It rests on ${someOf(rests_on_open, 12)}, which ${open === 1 ? 'has' : 'have'} no proof yet.`,
    });
  if (assumed > 0)
    said.push({
      ...{ word: `on ${counted(assumed, 'axiom')}`, short: String(assumed), sign: 'assumed', tone: 'plain' },
      title: `It rests on ${someOf(rests_on_assumed, 12)}, which ${assumed === 1 ? 'is' : 'are'} taken without a proof.`,
    });
  return said;
}
