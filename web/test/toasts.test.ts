/** A toast covers nothing: what stands at the lower edge of a view can be pressed while one is shown. */
import { afterAll, beforeAll, expect, describe, it } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { faultsOfAccess } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

describe.skipIf(missing !== undefined)(`toasts in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'a.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it.each([
    ['wide', { width: 1440, height: 600 }],
    ['narrow', { width: 320, height: 600 }],
  ])('nothing that can be pressed is under them: %s', async (_, viewport) => {
    const page = await bench.open(`${at('a.v', 11)}&pane=try`, { viewport });
    await checked(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(' ');
    await page.keyboard.press('Control+s');
    await page.locator('.toast').waitFor();
    const under = await page.evaluate(() => {
      const list = document.querySelector('.toasts')?.getBoundingClientRect();
      const main = document.querySelector('main')?.getBoundingClientRect();
      return list === undefined || main === undefined ? Infinity : main.bottom - list.top;
    });
    expect(under).toBeLessThanOrEqual(0);
    // What is pressed is the button itself, which Playwright would refuse were it covered.
    await page.getByRole('button', { name: /^Try/ }).last().click();
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.toast').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
