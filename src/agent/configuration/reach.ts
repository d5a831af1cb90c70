/**
 * What settings reach for outside of Quod: servers that Quod does not know by name, with the variable whose key
 * they get, and programs in the place of an agent's own. Whoever writes them decides who receives keys and what is run.
 */
import { QuodError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-text.ts';
import type { Reach } from '../../process/foreign-folder/allowed.ts';
import type { Provider } from '../models/providers.ts';
import { DRIVER_PROGRAMS } from '../other-agents/driver-command.ts';
import type { Settings } from '../settings.ts';

/** Whether the user allows what settings reach for, wherever these came from: a file, a log, a benchmark. */
export interface Permissions {
  allows(reach: Reach): boolean;
  /** What a folder of prompts, and each link in it, may not lead out of; undefined: the user named that folder. */
  borderOfPrompts(folder: string): string | undefined;
}

/** For settings that the caller wrote. */
export const OWN_SETTINGS: Permissions = { allows: () => true, borderOfPrompts: () => undefined };

/** The same address is written in one way only. @throws QuodError `invalid-input` where no server can be. */
export function addressReach(url: string, keyVariable: string | null): Reach {
  const { href, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new QuodError('invalid-input', `The address ${url} is not one of a server.`, {
      remedy: 'Name one that begins with `https://` or `http://`.',
    });
  return { kind: 'address', address: href, keyVariable };
}

/**
 * A server that may have a key may also be asked without one; the other way round, and with another key, it may
 * not.
 */
export function isCovered(asked: Reach, allowed: Reach): boolean {
  if (asked.kind === 'program') return allowed.kind === 'program' && asked.program === allowed.program;
  return (
    allowed.kind === 'address' &&
    asked.address === allowed.address &&
    (asked.keyVariable === null || asked.keyVariable === allowed.keyVariable)
  );
}

/** Of a server that only settings name; undefined for those that Quod ships. */
export function reachOfProvider(provider: Provider): Reach | undefined {
  return provider.origin === 'settings' ? addressReach(provider.url, provider.keyVariable) : undefined;
}

/** Everything that settings name, asked for in this run or not. */
export function reachesOf({
  providers,
  ...settings
}: Pick<Settings, 'providers' | 'driver' | 'driverCommand'>): Reach[] {
  const addresses = Object.values(providers).map(({ url, keyVariable }) => addressReach(url, keyVariable));
  const program = reachOfDriver(settings);
  return program === undefined ? addresses : [...addresses, program];
}

/** The program that works in the place of Quod's own agent; undefined for that one. */
export function reachOfDriver({
  driver,
  driverCommand,
}: Pick<Settings, 'driver' | 'driverCommand'>): Reach | undefined {
  const program = driverCommand ?? (driver === 'quod' ? undefined : DRIVER_PROGRAMS[driver].program);
  return program === undefined ? undefined : { kind: 'program', program };
}

/** Where settings say what they reach for. */
interface SaidBy {
  /** The setting that chooses it: `models.critic`. */
  readonly chosenBy: string;
  /** The setting that names it, where that is another one: `providers.mine`. */
  readonly namedBy: string;
}

/**
 * @param by The settings at fault, where they are known.
 * @throws QuodError `not-allowed` that names the address or the program, and how a person allows it.
 */
export function requirePermission(reach: Reach, permissions: Permissions, by?: SaidBy): void {
  if (permissions.allows(reach)) return;
  const { what, command } = described(reach);
  const said = by === undefined ? '' : ` (\`${by.namedBy}\`, which \`${by.chosenBy}\` chooses)`;
  const own = by === undefined ? 'it' : `\`${by.namedBy}\``;
  const other = by === undefined ? '' : `, or choose another \`${by.chosenBy}\``;
  throw new QuodError('not-allowed', `The settings here ${what}${said}, and you did not allow that.`, {
    remedy: `If you trust it: quod run allow ${command} (or on the page, where a run is started), or name ${own} in your own settings, ~/.config/quod/agent.json${other}.`,
  });
}

function described(reach: Reach): { readonly what: string; readonly command: string } {
  if (reach.kind === 'program')
    return {
      what: `run the program ${JSON.stringify(reach.program)}`,
      command: `--program ${shellWord(reach.program)}`,
    };
  const { address, keyVariable } = reach;
  const { host } = new URL(address);
  return keyVariable === null
    ? { what: `send the proofs to ${host} (${address})`, command: `--address ${shellWord(address)}` }
    : {
        what: `send the key in ${JSON.stringify(keyVariable)} to ${host} (${address})`,
        command: `--address ${shellWord(address)} --key-variable ${shellWord(keyVariable)}`,
      };
}
