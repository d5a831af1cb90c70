/** The current folder, and files as one would name them from there. */
import { isAbsolute, relative } from 'node:path';
import { isInside } from '../../../core/inside.ts';

/** Undefined where it was removed since this process, or the shell before it, went there. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Below the current folder by its way from there, else as it is. */
export function fromHere(file: string): string {
  const here = currentFolder();
  if (here === undefined) return file;
  return isAbsolute(file) && file !== here && isInside(here, file) ? relative(here, file) : file;
}
