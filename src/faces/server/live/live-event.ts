/** What the workbench is told while it happens. Only types: the page imports them, and nothing else of the server. */
import type { z } from 'zod';
import type { Problem } from '../../problem.ts';
import type { jobSchema } from '../../rest/live-paths.ts';

export type JobId = string;

type Described = z.output<typeof jobSchema>;

/** Long work that the server does on its own: an operation that was asked for and outlives the page that asked. */
export type Job = Readonly<Omit<Described, 'progress' | 'changed'>> & {
  readonly progress: Readonly<Described['progress']>;
  readonly changed: readonly string[];
};

export type JobDetail = Readonly<Record<string, unknown>>;

export type JobOutcome<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'failed'; readonly problem: Problem };

export type LiveEvent =
  /** A file of the folder is not what it was. Paths are relative to the folder. */
  | { readonly kind: 'file'; readonly path: string; readonly change: 'written' | 'removed' }
  | { readonly kind: 'job'; readonly job: Job }
  /** Jobs that have ended and that the server does not list any more. */
  | { readonly kind: 'forgotten'; readonly jobs: readonly JobId[] }
  /** The log of a run of the agent grew. */
  | { readonly kind: 'run'; readonly run: string };

export type LiveKind = LiveEvent['kind'];
