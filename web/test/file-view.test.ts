/** The page at work on a file: the real server, the real Rocq, the real Chromium. Nothing stands in for anything. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orZero } from '../../src/core/entry.ts';
import { Workbench, missing, whyNot } from './workbench.ts';
import { faultsOfAccess, picture } from './looking.ts';

const SWAP = `Lemma swap (p q : Prop) : p /\\ q -> q /\\ p.
Proof.
  intros [hp hq].
  split.
  - exact hq.
  - exact hp.
Qed.

Lemma add_zero (n : nat) : n + 0 = n.
Proof.
Admitted.
`;

const MARKUP = `Notation "'<img' 'src=x' 'onerror=window.hit=1>'" := True.
Lemma markup : <img src=x onerror=window.hit=1> /\\ True.
Proof.
  split.
Admitted.
`;

/** Fermat's: no search ends with a proof of it or a counterexample. */
const HARD = `Require Import PeanoNat.
Lemma hard (a b c n : nat) :
  S a ^ (n + 3) + S b ^ (n + 3) <> S c ^ (n + 3).
Proof.
Admitted.
`;

/** Two goals that no search closes, and two that any does, side by side. */
const FERMAT = 'S a ^ (n + 3) + S b ^ (n + 3) <> S c ^ (n + 3)';
const BESIDE = `Require Import PeanoNat.
Lemma beside (a b c n : nat) (p q : Prop) :
  p -> q -> (${FERMAT}) /\\ p /\\ (n = 0 -> ${FERMAT}) /\\ q.
Proof.
Admitted.
`;

/** A goal of more than a megabyte: a name of a thousand letters, 1,024 times. */
const NAME = 'p'.repeat(1000);
const LARGE = `Fixpoint big (p : Prop) (n : nat) : Prop := match n with 0 => p | S m => big p m /\\ big p m end.
Lemma large (${NAME} : Prop) : big ${NAME} 10.
Proof.
  cbv.
Admitted.
`;

