/** With which settings a run goes on: those of its log as far as that is believed, and what is typed when it is resumed. */
import { existsSync } from 'node:fs';
import { foreignSettings, ownPriceList } from '../../../agent/configuration/layers.ts';
import type { Place } from '../../../agent/configuration/layers.ts';
import { withCap } from '../../../agent/models/cost-cap.ts';
import type { Capped } from '../../../agent/models/cost-cap.ts';
import { ownPrices, readPrices } from '../../../agent/models/prices.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import type { Layer, Settings } from '../../../agent/settings.ts';

export function here(): Place {
  return { folder: process.cwd(), environment: process.env };
}

export function capped(...layers: readonly Layer[]): Capped {
  const list = ownPriceList(process.env);
  const dated = existsSync(list)
    ? `the prices of ${readPrices(list).date} in ${list}, else Quod’s of ${ownPrices().date}`
    : `Quod’s list of prices of ${ownPrices().date}`;
  const isChosen = layers.some(({ maxCost }) => maxCost !== undefined);
  return withCap(mergeSettings(...layers), isChosen, { dated, ownFile: list });
}

/** @param recorded In the log: what it says of money and of files is whoever's word wrote it. */
export function resumedSettings(recorded: Settings, typed: Layer): Capped {
  return capped(foreignSettings(recorded, here(), typed), typed);
}
