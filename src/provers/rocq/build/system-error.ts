/**
 * What Rocq prints where the system refuses it a file (`System error: "./A.glob: Permission denied"`,
 * `Can't open ./A.vo.`, `System error: "No space left on device"`), said with what it wanted the file for and with what
 * to do. The system is asked once more, because Rocq does not always say why.
 */
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import type { QuodError } from '../../../core/errors.ts';
import { unreadableFile, unwritableFile } from '../../../process/foreign-folder/unreadable-file.ts';

const INSTEAD = 'build a copy of the project elsewhere';

/**
 * Undefined where it says something else, says it of a place in the text, or the system has nothing against the file.
 *
 * @param folder The one in which the compiler ran.
 */
export async function systemErrorIn(errorOutput: string, folder: string): Promise<QuodError | undefined> {
  // What an error at a place says begins in the next line.
  const said = /^(?<!:\n)Error:\s*(System error: "[^"]*"|Can't open [^\n]*\.$)/mu.exec(errorOutput)?.[1];
  if (said === undefined) return undefined;
  const named = /^System error: "([^]*): [^:]*"$|^Can't open (.*)\.$/u.exec(said);
  if (named === null) {
    const fault = said.slice(said.indexOf('"') + 1, -1).toLowerCase();
    return unwritableFile(folder, new Error(fault), { what: 'What is compiled', instead: INSTEAD });
  }
  const file = resolve(folder, orNothing(named[1] ?? named[2]));
  const what = relative(folder, file);
  const isThere = (await refusalOf(access(file))) === undefined;
  const unread = isThere ? await refusalOf(access(file, constants.R_OK)) : undefined;
  if (unread !== undefined) return unreadableFile(file, unread, { what });
  const unwritten = await refusalOf(isThere ? openForWriting(file) : access(dirname(file), constants.W_OK));
  return unwritten === undefined ? undefined : unwritableFile(file, unwritten, { what, instead: INSTEAD });
}

function refusalOf(attempt: Promise<void>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
}

async function openForWriting(file: string): Promise<void> {
  // A pipe that nobody reads would keep it waiting.
  const opened = await open(file, constants.O_WRONLY | constants.O_NONBLOCK);
  await opened.close();
}
