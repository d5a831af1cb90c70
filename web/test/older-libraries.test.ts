/** What was checked against libraries that were changed and not compiled since is not shown as checked. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runQuod } from '../../src/faces/cli/testing/run-quod.ts';
import { SWAP, checked } from './file-page.ts';
import { faultsOfAccess } from './looking.ts';
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
      const notice = page.locator('.stale-libraries', { hasText: 'base.v is not compiled' });
      await notice.waitFor();
      const badge = page.locator('.text-pane .badge', { hasText: 'against older files' });
      expect(await badge.getAttribute('class')).not.toContain('good');
      // Also in a narrow window the name of the file has its room, and the title says what the words do not.
      await page.setViewportSize({ width: 320, height: 720 });
      const name = page.locator('.text-pane .file-name');
      await expect.poll(() => name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      expect(await badge.innerText()).toBe('older files');
      expect(await badge.getAttribute('title')).toContain('base.v is not compiled as it is now');
      await page.setViewportSize({ width: 1280, height: 800 });
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

const OPEN = `From My Require Import base.
Lemma done (n : nat) : n = n.
Proof.
  apply two.
Qed.

Lemma left (n : nat) : n + 0 = n.
Proof.
Admitted.
`;

it.skipIf(missing !== undefined)(
  `every result is grey from when a library that it rests on is changed until it was made anew, and by no other file${whyNot}`,
  async () => {
    const bench = new Workbench({
      _CoqProject: '-Q . My\nbase.v\nother.v\nopen.v\n',
      ...{ 'base.v': BASE, 'other.v': BASE, 'open.v': OPEN },
    });
    try {
      await bench.start();
      const build = (): Promise<unknown> => runQuod(['build', '.'], bench.folder);
      await build();
      const tried = await bench.open('/ui/file/open.v?line=9&pane=try');
      await checked(tried);
      await tried.getByRole('button', { name: /^Try \d/u }).click();
      await tried.locator('.alternatives:not(.of-before)').waitFor();
      const tree = await bench.open('/ui/proof/open.v?theorem=done');
      await tree.locator('.proof-head .badge.good').waitFor();
      const page = await bench.open('/ui/file/open.v?line=7&pane=prove');
      await checked(page);
      await page.getByRole('button', { name: 'Prove left' }).click();
      const green = page.locator('.prove .badge.good');
      const words = async (): Promise<string[]> => [
        ...(await page.locator('.prove .badge').allInnerTexts()),
        ...(await page.locator('.search > .note').first().allInnerTexts()),
      ];
      await page.locator('.found .badge.good').waitFor();
      await expect.poll(words).toEqual(['proved', 'solved', '1 of 1 proved']);

      // Another file of the project is compiled: nothing rests on it.
      bench.write('other.v', `${BASE}(* changed *)\n`);
      await build();
      await checked(page);
      await expect.poll(() => green.count()).toBe(2);
      expect(await tried.locator('.alternatives.of-before').count()).toBe(0);

      // What is compiled of it is another then: a comment would leave it as it was.
      bench.write('base.v', `Definition changed := 0.\n${BASE}`);
      const toBuild = 'base.v is not compiled as it is now: build, then';
      await page.getByText(`${toBuild} search again.`).first().waitFor();
      await tried.getByText(`${toBuild} try again.`).waitFor();
      // As long as it stands there it can be read, also where the text is longer than its place.
      await tried.setViewportSize({ width: 1280, height: 240 });
      expect(await faultsOfAccess(tried)).toEqual([]);
      await tree.locator('.proof-head .stale-libraries', { hasText: 'base.v is not compiled' }).waitFor();
      expect(await green.count()).toBe(0);
      await expect
        .poll(words)
        .toEqual([
          ...['proved when it was searched', 'solved when it was searched'],
          '1 of 1 proved, when it was searched',
        ]);
      expect(await tree.locator('.proof-head .badge.good').count()).toBe(0);
      await page.getByRole('button', { name: 'Search again' }).click();
      await page.getByRole('combobox', { name: 'Search' }).waitFor();
      await page.locator('.found li', { hasText: toBuild }).waitFor();
      expect(await green.count()).toBe(0);

      await build();
      for (const one of [page, tried])
        await one.getByText('What it requires, or what its project tells Rocq, has changed since').waitFor();
      await checked(page);
      expect(await green.count()).toBe(0);
      // What is asked for by itself is made anew by itself.
      await tree.locator('.proof-head .badge.good').waitFor();
      await page.getByRole('button', { name: 'Search again' }).click();
      await page.locator('.found .badge.good').waitFor();
      await checked(tried);
      await tried.getByRole('button', { name: /^Try \d/u }).click();
      await tried.locator('.alternatives:not(.of-before)').waitFor();
    } finally {
      await bench.close();
    }
  },
  240_000,
);

it.skipIf(missing !== undefined)(
  `what was tried is grey from when the project tells Rocq something else, also where nothing is required${whyNot}`,
  async () => {
    const bench = new Workbench({ _CoqProject: '-Q . My\nswap.v\n', 'swap.v': SWAP });
    try {
      await bench.start();
      const page = await bench.open('/ui/file/swap.v?line=4&pane=try');
      await checked(page);
      await page.getByRole('button', { name: /^Try \d/u }).click();
      await page.locator('.alternatives:not(.of-before)').waitFor();
      bench.write('_CoqProject', '-Q . My\n-arg -impredicative-set\nswap.v\n');
      await page
        .getByText('What it requires, or what its project tells Rocq, has changed since: try again.')
        .waitFor();
      expect(await page.locator('.alternatives.of-before').count()).toBe(1);
    } finally {
      await bench.close();
    }
  },
);
