/** A file is told of the faults of the build below it, and what to do in words of the page; the project tells of all faults. */
import { expect, it } from 'vitest';
import { Workbench, missing, whyNot } from './workbench.ts';

const FILES = {
  _CoqProject: '-Q . My\nalone.v\nbase.v\nmiddle.v\nuser.v\n',
  'alone.v': 'Definition alone : nat := true.\n',
  'base.v': 'Definition base : nat := true.\n',
  'middle.v': 'From My Require Import base.\n',
  'user.v': 'From My Require Import middle.\nLemma user (n : nat) : n = n.\nProof.\nAdmitted.\n',
};

it.skipIf(missing !== undefined)(
  `of what did not compile a file lists what it requires, and the project everything${whyNot}`,
  async () => {
    const bench = new Workbench(FILES);
    try {
      await bench.start();
      const page = await bench.open('/ui/project');
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      const faults = page.locator('.build-faults li');
      const files = async (): Promise<string[]> =>
        (await faults.allInnerTexts()).map((text) => /^\w+\.v/u.exec(text)?.[0] ?? text).toSorted();
      await expect.poll(files, { timeout: 60_000 }).toEqual(['alone.v', 'base.v', 'middle.v', 'user.v']);

      const user = await bench.open('/ui/file/user.v?line=4&pane=prove');
      const below = user.locator('.outside .build-faults li');
      await below.first().waitFor();
      expect((await below.allInnerTexts()).map((text) => /^\w+\.v/u.exec(text)?.[0]).toSorted()).toEqual([
        'base.v',
        'middle.v',
      ]);
      // A search names the one file that is to be mended, and offers no build.
      await user.getByRole('button', { name: 'Prove user' }).click();
      const error = user.locator('.prove .error-note', { hasText: 'base.v, which it requires' });
      await error.waitFor();
      expect(await error.innerText()).toContain('base.v:1:25: The term "true" has type');
      expect(await error.innerText()).toContain('Mend base.v first; Check lists all its errors.');
      expect(
        await user.locator('.prove').getByRole('button', { name: 'Build what it requires' }).count(),
      ).toBe(0);
    } finally {
      await bench.close();
    }
  },
  120_000,
);

it.skipIf(missing !== undefined)(
  `what to do about a file with an error is something that the page can do${whyNot}`,
  async () => {
    const bench = new Workbench({ 'alone.v': FILES['alone.v'] });
    try {
      await bench.start();
      const page = await bench.open('/ui/project');
      await page.getByLabel('How to search').selectOption('pattern');
      const words = page.getByRole('searchbox');
      await words.fill('_ + _');
      await words.press('Enter');
      const error = page.locator('.error-note', { hasText: 'alone.v:1' });
      await error.waitFor();
      const told = await error.innerText();
      expect(told).toContain('can be asked about in the file: put the cursor there.');
      expect(told).not.toMatch(/\bline\b/u);
    } finally {
      await bench.close();
    }
  },
  120_000,
);
