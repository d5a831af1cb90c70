/** Pictures for the documents, and what a screen reader would stumble over. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { orNothing } from '../../src/core/entry.ts';

const PICTURES = fileURLToPath(new URL('../../docs/workbench/', import.meta.url));

/** Written only where they are wanted (`QUOD_PICTURES=1`), so that a test run leaves the tree as it is. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['QUOD_PICTURES'] === undefined) return;
  await page.screenshot({
    path: `${PICTURES}${name}.png`,
    animations: 'disabled',
    caret: 'hide',
    scale: 'css',
  });
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const violationsSchema = z.array(
  z.object({
    id: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
);

/** Everything that axe finds, one line each. */
export async function faultsOfAccess(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's own policy does not bind.
  await page.evaluate(readFileSync(axePath, 'utf8'));
  const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return violationsSchema
    .parse(violations)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${orNothing(failureSummary)}`),
    );
}
