/** The gate in the page: files and pasted texts, marks at findings, the signed report, and a reload while it judges. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runQuod } from '../../src/faces/cli/testing/run-quod.ts';
import { faultsOfAccess, picture } from './looking.ts';
import { Workbench, missing } from './workbench.ts';

const TARGET = `Require Import Classical.
Lemma em : forall P : Prop, P \\/ ~ P.
Proof.
Admitted.
`;
const GOOD = `Require Import Classical.
Lemma em : forall P : Prop, P \\/ ~ P.
Proof. exact classic. Qed.
`;
const CHEAT = `Require Import Classical.
(* <img src=x onerror=window.hit=1> *)
Axiom cheat : forall P : Prop, P \\/ ~ P.
Lemma em : forall P : Prop, P \\/ ~ P.
Proof. exact cheat. Qed.
`;

/** As long as what a specification may call a method. */
const PLAN = 'plan, then try with the tools of the prover, and with lemmas of its own';

const CELLS = ['search', PLAN]
  .flatMap((method, at) =>
    Array.from({ length: 12 }, (_, task) =>
      JSON.stringify({
        ...{ method, task: `t${task} <b>`, repeat: 0, group: task < 6 ? '1–5' : '6–10', cost: at * 0.1 },
        ...{ outcome: task % 3 <= at ? 'proved' : 'not-proved', seconds: task, modelCalls: at, toolCalls: 1 },
      }),
    ),
  )
  .join('\n');

/** For whole runs and verdicts, on a machine that is busy with other things. */
const PATIENCE = { timeout: 240_000 };
vi.setConfig({ testTimeout: 500_000 });

