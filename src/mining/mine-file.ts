/**
 * Runs one source and makes items of its proofs. The items of a theorem are checked at the end of its proof, as nested
 * lemmas: nothing of the theorem itself is in force there, only what stood before it, and going on costs nothing.
 */
import { entryAt } from '../core/entry.ts';
import type { QuodError } from '../core/errors.ts';
import { sequentText, type Hypothesis, type ProofState } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { ANY_GOAL } from '../provers/rocq/syntax/theorem-text.ts';
import { FileRun, type RefusedSentence } from '../sessions/rocq/file-run.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { checkItem } from './check-item.ts';
import { ItemMaker, type Candidate, type SourceToMine } from './item-maker.ts';
import { countFailure, type Failure, type Item } from './item.ts';
import { noCounts, type MinedCounts } from './mined-counts.ts';
import { SideBudget } from './side-budget.ts';
import { closeGoal } from './statement.ts';
import { ProofWalk, type WalkedProof } from './walk-proof.ts';

export interface MiningOptions {
  /** Only the goals that a proof has after so many sentences. */
  readonly after?: number;
  /** What one millisecond of the file itself buys for splitting and checking; Infinity for as long as it takes. */
  readonly share: number;
  readonly signal: AbortSignal;
  /** Told of each item that does not pass its check. */
  readonly onFailure?: (item: Item, why: Failure, message: string) => void;
}

export interface MinedFile {
  readonly items: readonly Item[];
  readonly counts: MinedCounts;
  readonly errors: readonly QuodError[];
}

/** @throws QuodError `interrupted`, `prover-crashed` and what else a session throws. */
export async function mineFile(
  session: ProverSession,
  source: SourceToMine,
  options: MiningOptions,
): Promise<MinedFile> {
  return await new FileMiner(session, source, options).run();
}

/** An item whose steps took longer is not checked. */
const LONGEST_CHECK_MS = 30_000;
/** A check may take so many times what the steps took the first time, and this long at least. */
const CHECK_SLOWNESS = 5;
const CHECK_LEAST_MS = 2000;

/** An item that did not pass. */
interface Refused {
  readonly candidate: Candidate;
  readonly item: Item;
  readonly why: Failure;
  readonly message: string;
}

/**
 * Whether the statement may be at fault. Where only something hidden reads back differently, it is a tactic that
 * fails.
 */
function isMisread(why: Failure): boolean {
  return why === 'statement-refused' || why === 'reads-differently' || why === 'proof-refused';
}

class FileMiner {
  readonly #session: ProverSession;
  readonly #source: SourceToMine;
  readonly #options: MiningOptions;
  readonly #budget: SideBudget;
  readonly #maker: ItemMaker;
  readonly #items: Item[] = [];
  readonly #errors: QuodError[] = [];
  #statements = 0;
  /** Of these, those that the printed form does not say. */
  #misread = 0;
  #refusedProofs = 0;
  /** When the last proof ended: what runs until the next is not mining. */
  #since = performance.now();
  readonly #counts = noCounts();

  constructor(session: ProverSession, source: SourceToMine, options: MiningOptions) {
    this.#session = session;
    this.#source = source;
    this.#options = options;
    this.#budget = new SideBudget(options.share);
    this.#maker = new ItemMaker(source, session.identity, options.after);
  }

