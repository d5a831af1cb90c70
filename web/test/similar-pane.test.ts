/** Similar in the page: which proofs are offered for the goal at the cursor, what of them is marked, and how one is taken. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const HERE = `Lemma here (x y : nat) : x = y -> y = x.
Proof. intro same. now symmetry. Qed.

Lemma wanted (a b : nat) : a = b -> b = a.
Proof.
  idtac.
Admitted.

Lemma behind (x y : nat) : x = y -> y = x.
Proof. intro same. now symmetry. Qed.
`;
const OTHER = `Lemma elsewhere (x y : nat) : x = y -> y = x.
Proof. intro same. now rewrite same. Qed.
Lemma open_there (x y : nat) : x = y -> y = x.
Proof. intro same. now rewrite same. Admitted.
Lemma given_up (x y : nat) : x = y -> y = x.
Proof. intro same. now rewrite same. Abort.
`;

describe.skipIf(missing !== undefined)(`Similar in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'here.v': HERE, 'other.v': OTHER });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const names = (page: Page): Promise<string[]> =>
    page
      .locator('.similar li a')
      .evaluateAll((links) => links.map((link) => link.firstChild?.textContent?.trim() ?? '').toSorted());

  it('offers what is finished and may be used, of the project or the file, with what is shared marked', async () => {
    const page = await bench.open(`${at('here.v', 6)}&pane=similar`);
    await checked(page);
    // Not what is open or given up, nor what stands behind the cursor.
    await expect.poll(() => names(page)).toEqual(['elsewhere', 'here']);
    const elsewhere = page.locator('.similar li', { hasText: 'elsewhere' });
    await elsewhere.locator('.badge', { hasText: 'not compiled' }).waitFor();
    await page.getByLabel('Look in').selectOption('file');
    await expect.poll(() => names(page)).toEqual(['here']);
    await page.getByText(/^A proof stands higher/u).waitFor();
    await page.locator('.similar li').getByRole('link').click();
    await expect.poll(() => page.url()).toContain('line=1');
    await page.context().close();
  });

  it('offers no proof that Rocq refuses, nor first what shares nothing with the goal', async () => {
    bench.write(
      'refused.v',
      `Lemma good_close (n : nat) : n * 0 = 0 + 0.
Proof. induction n; [reflexivity | exact IHn]. Qed.
Lemma of_booleans (b : bool) : negb (negb b) = b.
Proof. induction b; reflexivity. Qed.
Lemma bad_close (n : nat) : n * 0 = 0.
Proof. induction n. Qed.
`,
    );
    bench.write('looking.v', 'Lemma looked_for (n : nat) : n * 0 = 0.\nProof.\n  idtac.\nAdmitted.\n');
    const page = await bench.open('/ui/project');
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.locator('.build-faults li', { hasText: 'refused.v:6' }).waitFor();
    await page.goto(`${bench.url}${at('looking.v', 3)}&pane=similar`);
    const offered = page.locator('.pane-body > .similar > li a');
    await expect.poll(() => offered.allInnerTexts()).toEqual([expect.stringContaining('good_close')]);
    expect(await page.locator('.similar', { hasText: 'bad_close' }).count()).toBe(0);
    await page.context().close();
  });

  it('a proof is taken to the cursor; where the text above is another none is', async () => {
    const page = await bench.open(`${at('here.v', 6)}&pane=similar`);
    await checked(page);
    const take = page
      .locator('.similar li', { hasText: 'elsewhere' })
      .getByRole('button', { name: 'Take the proof' });
    await take.click();
    await expect
      .poll(async () => (await page.locator('.cm-line').allInnerTexts()).join('\n'))
      .toMatch(/Lemma wanted[^]*intro same\. now rewrite same\.[^]*Lemma behind/u);
    await page.locator('.cm-content').press('Control+z');
    await page.locator('.cm-content').press('Control+Home');
    await page.getByText('There is no goal at the cursor.').waitFor();
    expect(await page.locator('.similar li').count()).toBe(0);
    await page.context().close();
  });
});
