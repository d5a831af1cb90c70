/** Whether a proof of the project is known to be one, as far as the project tells, and on what it rests. */
import { appendAll } from '../../../../src/core/lists/many.ts';
import { Badge, SaidBadge } from '../../parts/badge.tsx';
import type { Build } from '../../parts/last-build.ts';
import { GroundsBelow } from '../../parts/grounds-below.tsx';
import { idOf, isUncompiled, stateSaid } from '../../parts/stated.ts';
import type { Statement } from '../../parts/stated.ts';

/** Nothing where it is proved, compiled as it is now, and finished. */
export function KnownProof({ one, build }: KnownProofProps) {
  if (one === undefined)
    return (
      <Badge title="The list of what the project states does not have it.">not known to be proved</Badge>
    );
  return (
    <>
      {(one.state !== 'proved' || isUncompiled(one)) && <SaidBadge said={stateSaid(one, build)} />}
      <GroundsBelow one={one} />
    </>
  );
}

interface KnownProofProps {
  /** Undefined where the project does not state it. */
  readonly one: Statement | undefined;
  readonly build: Build;
}

/** Whether a statement uses another, directly or through what it uses; both as `file:name`. */
export function usesThrough(id: string, used: string, all: ReadonlyMap<string, Statement>): boolean {
  const seen = new Set<string>();
  const pending = [id];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === used) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    appendAll(pending, all.get(next)?.uses ?? []);
  }
  return false;
}

export function byId(statements: readonly Statement[]): ReadonlyMap<string, Statement> {
  return new Map(statements.map((one) => [idOf(one), one]));
}
