/**
 * The declarations that one F* process holds, pushed one after the other. Both versions of the protocol have it; the
 * check of a whole buffer in version 2, the prover port, and repeated runs are built on it.
 *
 * F* loads dependencies once, before the first push, and finds them in the text that it was given for the file: so the
 * whole text is handed over first, and everything is taken back when a later text names modules that were not loaded.
 */
import { orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { LineIndex, type PrintedPosition } from '../../../core/position.ts';
import { type FstarIssue, type FstarProgress, readIssues } from '../protocol/answers.ts';
import type { PushKind } from '../protocol/queries.ts';
import { parseDeclarations } from '../syntax/declarations.ts';
import { modulesMentioned } from '../syntax/declaration-parts.ts';
import type { Lost } from '../../../core/driver.ts';
import type { Answer, FstarConnection, Remarks } from './connection.ts';

/** A piece of text with one declaration in it, and where it stands. */
export interface Piece {
  readonly text: string;
  readonly place: PrintedPosition;
}

export interface PushAnswer {
  readonly status: 'ok' | 'failed' | 'interrupted';
  readonly issues: readonly FstarIssue[];
  readonly remarks: Remarks;
  readonly elapsedMs: number;
}

export interface Pushed {
  readonly piece: Piece;
  readonly kind: PushKind;
  readonly answer: PushAnswer;
}

/** What a stack is to hold: the text that the pieces are cut from, and the modules that it names. */
export interface WholeText {
  readonly text: string;
  readonly modules: ReadonlySet<string>;
}

export class FstarStack {
  readonly #connection: FstarConnection;
  #pushed: Pushed[] = [];
  /** The modules named by the text with which dependencies were loaded last. */
  #loaded: ReadonlySet<string> = new Set();

  constructor(connection: FstarConnection) {
    this.#connection = connection;
  }

  get pushed(): readonly Pushed[] {
    return this.#pushed;
  }

  /**
   * Brings back what another process had checked: taken as it is, without asking the solver again. Stops where the
   * wanted pieces differ, or where F* does not take one.
   */
  async restore(held: readonly Pushed[], wanted: readonly Piece[], whole: WholeText): Promise<void> {
    for (const [index, { piece, kind, answer }] of held.entries()) {
      const next = wanted[index];
      if (next === undefined || !samePiece(piece, next)) return;
      const again = await this.push(piece, 'lax', whole);
      if (again.status !== 'ok') return;
      this.#pushed[this.#pushed.length - 1] = { piece, kind, answer };
    }
  }

  /** Whether everything that the text names was there to be loaded when dependencies were. */
  covers({ modules }: WholeText): boolean {
    return this.#pushed.length > 0 && [...modules].every((name) => this.#loaded.has(name));
  }

  /** Takes back all but the first `depth` pieces. */
  async popTo(depth: number): Promise<Lost | undefined> {
    while (this.#pushed.length > depth) {
      const answer = await this.#connection.ask({ query: 'pop' });
      if (answer.status === 'lost') return answer;
      if (answer.status !== 'success') {
        throw new QuodError('protocol-error', `F* holds less than it was given: ${String(answer.response)}.`);
      }
      this.#pushed.pop();
    }
    return undefined;
  }

  async push(
    piece: Piece,
    kind: PushKind,
    whole: WholeText,
    onProgress?: (progress: FstarProgress) => void,
  ): Promise<PushAnswer | Lost> {
    const first = this.#pushed.length === 0;
    let modules = whole.modules;
    if (first) {
      const text = await this.#parsablePart(whole.text);
      if (typeof text !== 'string') return text;
      if (text !== whole.text) modules = modulesMentioned(parseDeclarations(text));
      const given = await this.#connection.ask({ query: 'vfs-add', file: null, contents: text });
      if (given.status === 'lost') return given;
    }
    const began = performance.now();
    const answer = await this.#connection.ask(
      { query: 'push', kind, code: piece.text, line: piece.place.line, column: piece.place.column },
      { onProgress },
    );
    if (answer.status === 'lost') return answer;
    const result = readPush(answer, performance.now() - began);
    if (result.status === 'ok') {
      if (first) this.#loaded = modules;
      this.#pushed.push({ piece, kind, answer: result });
    }
    return result;
  }

  /**
   * F* looks for dependencies in the whole text and gives up at a syntax error in the last line of it. So it is
   * given the declarations before the first error, and finds the error when the declaration itself is pushed.
   */
  async #parsablePart(text: string): Promise<string | Lost> {
    let part = text;
    while (part !== '') {
      const answer = await this.#connection.ask({ query: 'segment', code: part });
      if (answer.status === 'lost') return answer;
      if (answer.status === 'success') return part;
      const [place] = readIssues(answer.response, true).flatMap(({ ranges }) => ranges);
      const offset = place === undefined ? undefined : new LineIndex(part).offsetOfPrinted(place.start);
      const starts = parseDeclarations(part).map(({ fragmentStart }) => fragmentStart);
      // An error at the beginning of a declaration is mostly one at the end of the one before.
      const before = starts.filter((start) => start < (offset ?? part.length) && start < part.length);
      part = part.slice(0, orZero(before.at(-1)));
    }
    return text;
  }

  /** Checks a piece on top without keeping it. */
  async peek(piece: Piece): Promise<PushAnswer | Lost> {
    const began = performance.now();
    const { line, column } = piece.place;
    // Unlike `peek`, which runs without the solver in some versions, this is the check itself.
    const answer = await this.#connection.ask({
      query: 'push',
      kind: 'full',
      code: piece.text,
      line,
      column,
    });
    if (answer.status === 'lost') return answer;
    const result = readPush(answer, performance.now() - began);
    if (result.status === 'ok') {
      const popped = await this.#connection.ask({ query: 'pop' });
      if (popped.status === 'lost') return popped;
    }
    return result;
  }
}

/** Whether a piece was checked as it stands there, at least as strictly. */
export function isHeldAs(held: Pushed | undefined, piece: Piece, kind: PushKind): boolean {
  return held !== undefined && samePiece(held.piece, piece) && (kind === 'lax' || held.kind === 'full');
}

function samePiece(one: Piece, other: Piece): boolean {
  return (
    one.text === other.text && one.place.line === other.place.line && one.place.column === other.place.column
  );
}

function readPush(answer: Answer, elapsedMs: number): PushAnswer {
  const failed = answer.status !== 'success';
  const issues = readIssues(answer.response, failed);
  // A push that was interrupted fails without an issue.
  const status = !failed ? 'ok' : answer.interrupted || issues.length === 0 ? 'interrupted' : 'failed';
  return { status, issues, remarks: answer.remarks, elapsedMs };
}
