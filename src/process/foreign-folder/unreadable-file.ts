/**
 * A file that somebody named and that could not be read, as an error that says what happened, where, and what to do,
 * with no code of the system and no name of a call in it.
 */
import { QuodError, errorText } from '../../core/errors.ts';
import { jsonFault } from '../../core/json.ts';
import { capitalised, clause } from '../../core/sentence.ts';

const ELSEWHERE = 'name another path';

interface Wanted {
  /** What it is for: "The policy", "The file". */
  readonly what?: string;
  /** Instead of what can be done about any file that is not there. */
  readonly ifMissing?: string;
  /** Instead of what can be done about any file that is there and cannot be read. */
  readonly remedy?: string;
}

/**
 * @param file As the user wrote it, for the place.
 * @param cause What reading it threw, or parsing what it holds.
 */
export function unreadableFile(file: string, cause: unknown, wanted: Wanted = {}): QuodError {
  const { what = 'The file', ifMissing, remedy } = wanted;
  const place = { file };
  if (isMissing(cause))
    return new QuodError('not-found', 'There is no such file.', {
      place,
      remedy: ifMissing ?? 'Check the path; a symbolic link may point to a file that is gone.',
      cause,
    });
  if (cause instanceof QuodError) {
    const message = `${clause(cause.message)}.`;
    const todo = remedy ?? cause.remedy;
    return new QuodError(cause.reason, message, {
      place,
      ...(todo !== undefined && { remedy: todo }),
      cause,
    });
  }
  if (cause instanceof SyntaxError)
    return new QuodError('invalid-input', `${what} cannot be read: ${clause(jsonFault(cause))}.`, {
      place,
      remedy: remedy ?? 'Mend the text at that place.',
      cause,
    });
  return new QuodError('file-unreadable', `${what} cannot be read: ${clause(systemFault(cause))}.`, {
    place,
    remedy: isForbidden(cause) ? rightNeeded('read it') : (remedy ?? 'Look at what it is: `ls -l` shows it.'),
    cause,
  });
}

interface Unwritten {
  readonly what?: string;
  /** What is left of it. */
  readonly unchanged?: string;
  /** What can be done where the file cannot be written to, whoever asks. */
  readonly instead?: string;
}

/** A file that could not be written. */
export function unwritableFile(
  file: string,
  cause: unknown,
  { what = 'The file', unchanged = '', instead = ELSEWHERE }: Unwritten = {},
): QuodError {
  const todo = whatIsMissing(cause, 'write there', instead) ?? `${capitalised(instead)}.`;
  return new QuodError('file-unwritable', `${what} cannot be written: ${clause(systemFault(cause))}.`, {
    place: { file },
    remedy: [unchanged, todo].filter((part) => part !== '').join(' '),
    cause,
  });
}

/**
 * What to do where the system refuses something for want of room, of a right, or of a file system that can be written to;
 * undefined where it is for the place alone.
 */
export function whatIsMissing(cause: unknown, right: Right, instead = ELSEWHERE): string | undefined {
  switch (codeOf(cause)) {
    case 'ENOSPC':
      return 'Make room on the disk (`df -h` shows it), and ask again.';
    case 'EDQUOT':
      return 'Remove files of yours, or have your quota on the disk raised (`quota -s` shows it), and ask again.';
    case 'EROFS':
      return `Mount the file system so that it can be written to, or ${instead}.`;
    case 'EACCES':
    case 'EPERM':
      return rightNeeded(right, instead);
    default:
      return undefined;
  }
}

type Right = 'read it' | 'write there' | 'do that';

function rightNeeded(right: Right, instead = ELSEWHERE): string {
  return `Give the user who runs Quod the right to ${right} (\`chmod\`), and to enter the folders above, or ${instead}.`;
}

/** Of faults that another program printed, only the words are known. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['no space left on device', 'ENOSPC'],
  ['disk quota exceeded', 'EDQUOT'],
  ['read-only file system', 'EROFS'],
  ['permission denied', 'EACCES'],
]);

/** `ENOENT`, as the system calls it; undefined where nothing is known of it. */
export function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause ? String(cause.code) : CODES.get(cause.message);
}

function isForbidden(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === 'EACCES' || code === 'EPERM';
}

/** Whether the system says that there is no such file; a QuodError is asked for what caused it. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** What the system says in words, without its code, the call and the path: `EACCES: permission denied, open 'a'`. */
export function systemFault(error: unknown): string {
  const said = errorText(error);
  return /^[A-Z][A-Z0-9]*: ([^,]+), \w+(?: '|$)/su.exec(said)?.[1] ?? said;
}
