/** The form of an attack on the Rocq judge: a submission that tries to be accepted without proving the target. */
import type { ReasonCode } from '../../../core/reason.ts';
import type { GatePolicy } from '../../policy.ts';
import type { FindingKind } from '../../verdict.ts';

/** What an attack is aimed at. */
export const ATTACKED = [
  'proof',
  'statement',
  'environment',
  'kernel flags',
  'output',
  'file system',
  'time',
  'other files',
] as const;

export type Attacked = (typeof ATTACKED)[number];

/** What a machine can have or lack: coq-elpi, Rocq's compiler to native code, something to confine a process with. */
export type Need = 'elpi' | 'native compiler' | 'sandbox';

export interface AttackTexts {
  readonly target?: string;
  readonly cheat: string;
  /** Uses the same means honestly, and must be accepted. */
  readonly innocent: string;
  /** For both; by default nothing is allowed beyond the target. */
  readonly policy?: GatePolicy;
  /** Limits under which only the attack is judged: on a busy machine an honest proof can take long, too. */
  readonly limits?: GatePolicy['limits'];
  /** Without these the attack cannot be tried. */
  readonly needs?: readonly Need[];
}

export interface Attack extends AttackTexts {
  readonly name: string;
  readonly attacked: Attacked;
  readonly target: string;
  /** The finding, or the reason why nothing may be concluded. */
  readonly expected: FindingKind | ReasonCode;
}

export const STATEMENT = 'Theorem add_zero : forall n : nat, n + 0 = n.';
export const PROOF = 'Proof. induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.';
export const TARGET = `${STATEMENT}\nProof. Admitted.\n`;
export const HONEST = `${STATEMENT}\n${PROOF}\n`;

export function attacksOn(
  attacked: Attacked,
  attacks: readonly (readonly [name: string, expected: Attack['expected'], texts: AttackTexts])[],
): readonly Attack[] {
  return attacks.map(([name, expected, texts]) => ({ name, attacked, expected, target: TARGET, ...texts }));
}
