/** Keys of providers: from the environment, else from the system's key store. They are never written anywhere. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { findExecutable } from '../../process/executable.ts';
import type { Settings } from '../settings.ts';
import { parseModelName } from './providers.ts';
import type { ModelName } from './providers.ts';
import { installedPage } from '../../core/installed-package.ts';

const run = promisify(execFile);

/** A store that waits for somebody to unlock it is not waited for longer. */
const STORE_TIME_MS = 20_000;

/** Programs that print the key of an account under the service `quod`, by platform. */
const STORES: Partial<Record<NodeJS.Platform, (account: string) => readonly [string, ...string[]]>> = {
  linux: (account) => ['secret-tool', 'lookup', 'service', 'quod', 'account', account],
  darwin: (account) => ['security', 'find-generic-password', '-s', 'quod', '-a', account, '-w'],
};

/** The key of a provider, undefined when it needs none. @throws QuodError `invalid-input` when there is none. */
export async function providerKey(
  { provider }: ModelName,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (provider.keyVariable === null) return undefined;
  // As it is sent: what is around it, of the file that it was read from, no header can have.
  const key = orNothing(environment[provider.keyVariable]).trim();
  if (key !== '') return key;
  const stored = await storedKey(provider.name, environment, platform);
  if (stored !== undefined) return stored;
  throw new QuodError('invalid-input', `There is no key for ${provider.name}.`, {
    remedy: `Set ${provider.keyVariable} in the environment, keep it in the system's key store (${installedPage('agents/agent.md')}), or choose a local model.`,
  });
}

/** The keys that the models of a run would get; of one that has none, or cannot be had, nothing is told. */
export async function keysOfModels(
  settings: Pick<Settings, 'model' | 'models' | 'providers'>,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const names = new Set([settings.model, ...Object.values(settings.models)]);
  const keys: string[] = [];
  for (const full of names) {
    if (full === null) continue;
    try {
      const key = await providerKey(parseModelName(full, settings), environment);
      if (key !== undefined) keys.push(key);
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
    }
  }
  return keys;
}

async function storedKey(
  account: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const store = STORES[platform]?.(account);
  const program = store && findExecutable([store[0]], environment);
  if (store === undefined || program === undefined) return undefined;
  try {
    const { stdout } = await run(program, store.slice(1), { timeout: STORE_TIME_MS, env: environment });
    return stdout.trim() || undefined;
  } catch {
    // It has no such key, or nobody unlocked it: the error of a missing key says what to do.
    return undefined;
  }
}
