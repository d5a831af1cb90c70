/** What the workbench is told while it happens. Only types: the page imports them, and nothing else of the server. */
import type { Problem } from '../../problem.ts';

export type JobId = string;

/** Long work that the server does on its own: an operation that was asked for and outlives the page that asked. */
export interface Job {
  readonly id: JobId;
  readonly operation: string;
  /** What people call it. */
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: 'running' | 'answered' | 'failed' | 'stopped';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly progress: {
    readonly message: string;
    readonly done: number | null;
    readonly total: number | null;
  };
  /** How many details there are, which are asked for apart: goals of a search, lines of a run. */
  readonly details: number;
  /** One line on how it ended; null while it runs. */
  readonly conclusion: string | null;
  /** Of a build: sources that were written since it began, so that what it says of them is old. */
  readonly changed: readonly string[];
}

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
