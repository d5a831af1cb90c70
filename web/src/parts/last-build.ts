/** What the last build of the project left, of whichever window it was begun. */
import type { OutputOf } from '../server/client.ts';
import type { Job } from '../server/jobs.ts';

export type BuildStep = OutputOf<'proof_build'>['steps'][number];

export interface Build {
  readonly job: Job | undefined;
  readonly isRunning: boolean;
  /** What did not compile, as far as it was tried. */
  readonly faults: readonly BuildStep[];
  /** Files that were changed since it began: what it said of them is old. */
  readonly changed: ReadonlySet<string>;
}

/** Nothing is wrong with the file itself: it, or what is made of it, may not be read or written. */
export function isHindered({ reason }: Pick<BuildStep, 'reason'>): boolean {
  return reason === 'file-unreadable' || reason === 'file-unwritable';
}

/**
 * A build as it concerns one file: of what did not compile only what that file requires, directly or through others. Its own errors
 * stand in its text.
 * @param notCompiled What it requires and is not compiled as it is now, by name.
 */
export function buildBelow(build: Build, notCompiled: readonly string[]): Build {
  const below = new Set(notCompiled);
  // What names no file of a prover is a fault of the build itself.
  const faults = build.faults.filter(({ file }) => file === null || !file.endsWith('.v') || below.has(file));
  return { ...build, faults };
}
