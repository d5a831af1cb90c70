/**
 * A server like any other of Quod, in which the search of a proof is one that grows as large as it is told: for
 * figures of the page with more goals than a search finds in a minute. Everything else is the real thing: jobs,
 * events, the page.
 */
import { z } from 'zod';
import { setTimeout as pause } from 'node:timers/promises';
import { CATALOGUE } from '../../src/operations/catalogue.ts';
import { defineOperation } from '../../src/operations/definition/operation.ts';
import type { AnyOperation } from '../../src/operations/definition/operation.ts';
import { offeredSurface } from '../../src/faces/cli/serving/offered-operations.ts';
import { openHost } from '../../src/faces/host.ts';
import { makeToken, serveHttp } from '../../src/faces/server/serve.ts';
import { grownGraph } from './grown-graph.ts';

export interface GrownSearch {
  readonly url: string;
  link(): string;
  close(): Promise<void>;
}

export interface Growth {
  /** Goals that are there at once. */
  readonly atOnce: number;
  /** Goals that come each second after that, until the search is stopped. */
  readonly perSecond: number;
}

const TURN_MS = 50;

export async function serveGrownSearch(folder: string, growth: Growth): Promise<GrownSearch> {
  const host = await openHost({
    folder,
    confined: true,
    operations: CATALOGUE.map((operation) =>
      operation.name === 'proof_search' ? grownSearch(operation, growth) : operation,
    ),
  });
  const server = await serveHttp({
    host,
    surface: (client) => offeredSurface({}, host, client),
    port: 0,
    token: makeToken(),
    onError: (error) => console.error(error),
    onClientError: (error) => console.error(error),
  });
  return {
    url: server.url,
    link: () => server.workbenchLink(),
    close: async () => {
      await server.close();
      await host.services.close();
    },
  };
}

function grownSearch(
  { name, area, title, summary, annotations }: AnyOperation,
  growth: Growth,
): AnyOperation {
  return defineOperation({
    name,
    area,
    title,
    summary,
    input: z.object({ file: z.string(), budget: z.number(), theorems: z.array(z.string()).default([]) }),
    output: z.object({ results: z.array(z.object({})) }),
    annotations,
    defaultTimeout: 3600,
    run: async ({ theorems }, { watch, signal }) => {
      const news = grownGraph(20);
      const tell = (goals: number): void => {
        for (let told = 0; told < goals;) {
          const one = news.next().value;
          if (one.kind === 'goal') told += 1;
          watch?.({ theorem: theorems[0], ...one });
        }
      };
      tell(growth.atOnce);
      while (!signal.aborted) {
        await pause(TURN_MS, undefined, { signal }).catch(() => undefined);
        tell((growth.perSecond * TURN_MS) / 1000);
      }
      return { results: [] };
    },
  });
}
