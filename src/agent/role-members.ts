/** Which model has which role in a run: opened once each, with its key and its price. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { QuodError } from '../core/errors.ts';
import { reachOfProvider, requirePermission } from './configuration/reach.ts';
import type { Permissions } from './configuration/reach.ts';
import { providerKey } from './models/key-store.ts';
import { openModel } from './models/language-model.ts';
import { priceOf, priceSetting } from './models/prices.ts';
import type { Price } from './models/prices.ts';
import { parseModelName } from './models/providers.ts';
import type { EventLog } from './runs/event-log.ts';
import { textWithoutKey } from './runs/secrets-left-out.ts';
import { ROLES } from './settings.ts';
import type { Role, Settings } from './settings.ts';

export interface Member {
  readonly name: string;
  readonly provider: string;
  readonly model: LanguageModelV4;
  readonly price: Price | undefined;
  readonly key: string | undefined;
  readonly keyVariable: string | null;
}

interface Parts {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly permissions: Permissions;
  readonly eventLog: EventLog;
}

/**
 * @param model of roles that have none of their own.
 * @throws QuodError `invalid-input`: a name, a key or a price is missing; `not-allowed`: the user did not allow the address.
 */
export async function openMembers(
  model: string,
  { settings, environment, permissions, eventLog }: Parts,
): Promise<ReadonlyMap<Role, Member>> {
  const opened = new Map<string, Member>();
  const members = new Map<Role, Member>();
  for (const role of ROLES) {
    const full = settings.models[role] ?? model;
    let member = opened.get(full);
    if (member === undefined) {
      const name = parseModelName(full, settings);
      const reach = reachOfProvider(name.provider);
      if (reach !== undefined)
        requirePermission(reach, permissions, {
          chosenBy: settings.models[role] === undefined ? 'model' : `models.${role}`,
          namedBy: `providers.${name.provider.name}`,
        });
      const key = await providerKey(name, environment);
      if (key !== undefined) eventLog.keepOut(key);
      const price = priceOf(name, settings);
      if (price === undefined && settings.maxCost !== null) {
        throw new QuodError(
          'invalid-input',
          `The price of ${full} is not known, so its cost cannot be limited.`,
          {
            remedy: `Set it: ${priceSetting(full)}.`,
          },
        );
      }
      const { keyVariable, name: provider } = name.provider;
      member = { name: full, provider, model: await openModel(name, key), price, key, keyVariable };
      opened.set(full, member);
    }
    members.set(role, member);
  }
  return members;
}

/** Some servers repeat the key that they refuse. */
export function withoutKey(text: string, key: string | undefined): string {
  const safe = key === undefined ? text : textWithoutKey(text, key);
  return safe.length > 2000 ? `${safe.slice(0, 2000)}…` : safe;
}
