/** A search in the page: it is started, followed, given more time, and what it finds is put into the text. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARD, SWAP, at, checked } from './file-page.ts';
import { faultsOfAccess, picture } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

/** Two goals that no search closes, and two that any does, side by side. */
const FERMAT = 'S a ^ (n + 3) + S b ^ (n + 3) <> S c ^ (n + 3)';
const FALSE = `Lemma too_much (n : nat) : n + n = n.
Proof.
Admitted.
`;
/** The gate can judge nothing behind the error. */
const FALSE_BEHIND = `Lemma unfinished (n : nat) : n + 0 = n.
Proof.
  induction n.
Qed.

${FALSE}`;
const BESIDE = `Require Import PeanoNat.
Lemma beside (a b c n : nat) (p q : Prop) :
  p -> q -> (${FERMAT}) /\\ p /\\ (n = 0 -> ${FERMAT}) /\\ q.
Proof.
Admitted.
`;

describe.skipIf(missing !== undefined)(`a search in the workbench${whyNot}`, () => {
  const bench = new Workbench({
    'live.v': SWAP,
    'hard.v': HARD,
    'beside.v': BESIDE,
    'false.v': FALSE,
    'behind.v': FALSE_BEHIND,
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const onDisk = (name: string): string => readFileSync(join(bench.folder, name), 'utf8');

  it('a hole is proved by the search; a reload in the middle changes nothing; the proof is written when a person says so', async () => {
    const page = await bench.open('/ui/file/live.v');
    await checked(page);
    await page.locator('.outline-row', { hasText: 'add_zero' }).click();
    await page.getByRole('button', { name: 'Prove…' }).click();
    // It is the server's as soon as that has answered; a reload before takes the request back.
    const begun = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/jobs') && answer.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Prove add_zero' }).click();
    await begun;
    await page.reload();
    await page.getByRole('button', { name: 'Accept the change' }).waitFor();
    expect(onDisk('live.v')).toBe(SWAP);
    await page.getByText('1 of 1 proved').waitFor();
    await picture(page, 'prove');
    // What is typed above moves the theorem; the proof goes where it stands now.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('(* Above. *)\n\n');
    await page.getByRole('button', { name: 'Accept the change' }).click();
    await page.getByText('in the text, not saved yet').waitFor();
    // Of a proof that was found nothing is left to be taken.
    expect(await page.getByRole('button', { name: 'Take the proof as far as here' }).count()).toBe(0);
    expect(await page.locator('.search').innerText()).not.toContain('still open');
    expect(onDisk('live.v')).toBe(SWAP);
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    await page.getByText('in the file', { exact: true }).waitFor();
    expect(onDisk('live.v')).toMatch(/^\(\* Above\. \*\)\n\n/u);
    expect(onDisk('live.v')).not.toContain('Admitted');
    expect(onDisk('live.v')).toContain('Lemma swap');
    await page.context().close();
  });

  it('of what is false the proof is shown, with what the gate accepted of it', async () => {
    const page = await bench.open('/ui/file/false.v');
    await checked(page);
    await page.locator('.outline-row', { hasText: 'too_much' }).click();
    await page.getByRole('button', { name: 'Prove…' }).waitFor();
    // What the pane offers, by its button or from the text.
    await page.locator('.cm-content').press('Control+Enter');
    await page.getByRole('button', { name: 'Prove too_much' }).waitFor();
    await page.locator('.cm-content').press('Control+Enter');
    await page.getByText('It is false for n = 1.').waitFor();
    await page.getByText('The gate accepted a proof that it is false').click();
    expect(await page.locator('.found pre').innerText()).toContain('Theorem too_much_false : ~');
    await page.context().close();
  });

  it('a counterexample that the gate cannot confirm is told all the same, and can be looked for by itself', async () => {
    const page = await bench.open(`${at('behind.v', 6)}&pane=prove`);
    await page.getByRole('button', { name: 'Prove too_much' }).click();
    await page.locator('.found .badge', { hasText: 'false, not confirmed' }).waitFor();
    const said = 'It fails for n = 1; that is not confirmed, because the file has an error before it.';
    const found = await page.locator('.found').innerText();
    expect(found).toContain(said);
    expect(found).not.toContain('Search again with more time');
    await page.getByRole('button', { name: 'Counterexample' }).click();
    await page.getByRole('region', { name: 'Counterexample' }).getByText(said).waitFor();
    await page.goto(`${bench.url}${at('false.v', 1)}&pane=prove`);
    await page.getByRole('button', { name: 'Counterexample' }).click();
    await page.getByRole('region', { name: 'Counterexample' }).getByText('It is false for n = 1.').waitFor();
    await page.getByText('The gate accepted a proof that it is false').waitFor();
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
      await page.locator('.found .badge', { hasText: 'not proved' }).waitFor();
      await page.context().close();
    }
  });

  it('a proof is accepted and saved while the other theorems are searched, and what they give goes where they stand then', async () => {
    const third = 'Lemma zero_add (n : nat) : 0 + n = n.\nProof.\nAdmitted.\n';
    bench.write('holes.v', `${SWAP}${HARD}${third}`);
    const page = await bench.open(`${at('holes.v', 11)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await page.getByRole('button', { name: 'All holes' }).click();
    const found = (name: string) => page.locator('.found li', { hasText: name });
    await page.getByText('1 of 3 theorems searched').or(page.getByText('hard: ')).first().waitFor();
    // The file that a diff is for is the one on the disk, whatever was typed meanwhile.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('(* Above. *)\n\n');
    const download = page.waitForEvent('download');
    await found('add_zero').getByRole('button', { name: 'Save as a diff' }).click();
    const path = join(bench.folder, 'add_zero-of-holes.diff');
    await (await download).saveAs(path);
    execFileSync('git', ['apply', '--check', path], { cwd: bench.folder });
    // Also by two clicks before the page is drawn anew.
    await found('add_zero')
      .getByRole('button', { name: 'Accept the change' })
      .evaluate((button: HTMLElement) => [button, button].forEach((one) => one.click()));
    await page.keyboard.press('Control+s');
    await found('add_zero').getByText('in the file', { exact: true }).waitFor();
    expect(onDisk('holes.v')).toMatch(
      /Above[^]*Lemma add_zero[^]*Qed\.[^]*hard[^]*Admitted[^]*zero_add[^]*Admitted/u,
    );
    // The search went on with the text that it was given.
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByLabel('Seconds for each theorem, of the search that works').fill('1');
    await page.keyboard.press('Enter');
    await found('zero_add').getByRole('button', { name: 'Accept the change' }).click();
    await found('hard').getByText('not proved', { exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await found('zero_add').getByText('in the file', { exact: true }).waitFor();
    await found('add_zero').getByText('in the file', { exact: true }).waitFor();
    const text = onDisk('holes.v');
    expect(text.match(/Admitted/gu)).toHaveLength(1);
    expect(text).toMatch(/Lemma add_zero[^]*Qed\.[^]*hard[^]*Admitted[^]*zero_add[^]*Qed\.\n$/u);
    // All of it is what Rocq takes.
    await checked(page);
    await page.context().close();
  });

  it('all proofs that a search found are accepted at once, and undone at once', async () => {
    const second = 'Lemma zero_add (n : nat) : 0 + n = n.\nProof.\nAdmitted.\n';
    // What is given up is proved, too, and what is behind it was judged with that.
    bench.write('all.v', `${SWAP.replace('Admitted', 'Abort')}${second}`);
    const page = await bench.open(`${at('all.v', 11)}&pane=prove`);
    await checked(page);
    await page.getByRole('button', { name: 'All holes' }).click();
    const all = page.getByRole('button', { name: 'Accept all 2 changes' });
    await all.click();
    await expect.poll(() => page.locator('.found').getByText('in the text, not saved yet').count()).toBe(2);
    expect(await all.count()).toBe(0);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await all.waitFor();
    expect(await page.locator('.found').getByText('in the text, not saved yet').count()).toBe(0);
    await all.click();
    await page.keyboard.press('Control+s');
    await expect.poll(() => page.locator('.found').getByText('in the file', { exact: true }).count()).toBe(2);
    expect(onDisk('all.v')).not.toMatch(/Admitted|Abort/u);
    expect(await page.locator('.found').getByText('The text above has changed').count()).toBe(0);
    await page.context().close();
  });

  it('a file that somebody else changed while a proof was found is not written over', async () => {
    bench.write('raced.v', SWAP);
    const page = await bench.open(`${at('raced.v', 11)}&pane=prove`);
    await checked(page);
    await page.getByRole('button', { name: 'Prove add_zero' }).click();
    await page.getByRole('button', { name: 'Accept the change' }).click();
    const theirs = `(* Theirs. *)\n${SWAP}`;
    bench.write('raced.v', theirs);
    await page.keyboard.press('Control+s');
    await page.locator('.outside').waitFor();
    expect(onDisk('raced.v')).toBe(theirs);
    await page.getByRole('button', { name: 'Join both' }).click();
    await page.keyboard.press('Control+s');
    await expect.poll(() => onDisk('raced.v')).toMatch(/^\(\* Theirs\. \*\)[^]*Lemma add_zero[^]*Qed\.\n$/u);
    await page.context().close();
  });

  it('what is taken of a proof that was not found has every open goal in it, and Rocq takes all of it', async () => {
    const page = await bench.open(`${at('beside.v', 4)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('8');
    await page.getByRole('button', { name: 'Prove beside' }).click();
    await page.locator('.found .badge', { hasText: 'not proved' }).waitFor();
    await page.getByRole('link', { name: 'give it to the agent' }).waitFor();
    const leftAside = page.locator('.chosen-goal .badge', { hasText: /^still open/u });
    expect(await leftAside.getAttribute('title')).toMatch(/^Open when the search ended/u);
    expect(await page.locator('.search .figures div', { hasText: 'dead' }).getAttribute('title')).toMatch(
      /^Given up/u,
    );
    await page.getByRole('img', { name: /^Graph of the search: \d+ goals still open/u }).waitFor();
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

  it('where a search stood is shown, and stated as a lemma where somebody asks for that, with which the theorem is proved', async () => {
    const text = HARD.replace(' :\n', ' (p : Prop) : p ->\n').replace('.\nProof', ' /\\ p.\nProof');
    bench.write('stood.v', text);
    const page = await bench.open(`${at('stood.v', 4)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await page.getByRole('button', { name: 'Prove hard' }).click();
    const solved = page.locator('.search .figures div', { hasText: 'solved' }).locator('dd');
    await expect.poll(async () => Number(await solved.innerText()), { timeout: 60_000 }).toBeGreaterThan(0);
    await page.getByLabel('Seconds for each theorem, of the search that works').fill('1');
    await page.keyboard.press('Enter');
    const stood = page.getByRole('region', { name: 'Where the search for hard stood' });
    // In so little time nobody looked whether it is false, or somebody did.
    await stood.locator('.note', { hasText: /as a lemma/u }).waitFor();
    expect(await stood.locator('.best-goal').innerText()).toMatch(/b : nat[^]*\n⊢ S a \^ /u);
    expect(await faultsOfAccess(page)).toEqual([]);
    // By two clicks before the page is drawn anew it is stated once.
    await stood
      .getByRole('button', { name: 'State it as a lemma' })
      .evaluate((button: HTMLElement) => [button, button].forEach((one) => one.click()));
    await stood.getByText('stated in the text').waitFor();
    expect(onDisk('stood.v')).toBe(text);
    // Before it there were 4.
    await page.locator('.badge.good', { hasText: /^7 sentences checked/u }).waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    expect(onDisk('stood.v').match(/Lemma hard_lemma :/gu)).toHaveLength(1);
    // What is left of the time goes into a proof that needs no open lemma.
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('8');
    await page.getByRole('button', { name: 'Search again' }).click();
    await page.getByText('It rests on what was open itself when it was searched: hard_lemma.').waitFor();
    await page.context().close();
  });

  it('each theorem has the goals and figures of its own search', async () => {
    bench.write('both.v', `${HARD}Lemma last (p : Prop) : p -> p.\nProof.\nAdmitted.\n`);
    const page = await bench.open(`${at('both.v', 5)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await page.getByRole('button', { name: 'All holes' }).click();
    const figure = (title: string) =>
      page.locator('.search .figures div', { hasText: title }).locator('dd').innerText();
    await page.getByRole('heading', { name: 'The goals of hard' }).waitFor();
    await expect.poll(async () => Number(await figure('tried')), { timeout: 60_000 }).toBeGreaterThan(20);
    const budget = page.getByLabel('Seconds for each theorem, of the search that works');
    // Enough for the next one on a slow machine, which may be over before anything more is typed.
    await budget.fill('6');
    await page.keyboard.press('Enter');
    await page.locator('.found li', { hasText: 'hard' }).waitFor();
    await page.getByRole('button', { name: 'Search again' }).waitFor();
    await page.getByLabel('The goals of another theorem').selectOption('last');
    await page.getByRole('heading', { name: 'The goals of last' }).waitFor();
    expect(Number(await figure('tried'))).toBeLessThan(10);
    // What was found of the other is taken from its own.
    await page.locator('.found li', { hasText: 'hard' }).getByRole('button', { name: 'its graph' }).click();
    await page.getByRole('heading', { name: 'The goals of hard' }).waitFor();
    await page.context().close();
  });

  it('what is open above a theorem is named when its search begins, and what a proof rests on as soon as it is accepted', async () => {
    const uses = HARD.replace('Require Import PeanoNat.\n', '').replace('hard', 'uses');
    const more = uses.replace('uses', 'more').replaceAll('n + 3', 'n + 4');
    bench.write('above.v', HARD + uses + more);
    const page = await bench.open(`${at('above.v', 5)}&pane=prove`);
    await checked(page);
    await page.getByLabel('Seconds for each theorem', { exact: true }).fill('600');
    await page.getByRole('button', { name: 'All holes' }).click();
    const budget = page.getByLabel('Seconds for each theorem, of the search that works');
    // Long enough that the next change of the budget comes before it is over, on a slow machine, too.
    await budget.fill('6');
    await page.keyboard.press('Enter');
    await page.locator('.found li', { hasText: 'hard' }).waitFor();
    await budget.fill('600');
    await page.keyboard.press('Enter');
    await page.getByText('uses is proved, if these are: hard').waitFor();
    await page.getByText('Open above it: hard').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.found li', { hasText: 'uses' }).getByText('It rests on what was open').waitFor();
    await page.context().close();
  });

  it('what was proved is not proved any more where its statement or what stands above is another', async () => {
    const above = 'Definition plus_zero (n : nat) := n + 0.\n';
    const lemma = 'Lemma changed (n : nat) : plus_zero n = n.\nProof.\nAdmitted.\n';
    bench.write('changed.v', above + lemma);
    const page = await bench.open(`${at('changed.v', 2)}&pane=prove`);
    await checked(page);
    await page.getByRole('button', { name: 'Prove changed' }).click();
    const badge = page.locator('.found .badge');
    const accept = page.getByRole('button', { name: 'Accept the change' });
    await accept.waitFor();
    expect(await badge.innerText()).toBe('proved');
    const isGreen = (): Promise<boolean> => badge.evaluate((one) => one.classList.contains('good'));
    expect(await isGreen()).toBe(true);
    // On the disk, and reloaded.
    bench.write('changed.v', above + lemma.replace('= n.', '= n + 1.'));
    await page.getByText('The statement is not the one that was searched').waitFor();
    await page.reload();
    await page.getByText('The statement is not the one that was searched').waitFor();
    expect(await isGreen()).toBe(false);
    expect(await accept.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save as a diff' }).count()).toBe(0);
    await page.getByText('1 of 1 proved, when it was searched').waitFor();
    bench.write('changed.v', above.replace('n + 0', 'n + 1') + lemma);
    await page.getByText('The text above has changed since').first().waitFor();
    expect(await isGreen()).toBe(false);
    expect(await accept.count()).toBe(1);
    // As it was, it counts.
    bench.write('changed.v', above + lemma);
    await expect.poll(isGreen).toBe(true);
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
});
