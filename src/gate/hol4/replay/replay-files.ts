/**
 * Replays files: finds their format and order, keeps to limits of size and time, and answers with a verdict. What
 * cannot be judged (a damaged file, a missing ancestor, too large, out of time) is `unknown`, never accepted.
 */
import { sha256 } from '../../../core/sha256.ts';
import { QuodError } from '../../../core/errors.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { LimitReached, type RefusalCode } from '../kernel/refusal.ts';
import type { StatementText } from '../kernel/statement.ts';
import { TraceReader } from '../trace/trace-reader.ts';
import { compareTheoryWithTarget } from './compare-target.ts';
import { readTraceFile } from './read-trace-file.ts';
import { readReplayed, writeReplayed } from './replay-cache.ts';
import type { ReplayPace } from './replay-finding.ts';
import { inOrder } from './replay-order.ts';
import { isPft, PftReplay } from './replay-pft.ts';
import { replayTrace, type AllowedAxioms } from './replay-trace.ts';
import {
  type FileFinding,
  type ReplayVerdict,
  type ReplayedFile,
  shownFile,
  shownFinding,
  unknownBecause,
} from './replay-verdict.ts';
import { ReplayedTheories, type ReplayedTheory } from './replayed-theories.ts';
import { readTraceHeader, type TraceHeader } from './trace-header.ts';

export interface ReplaySettings {
  /** Milliseconds for all files together. Default 10 minutes. */
  readonly timeoutMs?: number;
  /** Bytes of one file, unpacked. Default 2 GiB. */
  readonly maximumBytes?: number;
  /** Terms of one theory. Default 60 million, about 4 GB. */
  readonly maximumTerms?: number;
  /** Where what was replayed is kept, by the hash of the file; whoever can write there is trusted. */
  readonly cacheDirectory?: string;
  /**
   * The trace of the target: a theory of the same name as one of the files. It may leave theorems unproved; the
   * file must prove what it states.
   */
  readonly target?: string;
  /** Whether the file may assert the axioms that the target asserts, too. Default: it may. */
  readonly allowsTargetAxioms?: boolean;
  /**
   * The target's theorems that must be proved; what others of the target leave open may stay so, and a theorem that
   * rests on it says so. Default: nothing may stay open.
   */
  readonly wanted?: readonly string[];
  /** Further statements that may be asserted, compared by content. */
  readonly axioms?: AllowedAxioms;
  readonly onProgress?: (progress: ReplayProgress) => void;
  readonly signal?: AbortSignal;
}

export interface ReplayProgress {
  readonly file: string;
  readonly steps: number;
  /** From 0 to 1, of the file. */
  readonly part: number;
}

export interface ReplayResult {
  readonly verdict: ReplayVerdict;
  /** What is known after the replay: only theories without findings. */
  readonly theories: ReplayedTheories;
}

/** What a target leaves to be proved. */
const ALLOWED_IN_A_TARGET: ReadonlySet<RefusalCode> = new Set([
  'unproved-statement',
  'oracle-tag',
  'proof-missing',
]);
const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_MAXIMUM_BYTES = 2 ** 31;
const DEFAULT_MAXIMUM_TERMS = 60_000_000;
/** Unpacking once more costs less than so much memory does. */
const KEPT_BYTES = 2 ** 28;

export async function replayFiles(
  files: readonly string[],
  settings: ReplaySettings = {},
): Promise<ReplayResult> {
  const replay = new FilesReplay(settings);
  return { verdict: await replay.run(files), theories: replay.theories };
}

class FilesReplay {
  readonly theories = new ReplayedTheories();
  readonly #settings: ReplaySettings;
  readonly #start = performance.now();
  readonly #done: ReplayedFile[] = [];
  readonly #findings: FileFinding[] = [];
  #pft: PftReplay | undefined;
  #target: TraceHeader | undefined;
  #submission: ReplayedTheory | undefined;
  /** Files that were unpacked to find their order, until they are replayed. */
  readonly #unpacked = new Map<string, Buffer>();
  #unpackedBytes = 0;

