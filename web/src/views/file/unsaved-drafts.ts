/**
 * What was typed and not saved, kept by the browser so that a reload loses nothing: for each file its text, and which
 * version of the file it began from.
 */
interface Draft {
  readonly text: string;
  /** SHA-256 of the file as it was on the disk. */
  readonly hash: string;
}

const DRAFT = 'quod.draft.';

export function readDraft(file: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(DRAFT + file) ?? 'null');
    if (typeof kept === 'object' && kept !== null && 'text' in kept && 'hash' in kept)
      if (typeof kept.text === 'string' && typeof kept.hash === 'string')
        return { text: kept.text, hash: kept.hash };
  } catch {
    // What is kept is no draft of ours: the file is shown as it is.
  }
  return undefined;
}

export function writeDraft(file: string, draft: Draft): void {
  try {
    localStorage.setItem(DRAFT + file, JSON.stringify(draft));
  } catch {
    // A text that is too large to be kept is kept by this window alone.
  }
}

export function forgetDraft(file: string): void {
  localStorage.removeItem(DRAFT + file);
}
