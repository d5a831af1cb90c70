/** `quod prove`: finds the holes of a file, searches each where it stands, and has every proof judged before it counts. */
import type { QuodError } from '../core/errors.ts';
import { LineIndex, type Span } from '../core/position.ts';
import type { Prover, ProverSession } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { INGREDIENTS, type Ingredient, type Knowledge } from './candidate.ts';
import { automationAt, lemmasAt, speaksSsreflect } from './environment.ts';
import { FileRun } from './file-run.ts';
import { LemmaMemory, type Lemma } from './lemma-memory.ts';
import { proofText } from './proof-text.ts';
import { LibraryIndex } from './library-index.ts';
import { requiredSources } from './library-closure.ts';
import { StoredLemmas } from './stored-lemmas.ts';
import { StepMemory, storedStep, type StoredStep } from './step-memory.ts';
import { closeAll, searchTheorem } from './theorem-search.ts';
import type { SearchWorker } from './best-first.ts';

export interface ProveRequest {
  /** Absolute path of the file; `text` is what is searched, the path only finds its project. */
  readonly file: string;
  readonly text: string;
  readonly theorems: readonly string[] | 'all-holes';
  /** Milliseconds for each theorem. */
  readonly budgetMs?: number;
  /** Nodes for each theorem; instead of a time budget this makes a run reproducible. */
  readonly nodes?: number;
  readonly jobs: number;
  readonly seed: number;
  readonly prover: Prover;
  /** Ingredients of the search that are switched off, by name. */
  readonly without?: readonly string[];
  readonly signal: AbortSignal;
  /** Where `quod index` stores steps and the search stores lists of lemmas; without it there is neither. */
  readonly cacheDirectory?: string;
  /** Judges a text in which one proof was filled in; what it refuses is not reported as proved. */
  readonly judge?: Judge;
}

/** Undefined when the proof is accepted, otherwise why not. */
export type Judge = (filled: {
  readonly text: string;
  readonly theorem: TheoremItem;
}) => Promise<string | undefined>;

export type ProveEvent =
  | { readonly kind: 'file-loaded'; readonly elapsedMs: number; readonly sentences: number }
  /** The file has an error before a hole; the search goes on behind it. */
  | { readonly kind: 'file-error'; readonly error: QuodError }
  | {
      readonly kind: 'theorem-started';
      readonly theorem: string;
      readonly index: number;
      readonly total: number;
    }
  | {
      readonly kind: 'progress';
      readonly theorem: string;
      readonly elapsedMs: number;
      readonly nodes: number;
      readonly bestGoalCount: number;
    }
  | { readonly kind: 'theorem-finished'; readonly result: TheoremResult };

export interface TheoremResult {
  readonly theorem: string;
  /** Line of the statement, from 1. */
  readonly line: number;
  readonly statement: string;
  readonly elapsedMs: number;
  readonly nodes: number;
  readonly outcome:
    | {
        readonly kind: 'proved';
        /** The proof as it will stand in the file, from `Proof` to the closing word. */
        readonly script: string;
        readonly replacement: { readonly span: Span; readonly text: string };
      }
    | {
        readonly kind: 'not-proved';
        readonly reason: ReasonCode;
        readonly message: string;
        readonly bestGoalCount?: number;
      };
}

const PROGRESS_EVERY_MS = 200;

/** The theorems of a file that a request asks for; the names it asks for that are not there are left out. */
export function theoremsAsked(outline: FileOutline, theorems: ProveRequest['theorems']): TheoremItem[] {
  if (theorems === 'all-holes') return outline.statements.filter(({ hole }) => hole !== undefined);
  return outline.statements.filter(({ name }) => name !== undefined && theorems.includes(name));
}