  constructor(settings: ReplaySettings) {
    this.#settings = settings;
  }

  async run(files: readonly string[]): Promise<ReplayVerdict> {
    let current: string | undefined;
    try {
      if (files.length === 0) throw new QuodError('invalid-input', 'There is no file to replay.');
      for (const file of await this.#inOrder(files)) {
        current = file;
        await this.#replay(file);
      }
      if (this.#findings.length === 0 && this.#done.every(({ statements }) => statements === 0))
        throw new QuodError('invalid-input', 'The files hold no theorem, so that there is nothing to judge.');
      current = this.#settings.target;
      if (this.#target !== undefined && this.#submission === undefined && this.#findings.length === 0) {
        throw new QuodError('invalid-input', `No file holds the theory of the target.`);
      }
    } catch (error) {
      return {
        ...this.#summary(),
        ...unknownBecause(error, this.#findings.map(shownFinding)),
        ...(current && { file: current }),
      };
    }
    return this.#findings.length > 0
      ? { kind: 'rejected', findings: this.#findings.map(shownFinding), ...this.#summary() }
      : { kind: 'accepted', ...this.#summary() };
  }

  /** Reads every file once, for its header. */
  async #inOrder(files: readonly string[]): Promise<string[]> {
    const headers = new Map<string, TraceHeader>();
    for (const file of files) {
      const bytes = await this.#read(file);
      if (!isPft(bytes)) headers.set(file, readTraceHeader(new TraceReader(bytes)));
      this.#keep(file, bytes);
      this.#insistOnTime();
    }
    if (this.#settings.target !== undefined) {
      this.#target = readTraceHeader(new TraceReader(await this.#read(this.#settings.target)));
    }
    return inOrder(files, headers);
  }

  async #replay(file: string): Promise<void> {
    const start = performance.now();
    const bytes = this.#unpacked.get(file) ?? (await this.#read(file));
    this.#unpacked.delete(file);
    const hash = sha256(bytes);
    if (isPft(bytes)) {
      this.#pft ??= new PftReplay(this.#settings.maximumTerms ?? DEFAULT_MAXIMUM_TERMS);
      const { steps, statements, axioms, findings } = this.#pft.replay(bytes, this.#pace(file, bytes.length));
      appendAll(
        this.#findings,
        findings.map((finding) => ({ file, ...finding })),
      );
      this.#done.push({
        file,
        sha256: hash,
        steps,
        statements,
        axioms,
        fromCache: false,
        elapsedMs: since(start),
      });
      return;
    }
    const header = readTraceHeader(new TraceReader(bytes));
    this.theories.insistOnParents(header);
    const target = await this.#targetOf(header.name);
    const allowed = this.#axioms(target);
    const cache = this.#settings.cacheDirectory;
    const known = cache === undefined ? undefined : await readReplayed(cache, hash, this.theories, allowed);
    if (known !== undefined) {
      this.#compare(file, target, known);
      this.theories.add(known);
      this.#done.push(this.#fileOf(file, known, true, start));
      return;
    }
    const pace = this.#pace(file, bytes.length);
    // What is judged in parts may say of others that they are open.
    const isInParts = target !== undefined && this.#settings.wanted !== undefined;
    const { theory, findings } = replayTrace(bytes, hash, this.theories, {
      ...pace,
      allowed,
      ...(isInParts && { oracles: new Set(['cheat']) }),
    });
    appendAll(
      this.#findings,
      findings.map((finding) => ({ file, ...finding })),
    );
    this.#done.push(this.#fileOf(file, theory, false, start));
    if (findings.length > 0) return;
    this.#compare(file, target, theory);
    this.theories.add(theory);
    if (cache !== undefined && !isInParts) await writeReplayed(cache, theory);
  }

