import { stat } from 'node:fs/promises';

/** False also for what is not there or cannot be asked for. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}