export async function proveFile(
  request: ProveRequest,
  onEvent: (event: ProveEvent) => void,
): Promise<TheoremResult[]> {
  const outline = outlineOf(request.text);
  const wanted = theoremsAsked(outline, request.theorems);
  const results = new Map<TheoremItem, TheoremResult>();
  // As many theorems at once as there are jobs; jobs that are left over join in the search of a theorem. With a budget
  // of nodes every theorem has one session of its own, since the order of answers must not matter.
  const lanes = Math.max(1, Math.min(request.jobs, wanted.length));
  const helpers = request.nodes === undefined ? Math.max(0, Math.floor(request.jobs / lanes) - 1) : 0;
  let next = 0;
  const take = (): number | undefined => (next < wanted.length ? next++ : undefined);
  const library = await librarySteps(request, outline);
  const reported = new Set<string>();
  const report = (error: QuodError): void => {
    if (reported.has(error.toString())) return;
    reported.add(error.toString());
    onEvent({ kind: 'file-error', error });
  };
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const lane = await Lane.open(request, outline, library, helpers, report);
      try {
        for (let index = take(); index !== undefined && !request.signal.aborted; index = take()) {
          const theorem = wanted[index];
          if (theorem === undefined) break;
          onEvent({ kind: 'theorem-started', theorem: titleOf(theorem), index, total: wanted.length });
          const result = await lane.prove(theorem, onEvent);
          results.set(theorem, result);
          onEvent({ kind: 'theorem-finished', result });
        }
      } finally {
        await lane.close();
      }
    }),
  );
  return wanted.flatMap((theorem) => results.get(theorem) ?? []);
}

const MAXIMUM_LIBRARY_STEPS = 25_000;

/** Stored steps of what the file requires, nearest libraries first, as many as are worth their memory. */
async function librarySteps(request: ProveRequest, outline: FileOutline): Promise<StoredStep[]> {
  const { cacheDirectory } = request;
  if (cacheDirectory === undefined || request.without?.includes('library') === true) return [];
  const index = new LibraryIndex(cacheDirectory);
  const steps: StoredStep[] = [];
  for (const { key, header } of requiredSources(outline.requires, await index.headers())) {
    if (steps.length >= MAXIMUM_LIBRARY_STEPS) break;
    steps.push(...(await index.read(key, header.library)));
  }
  return steps.slice(0, MAXIMUM_LIBRARY_STEPS);
}

function titleOf(theorem: TheoremItem): string {
  return theorem.name ?? theorem.keyword;
}

/** One theorem at a time, in the order of the file; what the file's proofs taught is kept between them. */
class Lane {
  readonly #request: ProveRequest;
  readonly #outline: FileOutline;
  readonly #runs: readonly { session: ProverSession; run: FileRun }[];
  readonly #steps: StepMemory;
  readonly #lemmas = new LemmaMemory();
  readonly #without: ReadonlySet<Ingredient>;
  readonly #lines: LineIndex;
  #lemmasUpTo = -1;
  #loaded = false;

