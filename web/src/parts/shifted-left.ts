/**
 * What Rocq prints, to be read where lines are short. It is asked for long lines, and puts the cases of a `match` below that word,
 * as far to the right as it stands: in a pane each of them would begin with lines of blanks.
 */

import { orNothing } from '../../../src/core/entry.ts';

/** Lines that begin further to the right stand together below something. */
const FAR = 24;
const NEAR = '    ';

/** Lines that stand far to the right are moved to the left, together with their neighbours that do. */
export function shiftedLeft(text: string): string {
  // In a string of the language blanks mean themselves.
  if (text.includes('"') || !text.includes(`\n${' '.repeat(FAR)}`)) return text;
  const lines = text.split('\n');
  const columns = lines.map((line) => line.search(/[^ ]/u));
  for (let at = 0; at < lines.length; at += 1) {
    const begin = at;
    let least = Infinity;
    for (let column = columns[at]; column !== undefined && column >= FAR; column = columns[at]) {
      least = Math.min(least, column);
      at += 1;
    }
    for (let moved = begin; moved < at; moved += 1)
      lines[moved] = NEAR + orNothing(lines[moved]).slice(least);
  }
  return lines.join('\n');
}
