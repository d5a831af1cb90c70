/**
 * Names as they stand in an answer for people: in one line, so that no part of a name looks like a line of Quod's own.
 * Submissions, files, folders and, in what was compiled, declarations are called as others like.
 */
import { foreignName } from '../../core/foreign-text.ts';
import { isRecord } from '../../core/json.ts';

/** The fields of answers in which such names stand, and lists of them. */
const OF_NAMES: ReadonlySet<string> = new Set([
  ...['file', 'path', 'files', 'paths', 'file_path', 'folder', 'root', 'workdir', 'target', 'submission'],
  ...['library', 'libraries', 'theory', 'origin', 'place', 'location'],
  ...['name', 'names', 'theorem', 'theorems', 'declaration', 'subject', 'follows', 'assumed', 'missing'],
  ...['axioms', 'declared_axioms', 'oracles', 'rests_on_open', 'rests_on_assumed'],
  ...['open_statements', 'level_parameters'],
  ...[
    'failing',
    'cut_off',
    'kind',
    'hole',
    'label',
    'rule',
    'code',
    'status',
    'outcome',
    'reason',
    'severity',
  ],
  ...[
    'session_id',
    'session',
    'run',
    'key',
    'role',
    'model',
    'quod',
    'lean',
    'version',
    'exporter',
    'format',
  ],
  ...[
    'id',
    'commit',
    'judged_by',
    'rechecked_by',
    'judged_at',
    'sha256',
    'co',
    'date',
    'last_used_at',
    'backend',
    'ranker',
  ],
  ...['method', 'group', 'one', 'other', 'task', 'proved_by', 'split', 'cause', 'address', 'key_variable'],
]);

/** The same answer with every character of such a name seen. */
export function withSeenNames<Answer>(answer: Answer): Answer {
  // Strings alone become other strings.
  return seen(answer, false) as Answer;
}

function seen(value: unknown, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? foreignName(value) : value;
  if (Array.isArray(value)) return value.map((one) => seen(one, isName));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seen(one, OF_NAMES.has(key))]));
}
