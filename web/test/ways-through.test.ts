/** Ways through the page: by keys and by addresses, and what is in view when one is there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { faultsOfAccess } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const names = Array.from({ length: 200 }, (_, index) => `x${index}`);
const MANY = `Lemma many (b : bool) ${names.map((name) => `(${name} : nat)`).join(' ')} :
  x0 = x1 -> negb (negb b) = b.
Proof.
  intros same.
  idtac.
Admitted.
`;
const APART = `Lemma apart ${names.map((name, index) => `(${name} : ${index % 2 === 0 ? 'nat' : 'bool'})`).join(' ')} : True.
Proof.
  idtac.
Admitted.
`;

describe.skipIf(missing !== undefined)(`ways through the workbench${whyNot}`, () => {
  const bench = new Workbench({
    'swap.v': SWAP,
    'many.v': MANY,
    'apart.v': APART,
    'both.v': SWAP,
    'join.v': SWAP,
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('of many hypotheses those of one type are one line, and the conclusion is in view and no smaller', async () => {
    const page = await bench.open(at('many.v', 6));
    await page.locator('.goals .conclusion').waitFor();
    await expect.poll(() => page.locator('.goals dl > div').count()).toBe(3);
    expect(await page.locator('.goals dt').nth(1).innerText()).toContain('x0, x1, x2');
    const sizeOf = (what: string): Promise<number> =>
      page
        .locator(what)
        .first()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    expect(await sizeOf('.goals .conclusion .term')).toBeGreaterThan(await sizeOf('.goals dd .term'));
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.goto(`${bench.url}${at('apart.v', 4)}`);
    await expect.poll(() => page.locator('.goals dl > div').count()).toBe(200);
    const { y = 0, height = 0 } = (await page.locator('.goals .conclusion').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(800);
    await page.context().close();
  });

  it('in a search field arrows choose and Enter opens, the first hit where none is chosen', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('.statements .virtual-row').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('many');
    await expect.poll(() => page.locator('.statements .virtual-row').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/file\/many\.v/u);
    await page.goto(`${bench.url}/ui/proof`);
    await page.getByLabel('Search theorems').fill('swap');
    await expect.poll(() => page.locator('.theorem-row').count()).toBe(3);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ui\/proof\/swap\.v\?theorem=swap/u);
    await page.context().close();
  });

  it('what is searched and chosen in the project is found again after a reload and after going back', async () => {
    const page = await bench.open('/ui/project');
    await page.getByLabel('Search statements').fill('add_zero');
    await page.locator('.statements .virtual-row', { hasText: 'swap.v' }).click();
    await page.waitForURL(/words=add_zero&at=swap\.v%3Aadd_zero/u);
    const isAsItWas = async (): Promise<void> => {
      await page.locator('.chosen-statement').getByText('Why it is not finished').waitFor();
      expect(await page.getByLabel('Search statements').inputValue()).toBe('add_zero');
    };
    await page.reload();
    await isAsItWas();
    await page.locator('.chosen-statement').getByRole('link', { name: 'swap.v:9' }).click();
    await page.locator('.cm-content').waitFor();
    await page.goBack();
    await isAsItWas();
    await page.context().close();
  });

  it('a file is reloaded at the line of the cursor, and a name alone leads to what it states', async () => {
    const page = await bench.open('/ui/file/swap.v?of=add_zero');
    await checked(page);
    const line = (): Promise<string> => page.locator('.cm-activeLine').innerText();
    await expect.poll(line).toContain('Lemma add_zero');
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/line=10/u);
    // Another pane changes the address, and not the cursor.
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'Try' }).click();
    await page.locator('.cm-content').focus();
    await page.keyboard.type('(*here*)');
    expect(await line()).toBe('Proof.(*here*)');
    await page.keyboard.press('Control+z');
    await page.reload();
    await checked(page);
    await expect.poll(line).toBe('Proof.');
    // To the tree of what the cursor is in.
    await page.getByRole('link', { name: 'Proof', exact: true }).click();
    await page.waitForURL(/\/ui\/proof\/swap\.v\?theorem=add_zero/u);
    await page.context().close();
  });

  it('all that one wants to do first is in the palette, wherever one is', async () => {
    const page = await bench.open('/ui/bench');
    const choose = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
    };
    await choose('search statements');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('statement-words');
    await choose('open a file');
    await page.waitForURL(/\/ui\/file/u);
    await page.goto(`${bench.url}/ui/file/swap.v`);
    await checked(page);
    await choose('prove all holes');
    await page.locator('.search strong', { hasText: 'Prove all of swap.v' }).waitFor();
    await page.context().close();
  });

  it('with unsaved text Ctrl+Enter says what to do, and saving first leads to the search', async () => {
    const page = await bench.open(`${at('both.v', 9)}&pane=prove`);
    await checked(page);
    await page.locator('.cm-content').press('Control+Home');
    await page.keyboard.type('(* 1 *) ');
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast', { hasText: 'save it first' }).waitFor();
    await page.getByRole('button', { name: 'Save first' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('prove');
    await page.context().close();
  });

  it('who joins both changes has no error of before, knows which side was whose, and goes on in the text', async () => {
    const page = await bench.open(at('join.v', 3));
    await checked(page);
    await page.locator('.cm-content').press('Control+Home');
    await page.keyboard.type('(* mine *) ');
    writeFileSync(join(bench.folder, 'join.v'), `${SWAP}(* theirs *)\n`);
    await page.keyboard.press('Control+s');
    await page.locator('.toast.bad').waitFor();
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await page.getByText('− as you have it here, + as it is on the disk').waitFor();
    await page.getByRole('button', { name: 'Join both' }).click();
    await page.locator('.toast.bad').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content');
    await page.context().close();
  });
});