describe.skipIf(missing !== undefined)(`a file in the workbench${whyNot}`, () => {
  const bench = new Workbench({
    'swap.v': SWAP,
    'markup.v': MARKUP,
    'other.v': SWAP,
    'live.v': SWAP,
    'hard.v': HARD,
    'beside.v': BESIDE,
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const onDisk = (name: string): string => readFileSync(join(bench.folder, name), 'utf8');
  const checked = (page: Page): Promise<void> =>
    page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
  const goals = (page: Page): Promise<string[]> => page.locator('.goals .conclusion').allInnerTexts();
  const at = (name: string, line: number): string => `/ui/file/${name}?line=${line}`;

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
    expect(onDisk('other.v')).toBe(SWAP);
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    expect(onDisk('other.v')).toContain('∀ x : nat');
    await page.context().close();
  });

  it('alternatives are tried side by side, and one is taken', async () => {
    const page = await bench.open(`${at('swap.v', 4)}&pane=try`);
    await checked(page);
    await page.locator('textarea').fill('tauto.\nsplit.\nnonsense.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.alternatives li').nth(2).waitFor();
    await expect
      .poll(() => page.locator('.alternatives .badge').allInnerTexts())
      .toEqual(['closes the proof', '2 goals left', 'refused']);
    expect(onDisk('swap.v')).toBe(SWAP);
    await picture(page, 'try');
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

  it('a hole is proved by the search; a reload in the middle changes nothing; the proof is written when a person says so', async () => {
    const page = await bench.open('/ui/file/live.v');
    await checked(page);
    await page.locator('.outline-row', { hasText: 'add_zero' }).click();
    await page.getByRole('button', { name: 'Prove…' }).click();
    await page.getByRole('button', { name: 'Prove add_zero' }).click();
    await page.getByText('Prove add_zero', { exact: true }).last().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Accept the change' }).waitFor();
    expect(onDisk('live.v')).toBe(SWAP);
    await picture(page, 'prove');
    // What is typed above moves the theorem; the proof goes where it stands now.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('(* Above. *)\n\n');
    await page.getByRole('button', { name: 'Accept the change' }).click();
    await page.getByText('in the text, not saved yet').waitFor();
    // Of a proof that was found nothing is left to be taken.
    expect(await page.getByRole('button', { name: 'Take the proof as far as here' }).count()).toBe(0);
    expect(onDisk('live.v')).toBe(SWAP);
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    await page.getByText('in the file', { exact: true }).waitFor();
    expect(onDisk('live.v')).toMatch(/^\(\* Above\. \*\)\n\n/u);
    expect(onDisk('live.v')).not.toContain('Admitted');
    expect(onDisk('live.v')).toContain('Lemma swap');
    await page.context().close();
  });

  it('a search that works gets more time, or less, in every window', async () => {
    const one = await bench.open(`${at('hard.v', 5)}&pane=prove`);
    await checked(one);
    await one.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await one.getByRole('button', { name: 'Prove hard' }).click();
    const two = await bench.open(`${at('hard.v', 5)}&pane=prove`);
    const budgetIn = (page: Page): Promise<string> =>
      page.getByLabel('Seconds for each theorem, of the search that works').inputValue();
    await two.getByRole('button', { name: 'One minute more' }).click();
    await expect.poll(() => budgetIn(one)).toBe('660');
    await expect.poll(() => budgetIn(two)).toBe('660');
    await one.getByLabel('Seconds for each theorem, of the search that works').fill('1');
    await one.keyboard.press('Enter');
    for (const page of [one, two]) {
      await page.locator('.found .badge', { hasText: 'not-proved' }).waitFor();
      await page.context().close();
    }
  });

  it('what became of the first theorem is said while the next is searched', async () => {
    bench.write('both-holes.v', `${SWAP}${HARD}`);
    const page = await bench.open(`${at('both-holes.v', 11)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await page.getByRole('button', { name: 'All holes' }).click();
    await page.locator('.found li', { hasText: /add_zero\s*proved/u }).waitFor();
    await page.getByText('1 of 2 theorems searched').or(page.getByText('hard: ')).first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.context().close();
  });

  it('what is taken of a proof that was not found has every open goal in it, and Rocq takes all of it', async () => {
    const page = await bench.open(`${at('beside.v', 4)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('8');
    await page.getByRole('button', { name: 'Prove beside' }).click();
    await page.locator('.found .badge', { hasText: 'not-proved' }).waitFor();
    await page.getByRole('link', { name: 'give it to the agent' }).waitFor();
    const conclusion = await page.locator('.chosen-goal .term').first().innerText();
    await page.getByRole('button', { name: 'Take the proof as far as here' }).click();
    const told = await page.locator('.toast', { hasText: 'in it' }).innerText();
    // Before it there were 4; an error would be in the place of this.
    await page.locator('.badge.good', { hasText: /^(?!4 )\d+ sentences checked/u }).waitFor();
    const text = (await page.locator('.cm-line').allInnerTexts()).join('\n');
    const admits = text.match(/admit\./gu)?.length;
    expect(admits).toBeGreaterThanOrEqual(2);
    expect(told).toContain(`${admits} goals in it are open`);
    expect(text).toMatch(/Proof\.\n[^]*\nAdmitted\./u);
    // The cursor is at the goal that was chosen.
    await page.keyboard.press('Alt+1');
    const shown = await page.locator('.goals .conclusion').first().innerText();
    const words = (printed: string): string => printed.replace(/[⊢\s]+/gu, ' ').trim();
    expect(words(shown)).toBe(words(conclusion));
    await page.context().close();
  });

  it('a proof that was found can be saved as a diff that git applies', async () => {
    bench.write('diff.v', SWAP);
    const page = await bench.open(`${at('diff.v', 11)}&pane=prove`);
    await checked(page);
    await page.getByRole('button', { name: 'Prove add_zero' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a diff' }).click();
    const path = join(bench.folder, 'add_zero.diff');
    await (await download).saveAs(path);
    execFileSync('git', ['apply', path], { cwd: bench.folder });
    expect(onDisk('diff.v')).toMatch(/Lemma add_zero[^]*Qed\.\n$/u);
    await page.context().close();
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

  it('markup in a notation and a goal is text, and nothing leaves the machine', async () => {
    const page = await bench.open(at('markup.v', 5));
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.locator('.goals .conclusion').first().waitFor();
    expect((await goals(page)).join()).toContain('<img src=x onerror=window.hit=1>');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('.goals img').count()).toBe(0);
    // The policy stops what a defect of ours might let through.
    const blocked = await page.evaluate(() => {
      try {
        document.body.insertAdjacentHTML('beforeend', '<p>markup</p>');
        return 'put in';
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown';
      }
    });
    expect(blocked).toBe('TypeError');
    expect([...hosts].filter((host) => host !== new URL(bench.url).host)).toEqual([]);
    await page.context().close();
  });

  it('a prover that is killed costs nothing but time', async () => {
    const page = await bench.open(at('swap.v', 4));
    await checked(page);
    for (const pid of bench.server.survivors().filter((one) => one !== bench.server.child.pid)) {
      if (/coqidetop/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))) process.kill(pid, 'SIGKILL');
    }
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Check swap.');
    await page.locator('.badge.good', { hasText: '12 sentences checked' }).waitFor();
    expect(readdirSync(bench.folder)).not.toContain('core');
    await page.context().close();
  });

  it('a session that is lost is opened again', async () => {
    const page = await bench.open(`${at('markup.v', 4)}&pane=try`);
    await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
    const ended = await page.evaluate(async () => {
      const key = localStorage.getItem('quod.key') ?? '';
      const headers = { 'quod-client': 'workbench', 'quod-page': key };
      return (await fetch('/api/client', { method: 'DELETE', headers })).status;
    });
    expect(ended).toBe(204);
    await page.locator('textarea').fill('split.');
    await page.keyboard.press('Control+Enter');
    await page.locator('.alternatives li').waitFor();
    await page.context().close();
  });

  it('a goal of a megabyte is cut, and shown whole when that is asked for', async () => {
    bench.write('large.v', LARGE);
    const page = await bench.open(at('large.v', 5));
    await page.locator('.badge.good', { hasText: 'sentences checked' }).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).waitFor();
    expect((await page.locator('.goals .conclusion').innerText()).length).toBeLessThan(30_000);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect
      .poll(async () => (await page.locator('.goals .conclusion').textContent())?.length ?? 0, {
        timeout: 60_000,
      })
      .toBeGreaterThan(1_000_000);
    // The page still answers.
    await page.keyboard.press('Control+k');
    await page.locator('dialog.palette').waitFor();
    await page.context().close();
  });

  it('a file of 20 MB is refused with the reason, and nothing is lost', async () => {
    bench.write('huge.v', '(* filled *)\n'.repeat(1_700_000));
    const page = await bench.open('/ui/file/huge.v');
    await page.locator('.error-note', { hasText: 'more than 10' }).waitFor();
    await page.context().close();
  });

  it('a server that is gone is told of; what was typed is kept, and all goes on when it is back', async () => {
    const page = await bench.open(at('swap.v', 1));
    await checked(page);
    await bench.stop('SIGKILL');
    await page.locator('.banner').waitFor();
    await page.keyboard.type('(* kept *) ');
    await bench.start();
    await page.locator('.banner').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('(* kept *)');
    await page.keyboard.press('Control+s');
    await expect.poll(() => onDisk('swap.v')).toContain('(* kept *)');
    await checked(page);
    await page.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 320, height: 720 } }],
  ])('axe finds nothing wrong: %s', async (name, options) => {
    const page = await bench.open(at('other.v', 4), options);
    await page.locator('.goals .conclusion').first().waitFor();
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
});
