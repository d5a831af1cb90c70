/** Which text each search was given, as long as the server knows the search; all windows see the same. */
import { signal } from '@preact/signals';
import { jobs } from '../../../server/jobs.ts';
import type { JobId } from '../../../server/jobs.ts';
import { judgedSentences } from './judged-text.ts';
import type { JudgedSentence } from './judged-text.ts';

const SEARCHED = 'quod.searched.';

const known = new Map<JobId, readonly JudgedSentence[]>();
/** Grows when another search is known. */
const changes = signal(0);

addEventListener('storage', ({ key }) => {
  if (key?.startsWith(SEARCHED) === true) changes.value += 1;
});

/** @param text What was on the disk when the search began. */
export function noteSearched(id: JobId, text: string): void {
  const sentences = judgedSentences(text);
  known.set(id, sentences);
  changes.value += 1;
  const listed = new Set([id, ...jobs.peek().map((job) => job.id)]);
  for (const key of Object.keys(localStorage))
    if (key.startsWith(SEARCHED) && !listed.has(key.slice(SEARCHED.length))) localStorage.removeItem(key);
  try {
    localStorage.setItem(SEARCHED + id, JSON.stringify(sentences));
  } catch {
    // Where there is no room, this window knows it until it is reloaded.
  }
}

/**
 * Whoever asks is told again when another window noted one. Undefined where it is not known: the search was begun in another browser, or longer ago than this one
 * remembers.
 */
export function searchedText(id: JobId): readonly JudgedSentence[] | undefined {
  const here = changes.value >= 0 ? known.get(id) : undefined;
  if (here !== undefined) return here;
  const kept = localStorage.getItem(SEARCHED + id);
  if (kept === null) return undefined;
  // This page wrote it under this very name.
  const sentences = JSON.parse(kept) as readonly JudgedSentence[];
  known.set(id, sentences);
  return sentences;
}
