/** What Quod says to do, in words of the page: it has a button where others call an operation. */
import { RUN_REMEDIES, sayRemedies } from '../../../src/core/remedies/run-remedies.ts';

const IN_PAGE: ReadonlyMap<string, string> = new Map([
  [RUN_REMEDIES.buildFirst, 'Build the project first.'],
  [RUN_REMEDIES.buildWithDune, 'Build the project first.'],
  [RUN_REMEDIES.goOn, 'Go on with the run.'],
]);

/** A text with foreign parts, of which only the remedies are said otherwise. */
export function inPageWords(text: string): string {
  return sayRemedies(text, (words) => IN_PAGE.get(words) ?? words);
}
