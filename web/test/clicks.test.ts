/** What is clicked twice, or reached by keyboard, does what was meant once. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunLog, runsFolder } from '../../src/agent/runs/run-log.ts';
import { mergeSettings } from '../../src/agent/settings.ts';
import { HARD, SWAP, at, checked } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

/** Requests that begin something, by what they begin. */
function beginnings(page: Page): string[] {
  const begun: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'POST') return;
    if (pathname === '/api/jobs') begun.push((request.postDataJSON() as { operation: string }).operation);
    else if (/^\/api\/agent\/(?:start|resume)$/u.test(pathname)) begun.push(pathname);
  });
  return begun;
}

const MANY = { clickCount: 8 };

/** A run over two files that proved a theorem of the second and wrote nothing. @returns its name. */
function recordRun(folder: string): string {
  const files = [
    { file: join(folder, 'hard.v'), theorems: ['hard'] },
    { file: join(folder, 'shapes.v'), theorems: ['b'] },
  ].map((one) => ({ ...one, fileHash: '', text: '' }));
  const log = RunLog.create(runsFolder(folder));
  log.append({
    ...{ kind: 'run-started', format: 1, quod: 'test', file: join(folder, 'hard.v'), fileHash: '' },
    ...{ theorems: ['hard', 'b'], files, task: null, settings: mergeSettings() },
  });
  log.append({ kind: 'theorem-started', key: 'b', theorem: 'b', statement: 'Lemma b : True.' });
  log.append({
    ...{ kind: 'theorem-ended', key: 'b', theorem: 'b', outcome: 'proved', found: 'plan', reason: '' },
    ...{ proof: 'Proof. exact helper. Qed.', restsOnOpen: [] },
    before: 'Local Lemma helper : True.\nProof. exact I. Qed.',
  });
  log.append({ kind: 'run-ended', outcome: 'not-proved', message: '1 of 2 proved' });
  log.close();
  return log.name;
}

