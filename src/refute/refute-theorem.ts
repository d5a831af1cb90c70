/**
 * From a theorem of a file to an answer: is it false? Runs the file, searches, and has the gate judge what it
 * finds.
 */
import { restsOnOpenText } from '../core/rests-on.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { claimOf, type NamesOfClaim, type Untried } from './claim.ts';
import { searchCounterexample, type Disproved, type NotRefuted, type RefuteOptions } from './refute.ts';

/** What is asked of the gate. */
export interface DisproofJudge {
  readonly judge: (filled: FilledClaim) => Promise<DisproofVerdict>;
  /** Whether what the claim of a text says is that the statement of the text is false, in the kernel's terms. */
  readonly negates: (target: string, names: NamesOfClaim) => Promise<NegationVerdict>;
}

export interface FilledClaim {
  /** The file up to the theorem, with the negation admitted in its place. */
  readonly target: string;
  readonly text: string;
  readonly theorems: readonly TheoremItem[];
  /** Milliseconds that the gate gets; default: two minutes. */
  readonly mostMs?: number;
}

/** What the gate says of a proof of the claim. `accepted` is only ever the gate's own word. */
export type DisproofVerdict =
  | {
      readonly kind: 'accepted';
      readonly restOn: readonly {
        readonly openStatements: readonly string[];
        readonly axioms: readonly string[];
      }[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

/** What it says of the claim. How the file writes it counts for nothing: its notations decide how it is read. */
export type NegationVerdict =
  | { readonly kind: 'is-negation' }
  | { readonly kind: 'is-none' }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

/** The gate accepted a proof of the claim, and the claim is the negation of the statement. */
export type Refuted = Omit<Disproved, 'kind'> & {
  readonly kind: 'refuted';
  /** That the proof of the claim rests on. */
  readonly axioms: readonly string[];
  /** What the verdict says against itself. */
  readonly warnings: readonly string[];
};

export type Refutation = Refuted | NotRefuted | Untried;

export interface PlaceOfTheorem {
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
  readonly session: ProverSession;
  /** Where the theorem is stated and its proof is open. */
  readonly opened: StateId;
}

/** @throws QuodError when the session cannot be brought back. */
export async function refuteTheorem(
  { outline, theorem, session, opened }: PlaceOfTheorem,
  judge: DisproofJudge,
  options: RefuteOptions,
): Promise<Refutation> {
  const claim = claimOf(outline, theorem);
  if ('kind' in claim) return claim;
  // Giving the proof up leads back to where the theorem was not yet stated.
  const before = await session.run(opened, asSentence('Abort.'), { signal: options.signal });
  if (before.status !== 'done')
    return {
      kind: 'not-refuted',
      reason: before.status === 'unknown' ? before.reason : 'does-not-compile',
      message: before.status === 'unknown' ? before.message : before.error.message,
      ...{ tried: 0, suspects: [] },
    };
  const found = await searchCounterexample(session, before.state, claim, options);
  return found.kind === 'disproved' ? judged(found, judge) : found;
}

/** Only where the gate accepts a proof that rests on no open statement, and of the negation itself, is a statement refuted. */
async function judged(found: Disproved, judge: DisproofJudge): Promise<Refuted | NotRefuted> {
  const { counterexample, tried } = found;
  const suspected = { tried, suspects: counterexample === '' ? [] : [counterexample] };
  const not = (reason: ReasonCode, message: string): NotRefuted => ({
    kind: 'not-refuted',
    reason,
    message: `A counterexample was found (${counterexample}), but it does not count. ${message}`,
    ...suspected,
  });
  const { verdict, target } = await firstVerdict(found, judge);
  switch (verdict.kind) {
    case 'accepted': {
      const open = verdict.restOn.flatMap(({ openStatements }) => openStatements);
      if (open.length > 0) return not('not-verified', `The proof of the negation ${restsOnOpenText(open)}.`);
      const negation = await judge.negates(target, found.names);
      switch (negation.kind) {
        case 'is-negation':
          return {
            ...{ ...found, kind: 'refuted', warnings: verdict.warnings },
            axioms: verdict.restOn.flatMap(({ axioms }) => axioms),
          };
        case 'is-none':
          return not('not-verified', 'What was proved is not the negation of the statement to the kernel.');
        case 'unknown':
          return not(
            negation.reason,
            `What was proved could not be compared with the statement: ${negation.message}`,
          );
      }
    }
    case 'rejected':
      return not('not-verified', verdict.message);
    case 'unknown':
      return verdict.reason === 'does-not-compile'
        ? {
            ...{ ...suspected, kind: 'not-refuted', reason: verdict.reason, isUnconfirmed: true },
            message: unconfirmedText(counterexample, verdict.message),
          }
        : not(verdict.reason, verdict.message);
  }
}

function unconfirmedText(counterexample: string, message: string): string {
  const found = counterexample === '' ? 'It fails' : `It fails for ${counterexample}`;
  return `${found}; that is not confirmed, because the file has an error before it. ${message}`;
}

/** The first verdict of a judge that could look. */
async function firstVerdict(
  { name, texts }: Disproved,
  judge: DisproofJudge,
): Promise<{ readonly verdict: DisproofVerdict; readonly target: string }> {
  let verdict: DisproofVerdict = {
    kind: 'unknown',
    reason: 'internal',
    message: 'There was nothing to judge.',
  };
  let judged = '';
  for (const { target, submission } of texts) {
    const theorems = outlineOf(target).statements.filter((item) => item.name === name);
    verdict = await judge.judge({ target, text: submission, theorems });
    judged = target;
    if (verdict.kind !== 'unknown' || verdict.reason !== 'does-not-compile') break;
  }
  return { verdict, target: judged };
}
