/** What a theorem rests on and what is wrong with a file, as the page tells it: what is to be done apart from what only follows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARD, at } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const FILES = {
  _CoqProject: '-Q . My\nbase.v\nuser.v\nbroken.v\nclosing.v\n',
  'base.v': `Axiom choice : forall P : nat -> Prop, (exists n, P n) -> {n | P n}.
Lemma begun : 1 = 1.
Proof.
Admitted.
`,
  'user.v': `From My Require Import base.
Theorem a_theorem_with_quite_a_long_name_that_uses_choice : {n | n = 3}.
Proof. apply choice. exists 3. reflexivity. Qed.
Theorem by_begun : 1 = 1.
Proof. exact begun. Qed.
Theorem clean : 2 = 2.
Proof. reflexivity. Qed.
`,
  'broken.v': `Definition weight (n : nat) : nat := nowhere n.
Lemma weight_zero : weight 0 = 0.
Proof. reflexivity. Qed.
Lemma own (n : nat) : n + 0 = n.
Proof. reflexivity. Qed.
Lemma weight_one : weight 1 = 1.
Proof. reflexivity. Qed.
`,
  'closing.v': `Lemma bad_close (n : nat) : n + 0 = n.
Proof.
  induction n.
Qed.
Check bad_close.
Lemma by_bad (n : nat) : n + 0 = n.
Proof. exact (bad_close n). Qed.
`,
  'hard.v': HARD,
};

describe.skipIf(missing !== undefined)(`grounds and faults in the workbench${whyNot}`, () => {
  const bench = new Workbench(FILES);
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('an axiom is no hole: what rests on it alone is proved, and is told apart from what is open', async () => {
    const page = await bench.open('/ui/project');
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    const figures = page.locator('.figures');
    await expect
      .poll(async () => (await figures.innerText()).replace(/\s+/gu, ' '), { timeout: 120_000 })
      .toMatch(/fully proved 1 proved on axioms 1 open 2/u);
    const file = page.locator('.file-tree .virtual-row', { hasText: 'user.v' });
    await expect
      .poll(() => file.locator('.badge-word').allInnerTexts())
      .toEqual(['2 proved', '1 open below', '1 on axioms']);
    const row = page.locator('.statements .virtual-row', { hasText: 'uses_choice' });
    await expect.poll(() => row.locator('.badge-word').allInnerTexts()).toEqual(['proved', 'on 1 axiom']);
    await row.click();
    await page.getByText('It rests on axioms: choice. Nobody has to prove those.').waitFor();
    await page.getByText('Nothing of this project is open under it.').waitFor();
    await page.getByLabel('open only').check();
    await expect.poll(() => row.count()).toBe(0);
    await page.locator('.statements .virtual-row', { hasText: 'by_begun' }).waitFor();
    await page.context().close();
  });

  it('what rests on a proof that has an error says so, in the project and in the file', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('.build-faults li', { hasText: 'closing.v:4:0' }).waitFor();
    const words = (rows: string, name: string) =>
      page
        .locator(rows, { has: page.locator('code, strong', { hasText: new RegExp(`^${name}$`, 'u') }) })
        .locator('.badge-word')
        .allInnerTexts();
    await expect.poll(() => words('.statements .virtual-row', 'bad_close')).toEqual(['error']);
    await expect
      .poll(() => words('.statements .virtual-row', 'by_bad'))
      .toEqual(['does not compile', 'error below']);
    await page.locator('.statements .virtual-row', { hasText: 'by_bad' }).click();
    await page.getByText('It rests on bad_close, which has an error.').waitFor();
    await page.getByText('Nothing else of this project').waitFor();
    await page.goto(`${bench.url}/ui/file/closing.v?line=5`);
    await expect.poll(() => words('.outline-row', 'bad_close')).toEqual(['error']);
    await expect.poll(() => words('.outline-row', 'by_bad')).toEqual(['does not compile', 'error below']);
    await page.context().close();
  });

  it('a file says of what is open in others as much as the project', async () => {
    bench.write(
      'unbuilt.v',
      'From My Require Import base.\nTheorem by_hole : 1 = 1.\nProof. exact begun. Qed.\n',
    );
    const page = await bench.open('/ui/file/unbuilt.v');
    const row = page.locator('.outline-row', { hasText: 'by_hole' });
    await expect
      .poll(() => row.locator('.badge-word').allInnerTexts())
      .toEqual(['not compiled', '1 open below']);
    await page.getByText('1 statement, nothing open, 1 with something open below').waitFor();
    await page.context().close();
  });

  it('in a narrow window states are signs that say their word, and nothing hangs over while something is at work', async () => {
    const page = await bench.open(`${at('hard.v', 4)}&pane=prove`, { viewport: { width: 320, height: 720 } });
    await page.getByRole('button', { name: 'Prove hard' }).click();
    await page.getByRole('button', { name: '1 at work' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.locator('#side').getByRole('button', { name: 'Stop' }).click();
    await page.goto(`${bench.url}/ui/project`);
    const row = page.locator('.statements .virtual-row', { hasText: 'uses_choice' });
    await row.waitFor();
    const [first] = await row.locator('.badge').all();
    expect(await first?.getAttribute('title')).toMatch(/^(?:proved$|not compiled: )/u);
    expect((await first?.boundingBox())?.width).toBeLessThan(30);
    // Behind two signs it has more of the line than what stands behind it.
    const widthOf = async (what: string) => (await row.locator(what).boundingBox())?.width ?? 0;
    expect(await widthOf('.statement-name')).toBeGreaterThan(await widthOf('.faint'));
    expect(await widthOf('.statement-name')).toBeGreaterThan(100);
    await page.context().close();
  });

  it('errors that follow are folded under their cause, in the list, in the text and at the cursor', async () => {
    const page = await bench.open('/ui/file/broken.v?line=9');
    const list = page.getByRole('region', { name: 'Errors' });
    await list.getByText('2 errors, and 2 that may follow from them').waitFor();
    const shown = (): Promise<string[]> => list.locator('.fault-line:visible').allInnerTexts();
    expect(await shown()).toEqual(['1', '5']);
    await list.getByText('2 errors may follow from it').click();
    await expect.poll(shown).toEqual(['1', '2', '6', '5']);
    await page.locator('button.badge.bad', { hasText: /^2 errors$/u }).waitFor();
    expect(await page.locator('.cm-content .fault.follows').count()).toBe(2);
    await expect
      .poll(() => page.locator('.outline-row .badge-word').allInnerTexts())
      .toEqual(['error', 'follows', 'error', 'follows']);
    await list.locator('.fault-row', { hasText: /^6/u }).click();
    const note = page.locator('.error-note', { hasText: 'It may follow from weight' });
    await note.getByRole('button', { name: 'Its cause, line 1' }).click();
    await page.locator('.error-note', { hasText: 'nowhere' }).waitFor();
    // From one error of its own to the next, past what follows.
    await page.keyboard.press('F8');
    await page.keyboard.press('F8');
    await page.locator('.error-note', { hasText: 'Unable to unify' }).waitFor();
    await page.context().close();
  });
});
