/** The page at work on a file: the real server, the real Rocq, the real Chromium. Nothing stands in for anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orZero } from '../../src/core/entry.ts';
import { SWAP, at, checked, goals } from './file-page.ts';
import { faultsOfAccess, picture } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

describe.skipIf(missing !== undefined)(`a file in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'swap.v': SWAP, 'other.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const onDisk = (name: string): string => readFileSync(join(bench.folder, name), 'utf8');

  it('a finished proof is walked with its goals, and nothing is run again', async () => {
    const page = await bench.open(at('swap.v', 3));
    await checked(page);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const walked = [['q /\\ p'], ['q', 'p'], ['q'], [], ['p'], []];
    for (const expected of walked) {
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(() => goals(page)).toEqual(expected);
    }
    expect(calls.filter((path) => path.endsWith('text-check'))).toEqual([]);
    // Going back asks the server for nothing at all.
    calls.length = 0;
    for (const expected of [['p'], []]) {
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => goals(page)).toEqual(expected);
    }
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => goals(page)).toEqual(['q']);
    expect(calls).toEqual([]);
    await page.context().close();
  });

  it('what changed is marked, and a name says what it is', async () => {
    const page = await bench.open(at('swap.v', 4));
    await checked(page);
    await expect.poll(() => page.locator('.goals .changed dt').allInnerTexts()).toEqual(['hp', 'hq']);
    await page.locator('.goals .t-name').first().click();
    await page.locator('.about-name').waitFor();
    await page.context().close();
  });

  it('an error is shown at its place while one types, and symbols by their names', async () => {
    const page = await bench.open(at('other.v', 12));
    await checked(page);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Require Import Utf8. Check (\\forall x : nat, x = y).');
    await expect.poll(() => page.locator('.fault').allInnerTexts()).toEqual(['y']);
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('∀ x : nat');
    // The count of errors leads to them.
    await page.keyboard.press('Control+Home');
    expect(await page.locator('.cm-activeLine').innerText()).not.toContain('x = y');
    await page.getByRole('button', { name: '1 error' }).click();
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toContain('x = y');
    expect(onDisk('other.v')).toBe(SWAP);
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    expect(onDisk('other.v')).toContain('∀ x : nat');
    await page.context().close();
  });

  it('alternatives are tried side by side, and one is taken', async () => {
    const page = await bench.open(`${at('swap.v', 4)}&pane=try`);
    await checked(page);
    await page.locator('textarea').fill('idtac.\ntauto.\nsplit.\nnonsense.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.alternatives li').nth(3).waitFor();
    await expect
      .poll(() => page.locator('.alternatives .badge').allInnerTexts())
      .toEqual(['closes the proof', '2 goals left', 'no change', 'refused']);
    expect(onDisk('swap.v')).toBe(SWAP);
    await picture(page, 'try');
    // What was typed and tried stays where one looks at something else meanwhile, what was typed over a reload.
    await page.getByRole('tab', { name: 'Goals' }).click();
    await page.getByRole('tab', { name: 'Try' }).click();
    await page.locator('.alternatives li').nth(3).waitFor();
    await page.reload();
    await expect.poll(() => page.locator('textarea').inputValue()).toContain('nonsense.');
    await page.goto(`${bench.url}${at('swap.v', 1)}&pane=try`);
    await checked(page);
    await page.locator('textarea').press('Control+Enter');
    await page.getByText('The cursor is in no proof').waitFor();
    expect(await page.locator('.alternatives li').count()).toBe(0);
    await page.context().close();
  });

  it('what was tried is taken once, and at no other place or text than it was tried for', async () => {
    bench.write('once.v', SWAP);
    const page = await bench.open(`${at('once.v', 4)}&pane=try`);
    await checked(page);
    await page.locator('textarea').fill('tauto.');
    await page.keyboard.press('Control+Enter');
    const take = page.getByRole('button', { name: 'Take tauto.' });
    await take.waitFor();
    await page.keyboard.press('Alt+e');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('It is of another place').waitFor();
    expect(await take.count()).toBe(0);
    await page.keyboard.press('Alt+ArrowUp');
    await take.waitFor();
    // Two clicks of one event loop: the page is not drawn between them.
    await page.evaluate(`
      const button = document.querySelector('[aria-label="Take tauto."]');
      button.click();
      button.click();`);
    await page.getByText('It is of another place').waitFor();
    const text = page.locator('.cm-content');
    expect((await text.innerText()).match(/tauto/gu)).toHaveLength(1);
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('(* so *) ');
    await page.getByText('The text above has changed since').waitFor();
    expect(await take.count()).toBe(0);
    await page.context().close();
  });

  it('goals stand under the name of their own theorem while Rocq is not at the cursor yet', async () => {
    bench.write('heading.v', SWAP);
    const page = await bench.open(at('heading.v', 4));
    await checked(page);
    const heading = page.locator('.here');
    await heading.locator('strong', { hasText: 'swap' }).waitFor();
    await expect.poll(() => page.locator('.of-before').count()).toBe(0);
    // As it is while the prover is busy with something else.
    await page.route('**/text-goals', () => undefined);
    await page.keyboard.press('Control+End');
    await page.locator('.of-before .here', { hasText: 'as it was before' }).waitFor();
    expect(await heading.locator('strong').innerText()).toBe('swap');
    await page.context().close();
  });

  it('of an alternative all goals can be seen, and of a refused one what is wrong before its environment', async () => {
    const text = 'Lemma turn (a b : nat) (H : a = b) : b = a /\\ a = b.\nProof.\n  idtac.\nAdmitted.\n';
    bench.write('turn.v', text);
    const page = await bench.open(`${at('turn.v', 4)}&pane=try`);
    await checked(page);
    await page.locator('textarea').fill('split.\nexact H.');
    await page.keyboard.press('Control+Enter');
    const refused = page.locator('.alternatives li.refused');
    await expect.poll(() => refused.locator('.why').first().innerText()).toMatch(/^The term "H" has type/u);
    await refused.getByText('All that Rocq says').click();
    await refused.getByText('a, b : nat').waitFor();
    const conclusions = page.locator('.alternatives .goal .conclusion');
    expect(await conclusions.allInnerTexts()).toEqual(['b = a']);
    await page.getByRole('button', { name: '1 more goal' }).click();
    await expect.poll(() => conclusions.allInnerTexts()).toEqual(['b = a', 'a = b']);
    await page.context().close();
  });

  it('near proofs are shown as soon as Rocq is at the cursor, and again for another place', async () => {
    const page = await bench.open(`${at('other.v', 9)}&pane=similar`);
    await page.locator('.similar li', { hasText: 'swap' }).or(page.locator('.empty')).first().waitFor();
    expect(await page.locator('.error-note').count()).toBe(0);
    await page.getByRole('button', { name: 'For the goal at the cursor' }).click();
    await page.locator('.similar li').or(page.locator('.empty')).first().waitFor();
    expect(await page.locator('.error-note').count()).toBe(0);
    await page.context().close();
  });

  it('of near proofs it is said which are not known to hold, and none is offered that rests on the theorem', async () => {
    const files = {
      _CoqProject: '-Q . Near\nmine.v\nbad.v\nover.v\n',
      'mine.v': 'Lemma near_mine (x y : nat) : x = y -> y = x.\nProof.\n  idtac.\nAdmitted.\n',
      // The other of that name is open: it is not what is offered.
      'bad.v':
        'Lemma near_bad (x y : nat) : x = y -> y = x.\nProof. exact wrong. Qed.\n' +
        'Module Other.\nLemma near_bad : False.\nProof. Admitted.\nEnd Other.\n',
      'over.v':
        'From Near Require Import mine.\nLemma near_over (x y : nat) : x = y -> y = x.\nProof. apply near_mine. Qed.\n',
    };
    const near = new Workbench(files);
    await near.start();
    try {
      const page = await near.open(`${at('mine.v', 3)}&pane=similar`);
      const offered = page.locator('.similar li', { hasText: 'near_bad' });
      await offered.locator('.badge', { hasText: 'not compiled' }).waitFor();
      expect(await page.locator('.similar li').count()).toBe(1);
      await page.context().close();
    } finally {
      await near.close();
    }
  });

  it('two windows: a change saved in one is seen in the other, and both are joined where both were edited', async () => {
    bench.write('both.v', SWAP);
    const one = await bench.open(at('both.v', 1));
    const two = await bench.open(at('both.v', 1));
    await Promise.all([checked(one), checked(two)]);
    await one.keyboard.type('(* one *) ');
    await one.keyboard.press('Control+s');
    await two.locator('.cm-line', { hasText: '(* one *)' }).waitFor();
    // Now the second has typed something else when the first saves again.
    await two.keyboard.press('Control+End');
    await two.keyboard.type('(* two *)');
    await one.keyboard.type('(* again *) ');
    await one.keyboard.press('Control+s');
    await two.locator('.outside').waitFor();
    await two.getByRole('button', { name: 'Join both' }).click();
    await two.locator('.cm-line', { hasText: '(* again *)' }).waitFor();
    await two.keyboard.press('Control+s');
    await expect.poll(() => onDisk('both.v')).toMatch(/again[^]*two/);
    await one.context().close();
    await two.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 320, height: 720 } }],
  ])('axe finds nothing wrong: %s', async (name, options) => {
    const page = await bench.open(at('other.v', 4), options);
    await page.locator('.goals .conclusion').first().waitFor();
    await page.locator('.text-pane .badge:not(.live)').first().waitFor();
    await page.locator('.goals .changed').first().waitFor();
    await picture(page, `file-${name}`);
    expect(await faultsOfAccess(page)).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // What a pane cuts off is not scrolled to either.
    const save = await page.getByRole('button', { name: 'Save' }).boundingBox();
    expect(save === null ? Infinity : save.x + save.width).toBeLessThanOrEqual(
      orZero(page.viewportSize()?.width),
    );
    await page.context().close();
  });

  it('in a narrow window the name of the file and Save stay in view where the page is scrolled to a line', async () => {
    bench.write('long.v', `${'(* A line. *)\n'.repeat(40)}Lemma last : True.\nProof.\nAdmitted.\n`);
    const page = await bench.open(at('long.v', 41), { viewport: { width: 768, height: 600 } });
    await checked(page);
    const title = page.locator('.text-pane > .pane-title');
    const isBelow = (): Promise<boolean> =>
      title.evaluate((one) => {
        const header = document.querySelector('.header')?.getBoundingClientRect().bottom ?? Infinity;
        return one.getBoundingClientRect().top >= header - 1;
      });
    await page.locator('#main').evaluate((main) => main.scrollTo(0, 150));
    await expect.poll(() => page.locator('#main').evaluate((main) => main.scrollTop)).toBeGreaterThan(100);
    expect(await isBelow()).toBe(true);
    await page.context().close();
  });
});
