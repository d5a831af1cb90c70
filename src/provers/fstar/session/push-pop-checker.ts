/**
 * Checks a buffer through `push` and `pop`, for F* that has no `full-buffer`: Quod cuts the text, keeps what has not
 * changed, and answers for kept declarations what was found when they were pushed.
 */
import type { FullBufferKind, PushKind } from '../protocol/queries.ts';
import { modulesMentioned } from '../syntax/declarations.ts';
import type { BufferChecker, Checked } from './buffer-checker.ts';
import type { FstarConnection, Lost } from './connection.ts';
import {
  type CheckProgress,
  countWanted,
  type CutText,
  fragmentOf,
  isLax,
  NOT_CHECKED,
  pieceOf,
} from './report.ts';
import { FstarStack, type PushAnswer, type Pushed } from './stack.ts';

export class PushPopChecker implements BufferChecker {
  readonly #stack: FstarStack;
  #toRestore: readonly Pushed[];

  /** @param held What another process had checked. */
  constructor(connection: FstarConnection, held: readonly Pushed[] = []) {
    this.#stack = new FstarStack(connection);
    this.#toRestore = held;
  }

  get held(): readonly Pushed[] {
    return this.#stack.pushed;
  }

  async check(
    cut: CutText,
    check: FullBufferKind,
    onProgress: (progress: CheckProgress) => void,
  ): Promise<Checked | { readonly status: 'lost'; readonly loss: Lost; readonly partial: Checked }> {
    const collected = new Collected(cut);
    const kind: PushKind = isLax(check) ? 'lax' : 'full';
    const whole = { text: cut.text, modules: modulesMentioned(cut.declarations) };
    const pieces = cut.declarations.map((declaration) => pieceOf(cut, declaration));
    const wanted = pieces.slice(0, countWanted(cut, check));
    if (this.#toRestore.length > 0) {
      const held = this.#toRestore;
      this.#toRestore = [];
      if (check.kind !== 'reload-deps') await this.#stack.restore(held, wanted, whole);
    }
    const fresh =
      check.kind === 'reload-deps' || (this.#stack.pushed.length > 0 && !this.#stack.covers(whole));
    const kept = fresh ? 0 : this.#stack.common(wanted, kind);
    const end = endOfCheck(check, kept, wanted.length);

    if (check.kind !== 'cache') {
      const lost = await this.#stack.popTo(kept);
      if (lost !== undefined) return { status: 'lost', loss: lost, partial: collected.checked('finished') };
    }
    for (const [index, pushed] of this.#stack.pushed.slice(0, kept).entries()) {
      collected.add(index, pushed.kind, pushed.answer, true);
    }
    for (let index = kept; index < end; index += 1) {
      const piece = wanted[index];
      if (piece === undefined) break;
      const name = cut.declarations[index]?.names.join(', ') ?? '';
      onProgress({
        done: index,
        total: end,
        message: `checking ${name === '' ? `declaration ${index + 1}` : name}`,
      });
      const answer = await this.#stack.push(piece, kind, whole, (progress) => {
        if (progress.stage !== 'loading-dependency') return;
        onProgress({ done: index, total: end, message: `loading ${progress.module}` });
      });
      if (answer.status === 'lost') {
        collected.stoppedAt(index);
        return { status: 'lost', loss: answer, partial: collected.checked('interrupted') };
      }
      collected.add(index, kind, answer, false);
      if (answer.status === 'interrupted') return collected.checked('interrupted');
      if (answer.status === 'failed') break;
    }
    return collected.checked('finished');
  }
}

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
    this.#issues.push(...answer.issues);
    this.#states.push(...answer.remarks.states);
    if (!cached) this.#texts.push(...answer.remarks.texts);
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
