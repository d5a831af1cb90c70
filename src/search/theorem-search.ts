/**
 * Proves one theorem at its hole: search, minimise, write. What comes out is a proof text; judging it is the
 * gate's.
 */
import { QuodError } from '../core/errors.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { ProverSession } from '../core/prover.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import { BestFirstSearch } from './graph/best-first.ts';
import {
  NOTHING_TO_TELL,
  type SearchOptions,
  type SearchResult,
  type SearchWorker,
} from './graph/search-options.ts';
import type { Knowledge } from './candidates/candidate.ts';
import { withoutPieces } from './script/fewer-pieces.ts';
import { minimise } from './script/minimise.ts';
import { ScriptChecker } from './script/script-checker.ts';
import { tacticText, type Tactic } from './candidates/tactic.ts';
import { knownComparisons } from './candidates/comparisons.ts';
import { scriptOf } from './candidates/tactic-tree.ts';
import type { WantedStyle } from './script/style/file-style.ts';
import type { NameHabits } from './script/style/naming.ts';
import { restyle, type RestyledProof } from './script/style/restyle.ts';
import { sessionUntil } from './timed-session.ts';
import { Unfolder } from './script/unfold.ts';

export type TheoremSearchOptions = Omit<SearchOptions, 'deadline'> & {
  /** Milliseconds for the search, asked anew while it works; undefined: no limit but the nodes. */
  readonly budgetMs: (() => number) | undefined;
  /** Ends the search, but not the writing of what it had found by then. */
  readonly enough?: AbortSignal;
  readonly wantedStyle: WantedStyle;
  readonly habits: NameHabits;
};

/** The prover's work counts: what is shown is to be the same on a machine that has much else to do. */
const MINIMISE_ATTEMPTS = 150;
const MINIMISE_MS = 6000;
const RESTYLE_ATTEMPTS = 300;
const RESTYLE_MS = 3000;
/** The clock ends it where it takes so many times as long, and soon behind the end of the budget. */
const CLOCK = { factor: 3, behindMs: 3000, replayMs: 5000 } as const;

export async function searchTheorem(
  workers: readonly SearchWorker[],
  proof: ProofState,
  knowledge: Knowledge,
  options: TheoremSearchOptions,
): Promise<SearchResult<RestyledProof>> {
  const started = performance.now();
  const { budgetMs } = options;
  const deadline = budgetMs === undefined ? undefined : () => started + budgetMs();
  const first = workers[0];
  if (first === undefined) throw new QuodError('internal', 'A search needs a session.');
  let without = options.without;
  let spent = 0;
  for (;;) {
    const before = spent;
    const search = new BestFirstSearch(workers, proof, knowledge, {
      deadline,
      nodes: options.nodes === undefined ? undefined : options.nodes - spent,
      seed: options.seed,
      without,
      recursive: options.recursive,
      interlude: options.interlude && {
        ...options.interlude,
        isDue: (nodes) => options.interlude?.isDue(before + nodes) === true,
      },
      signal:
        options.enough === undefined ? options.signal : AbortSignal.any([options.signal, options.enough]),
      onProgress: (nodes, bestGoalCount) => options.onProgress(spent + nodes, bestGoalCount),
      onGraph: options.onGraph,
    });
    const result = await search.run();
    spent += result.nodes;
    if (result.kind === 'not-found') return { ...result, nodes: spent };
    let end = Math.max(endOfSearch(deadline), performance.now()) + CLOCK.replayMs;
    // A run that can be repeated knows no clock.
    const session = deadline === undefined ? first.session : sessionUntil(first.session, () => end);
    const checker = checkerOf({ ...first, session }, proof, options);
    if (await checker.passes(result.script)) {
      end = endOfWriting(endOfSearch(deadline));
      const unfolder = new Unfolder({
        session,
        closers: shortClosers(knowledge),
        comparisons: knownComparisons(knowledge.lemmas),
        signal: options.signal,
      });
      const minimiseMs = options.nodes === undefined ? MINIMISE_MS : undefined;
      const found = await withoutPieces(result.script, checker, minimiseMs);
      const unfolded = await unfolder.unfold(found, first.root);
      const plain = (await checker.passes(unfolded)) ? unfolded : found;
      const script = await minimise(plain, checker, {
        closers: shortClosers(knowledge),
        attempts: MINIMISE_ATTEMPTS,
        workMs: minimiseMs,
        signal: options.signal,
      });
      const styled = await restyle(scriptOf(script), checker, restyling(options));
      return { kind: 'found', script: styled, nodes: spent };
    }
    // Equal goals need not be solvable alike (opaque bodies, universes): search again with each goal on its own.
    if (without.has('sharing'))
      return {
        kind: 'not-found',
        reason: 'not-verified',
        message: 'A proof was found but does not replay.',
        nodes: spent,
        bestGoalCount: 0,
        ...NOTHING_TO_TELL,
      };
    without = new Set([...without, 'sharing']);
  }
}

