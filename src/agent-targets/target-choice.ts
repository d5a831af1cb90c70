import type { FoundProof } from '../agent/target.ts';
import type { GatePolicy } from '../gate/policy.ts';
import { OwnProofs, type ProofOfRun, type ProofPlaces } from './own-proofs.ts';

/** A file as the log of a run has it. */
export interface KnownFile {
  /** Its text as the run found it; empty where the log does not have it. */
  readonly original: string;
  /** Of the file as the run found it, and as it wrote it. */
  readonly hashes: readonly string[];
  /** Proofs that the run may have written, by theorem; it may not have recorded that it did. */
  readonly proofs: ReadonlyMap<string, FoundProof>;
  /**
   * Another program works in it, and may have been stopped anywhere: the file may be anything, since all of it is
   * judged against the original before anything counts.
   */
  readonly isComparedLater?: boolean;
  /** All that the run may have written: of a theorem there may be several, found one after the other. */
  readonly found?: readonly ProofOfRun[];
  /** Theorems with somebody else's proof are no targets. Default: whatever is in the file is the run's to replace. */
  readonly leavesOthers?: boolean;
}

/** The text that says what the targets state, where the file may be anything. */
export function statingText({ known }: TargetChoice): string | undefined {
  return known?.isComparedLater === true && known.original !== '' ? known.original : undefined;
}

/** What a run found, of a file that has this text now. */
export function textAsBegun({ known }: TargetChoice, text: string): string {
  // Logs of older versions do not have the text that the run began with, and go on only with a text of the run's.
  return known === undefined || known.original === '' ? text : known.original;
}

/** What the run may replace in a file that has this text now. */
export function ownProofsOf(choice: TargetChoice, text: string, places: ProofPlaces): OwnProofs {
  return new OwnProofs(textAsBegun(choice, text), places, choice.known?.found);
}

/** Those of the theorems that are left to somebody else. @param hash of the text. */
export function leftToOthers(
  { known }: TargetChoice,
  own: OwnProofs,
  { text, hash }: { readonly text: string; readonly hash: string },
  theorems: readonly string[],
): readonly string[] {
  if (known?.leavesOthers !== true || known.hashes.includes(hash)) return [];
  return own.notOwn(text, theorems);
}

/** What a run works on in a file. */
export interface WorkOfRun {
  /** The text of the file as the run found it. */
  readonly begun: string;
  /** The theorems whose proofs are the run's. */
  readonly theorems: readonly string[];
}

/** Which theorems a run works on, and which versions of their file are its own work. */
export interface TargetChoice {
  readonly file: string;
  /** Default: every hole of the file. */
  readonly theorems?: readonly string[];
  /** Those whose proof is finished are no targets, although they are named. Default: whatever is named is one. */
  readonly leavesFinished?: boolean;
  /** What an earlier run left, which the file has to be. Default: whatever it is now. */
  readonly known?: KnownFile;
  /** What the earlier run left out, as its log says: it is open still. */
  readonly leftOut?: readonly string[] | undefined;
  /** Every file that the run works on, absolute and with no link in it. Default: this one. */
  readonly runFiles?: readonly string[];
  /** Of a copy of a file of a run, with more in it: the work of the run there. Default: it is a file of the run itself. */
  readonly copied?: WorkOfRun;
  /** Of HOL4 scripts: what the gate may settle for. Default: nothing. */
  readonly policy?: GatePolicy;
}
