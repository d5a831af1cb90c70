/** The theorems that `quod prove` is at: what is done about each of them, since when, and in words for people. */
import { foreignText } from '../../../core/foreign-text.ts';
import { counted, someOf } from '../../../core/counted.ts';
import { formatDuration } from '../../../core/duration.ts';
import type { ProveEvent } from '../../../search/prove-file.ts';
import type { ProvePhase } from '../../../search/prove-request.ts';
import type { RunningStep } from '../../../search/running-steps.ts';

/** How often a line says in a log how far the work on a theorem is. */
export const TOLD_EVERY_MS = 30_000;
/** Characters of a tactic that are shown. */
const TACTIC_LENGTH = 40;
/** Lines of proofs that are shown while they are judged, of all together: what is drawn anew has to fit on the screen. */
const SCRIPT_LINES = 6;

interface TheoremInWork {
  phase: ProvePhase;
  /** When the phase began. */
  since: number;
  /** When a log was told of it last. */
  toldAt: number;
  readonly index: number;
  readonly total: number;
  nodes: number;
  bestGoalCount: number | undefined;
  running?: RunningStep | undefined;
  /** The proof that is found and not judged. */
  script?: string;
  /** What its proof rests on that is open and may still be proved; empty while it has no proof. */
  waitsFor: readonly string[];
}

export class TheoremsInWork {
  readonly #inWork = new Map<string, TheoremInWork>();
  /** What the judge is at; undefined before that is told. */
  #judging: readonly string[] | undefined;

  note(event: ProveEvent): void {
    if (event.kind === 'theorem-started') {
      const now = performance.now();
      this.#inWork.set(event.theorem, {
        ...{ phase: 'file', since: now, toldAt: now, index: event.index, total: event.total },
        ...{ nodes: 0, bestGoalCount: undefined, waitsFor: [] },
      });
    } else if (event.kind === 'judging') this.#judge(event.theorems);
    else if (event.kind === 'theorem-finished') this.#inWork.delete(event.result.theorem);
    else if ('theorem' in event) {
      const state = this.#inWork.get(event.theorem);
      if (state !== undefined) change(state, event);
    }
  }

  /** A clock of the judge begins with its work. */
  #judge(theorems: readonly string[]): void {
    this.#judging = theorems;
    for (const theorem of theorems) {
      const state = this.#inWork.get(theorem);
      if (state !== undefined) state.since = performance.now();
    }
  }

  #lineOf(theorem: string, state: TheoremInWork, now: number): string {
    const elapsed = formatDuration(now - state.since);
    return `  … ${theorem} (${state.index + 1}/${state.total})  ${phaseText(state, elapsed, this.#waitedFor(theorem))}`;
  }

  /** What is judged before one that is found; undefined where it is not known to wait. */
  #waitedFor(theorem: string): readonly string[] | undefined {
    return this.#judging?.includes(theorem) === true ? undefined : this.#judging;
  }

  /** One line for each, with the proofs that are judged. */
  lines(): string[] {
    let room = SCRIPT_LINES;
    return [...this.#inWork].flatMap(([theorem, state]) => {
      const script = scriptLines(state);
      // No proof has more lines than there is room at first.
      const shown = script.length <= room ? script : [];
      room -= shown.length;
      return [this.#lineOf(theorem, state, performance.now()), ...shown].map((text) => foreignText(text));
    });
  }

  /** Lines for a log, of those about which the same is done for long. A search tells by itself how far it is. */
  linesDue(now = performance.now()): string[] {
    return [...this.#inWork].flatMap(([theorem, state]) => {
      if (state.phase === 'search' || state.waitsFor.length > 0) return [];
      if (now - Math.max(state.since, state.toldAt) < TOLD_EVERY_MS) return [];
      state.toldAt = now;
      return [foreignText(this.#lineOf(theorem, state, now))];
    });
  }
}

function change(state: TheoremInWork, event: ProveEvent): void {
  switch (event.kind) {
    case 'phase':
      state.phase = event.phase;
      state.since = performance.now();
      return;
    case 'progress':
      state.nodes = event.nodes;
      state.bestGoalCount = event.bestGoalCount;
      state.running = event.running;
      return;
    case 'found':
      state.script = event.script;
      return;
    case 'theorem-waits':
      state.waitsFor = event.restsOnOpen;
      return;
    case 'searched-again':
      state.waitsFor = [];
      delete state.script;
      return;
    default:
  }
}

/** Whoever waits for the gate can read the proof meanwhile. */
function scriptLines({ script, waitsFor }: TheoremInWork): string[] {
  if (script === undefined || waitsFor.length > 0) return [];
  const lines = script.trim().split(/\r?\n/u);
  const shown = lines.length > SCRIPT_LINES ? [...lines.slice(0, SCRIPT_LINES - 1), '…'] : lines;
  return shown.map((text) => `      ${text}`);
}

/** What a search waits for. */
function runningText(running: RunningStep | undefined): string {
  if (running === undefined) return '';
  const text = running.text.replaceAll(/\s+/gu, ' ');
  const shown = text.length > TACTIC_LENGTH ? `${text.slice(0, TACTIC_LENGTH)}…` : text;
  return `; ${shown} has been running for ${formatDuration(running.elapsedMs)}`;
}

/** How far a search is. One that has come to a state without goals has a proof. */
export function searchText(
  { nodes, bestGoalCount, running }: Pick<TheoremInWork, 'nodes' | 'bestGoalCount' | 'running'>,
  elapsed: string,
): string {
  const ran = runningText(running);
  if (bestGoalCount === 0)
    return `found after ${counted(nodes, 'node')}, making the proof shorter, ${elapsed}${ran}`;
  const best = bestGoalCount === undefined ? '' : `, best state has ${counted(bestGoalCount, 'goal')}`;
  return `searching, ${elapsed}, ${counted(nodes, 'node')}${best}${ran}`;
}

/** @param judged What the judge is at meanwhile; between two judgements it leaves the machine to the search. */
function waitingText(judged: readonly string[]): string {
  return `waiting for the judge${judged.length === 0 ? '' : `, which is at ${someOf(judged)}`}`;
}

/** A clock runs for what is done now, and for nothing that has ended. */
function phaseText(
  state: TheoremInWork,
  elapsed: string,
  judgedBefore: readonly string[] | undefined,
): string {
  const { phase, nodes, waitsFor } = state;
  if (waitsFor.length > 0) return `proved, if these are: ${someOf(waitsFor)}`;
  switch (phase) {
    case 'file':
      return `running the file, ${elapsed}`;
    case 'refute':
      return `looking for a counterexample, ${elapsed}`;
    case 'lemmas':
      return `listing what there is, ${elapsed}`;
    case 'search':
      return searchText(state, elapsed);
    case 'judge': {
      const what = judgedBefore === undefined ? 'judging' : waitingText(judgedBefore);
      return `found after ${counted(nodes, 'node')}, ${what}, ${elapsed}`;
    }
  }
}
