/** What was typed in windows that are gone, and is neither in this one nor on the disk. */
import type { Text } from '@codemirror/state';
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { toText } from './sources.ts';
import type { Saved } from './sources.ts';
import { livingWindows } from './this-window.ts';
import type { LeftDraft, UnsavedDrafts } from './unsaved-drafts.ts';

/** A window that is reloaded is not there for less than this. */
const RELOAD_MS = 500;

/** Nobody tells that a window was closed. */
const LOOK_MS = 3000;

/** What the window shows of the file. */
interface ShownText {
  readonly file: string;
  readonly text: ReadonlySignal<Text>;
  readonly saved: ReadonlySignal<Saved>;
}

export class LeftTexts {
  readonly drafts = signal<readonly LeftDraft[]>([]);
  readonly #document: ShownText;
  readonly #drafts: UnsavedDrafts;
  #living: ReadonlySet<string>;

  constructor(document: ShownText, drafts: UnsavedDrafts, living: ReadonlySet<string>) {
    this.#document = document;
    this.#drafts = drafts;
    this.#living = living;
    void this.look();
    setInterval(() => {
      if (globalThis.document.visibilityState === 'visible') void this.look();
    }, LOOK_MS);
  }

  async look(): Promise<void> {
    const before = this.#living;
    this.#living = await livingWindows();
    const { file, text, saved } = this.#document;
    const known = [text.peek(), saved.peek().text];
    this.drafts.value = this.#drafts
      .left(file, new Set([...before, ...this.#living]))
      .filter((left) => !known.some((one) => one.eq(toText(left.text))));
  }

  /** It is not wanted any more. */
  drop(left: LeftDraft): void {
    this.#drafts.forget(this.#document.file, left);
    this.drafts.value = this.drafts.peek().filter((one) => one !== left);
  }
}

/** All windows that are open, also one with a draft of the file that is just reloaded. */
export async function livingWithDrafts(drafts: UnsavedDrafts, file: string): Promise<ReadonlySet<string>> {
  const living = await livingWindows();
  if (drafts.left(file, living).length === 0) return living;
  await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
  return new Set([...living, ...(await livingWindows())]);
}
