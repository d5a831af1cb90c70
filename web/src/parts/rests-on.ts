/**
 * What a result was made with, and why it need not be what would come of it now. The server names the libraries that it
 * read (`rests_on.libraries`); the page compares them with those of the text as it was checked last. What is old is shown
 * grey, with the sentence that says why and what to do.
 */
import { someOf } from '../../../src/core/counted.ts';
import { isProjectSaying } from '../../../src/provers/rocq/project/project-sayings.ts';
import type { OutputOf } from '../server/client.ts';
import { toldJson } from '../server/client.ts';
import { connection, isAway } from '../server/connection.ts';
import { useAsked } from './asked.ts';
import { useFileChanges } from './file-changes.ts';

type Made = OutputOf<'rocq_text_check'>['rests_on'];

/** Of other provers nobody names the libraries. */
export type RestsOn = Pick<Made, 'backend' | 'file_hash' | 'stale'> & Partial<Pick<Made, 'libraries'>>;

/** Whether a result may be old when this file is another: what is compiled, from which source, and what the project says. */
export function mayChangeLibraries(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.vo?$/u.test(name) || isProjectSaying(name);
}

/** What is said of everything while nobody answers. */
const AWAY = 'The server does not answer: this is what it said before.';

/**
 * Undefined where a result still holds of the libraries as they are.
 * @param made What it was made with. @param now What is read now; each undefined where that is not known.
 * @param again What to do, such as `search again`.
 */
export function whyOld(
  made: RestsOn | undefined,
  now: RestsOn | undefined,
  again: string,
): string | undefined {
  if (isAway(connection.value)) return AWAY;
  if (made === undefined)
    return `With which libraries it was made is not known any more: ${again} to be sure.`;
  if (now === undefined) return 'Whether it holds of the text as it is now is not known yet.';
  if (made.backend !== now.backend)
    return `It was made with another Rocq (${made.backend}) than the one that checks the text (${now.backend}).`;
  if (made.libraries !== now.libraries)
    return `What it requires, or what its project tells Rocq, has changed since: ${again}.`;
  return whyUnsure(now, again);
}

/** Undefined where what was made last, with what there is now, is sure. */
export function whyUnsure(now: Pick<RestsOn, 'stale'> | undefined, again: string): string | undefined {
  if (isAway(connection.value)) return AWAY;
  const { stale = [] } = now ?? {};
  if (stale.length === 0) return undefined;
  return `${someOf(stale)} ${notAsNow(stale)}: build, then ${again}.`;
}

/** What is said of files that were never compiled, too. */
export function notAsNow(files: readonly string[]): string {
  return files.length === 1 ? 'is not compiled as it is now' : 'are not compiled as they are now';
}

/** The same of a result that is of the whole file as it stands on the disk. */
export function whyOldFile(
  made: RestsOn | undefined,
  now: RestsOn | undefined,
  again: string,
): string | undefined {
  const isOther = made !== undefined && now !== undefined && made.file_hash !== now.file_hash;
  return isOther ? `The file has changed since: ${again}.` : whyOld(made, now, again);
}

/** What files would be run with now; asked again when a file changes that may be the cause. */
export function useRestsOn(files: readonly string[]) {
  const asked = useAsked(
    (gone) =>
      Promise.all(
        files.map((file) =>
          toldJson<RestsOn>(`/api/source/rests-on?file=${encodeURIComponent(file)}`, { signal: gone }),
        ),
      ),
    files,
  );
  useFileChanges(asked.again, (path) => mayChangeLibraries(path) || files.includes(path), files);
  return asked;
}
