/** Files of HOL4, F* and Lean in the page: what is stated and open, and the check, whether the prover is here or not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/sha256.ts';
import { writtenExport } from '../../src/gate/lean/testing/written-export.ts';
import { findExecutable } from '../../src/process/executable.ts';
import { faultsOfAccess } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const STATEMENT = '∀ (n : Nat), Eq.{1} Nat n n';

const FILES = {
  'oneScript.sml':
    'Theory one\n\nTheorem fine:\n  T\nProof\n  simp[]\nQED\n\nTheorem hole:\n  T\nProof\n  cheat\nQED\n',
  'One.fst':
    'module One\n\nlet fine () : Lemma True = ()\n\nlet hole (n: nat) : Lemma (n == n + 0) = admit ()\n',
  'One.lean': 'theorem fine : True := trivial\n\ntheorem hole : 1 = 1 := by\n  sorry\n',
  'good.ndjson': writtenExport([['theorem', 't', STATEMENT, 'fun (n : Nat) => Eq.refl.{1} Nat n']]),
  'bad.ndjson': writtenExport([['theorem', 't', STATEMENT, `sorryAx.{0} (${STATEMENT}) Bool.false`]]),
};

const CHECKED = {
  ...{
    holds: true,
    errors: [],
    holes: [],
    warnings: [],
    assumed: [],
    unit: 'declaration',
    run: 2,
    skipped: 0,
  },
  ...{ slowest: [], seconds: 1, partial: false, stopped: null, note: null, passed_over: [] },
};

function restsOn(file: keyof typeof FILES): object {
  return { prover: 'one', version: '1', backend: 'one', file, file_hash: sha256(FILES[file]), stale: [] };
}

describe.skipIf(missing !== undefined)(`files of other provers in the workbench${whyNot}`, () => {
  const bench = new Workbench(FILES);
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it.each([
    ['oneScript.sml', 'HOL4', ['not checked fine : T', 'open hole : T'], ['hol']],
    ['One.fst', 'F*', ['defined fine', 'open hole'], ['fstar.exe', 'fstar']],
  ])(
    '%s: what it states is listed, and %s checks it or is said to be missing',
    async (file, prover, rows, programs) => {
      const page = await bench.open(`/ui/file/${file}`);
      await page.locator('.outline-row').first().waitFor();
      const listed = await page.locator('.outline-row').allInnerTexts();
      expect(listed).toHaveLength(rows.length);
      for (const [index, row] of rows.entries())
        expect(listed[index]?.replaceAll(/\s+/gu, ' ')).toContain(row);
      expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Check']);
      await page.getByRole('button', { name: `Check with ${prover}` }).click();
      const isHere = findExecutable(programs) !== undefined;
      const answer = page.locator(isHere ? '.check .badge' : '.check .error-note');
      await answer.waitFor();
      // Whoever lacks the prover learns what to do.
      expect(await answer.innerText()).toMatch(isHere ? /no error/u : /There is no .*(?:Build|Install)/su);
      expect(await faultsOfAccess(page)).toEqual([]);
      await page.context().close();
    },
  );

  // Nobody is asked which of them a file requires.
  it.each([
    ['oneScript.sml', 'HOL4', ['twoScript.sml', 'Holmakefile'], 'Two.fst'],
    ['One.fst', 'F*', ['Two.fst', 'One.fsti'], 'twoScript.sml'],
  ] as const)(
    '%s: a check is green until another file is written that %s may read, also after a reload',
    async (file, prover, others, foreign) => {
      const page = await bench.open(`/ui/file/${file}`);
      // With the prover or without it: what it would have said.
      await page.route('**/api/jobs/*/outcome', (route) =>
        route.fulfill({ json: { kind: 'answered', value: { ...CHECKED, rests_on: restsOn(file) } } }),
      );
      const green = page.locator('.check .badge.good', { hasText: 'no error' });
      for (const other of others) {
        await page.getByRole('button', { name: `Check with ${prover}` }).click();
        await green.waitFor();
        bench.write(foreign, '');
        bench.write(other, '');
        const why = page.locator('.check').getByText('changed since, and may be required here: check again.');
        await why.waitFor();
        expect(await why.innerText()).toContain(other);
        expect(await why.innerText()).not.toContain(foreign);
        expect(await green.count()).toBe(0);
        await page.reload();
        await why.waitFor();
        expect(await green.count()).toBe(0);
      }
      await page.context().close();
    },
  );

  it('Lean: what was compiled elsewhere is judged by the kernel of Quod', async () => {
    const page = await bench.open('/ui/file/One.lean');
    await page.locator('.outline-row', { hasText: 'hole' }).waitFor();
    const check = async (name: string): Promise<string> => {
      await page.getByLabel('Compiled module or export').fill(name);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('.check .badge').waitFor();
      return page.locator('.check').innerText();
    };
    expect(await check('good.ndjson')).toMatch(/accepted\s+\d+ declarations, 1 theorem/u);
    await expect.poll(() => check('bad.ndjson')).toMatch(/rejected[^]*sorryAx/u);
    await expect.poll(() => check('nothing.olean')).toMatch(/unknown\s+.*no such file/u);
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.context().close();
  });
});
