/** Where the user keeps what holds for all their folders: settings of the agent, and what they allowed. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** `$QUOD_CONFIG`, else `quod` in the user's folder for such files. */
export function configurationDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment['QUOD_CONFIG'];
  if (own) return own;
  return join(sharedFolder(environment['XDG_CONFIG_HOME'], join(homedir(), '.config')), 'quod');
}

/** What a variable `XDG_…` says: by the XDG Base Directory Specification a relative path counts as if nothing were said. */
export function sharedFolder(said: string | undefined, otherwise: string): string {
  return said !== undefined && isAbsolute(said) ? said : otherwise;
}
