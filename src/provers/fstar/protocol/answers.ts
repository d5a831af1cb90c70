/**
 * The contents of F*'s messages: issues, places, progress, proof states, lookups. Every field that some version
 * leaves out may be missing (an issue of 2019 has no number); what has another shape is answered as undefined,
 * never half read.
 */
import { z } from 'zod';
import { orNothing, orZero } from '../../../core/entry.ts';
import type { PrintedPosition } from '../../../core/position.ts';

export interface FstarRange {
  /** As F* names it; the buffer itself is `<input>` in F* of 2019 and its file name now. */
  readonly file: string;
  readonly start: PrintedPosition;
  readonly end: PrintedPosition;
}

export interface FstarIssue {
  readonly level: 'error' | 'warning' | 'info' | 'not-implemented';
  /** The number by which `--warn_error` names it, or null: F* of 2019 gives none. */
  readonly number: number | null;
  readonly message: string;
  /** The place first, then what else it refers to. May be empty. */
  readonly ranges: readonly FstarRange[];
}

const position = z.tuple([z.number(), z.number()]);
const range = z.object({ fname: z.string(), beg: position, end: position });
const issue = z.object({
  level: z.enum(['error', 'warning', 'info', 'not-implemented']),
  number: z.number().nullish(),
  message: z.string(),
  ranges: z.array(range).nullish(),
});

function readRange({ fname, beg, end }: z.output<typeof range>): FstarRange {
  return {
    file: fname,
    start: { line: beg[0], column: beg[1] },
    end: { line: end[0], column: end[1] },
  };
}

/** The issues in a response. A response that is text (`Too many pops`) is one error without a place. */
export function readIssues(response: unknown, failed: boolean): FstarIssue[] {
  if (typeof response === 'string') {
    return [{ level: failed ? 'error' : 'info', number: null, message: response, ranges: [] }];
  }
  if (!Array.isArray(response)) return [];
  return response.flatMap((entry: unknown) => {
    const read = issue.safeParse(entry);
    if (!read.success) {
      // Never an empty list because one entry was not understood.
      return [{ level: 'error' as const, number: null, message: JSON.stringify(entry), ranges: [] }];
    }
    const { level, number, message, ranges } = read.data;
    return [{ level, number: number ?? null, message, ranges: (ranges ?? []).map(readRange) }];
  });
}

export type FstarProgress =
  | { readonly stage: 'loading-dependency'; readonly module: string }
  | { readonly stage: 'dependencies-loaded' }
  | { readonly stage: 'full-buffer-started' | 'full-buffer-finished' }
  | {
      readonly stage: 'fragment-started' | 'fragment-ok' | 'fragment-lax-ok' | 'fragment-failed';
      readonly range: FstarRange;
    };

const progress = z.object({
  stage: z.string().nullable(),
  modname: z.string().optional(),
  ranges: range.optional(),
});

export function readProgress(contents: unknown): FstarProgress | undefined {
  const read = progress.safeParse(contents);
  if (!read.success) return undefined;
  const { stage, modname, ranges } = read.data;
  switch (stage) {
    case null:
      return { stage: 'dependencies-loaded' };
    case 'loading-dependency':
      return { stage, module: orNothing(modname) };
    case 'full-buffer-started':
    case 'full-buffer-finished':
      return { stage };
    case 'full-buffer-fragment-started':
    case 'full-buffer-fragment-ok':
    case 'full-buffer-fragment-lax-ok':
    case 'full-buffer-fragment-failed':
      if (ranges === undefined) return undefined;
      return { stage: FRAGMENT_STAGES[stage], range: readRange(ranges) };
    default:
      return undefined;
  }
}

const FRAGMENT_STAGES = {
  'full-buffer-fragment-started': 'fragment-started',
  'full-buffer-fragment-ok': 'fragment-ok',
  'full-buffer-fragment-lax-ok': 'fragment-lax-ok',
  'full-buffer-fragment-failed': 'fragment-failed',
} as const;

export interface FstarHypothesis {
  readonly name: string;
  readonly type: string;
}

export interface FstarGoal {
  readonly hypotheses: readonly FstarHypothesis[];
  readonly conclusion: string;
  /** What stands for the proof in F*'s own print. */
  readonly witness: string;
  readonly label: string;
}

