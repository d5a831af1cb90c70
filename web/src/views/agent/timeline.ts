/** A run as it is read: events grouped into what belongs together, and how each looks. Pure; grows as events come. */
import { orNothing } from '../../../../src/core/entry.ts';
import type { OutputOf } from '../../server/client.ts';

export type RunAnswer = OutputOf<'agent_events'>;
export type RunEvent = RunAnswer['events'][number];

export type EventTone = 'plain' | 'good' | 'open' | 'bad' | 'live' | 'user';

export interface TimelineRow {
  readonly event: RunEvent;
  /** How far it is indented: the tree of attempts is in the keys. */
  readonly depth: number;
  readonly tone: EventTone;
  /** What kind of thing happened, in a word or two. */
  readonly label: string;
}

/** Events that say nothing to a reader beside the one that follows them. */
const SILENT: ReadonlySet<string> = new Set(['heard']);

/** Adds what came. Events that are known already are passed over, so that a stream may be read twice. */
export function extended(known: readonly RunEvent[], events: readonly RunEvent[]): readonly RunEvent[] {
  const last = known.at(-1)?.seq ?? -1;
  const fresh = events.filter(({ seq }) => seq > last);
  return fresh.length === 0 ? known : [...known, ...fresh];
}

/** Rows of the timeline. A question that was answered is told by its answer alone. */
export function rowsOf(events: readonly RunEvent[]): readonly TimelineRow[] {
  const answered = new Set(
    events.flatMap(({ kind, key }) =>
      (kind === 'model-answered' || kind === 'model-failed') && key !== null ? [key] : [],
    ),
  );
  return events
    .filter(
      ({ kind, key }) => !SILENT.has(kind) && !(kind === 'model-called' && key !== null && answered.has(key)),
    )
    .map((event) => ({
      event,
      depth: event.key === null ? 0 : Math.min(4, event.key.split('/').length - 1),
      tone: toneOf(event),
      label: labelOf(event),
    }));
}

function toneOf({ kind, outcome }: RunEvent): EventTone {
  // What was cut off has not failed.
  if (outcome === 'interrupted') return 'open';
  switch (kind) {
    case 'user-said':
      return 'user';
    case 'model-failed':
      return 'bad';
    case 'model-called':
      return 'live';
    case 'judged':
    case 'rechecked':
      return outcome === 'accepted' ? 'good' : outcome === 'rejected' ? 'bad' : 'open';
    case 'theorem-ended':
    case 'attempt-ended':
    case 'run-ended':
      return outcome === 'proved' ? 'good' : stateTone(false, orNothing(outcome)) === 'open' ? 'open' : 'bad';
    case 'tool-answered':
      if (outcome === null) return 'plain';
      return outcome === 'proved'
        ? 'good'
        : outcome === 'incomplete' || outcome === 'branch-closed'
          ? 'open'
          : 'bad';
    case 'searched':
      return outcome === 'found' ? 'good' : 'plain';
    default:
      return 'plain';
  }
}

const LABELS: Readonly<Record<string, string>> = {
  'run-started': 'run',
  'run-resumed': 'goes on',
  'run-ended': 'end',
  'theorem-started': 'theorem',
  'theorem-ended': 'theorem',
  'attempt-started': 'attempt',
  'attempt-ended': 'attempt',
  'session-opened': 'session',
  'user-said': 'you',
  planned: 'plan',
  replanned: 'new plan',
  scored: 'score',
  judged: 'gate',
  rechecked: 'gate',
  compared: 'gate',
  // Said of a search for one, whether there is one or not.
  refuted: 'counterexample',
  searched: 'search',
  retrieved: 'similar proofs',
  'context-collected': 'context',
  written: 'written',
  committed: 'commit',
  'handed-off': 'hand-off',
};

function labelOf({ kind, role, tool }: RunEvent): string {
  if (kind === 'tool-answered') return tool ?? 'tool';
  if (role !== null) return role.replaceAll('-', ' ');
  return LABELS[kind] ?? kind.replaceAll('-', ' ');
}

/** What of a budget is used, from 0 to 1; undefined without a limit. */
export function shareOf(spent: number, most: number | null): number | undefined {
  return most === null || most <= 0 ? undefined : Math.min(1, spent / most);
}

export function secondsText(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What people call the state of a run. What is proved is so by the log alone, which anybody can write: it is not green. */
export function stateText(running: boolean, outcome: string): string {
  if (running) return 'at work';
  return outcome === 'open' ? 'broken off' : recordedText(outcome);
}

export function recordedText(outcome: string): string {
  return CLAIMS.has(outcome) ? `recorded as ${outcome}` : outcome;
}

const CLAIMS: ReadonlySet<string> = new Set(['proved', 'proved-but', 'refuted']);

export function stateTone(running: boolean, outcome: string): 'live' | 'open' | 'bad' | 'plain' {
  if (running) return 'live';
  switch (outcome) {
    case 'proved-but':
    case 'not-judged':
    case 'interrupted':
    case 'budget-exhausted':
      return 'open';
    case 'not-proved':
    case 'failed':
      return 'bad';
    default:
      return 'plain';
  }
}
