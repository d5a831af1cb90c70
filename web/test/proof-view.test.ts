/** Proofs as trees in the page: walked by keys, beside each other, sent to others, and thousands of goals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfAccess, picture } from './looking.ts';
import { Workbench, missing } from './workbench.ts';

const FILE = `Lemma swap (p q r : Prop) : p /\\ q /\\ r -> r /\\ q /\\ p.
Proof.
  intros [hp [hq hr]].
  split.
  - exact hr.
  - split.
    + exact hq.
    + exact hp.
Qed.

Lemma swap_short (p q r : Prop) : p /\\ q /\\ r -> r /\\ q /\\ p.
Proof. tauto. Qed.

Lemma partial (P Q R : Prop) : P -> Q -> P /\\ (Q /\\ R).
Proof.
  intros p q. split.
  - exact p.
  - split.
    + exact q.
    +
Admitted.

Notation "'<img' 'src=x' 'onerror=window.hit=1>' n" := (n = n) (at level 70).
Lemma markup : <img src=x onerror=window.hit=1> 1.
Proof. reflexivity. Qed.
`;

const BELOW = `Lemma left_open (n : nat) : n = n + 0.
Proof. Admitted.
Lemma rests (n : nat) : n = n + 0.
Proof. apply left_open. Qed.
`;

const GOALS = 700;
const MANY = `Fixpoint conj (n : nat) : Prop := match n with 0 => True | S m => True /\\ conj m end.
Lemma many : conj ${GOALS}.
Proof.
${'  split. exact I.\n'.repeat(GOALS)}  exact I.
Qed.
`;

describe.skipIf(missing !== undefined)('proofs in the workbench', () => {
  const bench = new Workbench({ 'a.v': FILE, 'below.v': BELOW, 'many.v': MANY });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const proofOf = (theorem: string, more = ''): string => `/ui/proof/a.v?theorem=${theorem}${more}`;

  it('a finished proof says that it rests on what is open', async () => {
    const page = await bench.open('/ui/proof/below.v?theorem=rests');
    await page.locator('.proof-head .badge', { hasText: '1 open below' }).waitFor();
    await page.context().close();
    const alone = await bench.open(proofOf('swap'));
    await alone.getByRole('tree').waitFor();
    expect(await alone.locator('.proof-head .badge', { hasText: 'open below' }).count()).toBe(0);
    await alone.context().close();
  });

  it('what a file rests on may not be told: why is shown, and nothing is green', async () => {
    const page = await bench.open(proofOf('swap'));
    await page.locator('.proof-head .badge.good').waitFor();
    const problem = { status: 500, reason: 'internal', detail: 'The libraries cannot be looked at.' };
    await page.route('**/api/source/rests-on?*', (route) => route.fulfill({ status: 500, json: problem }));
    await page.reload();
    await page.locator('.proof-shown .error-note', { hasText: problem.detail }).waitFor();
    await page.getByRole('tree').waitFor();
    expect(await page.locator('.proof-head .badge.good').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.proof-head .badge.good').waitFor();
    expect(await page.locator('.proof-shown .error-note').count()).toBe(0);
    await page.context().close();
  });

  it('two answers that go on differing are not asked for for ever, and are when a file changes', async () => {
    bench.write('again.v', FILE);
    const page = await bench.open('/ui/proof/again.v?theorem=swap');
    await page.locator('.proof-head .badge.good').waitFor();
    let told = 0;
    await page.route('**/api/source/rests-on?*', async (route) => {
      const response = await route.fetch();
      const rests = (await response.json()) as object;
      told += 1;
      await route.fulfill({ response, json: { ...rests, libraries: `never the same ${told}` } });
    });
    await page.reload();
    await page
      .getByText('What it requires, or what its project tells Rocq, has changed since: load this page again.')
      .waitFor();
    // What was asked last may be on its way.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1000))');
    const before = told;
    expect(before).toBeLessThan(8);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1000))');
    expect(told).toBe(before);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    bench.write('again.v', `${FILE}(* more *)\n`);
    await page.locator('.proof-head .badge.good').waitFor();
    await page.context().close();
  });

  it('a partial proof says what is open; keys lead there, and the goal stands beside it', async () => {
    const page = await bench.open(proofOf('partial'));
    await page.getByRole('tree').waitFor();
    await page.locator('.proof-head .badge', { hasText: 'admitted, not proved' }).waitFor();
    await page.keyboard.press('o');
    const open = page.getByRole('treeitem', { selected: true });
    await expect.poll(() => open.getAttribute('aria-label')).toContain('⊢ R, ○ open');
    await expect.poll(() => page.locator('.proof-goals .conclusion').first().innerText()).toBe('⊢ R');
    await expect
      .poll(() => page.locator('.proof-goals .name').allInnerTexts())
      .toEqual(expect.arrayContaining(['P', 'Q', 'R', 'p', 'q']));
    await picture(page, 'proof-partial');
    await page.context().close();
  });

  it('every sentence is walked with its goals, and the server is asked for nothing more', async () => {
    const page = await bench.open(proofOf('swap'));
    await page.getByRole('tree').waitFor();
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    const goals = (): Promise<string[]> => page.locator('.behind ~ .goal-text .conclusion').allInnerTexts();
    const walked: string[][] = [];
    for (let sentence = 0; sentence < 10; sentence += 1) {
      walked.push(await goals());
      await page.keyboard.press('n');
    }
    expect(walked.slice(2)).toEqual([
      ['⊢ r /\\ q /\\ p'],
      ['⊢ r', '⊢ q /\\ p'],
      ['⊢ r'],
      [],
      ['⊢ q /\\ p'],
      ['⊢ q', '⊢ p'],
      ['⊢ q'],
      [],
    ]);
    await page.keyboard.press('p');
    expect(calls.filter((path) => path.startsWith('/api/proof'))).toEqual([]);
    await page.context().close();
  });

  it('the tree is a tree for screen readers and the keyboard; what is folded unfolds', async () => {
    const page = await bench.open(proofOf('swap'));
    const tree = page.getByRole('tree');
    await tree.focus();
    const items = (): Promise<number> => page.getByRole('treeitem').count();
    const folded = await items();
    const chosen = (): Promise<string | null> =>
      page.getByRole('treeitem', { selected: true }).getAttribute('aria-label');
    await page.keyboard.press('Home');
    const root = await chosen();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen()).not.toBe(root);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen()).toBe(root);
    await page.getByLabel('Every step').check();
    await expect.poll(items).toBeGreaterThan(folded);
    await page.getByLabel('Every step').uncheck();
    await expect.poll(items).toBe(folded);
    const closed = page.getByRole('treeitem', { expanded: false }).first();
    await closed.click();
    await page.keyboard.press('Enter');
    await expect.poll(items).toBeGreaterThan(folded);
    await page.context().close();
  });

  it('the export is one page that runs nothing, loads nothing, and shows names that look like markup as text', async () => {
    const page = await bench.open(proofOf('markup'));
    await page.getByRole('tree').waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
    expect(saved.suggestedFilename()).toBe('markup.html');
    const path = await saved.path();
    expect(readFileSync(path, 'utf8')).not.toMatch(/<script|<img|https?:\/\/(?!www\.w3\.org)/);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    // Somebody else, who has no Quod, opens it; once with scripts and once without.
    for (const javaScriptEnabled of [true, false]) {
      const other = await (await bench.person({ javaScriptEnabled })).newPage();
      const asked: string[] = [];
      other.on('request', (request) => asked.push(request.url()));
      bench.write('../markup.html', readFileSync(path, 'utf8'));
      const address = pathToFileURL(`${bench.folder}/../markup.html`).href;
      await other.goto(address);
      await expect
        .poll(() => other.locator('svg').first().textContent())
        .toContain('<img src=x onerror=window.hit=1> 1');
      await other.locator('summary').first().click();
      await expect
        .poll(() => other.locator('details[open] .goal').first().innerText())
        .toContain('<img src=x');
      expect(asked).toEqual([address]);
      if (javaScriptEnabled) expect(await other.evaluate('window.hit')).toBeUndefined();
      if (javaScriptEnabled) await picture(other, 'proof-page');
      await other.context().close();
    }
    await page.context().close();
  });

  it('two proofs of one theorem stand beside each other, and a reload shows the same', async () => {
    const page = await bench.open(proofOf('swap'));
    await page.getByRole('tree').waitFor();
    await page.getByLabel('Beside').selectOption('a.v#swap_short');
    await expect.poll(() => page.getByRole('tree').count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.getByRole('tree').count()).toBe(2);
    await picture(page, 'proof-beside');
    expect(await faultsOfAccess(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export page' }).click(),
    ]);
    expect(readFileSync(await saved.path(), 'utf8').match(/<article>/g)).toHaveLength(2);
    await saved.saveAs(join(bench.folder, 'beside.html'));
    const sent = await page.context().newPage();
    await sent.goto(pathToFileURL(join(bench.folder, 'beside.html')).href);
    await sent.locator('article').first().waitFor();
    expect(await faultsOfAccess(sent)).toEqual([]);
    await page.context().close();
  });

  it('in a narrow window the boxes stand below each other, and none is cut off', async () => {
    for (const width of [320, 1280]) {
      const page = await bench.open(proofOf('swap'), { viewport: { width, height: 720 } });
      const tree = page.getByRole('tree');
      await tree.waitFor();
      await page.getByLabel('Every step').check();
      const boxes = page.getByRole('treeitem');
      await expect.poll(() => boxes.count()).toBeGreaterThan(2);
      const overflow = (): Promise<number> => tree.evaluate((one) => one.scrollWidth - one.clientWidth);
      await expect.poll(overflow).toBe(0);
      for (const box of await boxes.all()) {
        const at = await box.boundingBox();
        expect(at?.x).toBeGreaterThanOrEqual(0);
        expect((at?.x ?? 0) + (at?.width ?? Infinity)).toBeLessThanOrEqual(width);
      }
      // Also the last of a large proof is reached, by the keys.
      await tree.focus();
      await page.keyboard.press('End');
      await page.getByRole('treeitem', { selected: true }).waitFor();
      await page.context().close();
    }
    const page = await bench.open('/ui/proof/many.v?theorem=many', { viewport: { width: 320, height: 720 } });
    const tree = page.getByRole('tree');
    await tree.waitFor({ timeout: 110_000 });
    await page.getByLabel('Every step').check();
    await expect.poll(() => tree.evaluate((one) => one.scrollHeight)).toBeGreaterThan(20_000);
    expect(await tree.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.context().close();
  });

  it('of thousands of goals only those in view are in the page', async () => {
    const page = await bench.open('/ui/proof/many.v?theorem=many');
    await page.getByRole('tree').waitFor({ timeout: 110_000 });
    await page.getByLabel('Every step').check();
    const drawn = (): Promise<number> => page.getByRole('treeitem').count();
    await expect.poll(drawn).toBeGreaterThan(3);
    expect(await drawn()).toBeLessThan(60);
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).count()).toBe(1);
    expect(await drawn()).toBeLessThan(60);
    const last = await page.getByRole('treeitem', { selected: true }).getAttribute('aria-level');
    expect(Number(last)).toBe(GOALS + 1);
    await page.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 320, height: 720 } }],
  ])('axe finds nothing wrong: %s', async (name, options) => {
    const page = await bench.open(proofOf('swap'), options);
    await page.getByRole('tree').waitFor();
    await picture(page, `proof-${name}`);
    expect(await faultsOfAccess(page)).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });
});
