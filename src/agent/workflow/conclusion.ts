/**
 * What the gate's verdicts make of a theorem, and of a run: the only place where the agent says `proved`. A proof that
 * rests on open statements of its file is `proved-but`, one that the gate could not look at is `not-judged`.
 */
import { basename } from 'node:path';
import { someOf } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { restsOnOpenText } from '../../core/rests-on.ts';
import { clause } from '../../core/sentence.ts';
import type { EventOf } from '../runs/events.ts';
import type { TheoremState } from '../runs/fold.ts';
import type { Grounds } from '../target.ts';

type Ended = EventOf<'theorem-ended'>;
type Found = NonNullable<Ended['found']>;
type RunOutcome = EventOf<'run-ended'>['outcome'];

/** @param judged The last word on a proof; undefined when none was found. */
export function theoremEnded(
  theorem: string,
  judged: EventOf<'judged'> | undefined,
  found: Found,
  reason: string,
): Ended {
  switch (judged?.verdict) {
    case 'accepted':
      return theoremAccepted(theorem, judged, found, reason);
    case 'unknown':
      return theoremNotJudged(theorem, judged.proof, found, judged.findings.join('; '));
    case 'rejected':
    case undefined:
      return {
        ...{ kind: 'theorem-ended', key: theorem, theorem, outcome: 'not-proved', proof: null },
        ...{ restsOnOpen: [], found: null, reason },
      };
  }
}

/** @param accepted What the gate said of the proof. */
export function theoremAccepted(
  theorem: string,
  accepted: {
    readonly proof: string;
    readonly restsOnOpen: readonly string[];
    readonly before?: string | undefined;
    readonly grounds?: Grounds | undefined;
  },
  found: Found,
  reason: string,
): Ended {
  const { proof, before, grounds } = accepted;
  const restsOnOpen = [...accepted.restsOnOpen];
  const rests = restsOnOpen.length === 0 ? '' : `, but ${restsOnOpenText(restsOnOpen)}`;
  return {
    ...{ kind: 'theorem-ended', key: theorem, theorem, outcome: outcomeOfAccepted(restsOnOpen), proof },
    ...(before !== undefined && { before }),
    ...(grounds !== undefined && { grounds }),
    ...{ restsOnOpen, found, reason: `${reason}${rests}` },
  };
}

export function theoremRefuted(
  theorem: string,
  { counterexample, negation, grounds }: EventOf<'refuted'>,
): Ended {
  const fails = counterexample === '' ? '' : ` for ${counterexample}`;
  const reason = `it is false${fails}; the gate accepts the negation${negation === null ? '' : `:\n${negation}`}`;
  return {
    ...{ kind: 'theorem-ended', key: theorem, theorem, outcome: 'refuted', proof: null },
    ...(grounds !== undefined && { grounds }),
    ...{ restsOnOpen: [], found: null, reason },
  };
}

export function theoremNotJudged(theorem: string, proof: string, found: Found, why: string): Ended {
  return {
    ...{ kind: 'theorem-ended', key: theorem, theorem, outcome: 'not-judged', proof },
    ...{ restsOnOpen: [], found, reason: `found, not judged: ${why}` },
  };
}

export function outcomeOfAccepted(restsOnOpen: readonly string[]): 'proved' | 'proved-but' {
  return restsOnOpen.length === 0 ? 'proved' : 'proved-but';
}

export type TheoremNow = Pick<TheoremState, 'theorem' | 'outcome' | 'restsOnOpen'>;

/**
 * How a run ended that was not stopped, and how much of it is proved, in words.
 * @param since What became of the files: `replaced` are others by now than those that were judged, and what lies there
 * is not proved; of the theorems `undone` the proofs were written, and are not there any more; those that are `usersOwn` were left alone.
 */
export function runSummary(
  theorems: readonly TheoremNow[],
  {
    replaced = [],
    gone = {},
    undone = [],
    usersOwn = [],
  }: {
    readonly replaced?: readonly string[];
    /** Of those that are no files, why. */
    readonly gone?: Readonly<Record<string, string>>;
    readonly undone?: readonly string[];
    readonly usersOwn?: readonly string[];
  } = {},
): {
  readonly outcome: Extract<RunOutcome, TheoremState['outcome']>;
  readonly message: string;
} {
  const of = (outcome: TheoremState['outcome']) => theorems.filter((one) => one.outcome === outcome);
  const [proved, but, unjudged] = [of('proved'), of('proved-but'), of('not-judged')];
  const refuted = of('refuted');
  const others = replaced.filter((file) => !Object.hasOwn(gone, file));
  const resting = but.map(({ theorem, restsOnOpen }) => `${theorem}: ${restsOnOpen.join(', ')}`);
  const message = [
    `${proved.length} of ${theorems.length} proved`,
    ...(but.length === 0
      ? []
      : [`${but.length} proved but resting on open statements (${resting.join('; ')})`]),
    ...(refuted.length === 0
      ? []
      : [`${refuted.length} refuted (${refuted.map(({ theorem }) => theorem).join(', ')})`]),
    ...(unjudged.length === 0 ? [] : [`${unjudged.length} found but not judged`]),
    ...(others.length === 0
      ? []
      : [`${someOf(others.map((file) => foreignName(basename(file))))} replaced since`]),
    ...Object.entries(gone).map(([file, why]) => `${foreignName(basename(file))} ${why}`),
    ...(undone.length === 0
      ? []
      : [
          `${undone.length} taken out of the file since (${undone.map((name) => foreignName(name)).join(', ')})`,
        ]),
    ...(usersOwn.length === 0
      ? []
      : [
          `${usersOwn.length} left as it is in the file, since the proof there is yours by now (${usersOwn.map((name) => foreignName(name)).join(', ')})`,
        ]),
  ].join(', ');
  const found = proved.length + but.length + unjudged.length;
  if (found < theorems.length || replaced.length > 0 || undone.length > 0)
    return { outcome: 'not-proved', message };
  if (unjudged.length > 0) return { outcome: 'not-judged', message };
  return { outcome: but.length > 0 ? 'proved-but' : 'proved', message };
}

/** The end of a run that had no time to come to one. @param theorems As far as is recorded. */
export function endOfStopped(theorems: readonly TheoremNow[]): EventOf<'run-ended'> {
  const message = `${clause(runSummary(theorems).message)}. The run was stopped, and did not come to an end by itself.`;
  return { kind: 'run-ended', outcome: 'interrupted', message };
}
