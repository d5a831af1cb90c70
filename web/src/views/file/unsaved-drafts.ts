/**
 * What was typed and not saved, kept by the browser so that nothing of it is lost without asking. All windows share
 * one storage, so each draft belongs to the window that typed it: no window writes or clears the draft of another, except
 * where the very text of it was saved. What windows left behind that are gone is found by whoever opens the file.
 */

/** What of a `Map` is used; the browser's storage in the page. */
export interface DraftStorage {
  get(key: string): string | undefined;
  /** @throws where there is no more room. */
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  keys(): Iterable<string>;
}

export interface Draft {
  readonly text: string;
  /** SHA-256 of the file from which it began, as it was on the disk. */
  readonly hash: string;
  /** In which language the file is written. */
  readonly language: string;
  /** The text of that file, where there was room for it. */
  readonly base: string | undefined;
}

/** A draft of another window, which is gone. */
export interface LeftDraft extends Draft {
  readonly window: string;
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number;
}

const DRAFT = 'quod.unsaved.';
const BASE = 'quod.unsaved-base.';

/** Of more the browser keeps none: whoever types is told so, and asked before the text is lost. */
export const MOST_DRAFTS = 100;

export class UnsavedDrafts {
  readonly #storage: DraftStorage;
  readonly #own: string;
  /** The hashes of the bases that this window has written, which can be long. */
  readonly #bases = new Map<string, string>();

  /** @param own The name of this window; it has no dot in it. */
  constructor(storage: DraftStorage, own: string) {
    this.#storage = storage;
    this.#own = own;
  }

  /**
   * What this window typed, or else what was typed last in a window that is gone, which is this window's from then on.
   * @param living The names of all windows that are open.
   * @param onDisk A window that went before it was told that its text is saved left a draft that is none any more.
   */
  takeUp(file: string, living: ReadonlySet<string>, onDisk?: string): Draft | undefined {
    if (onDisk !== undefined) this.saved(file, onDisk);
    const own = this.#read(this.#own, file);
    if (own !== undefined) return own;
    const [left] = this.left(file, living);
    if (left === undefined) return undefined;
    // There may be no room for both.
    this.forget(file, left);
    if (!this.write(file, left)) this.#put(left.window, file, left);
    return left;
  }

  /** What windows typed that are gone, the latest first. */
  left(file: string, living: ReadonlySet<string>): LeftDraft[] {
    return this.#windows(file)
      .filter((window) => window !== this.#own && !living.has(window))
      .flatMap((window) => this.#read(window, file) ?? [])
      .sort((one, other) => other.at - one.at);
  }

  /** Keeps what this window typed. Answers whether there was room. */
  write(file: string, draft: Draft): boolean {
    return this.#put(this.#own, file, draft);
  }

  /** Forgets what this window typed, or what a window left, unless something else stands there by now. */
  forget(file: string, left?: LeftDraft): void {
    const window = left?.window ?? this.#own;
    if (left !== undefined && this.#read(window, file)?.text !== left.text) return;
    this.#storage.delete(`${DRAFT}${window}.${file}`);
    this.#storage.delete(`${BASE}${window}.${file}`);
  }

  /** Puts what this window typed in the place of what another left. Answers whether there was room. */
  leave(file: string, draft: Draft, left: LeftDraft): boolean {
    return this.#put(left.window, file, draft);
  }

  /** A text was saved: whoever typed it has nothing unsaved any more. */
  saved(file: string, text: string): void {
    for (const window of this.#windows(file)) {
      const draft = this.#read(window, file);
      if (draft?.text === text) this.forget(file, draft);
    }
  }

  /** The files of which somebody has a draft. */
  get files(): string[] {
    const named = [...this.#storage.keys()].flatMap(
      (key) => /^quod\.unsaved\.[^.]+\.(.+)$/su.exec(key)?.[1] ?? [],
    );
    return [...new Set(named)].sort();
  }

  /** The windows that have a draft of a file. */
  #windows(file: string): string[] {
    return [...this.#storage.keys()].flatMap((key) => {
      if (!key.startsWith(DRAFT) || !key.endsWith(`.${file}`)) return [];
      const window = key.slice(DRAFT.length, -file.length - 1);
      return window.includes('.') ? [] : [window];
    });
  }

  #put(window: string, file: string, { text, hash, language, base }: Draft): boolean {
    const key = `${DRAFT}${window}.${file}`;
    const before = recordOf(this.#storage.get(key));
    if (
      before === undefined &&
      [...this.#storage.keys()].filter((one) => one.startsWith(DRAFT)).length >= MOST_DRAFTS
    )
      return false;
    try {
      // What is only written again was not typed now.
      const at = before?.text === text ? before.at : Date.now();
      this.#storage.set(key, JSON.stringify({ text, hash, language, at }));
    } catch {
      return false;
    }
    this.#putBase(`${BASE}${window}.${file}`, hash, base);
    return true;
  }

  #putBase(key: string, hash: string, base: string | undefined): void {
    if (this.#bases.get(key) === hash && this.#storage.get(key) !== undefined) return;
    this.#bases.delete(key);
    this.#storage.delete(key);
    if (base === undefined) return;
    try {
      this.#storage.set(key, JSON.stringify({ text: base, hash }));
      this.#bases.set(key, hash);
    } catch {
      // Without it the two cannot be joined, and one has to be chosen.
    }
  }

  #read(window: string, file: string): LeftDraft | undefined {
    const kept = recordOf(this.#storage.get(`${DRAFT}${window}.${file}`));
    if (kept === undefined) return undefined;
    return { ...kept, base: this.#base(`${BASE}${window}.${file}`, kept.hash), window };
  }

  #base(key: string, hash: string): string | undefined {
    const base = recordOf(this.#storage.get(key));
    return base?.hash === hash ? base.text : undefined;
  }
}

function recordOf(
  written: string | undefined,
):
  | { readonly text: string; readonly hash: string; readonly language: string; readonly at: number }
  | undefined {
  try {
    const kept: unknown = JSON.parse(written ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('text' in kept) || !('hash' in kept)) return undefined;
    const at = 'at' in kept && typeof kept.at === 'number' ? kept.at : 0;
    const language = 'language' in kept && typeof kept.language === 'string' ? kept.language : '';
    if (typeof kept.text === 'string' && typeof kept.hash === 'string')
      return { text: kept.text, hash: kept.hash, language, at };
  } catch {
    // What is kept is no draft of ours: the file is shown as it is.
  }
  return undefined;
}
