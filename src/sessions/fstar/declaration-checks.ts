/**
 * Checks a buffer declaration by declaration, for F* that has no `full-buffer`: Quod cuts the text, each
 * declaration is a step of the session, and those that have not changed are kept, with what was found when they
 * were checked.
 */
import { entryAt } from '../../core/entry.ts';
import type { StateId } from '../../core/prover.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { FullBufferKind, PushKind } from '../../provers/fstar/protocol/queries.ts';
import type { Checked } from '../../provers/fstar/session/buffer-checker.ts';
import type { FstarStep } from '../../provers/fstar/session/driver.ts';
import {
  type CheckProgress,
  countWanted,
  type CutText,
  fragmentOf,
  isLax,
  NOT_CHECKED,
  pieceOf,
} from '../../provers/fstar/session/report.ts';
import { isHeldAs, type Pushed, type PushAnswer, type WholeText } from '../../provers/fstar/session/stack.ts';
import { modulesMentioned } from '../../provers/fstar/syntax/declaration-parts.ts';
import type { CallLimits, ReplayFailure } from '../way-to-state.ts';
import type { FstarReplay } from './fstar-replay.ts';

/** What was found, and why the check did not come to its end. */
export interface EndedCheck {
  readonly checked: Checked;
  readonly failure: ReplayFailure | undefined;
}

interface Held extends Pushed {
  readonly state: StateId;
}

export class DeclarationChecks {
  readonly #session: FstarReplay;
  /** The declarations of the buffer that were checked last. */
  #held: Held[] = [];
  #whole: WholeText = { text: '', modules: new Set() };

  constructor(session: FstarReplay) {
    this.#session = session;
  }

  /** The state behind the declarations that were checked last. */
  get tip(): StateId {
    return this.#stateBehind(this.#held.length);
  }

  /** Nothing counts as checked any more. */
  forget(): void {
    this.#held = [];
  }

  /** @param limits For the whole check. */
  async check(
    cut: CutText,
    check: FullBufferKind,
    { timeoutMs = Infinity, signal }: CallLimits,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<EndedCheck> {
    const deadline = performance.now() + timeoutMs;
    const collected = new Collected(cut);
    const kind: PushKind = isLax(check) ? 'lax' : 'full';
    const whole = { text: cut.text, modules: modulesMentioned(cut.declarations) };
    const wanted = cut.declarations
      .map((declaration) => pieceOf(cut, declaration))
      .slice(0, countWanted(cut, check));
    this.#whole = whole;
    const fresh = check.kind === 'reload-deps' || !(await this.#areLoaded(whole, signal));
    const kept = fresh ? 0 : this.#common(wanted, kind);
    const end = endOfCheck(check, kept, wanted.length);
    if (check.kind !== 'cache') {
      const failure = await this.#standBehind(kept, signal);
      if (failure !== undefined) return { checked: collected.checked('finished'), failure };
    }
    for (const [index, held] of this.#held.slice(0, kept).entries())
      collected.add(index, held.kind, held.answer, true);
    for (let index = kept; index < end; index += 1) {
      const piece = wanted[index];
      if (piece === undefined) break;
      const name = entryAt(cut.declarations, index, 'declaration').names.join(', ');
      const told = { done: index, total: end };
      onProgress({ ...told, message: `checking ${name === '' ? `declaration ${index + 1}` : name}` });
      let heard: PushAnswer | undefined;
      const step: FstarStep = {
        ...piece,
        kind,
        whole: () => this.#whole,
        onAnswer: (answer) => (heard = answer),
        onProgress: (progress) => {
          if (progress.stage !== 'loading-dependency') return;
          onProgress({ ...told, message: `loading ${progress.module}` });
        },
      };
      const left = deadline - performance.now();
      const result =
        left <= 0
          ? TOO_LATE
          : await this.#session.run(this.#stateBehind(index), step, {
              ...(Number.isFinite(left) && { timeoutMs: left }),
              ...(signal !== undefined && { signal }),
            });
      if (result.status === 'unknown' || heard === undefined) {
        collected.stoppedAt(index);
        const failure = result.status === 'unknown' ? result : undefined;
        return { checked: collected.checked('interrupted'), failure };
      }
      collected.add(index, kind, heard, false);
      if (result.status === 'failed') break;
      this.#held.push({ piece, kind, answer: heard, state: result.state });
    }
    return { checked: collected.checked('finished'), failure: undefined };
  }

  #stateBehind(count: number): StateId {
    return this.#held[count - 1]?.state ?? this.#session.root;
  }