  async run(): Promise<MinedFile> {
    const started = performance.now();
    const { outline, library } = this.#source;
    const { signal } = this.#options;
    const nested = await this.#session.run(this.#session.root, asSentence('Set Nested Proofs Allowed.'), {
      signal,
    });
    const run = new FileRun(
      this.#session,
      { outline, file: library },
      { onTrace: () => {}, onError: (error) => this.#errors.push(error) },
      {
        record: false,
        signal,
        start: nested.status === 'done' ? nested.state : this.#session.root,
        proofs: (theorem, opened, end) => this.#proof(theorem, opened, end),
      },
    );
    await run.finish();
    this.#counts.items = this.#items.length;
    this.#counts.refused = this.#errors.length - this.#refusedProofs;
    this.#counts.elapsedMs = Math.round(performance.now() - started);
    this.#counts.besideMs = Math.round(this.#budget.spent);
    return { items: this.#items, counts: this.#counts, errors: this.#errors };
  }

  async #proof(theorem: TheoremItem, opened: StateId, end: number): Promise<StateId | RefusedSentence> {
    this.#budget.earn(performance.now() - this.#since);
    const { closing, closingWord, hole } = theorem;
    const isMined =
      hole === undefined && closing !== undefined && (closingWord === 'Qed' || closingWord === 'Defined');
    if (isMined) this.#counts.proofs += 1;
    const outcome = isMined
      ? await this.#mine(theorem, opened, closing)
      : await this.#runPlainly(opened, theorem.sentence + 1, end);
    if (isMined && typeof outcome === 'string') this.#counts.replayed += 1;
    if (isMined && typeof outcome !== 'string') this.#refusedProofs += 1;
    this.#since = performance.now();
    return outcome;
  }

  async #runPlainly(from: StateId, first: number, end: number): Promise<StateId | RefusedSentence> {
    let at = from;
    for (let index = first; index < end; index += 1) {
      const text = entryAt(this.#source.outline.sentences, index, 'sentence').text;
      const result = await this.#session.run(at, asSentence(text), {
        timeoutMs: 120_000,
        signal: this.#options.signal,
        expected: true,
      });
      if (result.status !== 'done')
        return {
          sentence: index,
          error: result.status === 'failed' ? result.error : { severity: 'error', message: result.message },
          at,
        };
      this.#budget.earn(result.elapsedMs);
      at = result.state;
    }
    return at;
  }

  async #mine(theorem: TheoremItem, opened: StateId, closing: number): Promise<StateId | RefusedSentence> {
    const proof = await this.#session.goals(opened);
    if (proof === null || proof.goals.length === 0)
      return this.#runPlainly(opened, theorem.sentence + 1, closing + 1);
    const section = await this.#sectionVariables(theorem, opened, proof.goals[0]?.hypotheses ?? []);
    const start = { state: opened, proof };
    const startedAt = performance.now();
    const explicit = this.#isOftenMisread;
    const walk = this.#walk(start, { explicit, repeated: false });
    const walked = await walk.run(theorem, closing);
    if ('error' in walked) return walked;
    const walkMs = performance.now() - startedAt;
    this.#count(walked);
    const before = this.#items.length;
    const misread = await this.#check(theorem, walked, section);
    const isWorthIt = misread.length > 0 && !explicit && walkMs < this.#budget.left;
    const state = isWorthIt
      ? await this.#checkExplicitly(misread, {
          theorem,
          walked,
          walk: this.#walk(start, { explicit: true, repeated: true }),
          section,
        })
      : walked.state;
    if (!isWorthIt) for (const refused of misread) this.#fail(refused);
    const closed = await this.#runPlainly(state, closing, closing + 1);
    // Where the theorem's own proof cannot be closed, its items prove nothing.
    if (typeof closed !== 'string') this.#items.length = before;
    return closed;
  }

  #walk(
    start: { readonly state: StateId; readonly proof: ProofState },
    manner: { readonly explicit: boolean; readonly repeated: boolean },
  ): ProofWalk {
    const { signal } = this.#options;
    return new ProofWalk(this.#session, this.#source.outline, start, {
      budget: this.#budget,
      signal,
      ...manner,
    });
  }

  #count({ counts, nodes }: WalkedProof): void {
    for (const key of ['tactics', 'joint', 'chainsSplit', 'chainsKept', 'selectorsSplit'] as const)
      this.#counts[key] += counts[key];
    this.#counts.states += nodes.length;
  }

  #fail({ item, why, message }: Refused): void {
    countFailure(this.#counts.failures, why);
    this.#options.onFailure?.(item, why, message);
  }

  /**
   * Runs the proof once more, asking for everything to be written out; the state at its end, where the file goes
   * on.
   */
  async #checkExplicitly(
    misread: readonly Refused[],
    {
      theorem,
      walked,
      walk,
      section,
    }: {
      readonly theorem: TheoremItem;
      readonly walked: WalkedProof;
      readonly walk: ProofWalk;
      readonly section: readonly Hypothesis[];
    },
  ): Promise<StateId> {
    const again = await walk.run(theorem, theorem.closing ?? theorem.body.end);
    if ('error' in again) {
      for (const refused of misread) this.#fail(refused);
      return walked.state;
    }
    let at = again.state;
    for (const refused of misread) {
      const { candidate } = refused;
      // The same sentences at the same state: the same nodes, unless the time for taking chains apart was over.
      const twin = again.nodes[walked.nodes.indexOf(candidate.node)];
      if (twin?.explicit === undefined || sequentText(twin.goal) !== sequentText(candidate.node.goal))
        this.#fail(refused);
      else {
        candidate.node.explicit = twin.explicit;
        const outcome = await this.#checkOne(candidate, at, section, 'all');
        if (typeof outcome === 'string') at = outcome;
        else if (outcome !== undefined) this.#fail(outcome);
      }
    }
    return again.state;
  }

  /** Whether it is worth while to ask for goals with everything written out. */
  get #isOftenMisread(): boolean {
    return this.#misread >= 3 && this.#misread > 0.03 * this.#statements;
  }

  /** What the sections around bring into every goal. */
  async #sectionVariables(
    theorem: TheoremItem,
    opened: StateId,
    hypotheses: readonly Hypothesis[],
  ): Promise<readonly Hypothesis[]> {
    if (theorem.path.length === 0 || hypotheses.length === 0) return [];
    if (theorem.binders.trim() === '' && theorem.statement !== '') return hypotheses;
    const { signal } = this.#options;
    const bare = await this.#session.run(opened, asSentence(ANY_GOAL), {
      signal,
      withGoals: true,
      expected: true,
    });
    return bare.status === 'done' ? (bare.proof?.goals[0]?.hypotheses ?? []) : [];
  }

  /** Makes and checks the items of a proof that stands before its closing sentence; answers what did not read back. */
  async #check(
    theorem: TheoremItem,
    walked: WalkedProof,
    section: readonly Hypothesis[],
  ): Promise<readonly Refused[]> {
    const candidates: Candidate[] = [];
    for (const node of walked.nodes) {
      const candidate = this.#maker.candidate(theorem, walked, node, section);
      if (typeof candidate === 'string') countFailure(this.#counts.failures, candidate);
      else if (candidate !== undefined) candidates.push(candidate);
    }
    const misread: Refused[] = [];
    let at = walked.state;
    for (const candidate of candidates.toSorted((one, other) => one.cost - other.cost)) {
      if (candidate.verified) {
        this.#items.push(candidate.item);
        continue;
      }
      let outcome = await this.#checkOne(candidate, at, section, 'usual');
      this.#statements += 1;
      if (typeof outcome === 'object' && isMisread(outcome.why)) {
        this.#misread += 1;
        if (candidate.node.explicit === undefined) {
          misread.push(outcome);
          continue;
        }
        outcome = await this.#checkOne(candidate, at, section, 'all');
      }
      if (typeof outcome === 'string') at = outcome;
      else if (outcome !== undefined) this.#fail(outcome);
    }
    return misread;
  }

  /** The state behind the item when it passes; undefined when there was no time for it, which is counted. */
  async #checkOne(
    candidate: Candidate,
    at: StateId,
    section: readonly Hypothesis[],
    printing: Item['printing'],
  ): Promise<StateId | Refused | undefined> {
    const { node, variables, cost } = candidate;
    if (this.#budget.left < cost || cost > LONGEST_CHECK_MS) {
      countFailure(this.#counts.failures, 'budget');
      return undefined;
    }
    let { item } = candidate;
    if (printing === 'all') {
      const explicit = closeGoal(node.explicit ?? node.goal, variables);
      if (explicit.kind === 'open') return { candidate, item, why: explicit.why, message: '' };
      item = { ...item, statement: explicit.text, printing };
    }
    const started = performance.now();
    const place = { session: this.#session, section, signal: this.#options.signal };
    const timeoutMs = CHECK_LEAST_MS + CHECK_SLOWNESS * cost;
    const outcome = await checkItem(place, { state: at, item, goal: node.goal, timeoutMs });
    this.#budget.spend(performance.now() - started);
    if (outcome.kind === 'failed') return { candidate, item, why: outcome.why, message: outcome.message };
    this.#items.push(item);
    return outcome.state;
  }
}
