/**
 * Runs of the agent in the page: a scripted model over real HTTP, the real Rocq; started, told something, stopped,
 * gone on with.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  startModelServer,
  type ChatRequest,
  type Reply,
  type ScriptedModelServer,
} from '../../src/agent/testing/scripted-model-server.ts';
import { foldRun } from '../../src/agent/runs/fold.ts';
import { lookAtRun, runsFolder } from '../../src/agent/runs/run-log.ts';
import { present } from '../../src/core/entry.ts';
import { faultsOfAccess, picture } from './looking.ts';
import { Workbench, missing } from './workbench.ts';

const FILE = 'Lemma second : forall n m, n + S m = S (n + m).\nProof.\nAdmitted.\n';
const REV = `Require Import List. Import ListNotations.
Lemma rev_twice {A} (l : list A) : rev (rev l) = l.
Proof.
Admitted.
`;
const REV_PROOF =
  'Proof. induction l as [|x l IH]. - reflexivity. - simpl. rewrite rev_app_distr. rewrite IH. reflexivity. Qed.';
const PROOF =
  'Proof. intros n m. induction n as [|n IH]. - reflexivity. - simpl. rewrite IH. reflexivity. Qed.';
const MARKUP = '<img src=x onerror=window.hit=1>';
const KEY = 'a-key-that-must-not-come-to-the-page';

const check = (proof: string): Reply => ({
  text: `I try ${MARKUP}`,
  calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }],
});

/** For whole runs and verdicts, on a machine that is busy with other things. */
const PATIENCE = { timeout: 240_000 };
vi.setConfig({ testTimeout: 500_000 });

