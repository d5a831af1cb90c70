/** What was typed and not saved, in several windows of one browser: nothing of it is lost without asking. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

describe.skipIf(missing !== undefined)(`unsaved text in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'both.v': SWAP, 'left.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const onDisk = (name: string): string => readFileSync(join(bench.folder, name), 'utf8');
  const text = (page: Page): Promise<string> => page.locator('.cm-content').innerText();
  const beside = async (page: Page, file: string): Promise<Page> => {
    const other = await page.context().newPage();
    await other.goto(`${bench.url}${at(file, 1)}`);
    await checked(other);
    return other;
  };
  const type = async (page: Page, typed: string): Promise<void> => {
    await page.bringToFront();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(typed);
  };

  it('a window keeps its text over a reload, whatever another one typed and saved, and both can be joined', async () => {
    const one = await bench.open(at('both.v', 1));
    await checked(one);
    const two = await beside(one, 'both.v');
    await two.locator('.cm-content').focus();
    await two.keyboard.press('Control+End');
    await two.keyboard.type('(* two *)');
    await type(one, '(* one *) ');
    await one.keyboard.press('Control+s');
    await expect.poll(() => onDisk('both.v')).toContain('(* one *)');
    await two.locator('.outside').waitFor();
    await two.reload();
    await two.locator('.outside').waitFor();
    expect(await text(two)).toContain('(* two *)');
    await two.getByRole('button', { name: 'Join both' }).click();
    await two.locator('.cm-line', { hasText: '(* one *)' }).waitFor();
    await two.keyboard.press('Control+s');
    await expect.poll(() => onDisk('both.v')).toMatch(/one[^]*two/u);
    await one.context().close();
  });

  it('of two unsaved texts each window has its own, and what closed windows left is found again', async () => {
    const one = await bench.open(at('left.v', 1));
    await checked(one);
    const two = await beside(one, 'left.v');
    await type(one, '(* one *) ');
    await type(two, '(* two *) ');
    await one.reload();
    await expect.poll(() => text(one)).toContain('(* one *)');
    expect(await text(one)).not.toContain('(* two *)');
    const three = await beside(one, 'left.v');
    expect(await text(three)).toContain('Lemma swap');
    expect(await text(three)).not.toMatch(/\(\*/u);
    await one.close();
    await two.close();
    await three.reload();
    // The latest is taken up, the other is offered; neither is gone when they change places.
    await expect.poll(() => text(three)).toContain('(* two *)');
    await three.getByRole('button', { name: 'Change places with the text here' }).click();
    await expect.poll(() => text(three)).toContain('(* one *)');
    await three.keyboard.press('Control+s');
    await expect.poll(() => onDisk('left.v')).toContain('(* one *)');
    await three.reload();
    await three.locator('.outside').first().waitFor();
    expect(await three.locator('.pane-title .file-name').innerText()).toContain('•');
    await expect.poll(() => text(three)).toContain('(* two *)');
    await three.context().close();
  });
});
