import type { GatePolicy } from '../gate/policy.ts';

/** Which theorems a run works on, and which versions of their file are its own work. */
export interface TargetChoice {
  readonly file: string;
  /** Default: every hole of the file. */
  readonly theorems?: readonly string[];
  /** Versions of the file that are known: as the run found it, and as it wrote it. Default: as it is now. */
  readonly versions?: readonly string[];
  /** Proofs that the run may have written without having recorded it. */
  readonly perhapsWritten?: ReadonlyMap<string, string>;
  /** Of HOL4 scripts: what the gate may settle for. Default: nothing. */
  readonly policy?: GatePolicy;
}
