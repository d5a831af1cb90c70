/** A row that is chosen stays chosen when other rows come before it, and Enter acts on it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWAP, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

describe.skipIf(missing !== undefined)(`lists in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'b.v': SWAP, 'sub/c.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('a file that is chosen stays so when another one is made before it', async () => {
    const page = await bench.open('/ui/');
    const rows = page.locator('.file-tree .virtual-row');
    await rows.filter({ hasText: 'b.v' }).waitFor();
    await page.locator('.file-tree .virtual-list').focus();
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('.file-tree [aria-selected=true]');
    await expect.poll(() => chosen.innerText()).toContain('b.v');
    bench.write('a.v', SWAP);
    await rows.filter({ hasText: 'a.v' }).waitFor();
    expect(await chosen.innerText()).toContain('b.v');
    await page.keyboard.press('Enter');
    await page.waitForURL(/file\/b\.v/u);
    await page.context().close();
  });

  it('a folder folds and unfolds with each click, and the end of the list folds nothing', async () => {
    const page = await bench.open('/ui/');
    const folder = page.locator('.file-tree .tree-name', { hasText: 'sub/' });
    const inside = page.locator('.file-tree .virtual-row', { hasText: 'c.v' });
    await inside.waitFor();
    for (const state of ['detached', 'attached', 'detached'] as const) {
      await folder.click();
      await inside.waitFor({ state });
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await inside.count()).toBe(0);
    await page.context().close();
  });

  it('a statement that is chosen stays so when another one is written above it', async () => {
    const page = await bench.open('/ui/file/b.v');
    await checked(page);
    await page.locator('.outline .virtual-list').focus();
    await page.keyboard.press('End');
    const chosen = page.locator('.outline [aria-selected=true]');
    await expect.poll(() => chosen.innerText()).toContain('add_zero');
    bench.write('b.v', `Lemma first : True.\nProof. exact I. Qed.\n\n${SWAP}`);
    await page.locator('.outline-row', { hasText: 'first' }).waitFor();
    expect(await chosen.innerText()).toContain('add_zero');
    await page.context().close();
  });

  it('the palette finds files by their name, and what turns the direction of writing is shown', async () => {
    bench.write('sub/t\u202Ev.v', SWAP);
    const page = await bench.open('/ui/');
    await page.locator('.file-tree .tree-file', { hasText: 'c.v' }).waitFor();
    await page.locator('.file-tree .tree-file', { hasText: '\\u{202e}' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('c.v');
    await page.getByRole('option', { name: 'Open sub/c.v' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/file\/sub\/c\.v/u);
    await page.context().close();
  });
});
