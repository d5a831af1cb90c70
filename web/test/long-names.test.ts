/**
 * Names of 200 characters, of folders, files, theorems, runs, models and methods: cut with …, and nothing scrolls
 * sideways. Names of usual length are not cut for the sake of what stands behind them.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunLog, runsFolder } from '../../src/agent/runs/run-log.ts';
import { mergeSettings } from '../../src/agent/settings.ts';
import { checked } from './file-page.ts';
import { needlesslyCut } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const LONG = 'a_name_that_goes_on_'.repeat(10);
const FILE = `${LONG}.v`;
const PROVED = `${LONG}p`;
const HOLE = `${LONG}h`;
const TEXT = `Lemma ${PROVED} (n : nat) : n = n.
Proof.
  reflexivity.
Qed.

Lemma ${HOLE} (n : nat) : n + 0 = n.
Proof.
Admitted.

Fixpoint opt (n : nat) : nat :=
  match n with
  | 0 => 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0
  | S m => opt m
  end.

Lemma opt_of_any_number_is_zero (n : nat) : opt n = 0 \\/ opt n + opt n + opt n + opt n + opt n + opt n + opt n = 0.
Proof.
  left. induction n; auto.
Qed.
`;
const CELL = {
  ...{ task: LONG, method: LONG, repeat: 0, group: '1–5', outcome: 'proved', seconds: 1 },
  ...{ modelCalls: 0, toolCalls: 0, cost: 0 },
};

/** @returns the name of the run. */
function recordRun(folder: string): string {
  const file = join(folder, FILE);
  const log = RunLog.create(runsFolder(folder));
  log.append({
    ...{ kind: 'run-started', format: 1, quod: 'test', file, fileHash: '', task: null, theorems: [HOLE] },
    files: [{ file, theorems: [HOLE], fileHash: '', text: '' }],
    settings: mergeSettings({ model: `ollama/${LONG}` }),
  });
  log.append({ kind: 'theorem-started', key: HOLE, theorem: HOLE, statement: `Lemma ${HOLE} : True.` });
  log.append({ kind: 'run-ended', outcome: 'not-proved', message: `nothing of ${HOLE}` });
  log.close();
  return log.name;
}

/** What is written on one line and does not fit, without … or without a title. Statements are shown whole when their row is chosen. */
async function badlyCut(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((one) => {
      const { overflowX, textOverflow } = getComputedStyle(one);
      const hasText = [...one.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
      if (!hasText || one.clientWidth === 0 || one.scrollWidth <= one.clientWidth + 1) return [];
      if (one.closest('.cm-editor, .marked-text, svg, option, .unseen') !== null) return [];
      const isTold = one.closest('[title]:not([title=""])') !== null || one.matches('.faint, .line, input');
      return overflowX === 'hidden' && textOverflow === 'ellipsis' && isTold
        ? []
        : [one.outerHTML.slice(0, 300)];
    }),
  );
}

/** What scrolls sideways, or hangs over the side of the window; texts of files and wide tables may. */
async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('html, body *')].flatMap((one) => {
      if (
        one.closest('.cm-editor, .marked-text, .wide-table, .ways, .tree-canvas, svg, .skip, .unseen') !==
        null
      )
        return [];
      const { overflowX } = getComputedStyle(one);
      const isWide =
        one.scrollWidth > one.clientWidth + 1 &&
        (one === document.documentElement || overflowX === 'auto' || overflowX === 'scroll');
      return isWide ? [`${one.tagName}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`] : [];
    }),
  );
}

describe.skipIf(missing !== undefined)(`names of 200 characters${whyNot}`, () => {
  const bench = new Workbench({
    _CoqProject: `-Q . My\n${FILE}\n`,
    [FILE]: TEXT,
    [`${LONG}/inner.txt`]: '',
    [`measured/cells.jsonl`]: `${JSON.stringify(CELL)}\n`,
  });
  beforeAll(async () => {
    await bench.start();
  });
  afterAll(() => bench.close());

  const VIEWS: Record<string, string> = {
    project: `project?at=${encodeURIComponent(`${FILE}:${PROVED}`)}`,
    outline: `file/${FILE}`,
    goals: `file/${FILE}?line=7`,
    prove: `file/${FILE}?line=7&pane=prove`,
    similar: `file/${FILE}?line=7&pane=similar`,
    proofs: 'proof',
    proof: `proof/${FILE}?theorem=${PROVED}`,
    start: `agent/new?file=${FILE}&theorem=${HOLE}`,
    results: 'bench/results/measured',
    run: `agent/${recordRun(bench.folder)}`,
  };

  it('a search and a verdict have long names, too', async () => {
    const page = await bench.open(`/ui/file/${FILE}?line=7&pane=prove`);
    await checked(page);
    await page.getByRole('button', { name: `Prove ${HOLE}` }).click();
    await page.getByRole('button', { name: 'Accept the change' }).waitFor();
    await page.goto(`${bench.url}/ui/gate?target=${FILE}&submission=${FILE}`);
    await page.getByRole('button', { name: 'Judge' }).click();
    await page.locator('.verdict').waitFor();
    VIEWS['verdict'] = new URL(page.url()).pathname.slice('/ui/'.length);
    await page.context().close();
  });

  it.each([320, 1440])('at %d px every view cuts them and keeps within the window', async (width) => {
    const page = await bench.open('/ui/', { viewport: { width, height: 800 } });
    const faults: string[] = [];
    const look = async (name: string): Promise<void> => {
      const found = [...(await badlyCut(page)), ...(await sideways(page)), ...(await needlesslyCut(page))];
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    };
    for (const [name, path] of Object.entries(VIEWS)) {
      await page.goto(`${bench.url}/ui/${path}`);
      await page.getByText(LONG.slice(0, 20)).first().waitFor({ state: 'attached' });
      if (path.startsWith('file')) await checked(page);
      await look(name);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a command' }).fill(LONG.slice(0, 10));
    await page.getByRole('option').first().waitFor();
    await look('palette');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
