/**
 * A file that is open: what was typed, what is on the disk, and what the prover says of each sentence. It outlives
 * the view, so that going elsewhere and back changes nothing; what was typed and not saved outlives a reload, too.
 */
import { Text } from '@codemirror/state';
import { computed, effect, signal } from '@preact/signals';
import { orNothing } from '../../../../src/core/entry.ts';
import { InOrder } from '../../../../src/core/concurrency/in-order.ts';
import type { OpenedSource } from '../../../../src/faces/server/live/source-routes.ts';
import { mayChangeLibraries } from '../../parts/rests-on.ts';
import { CallError, call, toldJson } from '../../server/client.ts';
import type { CallProgress, OutputOf } from '../../server/client.ts';
import { onLive, onRenewal } from '../../server/live.ts';
import { isLanguage } from './syntax-highlighting.ts';
import type { Language } from './syntax-highlighting.ts';
import { type Checking, joined, nothingOf } from './checking.ts';
import { countBefore, placeBehind, type Place } from './place.ts';
import { LeftTexts, livingWithDrafts } from './left-texts.ts';
import { goneBy, readSource, savedOf, toText } from './sources.ts';
import type { Saved } from './sources.ts';
import { browserStorage, windowName } from './this-window.ts';
import { UnsavedDrafts } from './unsaved-drafts.ts';
import type { Draft, LeftDraft } from './unsaved-drafts.ts';

export type GoalsAnswer = OutputOf<'rocq_text_goals'>;

/** What is said of a session or a version that is not there any more. */
const LOST: ReadonlySet<string> = new Set(['stale-state', 'not-found']);

/** How often it is looked whether a file that is gone is there again. */
const GONE_MS = 2000;

/** Milliseconds between the last key and the check. */
const QUIET_MS = 200;

export class OpenDocument {
  readonly file: string;
  readonly language: Language;
  readonly text = signal(Text.empty);
  readonly saved = signal<Saved>({ text: Text.empty, hash: '', base: undefined });
  readonly changed = computed(() => !this.text.value.eq(this.saved.value.text));
  readonly checking = signal<Checking>(nothingOf(Text.empty));
  /** The sentence that runs, where it takes long. */
  readonly slow = signal<CallProgress | undefined>(undefined);
  /** The file as it is on the disk now, where that is neither what was opened nor what is typed. */
  readonly outside = signal<OpenedSource | undefined>(undefined);
  /** Why there is nothing on the disk that could be shown. */
  readonly gone = signal<CallError | undefined>(undefined);
  readonly left: LeftTexts;
  /** Whether the browser keeps what was typed over a reload. */
  readonly isKept = signal(true);
  readonly cursor = signal(0);
  /** Goals by how many sentences lead there, of the present version. */
  readonly #goals = new Map<number, GoalsAnswer>();
  #round = new AbortController();
  /** The latest look at the disk, while its answer is on its way. */
  #looking: symbol | undefined;
  readonly #saves = new InOrder();
  readonly #drafts: UnsavedDrafts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** In how many views it is seen. */
  #views = 0;
  #isCheckDue = false;

  constructor(source: OpenedSource, drafts: UnsavedDrafts, living: ReadonlySet<string>) {
    this.file = source.file;
    this.language = source.language;
    this.#drafts = drafts;
    const draft = drafts.takeUp(source.file, living, source.text);
    if (draft === undefined) {
      this.saved.value = savedOf(source);
      this.text.value = this.saved.value.text;
    } else this.#goOnWith(draft, source);
    this.left = new LeftTexts(this, drafts, living);
    addEventListener('beforeunload', (event) => {
      if (this.changed.peek() && !this.isKept.peek()) event.preventDefault();
    });
    onLive('file', ({ path }) => {
      if (path === this.file) void this.look();
      else if (mayChangeLibraries(path)) this.checkSoon();
    });
    onRenewal(() => {
      void this.look();
      this.checkSoon();
    });
    // What takes the place of a folder or of a link is not always told.
    effect(() => {
      if (this.gone.value === undefined) return;
      const timer = setInterval(() => void this.look(), GONE_MS);
      return () => clearInterval(timer);
    });
    this.checkSoon();
  }

  /**
   * To be called when a view shows it. @returns what to call when that view is gone. What nobody sees is checked when
   * it is seen again: a prover for each file that was ever open would fill the memory.
   */
  show(): () => void {
    this.#views += 1;
    if (this.#isCheckDue) this.checkSoon();
    return () => {
      this.#views -= 1;
    };
  }

  /** What was typed. */
  edit(text: Text): void {
    this.text.value = text;
    this.#keep();
    this.checkSoon();
  }

  #keep(): void {
    if (!this.changed.peek()) this.#drafts.forget(this.file);
    this.isKept.value = !this.changed.peek() || this.#drafts.write(this.file, this.#draft());
  }

