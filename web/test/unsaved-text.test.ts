/** What was typed and not saved, in several windows of one browser: nothing of it is lost without asking. */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
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
    // A window is gone when the browser says so, which is a little later.
    const windows = () => three.evaluate(async () => (await navigator.locks.query()).held?.length);
    await expect.poll(windows).toBe(1);
    await three.reload();
    // The latest is taken up, the other is offered; neither is gone when they change places.
    await expect.poll(() => text(three)).toContain('(* two *)');
    await three.getByRole('button', { name: 'Change places with the text here' }).click();
    await expect.poll(() => text(three)).toContain('(* one *)');
    await three.keyboard.press('Control+s');
    await expect.poll(() => onDisk('left.v')).toContain('(* one *)');
    await three.reload();
    await three.locator('.outside').first().waitFor();
    await expect.poll(() => three.locator('.pane-title .file-name').innerText()).toContain('•');
    await expect.poll(() => text(three)).toContain('(* two *)');
    await three.context().close();
  });

  it('a file that is removed while text is typed is told of at once, also after a reload, and can be written anew', async () => {
    const path = join(bench.folder, 'gone.v');
    bench.write('gone.v', SWAP);
    const page = await bench.open(at('gone.v', 1));
    const inConsole: string[] = [];
    page.on('console', (message) => message.type() === 'error' && inConsole.push(message.text()));
    await checked(page);
    await type(page, '(* typed *) ');
    rmSync(path);
    const told = page.locator('.outside', { hasText: 'not on the disk any more' });
    await told.waitFor();
    await page.reload();
    await told.waitFor();
    await expect.poll(() => text(page)).toContain('(* typed *)');
    await page.goto(`${bench.url}/ui/file`);
    await page.locator('.choose-file li', { hasText: 'gone.v' }).getByText('not saved').waitFor();
    await page.getByRole('link', { name: 'gone.v' }).click();
    await page.getByRole('button', { name: 'Write it anew' }).click();
    await told.waitFor({ state: 'detached' });
    expect(onDisk('gone.v')).toBe(`(* typed *) ${SWAP}`);
    // That it is gone was expected, and is no error of the page.
    expect(inConsole).toEqual([]);
    // From there on it is a file as any other.
    await type(page, '(* more *) ');
    await page.keyboard.press('Control+s');
    await expect.poll(() => onDisk('gone.v')).toContain('(* more *)');
    await page.context().close();
  });

  it.each(['typed', 'keep', 'take'])('a file that is emptied is one that was changed: %s', async (what) => {
    bench.write('emptied.v', SWAP);
    const page = await bench.open(at('emptied.v', 1));
    await checked(page);
    if (what === 'typed') {
      // Emptied and saved here: it goes on from nothing.
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Control+s');
      await expect.poll(() => onDisk('emptied.v')).toBe('');
      await page.reload();
      await page.locator('.cm-content').focus();
      await page.keyboard.type('Check 1.');
      await checked(page);
      await page.keyboard.press('Control+s');
      await expect.poll(() => onDisk('emptied.v')).toBe('Check 1.');
    } else {
      await type(page, '(* typed *) ');
      bench.write('emptied.v', '');
      await page.locator('.outside', { hasText: 'both changed the same lines' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Show the difference' }).click();
      await page.locator('.diff .removed', { hasText: '(* typed *)' }).waitFor();
      const choice = what === 'keep' ? 'Keep mine' : 'Take the one on the disk';
      await page.getByRole('button', { name: choice }).click();
      await page.locator('.outside').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+s');
      if (what === 'keep') await expect.poll(() => onDisk('emptied.v')).toBe(`(* typed *) ${SWAP}`);
      else await expect.poll(() => text(page)).toMatch(/^\s*$/u);
    }
    await page.context().close();
  });

  it.each(['a folder', 'a link out of the project'])('%s in the place of a file is told of', async (what) => {
    const path = join(bench.folder, 'placed.v');
    const away = join(bench.folder, '..', 'away.v');
    rmSync(path, { force: true, recursive: true });
    bench.write('placed.v', SWAP);
    bench.write('../away.v', SWAP);
    const page = await bench.open(at('placed.v', 1));
    await checked(page);
    await type(page, '(* typed *) ');
    rmSync(path);
    if (what === 'a folder') mkdirSync(path);
    else symlinkSync(away, path);
    const told = page.locator('.outside', { hasText: 'cannot be read or written any more' });
    await told.waitFor();
    await page.keyboard.press('Control+s');
    await page.reload();
    await told.waitFor();
    await expect.poll(() => text(page)).toContain('(* typed *)');
    expect(readFileSync(away, 'utf8')).toBe(SWAP);
    await page.getByRole('button', { name: 'Copy the text' }).waitFor();
    // When the file is back, all goes on.
    rmSync(path, { recursive: true });
    bench.write('placed.v', SWAP);
    await told.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => onDisk('placed.v')).toContain('(* typed *)');
    await page.context().close();
  });
});
