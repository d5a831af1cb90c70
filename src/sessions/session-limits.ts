/**
 * How long sessions and their provers may stay unused, how many there may be, and how much memory they may take. How
 * long one call or one sentence may take, its caller says (`timeout`, `sentence_timeout`); the defaults of both stand
 * with the operations.
 */
import { totalmem } from 'node:os';

export interface RegistryLimits {
  /** Milliseconds without use after which a session is closed. */
  readonly idleMs: number;
  /** Sessions of all clients together. */
  readonly maximum: number;
  /** Sessions outlive their clients. Milliseconds without a call after which another client can attach to one. */
  readonly heldMs?: number;
}

export interface PoolLimits {
  /** Provers that live at once. */
  readonly maximum: number;
  /** Bytes of resident memory of all of them together. */
  readonly memory: number;
  /** Milliseconds after which an idle prover is ended, more where it took long to get there; undefined: never. */
  readonly idleMs?: number;
}

/** Milliseconds without a call after which a session is closed. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** Sessions of one prover, of all clients together. */
export const MAXIMUM_SESSIONS = 256;
/** Milliseconds without a call after which another client can attach to a HOL session. */
export const HELD_MS = 5 * 60_000;

/** A prover that was not needed for this long is ended, and later the longer it would take to have it back. */
const PROVER_IDLE_MS = 5 * 60_000;
/** Memory that one Rocq is planned with; a file with much of MathComp in it needs about this much. */
const MEMORY_OF_A_PROVER = 1024 ** 3;
const MOST_PROVERS = 16;
/** What one F* session may use of the memory of all: F* with its solver on a large module needs a few gigabytes. */
const FSTAR_SHARE_OF_MEMORY = 2;

/** Bytes of resident memory that all provers together may use. */
export function memoryOfProvers(): number {
  return totalmem() / 2;
}

/** How many Rocq provers all sessions share. @param memory Bytes for all of them together. */
export function rocqPoolLimits(memory: number): PoolLimits {
  const maximum = Math.max(2, Math.min(MOST_PROVERS, Math.floor(memory / MEMORY_OF_A_PROVER)));
  return { maximum, memory, idleMs: PROVER_IDLE_MS };
}

/** Bytes for one F* session. @param memory Bytes for all provers together. */
export function fstarSessionMemory(memory: number): number {
  return Math.floor(memory / FSTAR_SHARE_OF_MEMORY);
}