  private constructor(
    request: ProveRequest,
    outline: FileOutline,
    library: readonly StoredStep[],
    sessions: readonly ProverSession[],
    onError: (error: QuodError) => void,
  ) {
    this.#request = request;
    this.#outline = outline;
    this.#lines = new LineIndex(request.text);
    this.#steps = new StepMemory(request.file);
    // The most distant first: of equally similar steps the one that was added last is preferred.
    for (const step of [...library].reverse()) this.#steps.add(step);
    this.#without = new Set(INGREDIENTS.filter((name) => request.without?.includes(name)));
    this.#runs = sessions.map((session, index) => ({
      session,
      run: new FileRun(
        session,
        outline,
        request.file,
        {
          onSteps: (steps) => {
            if (index === 0) for (const step of steps) this.#steps.add(storedStep(step));
          },
          onError,
        },
        { record: index === 0, signal: request.signal },
      ),
    }));
  }

  static async open(
    request: ProveRequest,
    outline: FileOutline,
    library: readonly StoredStep[],
    helpers: number,
    onError: (error: QuodError) => void,
  ): Promise<Lane> {
    const context = { file: request.file, signal: request.signal };
    const opened = await Promise.allSettled(
      Array.from({ length: 1 + helpers }, () => request.prover.openSession(context)),
    );
    const sessions = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = opened.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      await closeAll(sessions);
      throw failed.reason;
    }
    return new Lane(request, outline, library, sessions, onError);
  }

  close(): Promise<void> {
    return closeAll(this.#runs.map(({ session }) => session));
  }

  async prove(theorem: TheoremItem, onEvent: (event: ProveEvent) => void): Promise<TheoremResult> {
    const loading = performance.now();
    const roots = await Promise.all(this.#runs.map(({ run }) => run.advanceTo(theorem)));
    if (!this.#loaded) {
      this.#loaded = true;
      onEvent({ kind: 'file-loaded', elapsedMs: performance.now() - loading, sentences: theorem.sentence });
    }
    const started = performance.now();
    const common = {
      theorem: titleOf(theorem),
      line: this.#lines.printedAt(this.#outline.sentences[theorem.sentence]?.span.start ?? 0).line,
      statement: this.#outline.sentences[theorem.sentence]?.text ?? '',
    };
    const finish = (nodes: number, outcome: TheoremResult['outcome']): TheoremResult => ({
      ...common,
      elapsedMs: performance.now() - started,
      nodes,
      outcome,
    });
    const workers: SearchWorker[] = this.#runs.flatMap(({ session }, index) => {
      const root = roots[index];
      return root === undefined ? [] : [{ session, root }];
    });
    const first = workers[0];
    const proof = first === undefined ? null : await first.session.goals(first.root);
    if (first === undefined || proof === null || proof.goals.length === 0)
      return finish(0, {
        kind: 'not-proved',
        reason: 'does-not-compile',
        message: 'Rocq does not accept the statement, so there is no proof to search for.',
      });
    const knowledge = await this.#knowledgeAt(first, theorem);
    let noted = started;
    const found = await searchTheorem(workers, proof, knowledge, {
      budgetMs:
        this.#request.nodes === undefined
          ? (this.#request.budgetMs ?? 60_000) - (performance.now() - started)
          : undefined,
      nodes: this.#request.nodes,
      seed: this.#request.seed,
      without: this.#without,
      signal: this.#request.signal,
      onProgress: (nodes, bestGoalCount) => {
        const now = performance.now();
        if (now - noted < PROGRESS_EVERY_MS) return;
        noted = now;
        onEvent({
          kind: 'progress',
          theorem: common.theorem,
          elapsedMs: now - started,
          nodes,
          bestGoalCount,
        });
      },
    });
    if (found.kind === 'not-found') {
      const { reason, message, bestGoalCount } = found;
      return finish(found.nodes, { kind: 'not-proved', reason, message, bestGoalCount });
    }
    const replacement = proofText(this.#outline, theorem, found.script);
    const text =
      this.#request.text.slice(0, replacement.span.start) +
      replacement.text +
      this.#request.text.slice(replacement.span.end);
    const refused = await this.#request.judge?.({ text, theorem });
    if (refused !== undefined)
      return finish(found.nodes, { kind: 'not-proved', reason: 'not-verified', message: refused });
    return finish(found.nodes, { kind: 'proved', script: replacement.text.trim(), replacement });
  }

  async #knowledgeAt({ session, root }: SearchWorker, theorem: TheoremItem): Promise<Knowledge> {
    if (!this.#without.has('lemmas')) {
      if (this.#lemmasUpTo < 0)
        for (const lemma of await this.#librariesLemmas({ session, root }, theorem)) this.#lemmas.add(lemma);
      for (const earlier of this.#outline.statements) {
        const { name, binders, statement, sentence } = earlier;
        if (sentence < this.#lemmasUpTo || sentence >= theorem.sentence || name === undefined) continue;
        if (statement === '') continue;
        this.#lemmas.add({ name, statement: binders === '' ? statement : `forall ${binders}, ${statement}` });
      }
      this.#lemmasUpTo = theorem.sentence;
    }
    return {
      steps: this.#steps,
      lemmas: this.#lemmas,
      automation: await automationAt(session, root, this.#steps),
      ssreflect: speaksSsreflect(this.#request.text),
    };
  }

  #librariesLemmas({ session, root }: SearchWorker, theorem: TheoremItem): Promise<readonly Lemma[]> {
    const { cacheDirectory, prover } = this.#request;
    const list = (): Promise<Lemma[]> => lemmasAt(session, root);
    if (cacheDirectory === undefined) return list();
    const context = `${prover.identity.backend} ${prover.identity.version} ${prover.identity.location}`;
    return new StoredLemmas(cacheDirectory).behindRequires(this.#outline, theorem.sentence, context, list);
  }
}
