/** Where the user keeps what holds for all their folders: settings of the agent, and what they allowed. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `$QUOD_CONFIG`, else `quod` in the user's folder for such files. */
export function configurationDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment['QUOD_CONFIG'];
  if (own) return own;
  return join(environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'quod');
}
