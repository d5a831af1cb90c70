/** Whatever windows do and in whatever order, what was typed is in one of them or can be found. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_DRAFTS, UnsavedDrafts } from './unsaved-drafts.ts';
import type { Draft, DraftStorage } from './unsaved-drafts.ts';

const FILE = 'sub/a.v';
const draftOf = (text: string): Draft => ({ text, hash: 'h0', language: 'rocq', base: 'from' });

interface Window {
  readonly drafts: UnsavedDrafts;
  /** What is typed and not saved. */
  typed: string | undefined;
}

/** Three windows of one browser and the file that they edit, as the page uses the drafts. */
class Browser {
  readonly #storage = new Map<string, string>();
  readonly windows = new Map<string, Window>();
  readonly #wanted = new Set<string>();
  #version = 0;

  /** Opens the file, or reloads the window that has it open. */
  open(name: string): void {
    this.windows.delete(name);
    const drafts = new UnsavedDrafts(this.#storage, name);
    const taken = drafts.takeUp(FILE, new Set(this.windows.keys()));
    this.windows.set(name, { drafts, typed: taken?.text });
  }

  close(name: string): void {
    this.windows.delete(name);
  }

  type(name: string): void {
    const window = this.windows.get(name);
    if (window === undefined) return;
    // What it had before is changed by whoever typed it.
    if (window.typed !== undefined) this.#wanted.delete(window.typed);
    window.typed = `text ${(this.#version += 1)}`;
    this.#wanted.add(window.typed);
    expect(window.drafts.write(FILE, draftOf(window.typed))).toBe(true);
  }

  save(name: string): void {
    const window = this.windows.get(name);
    if (window?.typed === undefined) return;
    window.drafts.saved(FILE, window.typed);
    this.#wanted.delete(window.typed);
    window.typed = undefined;
  }

  /** What was typed and neither saved nor typed over. */
  get lost(): string[] {
    const shown = [...this.windows.values()].flatMap(({ typed }) => typed ?? []);
    const someone = new UnsavedDrafts(this.#storage, 'someone');
    const left = someone.left(FILE, new Set(this.windows.keys())).map(({ text }) => text);
    return [...this.#wanted].filter((text) => !shown.includes(text) && !left.includes(text));
  }
}

const NAMES = ['one', 'two', 'three'];
const step = fc.tuple(fc.constantFrom('open', 'type', 'save', 'close'), fc.constantFrom(...NAMES));

test('in any order of typing, saving, reloading and closing nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const browser = new Browser();
      for (const [what, name] of steps) {
        if (what === 'open') browser.open(name);
        else if (what === 'type') browser.type(name);
        else if (what === 'save') browser.save(name);
        else browser.close(name);
        expect(browser.lost).toEqual([]);
      }
      // A reload of all shows what each had typed.
      const before = [...browser.windows].map(([name, { typed }]) => ({ name, typed }));
      for (const { name, typed } of before) {
        browser.open(name);
        if (typed !== undefined) expect(browser.windows.get(name)?.typed).toBe(typed);
      }
      expect(browser.lost).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('what a save wrote is unsaved nowhere, and everything else stays', () => {
  const storage = new Map<string, string>();
  const [one, two] = [new UnsavedDrafts(storage, 'one'), new UnsavedDrafts(storage, 'two')];
  one.write(FILE, draftOf('same'));
  two.write(FILE, draftOf('same'));
  two.write('a.v', draftOf('same'));
  one.saved(FILE, 'other');
  expect(two.takeUp(FILE, new Set(['one', 'two']))?.text).toBe('same');
  one.saved(FILE, 'same');
  expect(two.takeUp(FILE, new Set(['one', 'two']))).toBeUndefined();
  expect(two.takeUp('a.v', new Set(['one', 'two']))?.text).toBe('same');
  expect(one.files).toEqual(['a.v']);
});

test('what was left is not dropped for another text that stands in its place by now', () => {
  const storage = new Map<string, string>();
  const [gone, here] = [new UnsavedDrafts(storage, 'gone'), new UnsavedDrafts(storage, 'here')];
  gone.write(FILE, draftOf('first'));
  const [left] = here.left(FILE, new Set(['here']));
  expect(left).toMatchObject(draftOf('first'));
  gone.write(FILE, { ...draftOf('second'), hash: 'h1', base: 'later' });
  if (left !== undefined) here.forget(FILE, left);
  expect(here.takeUp(FILE, new Set(['here']))).toMatchObject({ text: 'second', hash: 'h1', base: 'later' });
});

test('where there is no more room it says so, and what is kept stays', () => {
  const storage = new Map<string, string>();
  const drafts = new UnsavedDrafts(storage, 'one');
  for (let index = 0; index < MOST_DRAFTS; index += 1)
    expect(drafts.write(`${index}.v`, draftOf('kept'))).toBe(true);
  expect(drafts.write('more.v', draftOf('not kept'))).toBe(false);
  expect(drafts.write('0.v', draftOf('kept, too'))).toBe(true);
  const full: DraftStorage = {
    get: (key) => storage.get(key),
    delete: (key) => storage.delete(key),
    keys: () => storage.keys(),
    set: (key, value) => {
      if (value.includes('long')) throw new Error('QuotaExceededError');
      storage.set(key, value);
    },
  };
  const cramped = new UnsavedDrafts(full, 'one');
  expect(cramped.write('0.v', draftOf('long'))).toBe(false);
  expect(cramped.takeUp('0.v', new Set())?.text).toBe('kept, too');
  // A base for which there is no room is left out.
  expect(cramped.write('0.v', { ...draftOf('short'), hash: 'h1', base: 'long' })).toBe(true);
  expect(cramped.takeUp('0.v', new Set())).toMatchObject({ text: 'short', base: undefined });
});
