/** `--backend` of every command that runs a Rocq. */
import { Option } from 'commander';
import { BACKENDS } from '../../../sessions/find-rocq.ts';

export function backendOption(): Option {
  return new Option('--backend <name>', 'which Rocq to use').choices(['auto', ...BACKENDS]).default('auto');
}
