/**
 * What a file has beside its bytes, mode and owner: an access control list and extended attributes. A file that takes the
 * place of another gets them, else who may not read the one might read the other. Node cannot ask for them; `cp` can.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lastOf } from '../../core/entry.ts';
import { findExecutable } from '../executable.ts';

export interface AttributedFile {
  readonly path: string;
  /** It is open. */
  readonly descriptor: number;
}

/** What can be done where they cannot be kept. */
export const CP_REMEDY = 'Install the `cp` of GNU (its package is mostly called coreutils).';

/** @param why as {@link copyAttributes} says it. */
export function attributesCannotBeKept(why: string): string {
  return `its access control list and extended attributes, where it has them, cannot be kept: ${why}`;
}

const LONGEST_MS = 10_000;

/** Where the system has it, a path to an open file leads to that file, whatever stands at its own path meanwhile. */
const OPEN_FILES = '/proc/self/fd';

/**
 * Gives a file the mode, the list and the attributes of another. The bytes of the file are not what they were afterwards
 * on some systems: write them then.
 *
 * @returns why that cannot be done; undefined where it is done.
 */
export function copyAttributes(from: AttributedFile, to: AttributedFile): string | undefined {
  const program = findExecutable(['cp']);
  if (program === undefined) return 'there is no `cp` in PATH, which copies them';
  const copyArguments = existsSync(OPEN_FILES)
    ? ['--attributes-only', '--preserve=mode,xattr', '--', `${OPEN_FILES}/3`, `${OPEN_FILES}/4`]
    : ['-p', '--', from.path, to.path];
  const { status, stderr, error } = spawnSync(program, copyArguments, {
    stdio: ['ignore', 'ignore', 'pipe', from.descriptor, to.descriptor],
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  if (status === 0) return undefined;
  if (error !== undefined) return `\`cp\` did not end as it should: ${error.message}`;
  // The name in it is a number of an open file.
  return `\`cp\` fails: ${lastOf(stderr.trim().split('\n', 1).join('').split(': '), 'part of what cp says')}`;
}
