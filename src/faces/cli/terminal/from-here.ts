/** A file as one would name it: below the current folder by its way from there, else as it is. */
import { isAbsolute, relative } from 'node:path';
import { isInside } from '../../../core/inside.ts';

export function fromHere(file: string): string {
  const here = process.cwd();
  return isAbsolute(file) && file !== here && isInside(here, file) ? relative(here, file) : file;
}
