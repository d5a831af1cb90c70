/** Names of files as they stand in an answer for people: in one line, so that no part of a name looks like a line of Quod's own. */
import { foreignName } from '../../core/foreign-text.ts';
import { isRecord } from '../../core/json.ts';

/** The fields of answers in which names of files stand, and lists of them. */
const OF_FILES: ReadonlySet<string> = new Set(['file', 'path', 'files', 'paths']);

/** The same answer with every character of such a name seen. */
export function withSeenNames<Answer>(answer: Answer): Answer {
  // Strings alone become other strings.
  return seen(answer, false) as Answer;
}

function seen(value: unknown, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? foreignName(value) : value;
  if (Array.isArray(value)) return value.map((one) => seen(one, isName));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seen(one, OF_FILES.has(key))]));
}