/** @param deadline Of the search; where there is none, the work itself is limited. */
function endOfSearch(deadline: (() => number) | undefined): number {
  return deadline === undefined ? 0 : deadline();
}

/** When a proof that is there now has to be written out. @param deadline Of the search. */
function endOfWriting(deadline: number): number {
  const now = performance.now();
  return Math.min(now + CLOCK.factor * (MINIMISE_MS + RESTYLE_MS), Math.max(deadline, now + CLOCK.behindMs));
}

export type RewriteOptions = Pick<
  TheoremSearchOptions,
  'nodes' | 'recursive' | 'signal' | 'wantedStyle' | 'habits'
> & {
  /** Milliseconds of the budget that are left; default: as many as one likes. */
  readonly leftMs?: number;
};

/**
 * A proof that was found before, written as is asked for now; undefined where it proves the goals no more.
 * @param ways To prove them, of which the first that does is taken.
 */
export async function rewritten(
  ways: Iterable<ScriptTree>,
  first: SearchWorker,
  proof: ProofState,
  options: RewriteOptions,
): Promise<RestyledProof | undefined> {
  const checker = checkerInTime(first, proof, options);
  for (const way of ways) {
    if (await checker.passesScript(way)) return restyle(way, checker, restyling(options));
    const isLate = options.nodes === undefined && checker.workedMs > MINIMISE_MS;
    if (options.signal.aborted || isLate) return undefined;
  }
  return undefined;
}

/** Whether a proof that was shown before is one now. */
export function stillCloses(
  script: ScriptTree,
  { first, proof }: { readonly first: SearchWorker; readonly proof: ProofState },
  options: RewriteOptions,
): Promise<boolean> {
  return checkerInTime(first, proof, options).passesScript(script);
}

function checkerInTime(first: SearchWorker, proof: ProofState, options: RewriteOptions): ScriptChecker {
  if (options.nodes !== undefined) return checkerOf(first, proof, options);
  const end = endOfWriting(performance.now() + (options.leftMs ?? Infinity));
  return checkerOf({ ...first, session: sessionUntil(first.session, () => end) }, proof, options);
}

function restyling({ wantedStyle, habits, nodes, signal }: RewriteOptions) {
  const workMs = nodes === undefined ? RESTYLE_MS : undefined;
  return { wantedStyle, habits, attempts: RESTYLE_ATTEMPTS, workMs, signal };
}

function checkerOf(
  { session, root }: SearchWorker,
  { unfocused, shelved, givenUp }: ProofState,
  { recursive, signal }: Pick<RewriteOptions, 'recursive' | 'signal'>,
): ScriptChecker {
  const around = { unfocused: unfocused.reduce((sum, count) => sum + count, 0), shelved, givenUp };
  return new ScriptChecker(session, root, around, { recursive: recursive.size > 0, signal });
}

function shortClosers(knowledge: Knowledge): Tactic[] {
  return knowledge.automation
    .filter(
      ({ tactic, cost }) =>
        cost <= knowledge.costs['automation.short-closer.limit'] && !tacticText(tactic).includes(' '),
    )
    .map(({ tactic }) => tactic)
    .slice(0, 5);
}

/** Closes sessions whatever happens to the others. */
export async function closeAll(sessions: readonly ProverSession[]): Promise<void> {
  await Promise.allSettled(sessions.map((session) => session.close()));
}
