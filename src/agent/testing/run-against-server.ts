/** A run whose model, `own/m`, is a server of a test. */
import type { RequestListener } from 'node:http';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { runAgent } from '../run.ts';
import { mergeSettings, type Layer } from '../settings.ts';
import { answeringServer } from './answering-server.ts';
import { MemoryLog } from './memory-log.ts';
import { toyFile, toyTarget } from './toy-target.ts';

interface RunSettings {
  /** Besides its address. */
  readonly provider?: Readonly<Record<string, unknown>>;
  readonly others: Layer;
  readonly environment?: Readonly<Record<string, string>>;
}

/** @returns What the run ends with, the address that it asked, and what it logged of requests that failed. */
export async function runAgainst(
  answer: RequestListener,
  { provider, others, environment = {} }: RunSettings,
) {
  const url = await answeringServer(answer);
  const log = new MemoryLog();
  const { message } = await runAgent({
    log,
    files: [toyFile(toyTarget())],
    settings: mergeSettings({
      ...{ model: 'own/m', prices: { 'own/m': { input: 1, output: 5 } }, searchFirst: false },
      ...{ retryDelay: 0.001, providers: { own: { url, ...provider } } },
      ...others,
    }),
    quod: 'test',
    environment,
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  const failed = log.records.flatMap(({ event }) => (event.kind === 'model-failed' ? [event] : []));
  return { message, url, failed };
}
