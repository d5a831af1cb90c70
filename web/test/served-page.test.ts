/** The page of `quod serve`: a token admits, and the token of a later start lets pages go on that stayed open. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startQuod, type StartedQuod } from '../../src/faces/cli/testing/run-quod.ts';
import { SWAP, at, checked } from './file-page.ts';
import { faultsOfAccess } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

interface Served {
  readonly server: StartedQuod;
  readonly url: string;
  readonly token: string;
}

async function serve(folder: string, port: string): Promise<Served> {
  const server = startQuod(['serve', '--port', port], folder);
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer | string): void => {
      said += chunk.toString();
      const url = /http:\/\/[\d.:]+\d/u.exec(said)?.[0];
      const token = /Token: (\S+)\s/u.exec(said)?.[1];
      if (url !== undefined && token !== undefined) resolve({ server, url, token });
    };
    server.child.stdout?.on('data', read);
    server.child.stderr?.on('data', read);
    void server.finished.then(({ stderr }) => reject(new Error(stderr)));
  });
}

async function enter(page: Page, { token }: Served): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.locator('.file-tree, .virtual-row, .cm-content').first().waitFor();
}

it.skipIf(missing !== undefined)(
  `a page goes on, with what was typed, when the server was started again and its token entered elsewhere${whyNot}`,
  async () => {
    const bench = new Workbench({ 'swap.v': SWAP });
    let served = await serve(bench.folder, '0');
    try {
      const context = await bench.person();
      const page = await context.newPage();
      const refused: string[] = [];
      page.on('response', (answer) => {
        if (answer.status() === 401) refused.push(answer.url());
      });
      await page.goto(`${served.url}${at('swap.v', 1)}`);
      await page.getByRole('heading', { name: 'This browser is not known to the server' }).waitFor();
      expect(await faultsOfAccess(page)).toEqual([]);
      expect(refused).toHaveLength(1);
      await enter(page, served);
      await checked(page);
      await page.locator('.cm-content').press('Control+Home');
      await page.keyboard.type('(* typed *) ');
      served.server.child.kill();
      await served.server.finished;
      await page.locator('.banner', { hasText: 'quod serve' }).waitFor();
      served = await serve(bench.folder, new URL(served.url).port);
      const other = await context.newPage();
      await other.goto(`${served.url}/ui/`);
      await enter(other, served);
      await page.locator('.banner').waitFor({ state: 'detached' });
      await checked(page);
      expect(await page.locator('.cm-content').innerText()).toContain('(* typed *)');
    } finally {
      served.server.child.kill();
      await served.server.finished;
      await bench.close();
    }
  },
  240_000,
);
