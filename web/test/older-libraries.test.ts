/** What was checked against libraries that were changed and not compiled since is not shown as checked. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const BASE = 'Lemma two (n : nat) : n = n.\nProof.\n  reflexivity.\nQed.\n';
const USER = 'From My Require Import base.\nLemma user (n : nat) : n = n.\nProof.\n  apply two.\nQed.\n';

it.skipIf(missing !== undefined)(
  `a file whose libraries were changed says so, and is checked again when they are built${whyNot}`,
  async () => {
    const bench = new Workbench({
      _CoqProject: '-Q . My\nbase.v\nuser.v\n',
      ...{ 'base.v': BASE, 'user.v': USER },
    });
    try {
      await bench.start();
      const built = await bench.open('/ui/');
      await built.getByRole('button', { name: 'Build', exact: true }).click();
      await built.getByRole('button', { name: 'Build', exact: true }).waitFor({ state: 'detached' });
      const page = await bench.open('/ui/file/user.v');
      await checked(page);
      // While it is open.
      bench.write('base.v', BASE.replace('two', 'other'));
      const notice = page.locator('.stale-libraries', { hasText: 'base.v was changed' });
      await notice.waitFor();
      const badge = page.locator('.text-pane .badge', { hasText: 'against older files' });
      expect(await badge.getAttribute('class')).not.toContain('good');
      // And where it is opened afterwards.
      await page.reload();
      await badge.waitFor();
      expect(await page.locator('.text-pane .badge.good').count()).toBe(0);
      await notice.getByRole('button', { name: 'Build' }).click();
      await page.getByRole('button', { name: '1 error' }).waitFor();
      expect(await notice.count()).toBe(0);
      // What was never compiled is told where Rocq does not find it.
      rmSync(join(bench.folder, 'base.vo'));
      await page.getByRole('button', { name: 'Build what it requires' }).waitFor();
      expect(await page.locator('.stale-libraries').count()).toBe(0);
    } finally {
      await bench.close();
    }
  },
);

it.skipIf(missing !== undefined)(`a search that lacks a library offers to build it${whyNot}`, async () => {
  const open = USER.replace('apply two.\nQed.', 'Admitted.');
  const bench = new Workbench({
    _CoqProject: '-Q . My\nbase.v\nuser.v\n',
    ...{ 'base.v': BASE, 'user.v': open },
  });
  try {
    await bench.start();
    const page = await bench.open('/ui/file/user.v?line=2&pane=prove');
    await page.getByRole('button', { name: 'Prove user' }).click();
    const pane = page.locator('.prove');
    await pane.locator('.error-note', { hasText: 'not compiled' }).waitFor();
    expect(await pane.innerText()).not.toMatch(/\.\.|(not compiled)[^]*\1/u);
    await pane.getByRole('button', { name: 'Build what it requires' }).click();
    await checked(page);
    await pane.getByRole('button', { name: 'Search again' }).click();
    await pane.getByRole('button', { name: 'Accept the change' }).waitFor();
    await pane.getByRole('button', { name: 'Build what it requires' }).waitFor({ state: 'detached' });
  } finally {
    await bench.close();
  }
});
