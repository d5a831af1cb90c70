/** While nobody answers, nothing is shown as if somebody had just said it; and nobody is asked who cannot answer. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

/** Longer than the page waits for a sign of the server. */
const LONG_MS = 60_000;

/** Takes longer than anybody waits. */
const SLOW = `Fixpoint f n := match n with 0 => 0 | S m => f m + f m end.
Lemma slow : f 60 = 0.
Proof. vm_compute. reflexivity. Qed.
`;

vi.setConfig({ testTimeout: 240_000 });

describe.skipIf(missing !== undefined)(`a workbench whose server is silent${whyNot}`, () => {
  const bench = new Workbench({ 'swap.v': SWAP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('nothing is green while the server holds its line open and answers nothing', async () => {
    const page = await bench.open(`${at('swap.v', 4)}&pane=try`);
    await page.clock.install();
    await page.reload();
    await checked(page);
    await page.getByRole('button', { name: /^Try \d/u }).click();
    await page.locator('.alternatives:not(.of-before)').waitFor();
    const { child } = bench.server;
    child.kill('SIGSTOP');
    try {
      await page.clock.fastForward(LONG_MS);
      await page.locator('.lamp.lost').waitFor();
      expect(await page.locator('.text-pane .badge.good').count()).toBe(0);
      await page.locator('.try').getByText('The server does not answer').waitFor();
      expect(await page.locator('.alternatives.of-before').count()).toBe(1);
    } finally {
      child.kill('SIGCONT');
    }
    await page.clock.fastForward(LONG_MS);
    await page.locator('.lamp.connected').waitFor();
    await checked(page);
    await page.locator('.alternatives:not(.of-before)').waitFor();
    await page.context().close();
  });

  it('what is typed is not shown as checked before it is', async () => {
    const page = await bench.open(at('swap.v', 4));
    await checked(page);
    await page.route('**/api/rocq/text-check', () => undefined);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Check 1.');
    await page.locator('.text-pane .badge.live').waitFor();
    expect(await page.locator('.text-pane .badge.good').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  it('goes on by itself when the network is there again, and does not say meanwhile that the server has ended', async () => {
    const page = await bench.open(at('swap.v', 4));
    await checked(page);
    await page.context().setOffline(true);
    await page.locator('.cm-content').press('Control+End');
    await page.keyboard.type('Check 1.');
    const banner = page.locator('.banner');
    await banner.getByText('This browser is offline').waitFor();
    expect(await banner.innerText()).not.toContain('The server of this page has ended');
    // Whatever was on its way has failed by then.
    await page.locator('.text-pane .badge', { hasText: 'not checked' }).waitFor();
    await page.context().setOffline(false);
    // Nobody touches the page.
    await banner.waitFor({ state: 'detached' });
    await page.locator('.lamp.connected').waitFor();
    await checked(page);
    await page.context().close();
  });

  it('a sentence that takes long is named while it runs', async () => {
    bench.write('slow.v', SLOW);
    const page = await bench.open(at('slow.v', 4));
    await page.locator('.goals').getByText('Rocq runs the sentence of line 3').waitFor();
    expect(await page.locator('.text-pane .badge.live').innerText()).toBe('3 of 6');
    await page
      .locator('.goals')
      .getByText(/, for \d+ seconds at the most: vm_compute\.$/u)
      .waitFor();
    await page.context().close();
  });

  it('a page that was not admitted does not ask for what happens, again and again', async () => {
    const page = await (await bench.person()).newPage();
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/live')) asked += 1;
    });
    await page.goto(`${bench.url}/ui/`);
    await page.locator('.door').waitFor();
    await page.waitForLoadState('networkidle');
    for (let round = 0; round < 5; round += 1) {
      await page.clock.fastForward(LONG_MS);
      await page.waitForLoadState('networkidle');
    }
    expect(asked).toBeLessThan(2);
    await page.context().close();
  });
});