  /** How many of the pieces are held as they stand there, checked at least as strictly. */
  #common(pieces: readonly Parameters<typeof isHeldAs>[1][], kind: PushKind): number {
    const differs = pieces.findIndex((piece, index) => !isHeldAs(this.#held[index], piece, kind));
    return differs < 0 ? pieces.length : differs;
  }

  /**
   * Whether everything that the text names was there to be loaded when dependencies were. Starts F* when there is
   * none.
   */
  async #areLoaded(whole: WholeText, signal: AbortSignal | undefined): Promise<boolean> {
    const { answer } = await this.#session.at(
      this.#session.root,
      { ...(signal !== undefined && { signal }) },
      ({ stack }) =>
        Promise.resolve({ status: stack.pushed.length === 0 || stack.covers(whole) ? 'loaded' : 'other' }),
    );
    return answer.status !== 'other';
  }

  async #standBehind(count: number, signal: AbortSignal | undefined): Promise<ReplayFailure | undefined> {
    const state = this.#stateBehind(count);
    this.#held.length = count;
    const options = { ...(signal !== undefined && { signal }) };
    const { answer } = await this.#session.at(state, options, (driver) => driver.standAt(count));
    return answer.status === 'unknown' ? answer : undefined;
  }
}

const TOO_LATE: ReplayFailure = {
  status: 'unknown',
  reason: 'timeout',
  message: 'The check took longer than it was given.',
};

/** `reload-deps` pushes the first declaration only, which loads them; `cache` pushes none. */
function endOfCheck({ kind }: FullBufferKind, kept: number, wanted: number): number {
  if (kind === 'cache') return kept;
  return kind === 'reload-deps' ? Math.min(1, wanted) : wanted;
}

class Collected {
  readonly #cut: CutText;
  readonly #fragments: Checked['fragments'][number][];
  readonly #issues: Checked['issues'][number][] = [];
  readonly #states: Checked['states'][number][] = [];
  readonly #texts: Checked['texts'][number][] = [];
  #dropped = 0;

  constructor(cut: CutText) {
    this.#cut = cut;
    this.#fragments = cut.declarations.map((declaration) => fragmentOf(cut, declaration, NOT_CHECKED));
  }

  add(index: number, kind: PushKind, answer: PushAnswer, cached: boolean): void {
    const declaration = this.#cut.declarations[index];
    if (declaration === undefined) return;
    const status = answer.status === 'ok' ? (kind === 'lax' ? 'lax-ok' : 'ok') : answer.status;
    const elapsedMs = cached ? null : answer.elapsedMs;
    this.#fragments[index] = fragmentOf(this.#cut, declaration, { status, cached, elapsedMs });
    appendAll(this.#issues, answer.issues);
    appendAll(this.#states, answer.remarks.states);
    if (!cached) appendAll(this.#texts, answer.remarks.texts);
    this.#dropped += answer.remarks.dropped;
  }

  stoppedAt(index: number): void {
    const declaration = this.#cut.declarations[index];
    if (declaration === undefined) return;
    const found = { status: 'interrupted', cached: false, elapsedMs: null } as const;
    this.#fragments[index] = fragmentOf(this.#cut, declaration, found);
  }

  checked(status: Checked['status']): Checked {
    return {
      status,
      fragments: this.#fragments,
      issues: this.#issues,
      states: this.#states,
      texts: this.#texts,
      dropped: this.#dropped,
    };
  }
}
