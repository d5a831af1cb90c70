/** One line of bench/records/search-*.jsonl, which are kept with the sources: one method on one task. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ingredient } from '../../src/search/candidates/candidate.ts';
import type { TaskSet } from './libraries.ts';

const RECORDS = join(import.meta.dirname, '..', 'records');

export const METHODS = ['quod', 'oneshot', 'sauto', 'hammer'] as const;
export type Method = (typeof METHODS)[number];

const attemptSchema = z.object({
  task: z.string(),
  method: z.enum(METHODS),
  /** Ingredients that were switched off, sorted. */
  without: z.array(z.string()),
  budgetSeconds: z.number(),
  /** `refused`: a proof was claimed and the judge did not accept it. `trouble`: the method itself broke. */
  outcome: z.enum(['proved', 'not-proved', 'refused', 'trouble']),
  /** The accepted proof. */
  script: z.string().optional(),
  /** Of the baselines: every tactic whose proof the judge accepted. */
  winners: z.array(z.string()).optional(),
  seconds: z.number(),
  /** Of the search. */
  nodes: z.number().optional(),
  searchSeconds: z.number().optional(),
  message: z.string().optional(),
  /** The commit of Quod, with `+` when the working tree differed. */
  revision: z.string(),
  at: z.string(),
});

export type Attempt = z.infer<typeof attemptSchema>;

/** Attempts of one kind, which a report may put side by side. */
export type AttemptRecord = `attempts-${TaskSet}` | 'leave-one-out' | `with-and-without-${Ingredient}`;

function pathOf(record: AttemptRecord): string {
  return join(RECORDS, `search-${record}.jsonl`);
}

/** What a second run need not do again. */
export function attemptKey(attempt: {
  readonly task: string;
  readonly method: Method;
  readonly without: readonly string[];
}): string {
  return JSON.stringify([attempt.task, attempt.method, attempt.without]);
}

export function appendAttempt(record: AttemptRecord, attempt: Attempt): void {
  mkdirSync(RECORDS, { recursive: true });
  // The line end comes first: a half line of a killed run must not swallow this record.
  appendFileSync(pathOf(record), `\n${JSON.stringify(attempt)}`);
}

export function readAttempts(record: AttemptRecord): Attempt[] {
  const path = pathOf(record);
  return existsSync(path) ? parseAttempts(readFileSync(path, 'utf8')) : [];
}

/** The latest record for each key. What a killed run left half written is passed over: it will be done again. */
export function parseAttempts(text: string): Attempt[] {
  const latest = new Map<string, Attempt>();
  for (const line of text.split('\n')) {
    const attempt = parseAttempt(line);
    if (attempt !== undefined) latest.set(attemptKey(attempt), attempt);
  }
  return [...latest.values()];
}

function parseAttempt(line: string): Attempt | undefined {
  try {
    return attemptSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