describe.skipIf(missing !== undefined)('the gate, benchmarks and data in the workbench', () => {
  const bench = new Workbench({
    ...{ 'Target.v': TARGET, 'Good.v': GOOD, 'Cheat.v': CHEAT },
    'measured/cells.jsonl': `${CELLS}\n`,
  });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('keeps a text that was pasted, whatever one looks at meanwhile', async () => {
    const page = await bench.open('/ui/gate');
    await page.getByRole('button', { name: 'Paste' }).first().click();
    await page.getByLabel('Target: text').fill('Theorem t : True.\nAdmitted.\n');
    for (const view of ['Bench', 'Gate']) await page.getByRole('link', { name: view, exact: true }).click();
    await expect.poll(() => page.getByLabel('Target: text').inputValue()).toContain('Theorem t');
    await page.reload();
    await expect.poll(() => page.getByLabel('Target: text').inputValue()).toContain('Theorem t');
    await page.context().close();
  });

  it('keeps a policy that is being typed, whatever one clicks meanwhile', async () => {
    const page = await bench.open('/ui/gate');
    await page.locator('.policy-form summary').click();
    const json = page.getByLabel('As JSON');
    const helpers = page.getByLabel('A submission may declare helper lemmas');
    const typed = '{"helperLemmas": fal';
    await json.fill(typed);
    await helpers.click({ force: true });
    expect(await json.inputValue()).toBe(typed);
    await page.reload();
    await page.locator('.policy-form summary').click();
    expect(await json.inputValue()).toBe(typed);
    await json.fill('{"helperLemmas": false}');
    await expect.poll(() => helpers.isChecked()).toBe(false);
    const theorems = page.getByLabel('Theorems');
    await theorems.pressSequentially('one, two');
    expect(await theorems.inputValue()).toBe('one, two');
    await page.reload();
    await page.locator('.policy-form summary').click();
    expect(await theorems.inputValue()).toBe('one, two');
    expect(JSON.parse(await json.inputValue())).toEqual({ theorems: ['one', 'two'], helperLemmas: false });
    await page.context().close();
  });

  it('judges a file of the project, also when the page is loaded again meanwhile; the report is genuine', async () => {
    const page = await bench.open('/ui/gate?target=Target.v&submission=Good.v');
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.verdict-list .working, .verdict').first().waitFor();
    await page.goto(`${bench.url}/ui/gate`);
    await page.locator('.verdict-list li a').first().click();
    await page.locator('.verdict-word', { hasText: 'accepted' }).waitFor(PATIENCE);
    await page.locator('.support .axiom', { hasText: 'Classical_Prop.classic' }).waitFor();
    await picture(page, 'gate-accepted');
    expect(await faultsOfAccess(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Signed report' }).click(),
    ]);
    bench.write('kept.dsse.json', readFileSync(await saved.path(), 'utf8'));
    const key = join('.quod', 'verdicts', 'key.pub.pem');
    const checked = (submission: string) =>
      runQuod(
        ['report', 'kept.dsse.json', '--key', key, '--target', 'Target.v', '--submission', submission],
        bench.folder,
      );
    expect(await checked('Good.v')).toMatchObject({ exitCode: 0 });
    expect((await checked('Cheat.v')).exitCode).not.toBe(0);
    const { pathname } = new URL(page.url());
    await page.goto(`${bench.url}/ui/bench`);
    await page.locator('.job-list').getByRole('link', { name: 'accepted' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(pathname);
    await page.locator('.verdict-word', { hasText: 'accepted' }).waitFor();
    await page.context().close();
  });

  it('a text that is dropped is judged, findings stand at their places, and markup in it is text', async () => {
    const page = await bench.open('/ui/gate?target=Target.v');
    const field = page.getByRole('group', { name: 'Submission' });
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'Dropped.v', { type: 'text/plain' }));
      return transfer;
    }, CHEAT);
    await field.dispatchEvent('drop', { dataTransfer: dropped });
    await expect.poll(() => field.getByLabel('Submission: name').inputValue()).toBe('Dropped.v');
    await page.locator('.policy-form summary').click();
    await page.getByLabel('A submission may declare helper lemmas').uncheck();
    await expect.poll(() => page.getByLabel('As JSON').inputValue()).toContain('"helperLemmas": false');
    await picture(page, 'gate-form');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.verdict-word', { hasText: 'rejected' }).waitFor(PATIENCE);
    await page.locator('.finding-list button', { hasText: 'line 3' }).first().click();
    await expect.poll(() => page.locator('.marked-text .found').first().innerText()).toContain('Axiom cheat');
    await expect
      .poll(() => page.locator('.marked-text').innerText())
      .toContain('<img src=x onerror=window.hit=1>');
    expect(await page.locator('.marked-text img').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    await picture(page, 'gate-rejected');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.context().close();
  });

  it('a verdict that was damaged is listed with why, and one that cannot be kept is shown', async () => {
    const own = new Workbench({ 'Target.v': TARGET, 'Good.v': GOOD });
    try {
      await own.start();
      const page = await own.open('/ui/gate?target=Target.v&submission=Good.v');
      await page.getByRole('button', { name: 'Judge' }).click();
      await page.locator('.verdict-word', { hasText: 'accepted' }).waitFor(PATIENCE);
      const kept = join(own.folder, '.quod');
      const [id = ''] = readdirSync(join(kept, 'verdicts')).filter((name) => /^\d/.test(name));
      rmSync(join(kept, 'verdicts', id, 'submission-Good.v'));
      await page.goto(`${own.url}/ui/gate?target=Target.v&submission=Good.v`);
      await page
        .locator('.verdict-list li', { hasText: 'submission-Good.v' })
        .getByText('not shown')
        .waitFor();
      rmSync(kept, { recursive: true });
      writeFileSync(kept, 'no folder');
      await page.getByRole('button', { name: 'Judge' }).click();
      const unkept = page.getByRole('region', { name: 'Verdict that was not kept' });
      await unkept.locator('.verdict-word', { hasText: 'accepted' }).waitFor(PATIENCE);
      await unkept.getByText('could not be kept').waitFor();
    } finally {
      await own.close();
    }
  });

  it('what is accepted but for what is open is not green', async () => {
    const [U, T] = ['Theorem u : 1 = 2. Admitted.\n', 'Theorem t : 1 = 2. '];
    bench.write('Below.v', `${U}${T}Admitted.\n`);
    bench.write('Above.v', `${U}${T}exact u. Qed.\n`);
    const page = await bench.open('/ui/gate?target=Below.v&submission=Above.v');
    await page.locator('.policy-form summary').click();
    await page.getByLabel('As JSON').fill('{"theorems": ["t"]}');
    await page.getByLabel('As JSON').blur();
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.verdict-word', { hasText: 'but for what is open: u' }).waitFor(PATIENCE);
    const badges = page.locator('.badge', { hasText: 'but for what is open' });
    // Until it is known whether the verdict still holds, it is grey.
    const classes = async () =>
      await Promise.all((await badges.all()).map((badge) => badge.getAttribute('class')));
    await expect.poll(classes).toEqual(['badge open', 'badge open']);
    await page.context().close();
  });

  it('a verdict on files that are others now is shown as old, and counts again where they are as they were', async () => {
    bench.write('Old.v', GOOD);
    const page = await bench.open('/ui/gate?target=Target.v&submission=Old.v');
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.verdict-word', { hasText: 'accepted' }).waitFor(PATIENCE);
    const tone = () => page.locator('.verdict-word .badge').getAttribute('class');
    await expect.poll(tone).toBe('badge good');
    for (const [name, text] of [
      ['Old.v', GOOD],
      ['Target.v', TARGET],
    ] as const) {
      bench.write(name, `(* Another. *)\n${text}`);
      await page.getByText('The file has changed since: judge again.').waitFor();
      expect(await tone()).toBe('badge plain');
      expect(await page.locator('.verdict-word').innerText()).toBe('accepted when it was judged');
      bench.write(name, text);
      await expect.poll(tone).toBe('badge good');
    }
    await page.context().close();
  });

  it('a policy that says what there is not is told in the form, and judges nothing', async () => {
    const page = await bench.open('/ui/gate?target=Target.v&submission=Good.v');
    await page.locator('.policy-form summary').click();
    await page.getByLabel('As JSON').fill('{"helperLemma": false}');
    await page.getByLabel('As JSON').blur();
    await page.getByRole('alert').filter({ hasText: 'helperLemma' }).waitFor();
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.hand-in > .error-note', { hasText: 'helperLemma' }).waitFor();
    await page.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 320, height: 720 } }],
  ])('results are tables and plots with intervals, axe finds nothing wrong: %s', async (name, options) => {
    const page = await bench.open('/ui/bench/results/measured', options);
    await page.locator('.plot').first().waitFor();
    const row = page.getByRole('row', { name: /^plan/ });
    await expect.poll(() => row.innerText()).toMatch(/67 %\s*\[39 %–86 %\] 8\/12/);
    await expect.poll(() => page.locator('.plot .interval').count()).toBe(6);
    // Each name is read whole, inside of its plot.
    for (const figure of await page.locator('.plots figure').all()) {
      const legend = figure.locator('.plot-legend li');
      expect(await legend.allInnerTexts()).toEqual(['search', PLAN]);
      const isInside = (item: Element): boolean => {
        const frame = item.closest('figure')?.getBoundingClientRect();
        return (
          item.scrollWidth <= item.clientWidth && item.getBoundingClientRect().right <= (frame?.right ?? 0)
        );
      };
      expect(await legend.last().evaluate(isInside)).toBe(true);
    }
    await expect.poll(() => page.locator('.task-list').innerText()).toContain('t0 <b>');
    // The words of a plot have their size however narrow it is.
    await expect
      .poll(async () => (await page.locator('.plot text').first().boundingBox())?.height)
      .toBeGreaterThanOrEqual(11);
    await picture(page, `bench-${name}`);
    expect(await faultsOfAccess(page)).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });

  it('a data set is counted and paged through', async () => {
    bench.write('src/b.v', 'Lemma one : True /\\ True.\nProof. split. exact I. exact I. Qed.\n');
    expect(await runQuod(['mine', 'src', '-o', 'set'], bench.folder)).toMatchObject({ exitCode: 0 });
    const page = await bench.open('/ui/bench');
    await page.locator('.bench-list a', { hasText: 'set' }).click();
    await page.locator('.items li').first().waitFor();
    await page.getByRole('searchbox').fill('split');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.items li').count()).toBe(1);
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.context().close();
  });
});
