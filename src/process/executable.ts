/** Finding programs the way a shell does, without starting one. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { orNothing } from '../core/entry.ts';

/**
 * The absolute path of the first of `names` that can be executed, looked up in PATH unless it contains a slash.
 * Undefined when none can.
 */
export function findExecutable(
  names: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const folders = orNothing(environment['PATH']).split(delimiter).filter(isAbsolute);
  for (const name of names) {
    const candidates = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
    const found = candidates.find(isExecutableFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
