/**
 * Which window this is, among those that share the browser's storage. Its name outlives a reload; a lock that is held
 * under it as long as the window lives tells the others that it is not gone, and a duplicate of the window, which has a
 * copy of the name, that it needs another.
 */
import { UnsavedDrafts } from './unsaved-drafts.ts';
import type { DraftStorage } from './unsaved-drafts.ts';

const NAME = 'quod.window';
const LOCK = 'quod.window.';

/** The page that is left by a reload lets go of its lock a little later. */
const LEAVING_MS = 1000;

let claimed: Promise<string> | undefined;

export function windowName(): Promise<string> {
  return (claimed ??= claim());
}

/** The names of all windows that are open. */
export async function livingWindows(): Promise<ReadonlySet<string>> {
  const { held } = await navigator.locks.query();
  return new Set(
    (held ?? []).flatMap(({ name }) => (name?.startsWith(LOCK) === true ? [name.slice(LOCK.length)] : [])),
  );
}

async function claim(): Promise<string> {
  const kept = sessionStorage.getItem(NAME);
  if (kept !== null && (await hold(kept))) return kept;
  const name = crypto.randomUUID();
  sessionStorage.setItem(NAME, name);
  await hold(name);
  return name;
}

/** Answers whether no other window has that name. */
function hold(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const forever = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks
      .request(LOCK + name, { signal: AbortSignal.timeout(LEAVING_MS) }, forever)
      .catch(() => resolve(false));
  });
}

/** What all windows share. */
export const browserStorage: DraftStorage = {
  get: (key) => localStorage.getItem(key) ?? undefined,
  set: (key, value) => localStorage.setItem(key, value),
  delete: (key) => localStorage.removeItem(key),
  keys: () => Object.keys(localStorage),
};

/** Files with text that was typed and not saved, in this window or another. */
export function unsavedFiles(): string[] {
  return new UnsavedDrafts(browserStorage, '').files;
}