describe.skipIf(missing !== undefined)('the agent in the workbench', () => {
  const bench = new Workbench({ 'a.v': FILE, 'lists.v': REV });
  let server: ScriptedModelServer | undefined;
  /** What the model is told to do now. */
  let execute: (request: ChatRequest) => Reply = () => ({ silent: true });
  /** What it says where it has no tools. */
  let think: (request: ChatRequest) => string = () =>
    `{"score": 5, "winner": "pro", "plan": "induction on n ${MARKUP}"}`;

  beforeAll(async () => {
    server = await startModelServer((request) =>
      request.tools === undefined ? { text: think(request) } : execute(request),
    );
    process.env['SCRIPTED_KEY'] = KEY;
    const settings = {
      ...{ model: 'scripted/rocq', searchFirst: false, planning: 'direct', plans: 1, plansExecuted: 1 },
      // The model is the one who works here: a script that failed is not gone on with.
      repairSeconds: 0,
      providers: { scripted: { url: server.url, keyVariable: 'SCRIPTED_KEY' } },
    };
    bench.write('.quod/agent.json', JSON.stringify(settings));
    // A folder gives no price to a model that has none: its user does.
    const prices = { 'scripted/rocq': { input: 3, output: 15 } };
    bench.configure('prices.json', JSON.stringify({ date: '2026-11-01', prices }));
    await bench.start();
  });
  afterAll(async () => {
    delete process.env['SCRIPTED_KEY'];
    await bench.close();
    await server?.close();
  });

  const start = async (page: Page): Promise<void> => {
    await page.getByLabel('Try the offline search first').uncheck();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    // The first run of the folder is asked about.
    const allow = page.getByRole('button', { name: /^Allow / });
    await allow.or(page.getByRole('log')).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    await page.getByRole('log').waitFor();
  };

  it('where there is no run yet one is started, and the form keeps what was typed while the list is asked for again', async () => {
    const page = await bench.open('/ui/agent');
    await page.getByRole('heading', { name: 'Start a run' }).waitFor();
    await page.getByRole('combobox', { name: 'File' }).fill('a.v');
    // As the folder has it.
    expect(await page.getByLabel('Try the offline search first').isChecked()).toBe(false);
    const listed = page.waitForResponse((response) => response.url().includes('/api/agent/runs'));
    // Somebody else's run, or one of a terminal.
    bench.write('.quod/runs/somebody/note.json', '{}');
    await listed;
    await expect.poll(() => page.getByRole('combobox', { name: 'File' }).inputValue()).toBe('a.v');
    await page.context().close();
  });

  it('a run from a hole: reload in the middle, a message, stop, go on, proved; the key stays with the server', async () => {
    let isHolding = true;
    execute = ({ messages }) => {
      if (messages.length < 6) return check('intros n m. induction n. reflexivity. nonsense.');
      return isHolding ? { silent: true } : check(PROOF);
    };
    const page = await bench.open('/ui/agent/new?file=a.v&theorem=second');
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      // The live stream does not end; everything else is read whole.
      if (!response.url().endsWith('/api/live')) answers.push(response.text().catch(() => ''));
    });
    await page.getByLabel('Try the offline search first').uncheck();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    // The address stands in the folder only: nothing is sent before a person allows it.
    const { host } = new URL(present(server, 'the server').url);
    await page
      .getByRole('alert')
      .filter({ hasText: `SCRIPTED_KEY, statements and proofs to ${host}` })
      .waitFor();
    expect(server?.requests).toEqual([]);
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.getByRole('button', { name: `Allow ${host}` }).click();
    await page.getByRole('log').waitFor();
    await page.locator('.event', { hasText: 'rocq_check_proof' }).first().waitFor();
    await page.reload();
    await page.locator('.event', { hasText: 'rocq_check_proof' }).first().waitFor();
    await page.locator('.event', { hasText: 'thinks…' }).waitFor();

    await page.getByLabel('A message to the model').fill(`Use ${MARKUP} induction.`);
    await page.keyboard.press('Control+Enter');
    await page.locator('.event.user').waitFor();
    await page.getByLabel('Open all').check();

    const failed = await page.locator('.event.bad').count();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.run-head .badge', { hasText: 'interrupted' }).waitFor(PATIENCE);
    // Nothing failed: what was under way was cut off.
    await page.locator('.event.open', { hasText: 'interrupted' }).waitFor();
    expect(await page.locator('.event.bad').count()).toBe(failed);
    isHolding = false;
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.run-head .badge', { hasText: /^recorded as proved$/ }).waitFor(PATIENCE);
    const heard = server?.requests
      .at(-1)
      ?.body.messages.map(({ content }) => String(content))
      .join('\n');
    expect(heard).toContain(`Use ${MARKUP} induction.`);
    expect(server?.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);

    await page.locator('.event', { hasText: 'gate' }).filter({ hasText: 'accepted' }).first().waitFor();
    await expect.poll(() => page.locator('.run-theorems').innerText()).toMatch(/proved\s*second/);
    expect(await page.locator('.timeline img').count()).toBe(0);
    await expect.poll(() => page.locator('.timeline').innerText()).toContain(MARKUP);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    // What is proved is not gone on with: nobody would read what is said to it.
    expect(await page.getByLabel('A message to the model').isDisabled()).toBe(true);
    expect((await Promise.all(answers)).join('\n')).not.toContain(KEY);
    expect(await page.content()).not.toContain(KEY);
    expect(readFileSync(join(bench.folder, 'a.v'), 'utf8')).toBe(FILE);
    await page.context().close();
  });

  it('a run is read as it went: the plan, what was tried with what Rocq said, a look for a lemma, the verdict', async () => {
    const before = think;
    think = ({ messages }) =>
      messages.some(({ content }) => /You rate plans/u.test(String(content)))
        ? '{"score": 8, "reason": "Induction on l is the usual way; the step needs a lemma on rev and ++."}'
        : 'By induction on l. The step has rev (rev l ++ [x]): find what rev does to ++, then use the hypothesis.';
    const steps: Reply[] = [
      {
        text: 'First the plain induction, to see what is left of the step.',
        calls: [
          {
            name: 'rocq_check_proof',
            arguments: JSON.stringify({
              proof: 'Proof. induction l as [|x l IH]. - reflexivity. - simpl. rewrite IH. reflexivity. Qed.',
            }),
          },
        ],
      },
      {
        text: 'IH does not match before rev is pushed through ++. There should be a lemma.',
        calls: [{ name: 'rocq_search', arguments: JSON.stringify({ pattern: 'rev (_ ++ _)' }) }],
      },
      {
        text: 'rev_app_distr is it.',
        calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof: REV_PROOF }) }],
      },
    ];
    execute = () => steps.shift() ?? { silent: true };
    const page = await bench.open('/ui/agent/new?file=lists.v&theorem=rev_twice');
    await start(page);
    await page.locator('.run-head .badge', { hasText: /^recorded as proved$/ }).waitFor(PATIENCE);
    const rows = page.locator('.event');
    const refused = rows.filter({ hasText: 'rocq_check_proof' }).filter({ hasText: 'failed' });
    await refused.last().locator('summary').click();
    // What Rocq said is there to be read.
    await expect.poll(() => refused.last().innerText()).toMatch(/rev \(rev l\)/u);
    await rows.filter({ hasText: 'rocq_search' }).last().locator('summary').click();
    await expect.poll(() => page.locator('.timeline').innerText()).toContain('rev_app_distr');
    await rows.filter({ hasText: 'accepted' }).first().waitFor();
    // The list of runs says the same as the run.
    const listed = page.locator('.run-list li', { hasText: 'lists.v' }).locator('.badge');
    await listed.filter({ hasText: 'recorded as proved' }).waitFor();
    await refused.last().locator('summary').click();
    await rows.filter({ hasText: 'planner' }).first().scrollIntoViewIfNeeded();
    await picture(page, 'agent-run');
    expect(await faultsOfAccess(page)).toEqual([]);
    think = before;
    await page.context().close();
  });

  it('a second window sees the same run as it grows, and two runs stand beside each other', async () => {
    let isHolding = true;
    execute = () => (isHolding ? { silent: true } : check(PROOF));
    const one = await bench.open('/ui/agent/new?file=a.v');
    const two = await bench.open('/ui/agent');
    await start(one);
    await two.locator('.run-list .badge.live').waitFor();
    await two.locator('.run-list a').first().click();
    await two.locator('.event', { hasText: 'thinks…' }).waitFor();
    await one.getByRole('button', { name: 'Stop' }).click();
    await two.locator('.run-head .badge', { hasText: 'interrupted' }).waitFor(PATIENCE);
    isHolding = false;
    await two.getByRole('button', { name: 'Go on' }).click();
    await two.locator('.run-head .badge', { hasText: /^recorded as proved$/ }).waitFor(PATIENCE);
    await two
      .getByRole('button', { name: /^Beside: run/ })
      .first()
      .click();
    await expect.poll(() => two.getByRole('log').count()).toBe(2);
    await picture(two, 'agent-beside');
    expect(await faultsOfAccess(two)).toEqual([]);
    await one.context().close();
    await two.context().close();
  });

  it('where a model is set up it is the one that is chosen, and a run without any asks it nothing', async () => {
    const asked = server?.requests.length;
    const page = await bench.open('/ui/agent/new?file=a.v&theorem=second');
    const isChosen = (name: RegExp) => page.getByRole('radio', { name }).isChecked();
    await expect.poll(() => isChosen(/set up: scripted\/rocq/u)).toBe(true);
    await page.getByLabel('US dollars').waitFor();
    await page.getByRole('radio', { name: /^No model/u }).check();
    await expect.poll(() => page.getByLabel('US dollars').count()).toBe(0);
    await expect.poll(() => page.getByLabel('Try the offline search first').count()).toBe(0);
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.run-head', { hasText: 'offline search' }).waitFor();
    await page.locator('.run-head .badge', { hasText: /^recorded as proved$/ }).waitFor(PATIENCE);
    await expect.poll(() => page.getByLabel('A message to the model').count()).toBe(0);
    expect(await page.locator('.run-pane').innerText()).not.toMatch(/Say something|the model/u);
    expect(server?.requests).toHaveLength(asked ?? -1);
    await page.context().close();
  });

  it('its time goes on while nothing happens, says what the server says, and stands still when it ends', async () => {
    execute = () => ({ silent: true });
    const page = await bench.open('/ui/agent/new?file=a.v&theorem=second');
    await start(page);
    await page.locator('.event', { hasText: 'thinks…' }).waitFor();
    const name = await page.locator('.run-head strong').innerText();
    /** By the run's own log, from which the server tells it. */
    const logged = (): number => {
      const { records, running } = lookAtRun(runsFolder(bench.folder), name);
      const { elapsedMs } = present(foldRun(records), 'the run');
      const since = running ? Date.now() - Date.parse(present(records.at(-1), 'an event').at) : 0;
      return (elapsedMs + since) / 1000;
    };
    await page.reload();
    const time = page.locator('.budgets > div', { hasText: 'Time' }).locator('dd');
    const secondsIn = (text: string): number => {
      const [, minutes = '0', seconds = ''] = /(?:(\d+) min )?([\d.]+) s$/u.exec(text) ?? [];
      return 60 * Number(minutes) + Number(seconds);
    };
    const drawn = async (): Promise<number> => secondsIn(await time.innerText());
    await expect.poll(drawn).toBeGreaterThan(0);
    const first = await drawn();
    await expect.poll(drawn, { timeout: 30_000 }).toBeGreaterThan(first + 3);
    const shown = await drawn();
    expect(Math.abs(shown - logged())).toBeLessThan(3);
    // In the list, too.
    const listed = page.locator('.run-list li.shown .row small');
    const apart = async (): Promise<number> =>
      Math.abs(secondsIn(await listed.innerText()) - (await drawn()));
    await expect.poll(apart).toBeLessThan(3);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.run-head .badge', { hasText: 'interrupted' }).waitFor(PATIENCE);
    const end = await drawn();
    expect(Math.abs(end - logged())).toBeLessThan(0.6);
    await page.waitForTimeout(2500);
    expect(await drawn()).toBe(end);
    await page.context().close();
  });

  it('what cannot be started is said in the form, and the form keeps what was typed', async () => {
    const page = await bench.open('/ui/agent/new?file=a.v');
    await page.getByRole('radio', { name: /that I name/u }).check();
    await page.getByLabel('Its name').fill('nobody/model');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'There is no provider' }).waitFor();
    await expect.poll(() => page.getByLabel('Its name').inputValue()).toBe('nobody/model');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.getByLabel('Theorem').selectOption('second');
    await page.getByLabel('Minutes').fill('7');
    await page.locator('[name=mode]').selectOption('few-shot');
    await page.getByLabel('Try the offline search first').uncheck();
    await page.reload();
    await expect.poll(() => page.getByLabel('Its name').inputValue()).toBe('nobody/model');
    expect(await page.getByLabel('File', { exact: true }).inputValue()).toBe('a.v');
    expect(await page.getByLabel('Theorem').inputValue()).toBe('second');
    expect(await page.getByLabel('Minutes').inputValue()).toBe('7');
    expect(await page.locator('[name=mode]').inputValue()).toBe('few-shot');
    expect(await page.getByLabel('Try the offline search first').isChecked()).toBe(false);
    await page.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark', { colorScheme: 'dark' as const }],
    ['narrow', { viewport: { width: 320, height: 720 } }],
  ])('axe finds nothing wrong: %s', async (name, options) => {
    const page = await bench.open('/ui/agent/last', options);
    await page.locator('.event').first().waitFor();
    await picture(page, `agent-${name}`);
    expect(await faultsOfAccess(page)).toEqual([]);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
  });
});

describe.skipIf(missing !== undefined)('the agent where no model is set up', () => {
  const bench = new Workbench({ 'a.v': FILE });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('that no model works is said and chosen, and the run speaks of none while it works and after', async () => {
    const page = await bench.open('/ui/agent/new?file=a.v&theorem=second');
    await expect.poll(() => page.getByRole('radio', { name: /^No model/u }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('radio').count()).toBe(2);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const told: string[] = [];
    const badge = page.locator('.run-head .badge');
    await badge.waitFor();
    while ((await badge.innerText()) !== 'recorded as proved')
      told.push(await page.locator('.run-pane').innerText());
    told.push(await page.locator('.run-pane').innerText());
    expect(told.join('\n')).not.toMatch(/Say something|the model/u);
    expect(await page.getByPlaceholder(/Say something/u).count()).toBe(0);
    await page.context().close();
  });
});
