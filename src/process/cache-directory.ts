/** Where Quod may keep what it can make again; it may be deleted at any time. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sharedFolder } from './configuration-directory.ts';

/** `$QUOD_CACHE`, else `quod` in the user's folder for such files. */
export function cacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment['QUOD_CACHE'];
  if (own) return own;
  const shared = sharedFolder(environment['XDG_CACHE_HOME'], join(homedir(), '.cache'));
  return join(shared, 'quod');
}
