/** What makes vectors of length one: an encoder, or one that remembers what it made. */
import type { Goal } from '../../core/proof-state.ts';

export interface VectorSource {
  vectors(goals: readonly Goal[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