describe.skipIf(missing !== undefined)(`clicks in the workbench${whyNot}`, () => {
  const bench = new Workbench({
    _CoqProject: '-Q . My\nhard.v\nswap.v\nshapes.v\n',
    'hard.v': HARD,
    'swap.v': SWAP,
    'shapes.v':
      'Lemma a : True. Admitted. (*k*)Lemma b : True. Admitted.\nTheorem(*k*)\nc : True.\nProof.\nAdmitted.\n',
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('a search, a build, a verdict and a run are begun once by many clicks', async () => {
    const page = await bench.open(`${at('hard.v', 5)}&pane=prove`);
    await checked(page);
    page.setDefaultTimeout(20_000);
    const begun = beginnings(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    const prove = page.getByRole('button', { name: 'Prove hard' });
    await prove.click(MANY);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect(begun).toEqual(['proof_search']);
    // While it works, the same search of the same text is shown.
    const again = page.waitForResponse((answer) => answer.url().includes('/details?from=0'));
    await prove.click();
    await again;
    await page.getByRole('button', { name: 'All holes' }).click();
    await page.locator('.prove select').first().waitFor();
    expect(begun).toEqual(['proof_search', 'proof_search']);
    // Of another text it is another search.
    bench.write('hard.v', HARD.replace('n + 3', 'n + 4'));
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('n + 4');
    await checked(page);
    await prove.click();
    await expect.poll(() => begun).toEqual(['proof_search', 'proof_search', 'proof_search']);
    bench.write('hard.v', HARD);
    begun.length = 0;
    await page.goto(`${bench.url}/ui/`);
    await page.getByRole('button', { name: 'Build', exact: true }).click(MANY);
    await page.getByRole('button', { name: 'Build', exact: true }).waitFor({ state: 'detached' });
    expect(begun).toEqual(['proof_build']);
    await page
      .locator('.build')
      .getByText(/^3 compiled, 0 up to date, 0 failed, 0 left out/u)
      .waitFor();
    begun.length = 0;
    await page.goto(`${bench.url}/ui/gate?target=swap.v&submission=swap.v`);
    await page.getByRole('button', { name: 'Judge' }).click(MANY);
    await page.locator('.verdict-word').waitFor();
    expect(begun).toEqual(['gate_submit']);
    begun.length = 0;
    await page.goto(`${bench.url}/ui/agent/new?file=swap.v`);
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'File' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Minutes').fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Start', exact: true }).click(MANY);
    await page.locator('.run-pane').waitFor();
    expect(begun).toEqual(['/api/agent/start']);
    // It wrote nothing: what it proved is put into the text by hand.
    await page.locator('.run-theorems summary').click();
    await page.getByRole('link', { name: 'Put it into the file' }).click();
    await page.getByRole('button', { name: 'Accept the change' }).click();
    await page.getByTitle('Changed and not saved').waitFor();
    await checked(page);
    expect(await page.locator('.cm-content').innerText()).not.toContain('Admitted');
    await page.context().close();
  });

  it('a proof of a run over several files goes into its own, with the lemmas that it uses', async () => {
    const run = recordRun(bench.folder);
    const page = await bench.open(`/ui/agent/${run}`);
    page.setDefaultTimeout(20_000);
    await page.locator('.run-theorems summary').click();
    await page.locator('.run-theorems pre', { hasText: 'helper : True' }).waitFor();
    await page.getByRole('link', { name: 'Put it into the file' }).click();
    await page.waitForURL(/file\/shapes\.v/u);
    await page.getByRole('button', { name: 'Accept the change' }).click();
    await page.getByTitle('Changed and not saved').waitFor();
    await checked(page);
    const text = await page.locator('.cm-content').innerText();
    expect(text.indexOf('helper : True')).toBeLessThan(text.indexOf('Lemma b'));
    expect(text).toContain('exact helper.');
    expect(await page.getByRole('button', { name: 'Accept the change' }).count()).toBe(0);
    await page.context().close();
  });

  it('a theorem that does not begin its line is the one that is offered, and by keyboard the search begins, not typing', async () => {
    const page = await bench.open('/ui/');
    page.setDefaultTimeout(20_000);
    for (const [name, goal] of [
      ['b', 'Prove b'],
      ['c', 'Prove c'],
    ] as const) {
      await page.goto(`${bench.url}/ui/project?at=shapes.v:${name}`);
      await page.locator('.chosen-statement').getByRole('link', { name: 'Prove…' }).focus();
      await page.keyboard.press('Enter');
      const prove = page.getByRole('button', { name: goal, exact: true });
      await prove.waitFor();
      await expect.poll(() => prove.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.getByRole('button', { name: 'All holes' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Alt+e');
      await page.keyboard.press('Alt+1');
      await checked(page);
      // Behind the next sentence its proof is shown, under its name.
      await page.keyboard.press('Alt+ArrowDown');
      await page.locator('.here strong', { hasText: name }).waitFor();
      expect(await page.getByTitle('Changed and not saved').count()).toBe(0);
    }
    await page.keyboard.press('Alt+1');
    await page.locator('.here').getByRole('button', { name: 'Prove…' }).click();
    const prove = page.getByRole('button', { name: 'Prove c', exact: true });
    await expect.poll(() => prove.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.context().close();
  });

  it('a double click on a statement opens it, and a narrow window shows several', async () => {
    const page = await bench.open('/ui/project', { viewport: { width: 320, height: 640 } });
    page.setDefaultTimeout(20_000);
    const rows = page.locator('.statements .virtual-row');
    await rows.nth(4).waitFor();
    await rows.first().click();
    await page.locator('.chosen-statement .note').first().waitFor();
    const list = await page.locator('.statements .virtual-list').boundingBox();
    expect(list?.height).toBeGreaterThan(5 * 28);
    const pane = await page
      .locator('.statements-pane')
      .evaluate((one) => one.scrollHeight - one.clientHeight);
    expect(pane).toBeLessThanOrEqual(1);
    await page.locator('.statements .virtual-row', { hasText: 'shapes.v' }).nth(1).dblclick();
    await page.waitForURL(/file\/shapes\.v\?line=1&of=b/u);
    await page.context().close();
  });
});
