/** What a program says of its version. It is asked once for each program, and again when the program has changed. */
import { statSync } from 'node:fs';
import { GuardedChild } from '../../process/guarded-child.ts';

const known = new Map<string, Promise<string>>();

/** What it prints for `--version`, errors included. @throws as starting it does. */
export function printedVersion(location: string): Promise<string> {
  const key = `${location}\0${statSync(location).mtimeMs}`;
  const asked = known.get(key) ?? ask(location);
  known.set(key, asked);
  // A failure may have been the moment's.
  asked.catch(() => known.delete(key));
  return asked;
}

async function ask(location: string): Promise<string> {
  const child = await GuardedChild.start(location, ['--version']);
  const { printed, errorOutput } = await child.readToEnd();
  return printed + errorOutput;
}
