/** A whole session with the keyboard alone, in both themes: build, find a hole, walk, prove, accept, save, send the proof. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { Workbench, missing, whyNot } from './workbench.ts';
import { faultsOfAccess } from './looking.ts';

const FILES = {
  _CoqProject: '-Q . Lists\nbase.v\nuse.v\n',
  'base.v': `Fixpoint double (n : nat) : nat := match n with 0 => 0 | S m => S (S (double m)) end.
Lemma double_add (n : nat) : double n = n + n.
Proof.
Admitted.
`,
  'use.v': `From Lists Require Import base.
Theorem even_double (n : nat) : exists m, double n = m + m.
Proof. exists n. apply double_add. Qed.
`,
};

/** Tabs until something has the focus; whoever uses the keys alone would give up before. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const wanted = page.locator(selector).first();
  await wanted.waitFor();
  // What cannot be used yet has no place among the tabs.
  await expect.poll(() => wanted.isEnabled()).toBe(true);
  for (let tabs = 0; tabs < 30; tabs += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} is not reached by Tab.`);
}

async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.palette li').first().waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await page.locator('.palette').waitFor({ state: 'detached' });
}

describe.skipIf(missing !== undefined)(`a session with the keyboard alone${whyNot}`, () => {
  let bench: Workbench | undefined;
  afterEach(() => bench?.close());

  it.each(['light', 'dark'] as const)('from an unbuilt folder to a proof that is sent: %s', async (theme) => {
    const own = (bench = new Workbench(FILES));
    await own.start();
    const page = await own.open('/ui/project', { colorScheme: theme });
    await page.locator('.file-tree .virtual-row').first().waitFor();
    expect(await faultsOfAccess(page)).toEqual([]);
    await command(page, 'build');
    await page.getByText('2 compiled, 0 up to date').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('even_double');
    await tabTo(page, '.statements .virtual-list');
    await page.keyboard.press('ArrowDown');
    await page.locator('.chosen-statement .badge', { hasText: '1 open below' }).waitFor();
    // What it rests on is gone to from the picture of the ways.
    await tabTo(page, '.ways a.open');
    await page.keyboard.press('Enter');
    await tabTo(page, '.chosen-statement a.button');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Alt+e');
    const goals = (): Promise<string[]> => page.locator('.goals .conclusion').allInnerTexts();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(goals).toEqual(['double n = n + n']);
    await page.keyboard.press('Alt+3');
    await tabTo(page, 'role=button[name="Prove double_add"]');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button:text-is("Accept the change")');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.keyboard.press('Enter');
    // The text has the focus again, so that one goes on there.
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await page.keyboard.press('Control+s');
    await page.getByText('in the file', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search another proof of double_add' }).waitFor();
    expect(readFileSync(join(own.folder, 'base.v'), 'utf8')).not.toContain('Admitted');
    await command(page, 'go to proof');
    // That at the cursor.
    await page.waitForURL(/\/ui\/proof\/base\.v\?theorem=double_add/u);
    await page.locator('.sentences .virtual-row, .proof-head').first().waitFor();
    await tabTo(page, 'button:text-is("Export page")');
    expect(await faultsOfAccess(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toBe('double_add.html');
    for (const view of ['agent', 'gate', 'bench']) {
      await page.goto(`${own.url}/ui/${view}`);
      await page.locator('h1, h2').first().waitFor();
      expect(await faultsOfAccess(page), view).toEqual([]);
    }
  });
});
