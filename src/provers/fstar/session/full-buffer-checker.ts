/**
 * Checks a buffer through `full-buffer` of protocol version 3, in which F* itself cuts the text and keeps what has not
 * changed. What the stream leaves out is put right here:
 * - a fragment counts as checked when the response to its push says so: an interrupted one is announced as `ok` first;
 * - when dependencies cannot be loaded no fragment fails, only a response does;
 * - a text without a single declaration that can be parsed is passed over in silence unless the kind is `full`;
 * - fragments that F* kept are announced with their new places, their issues with the old ones.
 */
import type { FstarIssue, FstarRange } from '../protocol/answers.ts';
import { readIssues } from '../protocol/answers.ts';
import type { FullBufferKind } from '../protocol/queries.ts';
import { modulesMentioned } from '../syntax/declaration-parts.ts';
import type { BufferChecker, Checked } from './buffer-checker.ts';
import type { Lost } from '../../../core/driver.ts';
import { entryAt, orZero } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { Answer, FstarConnection } from './connection.ts';
import {
  type CheckProgress,
  countWanted,
  type CutText,
  type Fragment,
  fragmentOf,
  isError,
  isLax,
  NOT_CHECKED,
} from './report.ts';

/** What was found for one declaration, to be told again while F* keeps it. */
interface CachedCheck {
  readonly startLine: number;
  readonly issues: readonly FstarIssue[];
}

interface Running {
  readonly index: number | undefined;
  readonly startLine: number;
  readonly began: number;
}

export class FullBufferChecker implements BufferChecker {
  readonly #connection: FstarConnection;
  /** The declarations that F* holds, in order. */
  #kept: CachedCheck[] = [];
  #loaded: ReadonlySet<string> | undefined;

  constructor(connection: FstarConnection) {
    this.#connection = connection;
  }

  async check(
    cut: CutText,
    check: FullBufferKind,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<Checked | { readonly status: 'lost'; readonly loss: Lost; readonly partial: Checked }> {
    const modules = modulesMentioned(cut.declarations);
    const loaded = this.#loaded;
    const flies = this.#connection.protocol.features.has('fly-deps');
    const checks = check.kind !== 'cache' && check.kind !== 'reload-deps';
    if (checks && !flies && loaded !== undefined && [...modules].some((name) => !loaded.has(name))) {
      const reloaded = await this.#run(cut, { kind: 'reload-deps' }, onProgress);
      if (reloaded.status === 'lost') return reloaded;
      this.#loaded = modules;
      if (reloaded.status === 'interrupted' || reloaded.issues.some(isError)) return reloaded;
    }
    const checked = await this.#run(cut, check, onProgress);
    if (checked.status !== 'lost' && check.kind !== 'cache') this.#loaded ??= modules;
    if (check.kind === 'reload-deps') this.#loaded = modules;
    return checked;
  }

  async #run(
    cut: CutText,
    check: FullBufferKind,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<Checked | { readonly status: 'lost'; readonly loss: Lost; readonly partial: Checked }> {
    const total = countWanted(cut, check);
    const stream = new Stream(cut, this.#kept, isLax(check));
    const answer = await this.#connection.ask(
      { query: 'full-buffer', code: cut.text, check },
      {
        onProgress: (progress) => {
          if (progress.stage === 'loading-dependency') {
            onProgress({ done: 0, total, message: `loading ${progress.module}` });
          } else if (progress.stage === 'fragment-started') {
            const index = stream.started(progress.range);
            const name =
              index === undefined ? '' : entryAt(cut.declarations, index, 'declaration').names.join(', ');
            onProgress({ done: orZero(index), total, message: `checking ${name || 'a declaration'}` });
          } else if (progress.stage === 'fragment-ok' || progress.stage === 'fragment-lax-ok') {
            stream.announced(progress.range, progress.stage === 'fragment-lax-ok');
          }
        },
        onPart: (part) => stream.answered(part),
      },
    );
    if (answer.status === 'lost') {
      this.#kept = [];
      return { status: 'lost', loss: answer, partial: stream.end([], true).checked };
    }
    if (answer.status !== 'success') {
      // F* did not understand the query, which it knows: never an empty, successful report.
      const ended = stream.end(readIssues(answer.response, true), false);
      return withRemarks(ended.checked, answer);
    }
    const silent =
      stream.isEmpty && cut.declarations.length > 0 && total > 0 ? await this.#syntaxIssues(cut.text) : [];
    const ended = stream.end(silent, false);
    if (check.kind !== 'cache') this.#kept = ended.kept;
    return withRemarks(ended.checked, answer);
  }

  /** A text that F* could not parse at all is not reported for most kinds. */
  async #syntaxIssues(code: string): Promise<readonly FstarIssue[]> {
    const answer = await this.#connection.ask({ query: 'segment', code });
    return answer.status === 'failure' ? readIssues(answer.response, true) : [];
  }
}