  /**
   * The target's theory, when that is its name: replayed before the submission is, so that both see the same
   * theories.
   */
  async #targetOf(theory: string): Promise<ReplayedTheory | undefined> {
    const { target } = this.#settings;
    if (target === undefined || this.#target?.name !== theory) return undefined;
    this.theories.insistOnParents(this.#target);
    const bytes = await this.#read(target);
    const hash = sha256(bytes);
    const pace = this.#pace(target, bytes.length);
    const replayed = replayTrace(bytes, hash, this.theories, {
      ...pace,
      allowed: this.#settings.axioms,
      findingLimit: Infinity,
    });
    const wrong = replayed.findings.filter(({ code }) => !ALLOWED_IN_A_TARGET.has(code));
    appendAll(
      this.#findings,
      wrong.map((finding) => ({ file: target, ...finding })),
    );
    return replayed.theory;
  }

  /** What may be asserted: what the caller says, and the axioms that the target declares. */
  #axioms(target: ReplayedTheory | undefined): AllowedAxioms {
    const allowed = new Map(this.#settings.axioms);
    if (target === undefined) return allowed;
    for (const [statement, name] of this.#openStatements(target)) allowed.set(statement, name);
    if (this.#settings.allowsTargetAxioms === false) return allowed;
    for (const [name, { kind, statement }] of target.theorems)
      if (kind === 'axiom') allowed.set(statement, `${target.name}$${name}`);
    return allowed;
  }

  /**
   * What the target asserts without proof in theorems that are not wanted: a statement is of the first that rests
   * on it.
   */
  #openStatements(target: ReplayedTheory): ReadonlyMap<StatementText, string> {
    const { wanted } = this.#settings;
    const owners = new Map<StatementText, string>();
    if (wanted === undefined) return owners;
    for (const { name, on, isExact } of target.unproved) {
      if (!isExact)
        throw new QuodError('unsupported', 'The target leaves too much open to tell what rests on what.', {
          remedy: 'Prove some of it first, or judge all of it at once.',
        });
      for (const statement of on) if (!owners.has(statement)) owners.set(statement, name);
    }
    const mayStay = [...owners].filter(([, name]) => !wanted.includes(name));
    return new Map(mayStay.map(([statement, name]) => [statement, `${target.name}$${name}`]));
  }

  #compare(file: string, target: ReplayedTheory | undefined, submission: ReplayedTheory): void {
    if (target === undefined) return;
    this.#submission = submission;
    for (const difference of compareTheoryWithTarget(target, submission)) {
      this.#findings.push({ file, theory: submission.name, ...difference });
    }
  }

  #read(file: string): Promise<Buffer> {
    return readTraceFile(file, this.#settings.maximumBytes ?? DEFAULT_MAXIMUM_BYTES);
  }

  #keep(file: string, bytes: Buffer): void {
    if (this.#unpackedBytes + bytes.length > KEPT_BYTES) return;
    this.#unpackedBytes += bytes.length;
    this.#unpacked.set(file, bytes);
  }

  #pace(file: string, size: number): ReplayPace {
    return {
      termLimit: this.#settings.maximumTerms ?? DEFAULT_MAXIMUM_TERMS,
      tick: ({ steps, bytes }) => {
        this.#insistOnTime();
        this.#settings.onProgress?.({ file, steps, part: bytes / size });
      },
    };
  }

  #insistOnTime(): void {
    if (this.#settings.signal?.aborted === true)
      throw new QuodError('interrupted', 'The replay was interrupted.');
    const limit = this.#settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    if (performance.now() - this.#start > limit) {
      throw new LimitReached('time', `The replay takes longer than ${limit / 1000} seconds.`);
    }
  }

  #fileOf(file: string, theory: ReplayedTheory, fromCache: boolean, start: number): ReplayedFile {
    return {
      file,
      sha256: theory.sha256,
      theory: theory.name,
      steps: theory.steps,
      statements: theory.theorems.size,
      axioms: theory.axioms,
      fromCache,
      elapsedMs: since(start),
    };
  }

  #summary(): { readonly files: readonly ReplayedFile[]; readonly elapsedMs: number } {
    return { files: this.#done.map(shownFile), elapsedMs: since(this.#start) };
  }
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
