/** An answer that comes late does not take the place of a newer one, nor of what somebody did meanwhile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

/** Takes longer than anybody waits. */
const SLOW = `Fixpoint f n := match n with 0 => 0 | S m => f m + f m end.
Lemma slow : f 60 = 0. Proof. vm_compute. reflexivity. Qed.
`;

vi.setConfig({ testTimeout: 240_000 });

describe.skipIf(missing !== undefined)(`late answers in the workbench${whyNot}`, () => {
  const bench = new Workbench({
    _CoqProject: '-Q . Late\nbase.v\n',
    'base.v': SWAP,
    'swap.v': SWAP,
    'slow.v': SLOW,
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('a list of jobs from before a job had ended does not set it to work again', async () => {
    const page = await bench.open('/ui/gate?target=base.v&submission=slow.v');
    await page.getByRole('button', { name: 'Judge' }).click();
    const stop = page.locator('.verdict-list').getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    const other = await page.context().newPage();
    const held = await hold(other, '/api/jobs', 'GET');
    await other.goto(`${bench.url}/ui/gate`);
    const letGo = await held.answered;
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    await letGo();
    expect(await other.locator('.verdict-list').getByRole('button', { name: 'Stop' }).count()).toBe(0);
    await page.context().close();
  });

  it('a look at the disk that was overtaken does not bring an old text back', async () => {
    const page = await bench.open(at('swap.v', 4));
    await checked(page);
    const held = await hold(page, '/api/source', 'GET');
    bench.write('swap.v', `${SWAP}(* one *)\n`);
    const letGo = await held.answered;
    bench.write('swap.v', `${SWAP}(* two *)\n`);
    const text = page.locator('.cm-content');
    await expect.poll(() => text.innerText()).toContain('two');
    await letGo();
    expect(await text.innerText()).toContain('two');
    expect(await page.locator('.outside').count()).toBe(0);
    bench.write('swap.v', SWAP);
    await expect.poll(() => text.innerText()).not.toContain('two');
    await page.context().close();
  });

  it('saving again while the first saving is on its way writes both, and refuses none', async () => {
    const page = await bench.open(at('base.v', 4));
    await checked(page);
    const held = await hold(page, '/api/source', 'PUT', { isAsked: false });
    await page.keyboard.press('Control+End');
    await page.keyboard.type('(* one *)');
    await page.keyboard.press('Control+s');
    const letGo = await held.answered;
    await page.keyboard.type(' (* two *)');
    await page.keyboard.press('Control+s');
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    await letGo();
    await expect
      .poll(() => readFileSync(join(bench.folder, 'base.v'), 'utf8'))
      .toContain('(* one *) (* two *)');
    await expect.poll(() => page.locator('.toast.good').count()).toBeGreaterThan(0);
    expect(await page.locator('.toast.bad').allInnerTexts()).toEqual([]);
    await page.context().close();
  });

  it('what was tried last is shown, also when the first trial answers later', async () => {
    const page = await bench.open(`${at('swap.v', 4)}&pane=try`);
    await checked(page);
    const held = await hold(page, '/api/rocq/try', 'POST');
    const alternatives = page.locator('.try textarea');
    await alternatives.fill('nonsense.');
    await alternatives.press('Control+Enter');
    const letGo = await held.answered;
    await alternatives.fill('split.');
    await alternatives.press('Control+Enter');
    const shown = page.locator('.alternatives li');
    await shown.filter({ hasText: 'split.' }).waitFor();
    await letGo();
    expect(await shown.filter({ hasText: 'nonsense.' }).count()).toBe(0);
    await page.context().close();
  });

  it('the file that was dropped last is the submission, also when an earlier one is read later', async () => {
    const page = await bench.open('/ui/gate?target=base.v');
    await page.evaluate(`
      const text = File.prototype.text;
      const released = new Promise((resolve) => (window.release = resolve));
      File.prototype.text = function () {
        return this.name === 'Slow.v' ? released.then(() => text.call(this)) : text.call(this);
      };`);
    const field = page.getByRole('group', { name: 'Submission' });
    for (const name of ['Slow.v', 'Fast.v']) {
      const dropped = await page.evaluateHandle((file) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([file], file, { type: 'text/plain' }));
        return transfer;
      }, name);
      await field.dispatchEvent('drop', { dataTransfer: dropped });
    }
    const named = field.getByLabel('Submission: name');
    await expect.poll(() => named.inputValue()).toBe('Fast.v');
    await page.evaluate('release(); new Promise((resolve) => setTimeout(resolve, 100))');
    expect(await named.inputValue()).toBe('Fast.v');
    await page.context().close();
  });

  it('what did not compile in a second build is shown, also while the answer about the first is on its way', async () => {
    const bad = 'Lemma bad : 1 = 2.\nProof. reflexivity. Qed.\n';
    const built = new Workbench({ _CoqProject: '-Q . Late\nbad.v\n', 'bad.v': bad });
    await built.start();
    try {
      const page = await built.open('/ui/project');
      const held = await hold(page, /^\/api\/jobs\/[^/]+\/details$/u, 'GET');
      const build = page.getByRole('button', { name: 'Build', exact: true });
      await build.click();
      const letGo = await held.answered;
      await build.click();
      const faults = page.locator('.build-faults li', { hasText: 'bad.v' });
      await faults.waitFor();
      await letGo();
      expect(await faults.count()).toBe(1);
    } finally {
      await built.close();
    }
  });

  it('a run that begins late takes nobody away from where they have gone', async () => {
    const page = await bench.open('/ui/agent/new?file=swap.v');
    const held = await hold(page, '/api/agent/start', 'POST', {
      answer: 'event: result\ndata: {"run":"late"}\n\n',
    });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const letGo = await held.answered;
    await page.getByRole('link', { name: 'Gate' }).click();
    await page.locator('.hand-in').waitFor();
    await letGo();
    expect(new URL(page.url()).pathname).toBe('/ui/gate');
    await page.context().close();
  });
});

interface Held {
  /** Resolves once the answer is there, with what hands it to the page. */
  readonly answered: Promise<() => Promise<void>>;
}

/**
 * Holds back the answer of the first request for a path, and no other.
 * @param isAsked False: the request itself is held back, too.
 * @param answer In the place of the server's.
 */
async function hold(
  page: Page,
  path: string | RegExp,
  method: string,
  { isAsked = true, answer }: { readonly isAsked?: boolean; readonly answer?: string } = {},
): Promise<Held> {
  let tell: (letGo: () => Promise<void>) => void = () => undefined;
  const answered = new Promise<() => Promise<void>>((resolve) => (tell = resolve));
  let isFirst = true;
  const isWanted = ({ pathname }: URL): boolean =>
    typeof path === 'string' ? pathname === path : path.test(pathname);
  await page.route(isWanted, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.continue();
    isFirst = false;
    const response = isAsked && answer === undefined ? await route.fetch() : undefined;
    tell(async () => {
      if (response !== undefined) await route.fulfill({ response });
      else if (answer === undefined) await route.continue();
      else await route.fulfill({ contentType: 'text/event-stream', body: answer });
      // Whatever the page makes of it is made by then.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    });
  });
  return { answered };
}
