/** What a query answers. The document managers hand out everything that was said while it ran. */
import type { Diagnostic } from '../../core/diagnostic.ts';

/**
 * Nearly all commands answer in notices, a few (`Obligations`) in infos. Infos beside notices are about the work: the
 * files that Rocq reads for it (`Fetching opaque proofs from disk for …`) stand between the lines of the answer.
 */
export function answersAmong(said: readonly Diagnostic[]): readonly Diagnostic[] {
  const notices = said.filter(({ severity }) => severity === 'notice');
  return notices.length > 0 ? notices : said.filter(({ severity }) => severity === 'info');
}
