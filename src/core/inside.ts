import { isAbsolute, normalize, relative, sep } from 'node:path';

/** Whether a path is a folder or lies below it. Both are taken as they are written: links are not followed. */
export function isInside(folder: string, path: string): boolean {
  return staysInside(relative(folder, path));
}

/** Whether a path leads from any folder to that folder or to what is below it. */
export function staysInside(way: string): boolean {
  const path = normalize(way);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
