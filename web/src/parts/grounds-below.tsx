/**
 * Beside a theorem that is proved, on what it rests: something open below it, and then it is not finished; or something
 * that is assumed, and then it is, as far as that holds.
 */
import { counted, someOf } from '../../../src/core/counted.ts';
import { SaidBadge, type Said } from './badge.tsx';
import type { Statement } from './stated.ts';

export function GroundsBelow({ one, errors = [], inList = false }: GroundsBelowProps) {
  return (
    <>
      {groundsSaid(one, errors).map((said) => (
        <SaidBadge key={said.sign} {...{ said, inList }} />
      ))}
    </>
  );
}

interface GroundsBelowProps {
  readonly one: Grounded;
  /** The names of what it rests on in which an error stands. */
  readonly errors?: readonly string[] | undefined;
  readonly inList?: boolean;
}

type Grounded = Pick<Statement, 'state' | 'rests_on_open' | 'rests_on_assumed'>;

/** On which others with errors in them something rests, in a sentence. */
export function errorsText(errors: readonly string[]): string {
  return `It rests on ${someOf(errors, 12)}, ${errors.length === 1 ? 'which has an error' : 'which have errors'}.`;
}

/** Nothing of what is not proved itself: that alone is to be done first. */
function groundsSaid(
  { state, rests_on_open, rests_on_assumed }: Grounded,
  errors: readonly string[] = [],
): Said[] {
  if (state !== 'proved') return [];
  const said: Said[] = [];
  if (errors.length > 0)
    said.push({
      ...{ word: 'error below', short: String(errors.length), sign: 'wrong', tone: 'bad' },
      title: errorsText(errors),
    });
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