  #draft(): Draft {
    const { hash, base } = this.saved.peek();
    return { text: this.text.peek().toString(), hash, language: this.language, base };
  }

  #goOnWith(draft: Draft, source: OpenedSource): void {
    const isBegunHere = draft.hash === source.hash || draft.text === source.text;
    this.saved.value =
      isBegunHere || draft.base === undefined
        ? { ...savedOf(source), ...(!isBegunHere && { hash: draft.hash, base: undefined }) }
        : { text: toText(draft.base), hash: draft.hash, base: draft.base };
    this.outside.value = isBegunHere ? undefined : source;
    this.edit(toText(draft.text));
  }

  /** Goes on with what another window left; what was typed here is left in its place. */
  async takeLeft(left: LeftDraft): Promise<void> {
    const source = await readSource(this.file);
    if (!this.changed.peek()) this.#drafts.forget(this.file, left);
    else if (!this.#drafts.leave(this.file, this.#draft(), left))
      throw new Error('This browser has no room to keep both texts: save one of them first.');
    this.#goOnWith(left, source);
    await this.left.look();
  }

  /** @throws CallError `file-changed` when somebody else wrote the file; nothing is written then. */
  save(): Promise<void> {
    // Each begins from what the one before it wrote.
    return this.#saves.run(() => this.#save(this.saved.value.hash));
  }

  /** Writes a file that is not there any more. @throws CallError where something stands in its place. */
  writeAnew(): Promise<void> {
    return this.#saves.run(() => this.#save(null));
  }

  /** @param begun The hash of what is on the disk; null: nothing is. */
  async #save(begun: string | null): Promise<void> {
    const text = this.text.value;
    const { hash } = await toldJson<OpenedSource>('/api/source', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file: this.file, text: text.toString(), hash: begun }),
    }).catch(async (error: unknown) => {
      if (error instanceof CallError) await this.look();
      throw error;
    });
    this.saved.value = { text, hash, base: text.toString() };
    this.outside.value = undefined;
    this.gone.value = undefined;
    this.#drafts.saved(this.file, text.toString());
    // What was typed meanwhile began from what is on the disk now.
    this.#keep();
    // A look that is on its way may have seen what was there before.
    if (this.#looking !== undefined) void this.look();
    // Some commands are run only when they are saved.
    if (this.checking.peek().sentences.some(({ error }) => error?.reason === 'not-allowed')) this.checkSoon();
  }

  /** Looks what is on the disk; where nothing was typed, that is what is shown. */
  async look(): Promise<void> {
    const mine = (this.#looking = Symbol());
    const source = await readSource(this.file).catch((error: unknown) => goneBy(error));
    if (this.#looking !== mine) return;
    this.#looking = undefined;
    if (source === undefined) return;
    this.gone.value = source instanceof CallError ? source : undefined;
    if (source instanceof CallError) return;
    const { hash, base } = this.saved.value;
    if (source.hash === hash) {
      if (base !== source.text) this.saved.value = savedOf(source);
      return;
    }
    if (!this.changed.value || toText(source.text).eq(this.text.value)) this.take(source);
    else this.outside.value = source;
  }

  /** Goes on with what is on the disk; what was typed is dropped. */
  take(source: OpenedSource): void {
    this.saved.value = savedOf(source);
    this.outside.value = undefined;
    this.edit(this.saved.value.text);
  }

  /** Goes on with a text that joins what was typed with what is on the disk. */
  join(text: Text, source: OpenedSource): void {
    this.saved.value = savedOf(source);
    this.outside.value = undefined;
    this.edit(text);
  }

  checkSoon(): void {
    if (this.language !== 'rocq') return;
    clearTimeout(this.#timer);
    this.#isCheckDue = this.#views === 0;
    if (this.#isCheckDue) return;
    this.#timer = setTimeout(() => void this.#check(), QUIET_MS);
  }

  async #check(): Promise<void> {
    this.#round.abort();
    const round = (this.#round = new AbortController());
    const text = this.text.value;
    const { signal: gone } = round;
    this.slow.value = undefined;
    let state: Checking = { ...nothingOf(text, this.checking.peek().restsOn), state: 'running' };
    const options = {
      signal: gone,
      onProgress: (news: CallProgress) => {
        // Of a sentence its number is told, and of nothing else.
        if (gone.aborted || news.done === undefined) return;
        this.slow.value = news;
        // What that fails with the check itself tells.
        if (news.done > state.sentences.length) this.#showSoFar(state, gone).catch(() => undefined);
      },
    };
    try {
      let answer = await call(
        'rocq_text_check',
        { file: this.file, text: text.toString(), seconds: 0.2 },
        options,
      );
      this.#goals.clear();
      for (;;) {
        state = joined(state, answer);
        if (gone.aborted) return;
        this.checking.value = state;
        this.slow.value = undefined;
        if (answer.complete) return;
        answer = await call(
          'rocq_text_check',
          { file: this.file, version: answer.version, known: answer.checked, seconds: 1 },
          options,
        );
      }
    } catch (error) {
      if (gone.aborted) return;
      this.checking.value = { ...state, state: 'failed', error };
    } finally {
      if (this.#round === round) this.slow.value = undefined;
    }
  }

  /** What stands before a sentence that takes long, while that runs. */
  async #showSoFar(known: Checking, gone: AbortSignal): Promise<void> {
    const { text, sentences, version } = known;
    const answer = await call(
      'rocq_text_check',
      { file: this.file, text: text.toString(), known: sentences.length, seconds: 0 },
      { signal: gone },
    );
    const found = joined(known, answer);
    const shown = this.checking.peek();
    const isShown = shown.version === answer.version && shown.sentences.length >= found.sentences.length;
    if (!gone.aborted && !isShown && (version === undefined || version === answer.version))
      this.checking.value = found;
  }

  /**
   * Works in the session of the text at the cursor. One that the server does not have any more, because it was idle
   * for long or the server is another, is opened again. @throws CallError, and an error when the prover is not
   * there yet.
   */
  async atCursor<Result>(
    gone: AbortSignal,
    work: (
      place: { readonly session_id: string; readonly from: string },
      goals: GoalsAnswer & { readonly at: Place },
    ) => Promise<Result>,
  ): Promise<Result> {
    await this.#reached(gone);
    const { state, error } = this.checking.peek();
    if (state === 'failed') throw error;
    const attempt = async (): Promise<Result> => {
      const at = placeBehind(this.checking.peek(), this.sentencesBefore(this.cursor.peek()));
      const goals = await this.goals(this.cursor.peek(), false, gone);
      if (goals === undefined) throw new Error('The prover is not here yet.');
      return work({ session_id: goals.session_id, from: goals.state }, { ...goals, at });
    };
    try {
      return await attempt();
    } catch (error) {
      const isLost = error instanceof CallError && LOST.has(error.problem.reason);
      if (!isLost || gone.aborted) throw error;
      await this.#check();
      return attempt();
    }
  }

  /** Resolves when the place of the cursor was run, or will not be, or nobody waits any more. */
  async #reached(gone: AbortSignal): Promise<void> {
    const reached = computed(() => {
      const { state, sentences } = this.checking.value;
      const last = sentences.at(-1);
      return state === 'complete' || state === 'failed' || (last?.to ?? -1) >= this.cursor.value;
    });
    if (reached.peek() || gone.aborted) return;
    await new Promise<void>((resolve) => {
      const ended = new AbortController();
      const stop = effect(() => {
        if (reached.value) ended.abort();
      });
      AbortSignal.any([gone, ended.signal]).addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  }

  /** How many sentences end at an offset or before it, as far as they are known. */
  sentencesBefore(offset: number): number {
    return countBefore(this.checking.value.sentences, offset);
  }

  /** The goals behind the sentences before the cursor; undefined while the place was not run. */
  async goals(offset: number, everything: boolean, gone: AbortSignal): Promise<GoalsAnswer | undefined> {
    const { version, sentences, text } = this.checking.value;
    const count = this.sentencesBefore(offset);
    const known = this.#goals.get(count);
    if (known !== undefined && !everything) return known;
    if (version === undefined) return undefined;
    const last = sentences[count - 1];
    const place =
      last === undefined ? { line: 1, column: 0 } : { line: last.end_line, column: last.end_column };
    if (text.length === 0) return undefined;
    const answer = await call(
      'rocq_text_goals',
      {
        file: this.file,
        version,
        ...place,
        ...(everything && { max_goals: 10_000, max_characters: 10_000_000 }),
      },
      { signal: gone },
    );
    if (this.checking.value.version === version && answer.reached && !everything)
      this.#goals.set(count, answer);
    return answer;
  }
}

const documents = new Map<string, Promise<OpenDocument>>();

/** The file as it is open here, or as it is on the disk. @throws CallError. */
export function openDocument(file: string): Promise<OpenDocument> {
  const known = documents.get(file);
  if (known !== undefined) return known;
  const opening = open(file);
  documents.set(file, opening);
  opening.catch(() => documents.delete(file));
  return opening;
}

async function open(file: string): Promise<OpenDocument> {
  const drafts = new UnsavedDrafts(browserStorage, await windowName());
  const living = await livingWithDrafts(drafts, file);
  const source = await readSource(file).catch((error: unknown) => {
    const gone = goneBy(error);
    const draft = gone === undefined ? undefined : drafts.takeUp(file, living);
    if (gone === undefined || draft === undefined || !isLanguage(draft.language)) throw error;
    return { file, language: draft.language, gone, hash: draft.hash, text: orNothing(draft.base) };
  });
  const document = new OpenDocument(source, drafts, living);
  if ('gone' in source) document.gone.value = source.gone;
  return document;
}
