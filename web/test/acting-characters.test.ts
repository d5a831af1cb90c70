/** Characters that turn the direction of writing, in whatever others wrote: the page draws none of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfAccess } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const OVER = '\u202e';
const NAME = `one${OVER}v.two.v`;
const SHOWN = 'one\\u{202e}v.two.v';
const TEXT = `Require Import String.
Lemma turned : "x${OVER}y\u2066"%string = "x${OVER}y\u2066"%string.
Proof. (* ${OVER} *)
  generalize "z\u2069"%string.
  intros.
  reflexivity.
Qed.
Lemma open_turned : "x${OVER}y\u2066"%string = "x${OVER}y\u2066"%string.
Proof.
Admitted.
Lemma wrong : "a\u202a"%string = "b\u2068"%string.
Proof. reflexivity. Qed.
`;

/** Whatever the page draws with such a character in it: texts, and attributes that are seen or read out. */
const RAW = `(() => {
  const acting = /[\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]/u;
  const found = [];
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null)
    if (acting.test(texts.currentNode.data)) found.push(texts.currentNode.parentElement.outerHTML);
  for (const element of document.querySelectorAll('*'))
    for (const name of ['title', 'placeholder', 'alt', 'label', 'aria-label', 'aria-description'])
      if (acting.test(element.getAttribute(name) ?? '')) found.push(name + ' of ' + element.outerHTML);
  return found;
})()`;

async function expectInert(page: Page, shown: string): Promise<void> {
  await expect.poll(() => page.locator('body').innerText()).toContain(shown);
  expect(await page.evaluate(RAW)).toEqual([]);
}

describe.skipIf(missing !== undefined)(`characters that turn the direction of writing${whyNot}`, () => {
  const bench = new Workbench({ [NAME]: TEXT });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('the project shows them in names of files and in statements, listed, chosen and found', async () => {
    const page = await bench.open('/ui/project');
    await expectInert(page, SHOWN);
    await page.locator('.statements .virtual-row', { hasText: 'open_turned' }).click();
    await expectInert(page, '"x\\u{202e}y\\u{2066}"%string');
    await page.getByLabel('How to search').selectOption('goal');
    await page.locator('#statement-words').fill('"x"%string = "x"%string');
    await page.keyboard.press('Enter');
    await page.locator('.chosen-statement .term').waitFor();
    await expectInert(page, '"x\\u{202e}y\\u{2066}"%string');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('two.v');
    await page.locator('.palette li', { hasText: SHOWN }).waitFor();
    await expectInert(page, `Open ${SHOWN}`);
    await page.context().close();
  });

  it('the file shows them in its text, goals and errors, and keeps them in what is saved', async () => {
    const page = await bench.open(`/ui/file/${encodeURIComponent(NAME)}?line=5`);
    await page.getByRole('button', { name: '1 error' }).waitFor();
    await page.locator('.goals .conclusion').first().waitFor();
    await expectInert(page, '"x\\u{202e}y\\u{2066}"%string');
    await page.locator('.editor .acting-character').first().waitFor();
    await page.locator('.fault').first().hover();
    await page.locator('pre.fault-text', { hasText: '\\u{202a}' }).waitFor();
    await expectInert(page, 'z\\u{2069}');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('(* end *)');
    await page.keyboard.press('Control+s');
    await expect.poll(() => readFileSync(join(bench.folder, NAME), 'utf8')).toBe(`${TEXT}(* end *)`);
    await page.context().close();
  });

  it('a walk through a proof shows them in goals, tactics and the tree', async () => {
    const page = await bench.open(`/ui/proof/${encodeURIComponent(NAME)}?theorem=turned`);
    await page.locator('.goal-text').first().waitFor();
    await expectInert(page, 'x\\u{202e}y\\u{2066}');
    await page.context().close();
  });
});
