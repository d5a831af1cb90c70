/** What a replay says while it runs: what it found, and how far it is. */
import type { RefusalCode } from '../kernel/refusal.ts';

export interface ReplayFinding {
  readonly code: RefusalCode;
  readonly theory: string;
  /** Line of the trace (byte, if it is binary), from 1; absent when it concerns the theory as a whole. */
  readonly line?: number;
  /** Number of the step among the theory's theorems, from 0; absent outside steps. */
  readonly step?: number;
  readonly rule?: string;
  /** The theorem or constant concerned. */
  readonly subject?: string;
  readonly message: string;
}

export interface ReplayPace {
  /** Called now and then; throws `LimitReached` when the time is over. */
  readonly tick: (done: { readonly theory: string; readonly steps: number; readonly bytes: number }) => void;
  readonly termLimit: number;
}
