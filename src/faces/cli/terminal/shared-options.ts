/** Options that several commands take, with the words that each may be given. */
import { Option } from 'commander';
import { BACKENDS } from '../../../sessions/find-rocq.ts';

export const COMPATIBLE_SERVERS = ['rocqstar', 'fstar-mcp'] as const;

/** Which Rocq runs. */
export function backendOption(): Option {
  return new Option('--backend <name>', 'which Rocq to use').choices(['auto', ...BACKENDS]).default('auto');
}

export function compatibleOption(): Option {
  return new Option('--compat <server>', 'the tools of another server under their own names').choices(
    COMPATIBLE_SERVERS,
  );
}