/** What a tactic dumped (`dump "…"`), or where it failed. */
export interface TacticState {
  readonly label: string;
  readonly depth: number;
  readonly urgency: number;
  readonly goals: readonly FstarGoal[];
  readonly smtGoals: readonly FstarGoal[];
  readonly location: FstarRange | null;
}

const goal = z.object({
  hyps: z.array(z.object({ name: z.string(), type: z.string() })),
  goal: z.object({ witness: z.string().optional(), type: z.string(), label: z.string().optional() }),
});
const tacticState = z.object({
  label: z.string(),
  depth: z.number().optional(),
  urgency: z.number().optional(),
  goals: z.array(goal).optional(),
  'smt-goals': z.array(goal).optional(),
  location: range.nullish(),
});

function readGoal({ hyps, goal: { witness, type, label } }: z.output<typeof goal>): FstarGoal {
  return { hypotheses: hyps, conclusion: type, witness: orNothing(witness), label: orNothing(label) };
}

export function readTacticState(contents: unknown): TacticState | undefined {
  const read = tacticState.safeParse(contents);
  if (!read.success) return undefined;
  const { label, depth, urgency, goals, 'smt-goals': smtGoals, location } = read.data;
  return {
    label,
    depth: orZero(depth),
    urgency: orZero(urgency),
    goals: (goals ?? []).map(readGoal),
    smtGoals: (smtGoals ?? []).map(readGoal),
    location: location == null ? null : readRange(location),
  };
}

export type LookupAnswer =
  | {
      readonly kind: 'symbol';
      readonly name: string;
      readonly type: string | null;
      readonly documentation: string | null;
      readonly definition: string | null;
      readonly definedAt: FstarRange | null;
    }
  | { readonly kind: 'module'; readonly name: string; readonly path: string | null }
  | { readonly kind: 'namespace'; readonly name: string }
  | {
      readonly kind: 'option';
      readonly name: string;
      readonly value: unknown;
      readonly documentation: string | null;
    }
  | { readonly kind: 'not-found'; readonly message: string };

const lookup = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('symbol'),
    name: z.string(),
    type: z.string().nullish(),
    documentation: z.string().nullish(),
    definition: z.string().nullish(),
    'defined-at': range.nullish(),
  }),
  z.object({ kind: z.literal('module'), name: z.string(), path: z.string().nullish() }),
  z.object({ kind: z.literal('namespace'), name: z.string() }),
  z.object({
    kind: z.literal('option'),
    name: z.string(),
    value: z.unknown(),
    documentation: z.string().nullish(),
  }),
]);

export function readLookup(response: unknown): LookupAnswer {
  const read = lookup.safeParse(response);
  if (!read.success) {
    return { kind: 'not-found', message: typeof response === 'string' ? response : 'There is no such name.' };
  }
  const answer = read.data;
  switch (answer.kind) {
    case 'symbol':
      return {
        kind: 'symbol',
        name: answer.name,
        type: answer.type ?? null,
        documentation: answer.documentation ?? null,
        definition: answer.definition ?? null,
        definedAt: answer['defined-at'] == null ? null : readRange(answer['defined-at']),
      };
    case 'module':
      return { kind: 'module', name: answer.name, path: answer.path ?? null };
    case 'namespace':
      return { kind: 'namespace', name: answer.name };
    case 'option':
      return {
        kind: 'option',
        name: answer.name,
        value: answer.value,
        documentation: answer.documentation ?? null,
      };
  }
}

const segments = z.object({ decls: z.array(z.object({ def_range: range })) });

/** The places of the declarations that `segment` found; undefined when it answered something else. */
export function readSegments(response: unknown): readonly FstarRange[] | undefined {
  const read = segments.safeParse(response);
  return read.success ? read.data.decls.map(({ def_range }) => readRange(def_range)) : undefined;
}

const formatted = z.object({ 'formatted-code': z.string() });
const formatIssues = z.object({ 'formatted-code-issue': z.array(z.unknown()) });

export function readFormatted(
  response: unknown,
): { readonly code: string } | { readonly issues: readonly FstarIssue[] } {
  const code = formatted.safeParse(response);
  if (code.success) return { code: code.data['formatted-code'] };
  const refused = formatIssues.safeParse(response);
  return { issues: readIssues(refused.success ? refused.data['formatted-code-issue'] : response, true) };
}