function withRemarks(checked: Checked, { remarks }: Answer): Checked {
  return { ...checked, states: remarks.states, texts: remarks.texts, dropped: remarks.dropped };
}

class Stream {
  readonly #cut: CutText;
  readonly #before: readonly CachedCheck[];
  readonly #lax: boolean;
  readonly #found: (Pick<Fragment, 'status' | 'cached' | 'elapsedMs'> | undefined)[];
  readonly #kept: CachedCheck[] = [];
  readonly #issues: FstarIssue[] = [];
  #running: Running | undefined;
  #interrupted = false;
  #heard = 0;

  constructor(cut: CutText, before: readonly CachedCheck[], lax: boolean) {
    this.#cut = cut;
    this.#before = before;
    this.#lax = lax;
    this.#found = cut.declarations.map(() => undefined);
  }

  /** Nothing was said about any declaration, nor any issue. */
  get isEmpty(): boolean {
    return this.#heard === 0;
  }

  started(range: FstarRange): number | undefined {
    this.#heard += 1;
    const index = this.#indexAt(range);
    this.#running = { index, startLine: range.start.line, began: performance.now() };
    return index;
  }

  /** `ok` of a running declaration is only believed when its response comes; of any other it means that F* kept it. */
  announced(range: FstarRange, lax: boolean): void {
    this.#heard += 1;
    if (this.#running !== undefined) return;
    const before = this.#before[this.#kept.length];
    const shift = range.start.line - (before?.startLine ?? range.start.line);
    const issues = (before?.issues ?? []).map((issue) => shiftIssue(issue, shift));
    appendAll(this.#issues, issues);
    this.#kept.push({ startLine: range.start.line, issues });
    const index = this.#indexAt(range);
    if (index !== undefined) {
      this.#found[index] = { status: lax ? 'lax-ok' : 'ok', cached: true, elapsedMs: null };
    }
  }

  answered(part: {
    readonly failed: boolean;
    readonly interrupted: boolean;
    readonly issues: readonly FstarIssue[];
  }): void {
    const running = this.#running;
    if (running === undefined) {
      // Pops answer without issues, syntax errors with them. What was found for kept declarations is told by
      // `announced`.
      if (!part.failed) return;
      this.#heard += part.issues.length;
      appendAll(this.#issues, part.issues);
      return;
    }
    this.#running = undefined;
    appendAll(this.#issues, part.issues);
    const interrupted = part.failed && (part.interrupted || part.issues.length === 0);
    if (interrupted) this.#interrupted = true;
    const failed = part.failed || part.issues.some(isError);
    if (!failed) this.#kept.push({ startLine: running.startLine, issues: part.issues });
    if (running.index === undefined) return;
    this.#found[running.index] = {
      status: interrupted ? 'interrupted' : failed ? 'failed' : this.#lax ? 'lax-ok' : 'ok',
      cached: false,
      elapsedMs: performance.now() - running.began,
    };
  }

  end(
    more: readonly FstarIssue[],
    lost: boolean,
  ): { readonly checked: Checked; readonly kept: CachedCheck[] } {
    const index = this.#running?.index;
    if (index !== undefined) this.#found[index] = { status: 'interrupted', cached: false, elapsedMs: null };
    const fragments = this.#cut.declarations.map((declaration, at) =>
      fragmentOf(this.#cut, declaration, this.#found[at] ?? NOT_CHECKED),
    );
    const checked: Checked = {
      status: this.#interrupted || lost ? 'interrupted' : 'finished',
      fragments,
      issues: [...this.#issues, ...more],
      states: [],
      texts: [],
      dropped: 0,
    };
    return { checked, kept: this.#kept };
  }

  /** The declaration of the text in which a range of F*'s begins. */
  #indexAt({ start }: FstarRange): number | undefined {
    const offset = this.#cut.lines.offsetOfPrinted(start);
    if (offset === undefined) return undefined;
    const index = this.#cut.declarations.findIndex(
      ({ fragmentStart, fragmentEnd }) => fragmentStart <= offset && offset < fragmentEnd,
    );
    return index < 0 ? undefined : index;
  }
}

function shiftIssue(issue: FstarIssue, lines: number): FstarIssue {
  if (lines === 0) return issue;
  const [place, ...others] = issue.ranges;
  if (place === undefined) return issue;
  const shifted: FstarRange = {
    file: place.file,
    start: { ...place.start, line: place.start.line + lines },
    end: { ...place.end, line: place.end.line + lines },
  };
  return { ...issue, ranges: [shifted, ...others] };
}
