/** What the page handles is no error in the console of the browser: who looks there for one finds only those. */
import { expect, it } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

it.skipIf(missing !== undefined)(
  `what is refused and told by the page leaves the console empty${whyNot}`,
  async () => {
    const bench = new Workbench({ 'swap.v': SWAP });
    try {
      await bench.start();
      const page = await bench.open('/ui/project');
      const lines: string[] = [];
      page.on('console', (line) => {
        if (line.type() === 'error' || line.type() === 'warning') lines.push(line.text());
      });
      page.on('pageerror', ({ message }) => lines.push(message));
      for (const path of [
        '/ui/file/gone.v',
        '/ui/proof/gone.v',
        '/ui/proof/swap.v?theorem=gone',
        '/ui/agent/gone',
      ]) {
        await page.goto(`${bench.url}${path}`);
        await page.locator('.error-note, .empty, .note').first().waitFor();
      }
      await page.goto(`${bench.url}${at('swap.v', 4)}&pane=name`);
      await checked(page);
      await page.getByRole('textbox', { name: 'Name' }).fill('nowhere');
      await page.keyboard.press('Enter');
      await page.locator('.error-note, .about-name').first().waitFor();
      await page.getByRole('tab', { name: 'Try' }).click();
      await page.locator('#alternatives').fill('nonsense.');
      await page.keyboard.press('Control+Enter');
      await page.locator('.alternatives li.refused').waitFor();
      // Somebody else writes the file: saving over it is refused.
      await page.locator('.cm-content').press('Control+Home');
      await page.keyboard.type('(* mine *) ');
      bench.write('swap.v', `(* theirs *)\n${SWAP}`);
      await page.keyboard.press('Control+s');
      await page.locator('.outside, .toast').first().waitFor();
      expect(lines).toEqual([]);
    } finally {
      await bench.close();
    }
  },
  240_000,
);
