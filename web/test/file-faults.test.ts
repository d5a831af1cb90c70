/** What may go wrong with a file in the page: markup, a killed prover, a lost session, too much text, a server that is gone. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWAP, at, checked, goals } from './file-page.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const MARKUP = `Notation "'<img' 'src=x' 'onerror=window.hit=1>'" := True.
Lemma markup : <img src=x onerror=window.hit=1> /\\ True.
Proof.
  split.
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

describe.skipIf(missing !== undefined)(`what goes wrong with a file in the workbench${whyNot}`, () => {
  const bench = new Workbench({ 'swap.v': SWAP, 'markup.v': MARKUP });
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  const onDisk = (name: string): string => readFileSync(join(bench.folder, name), 'utf8');

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
    await page.locator('.badge.good', { hasText: '13 sentences checked' }).waitFor();
    expect(readdirSync(bench.folder)).not.toContain('core');
    await page.context().close();
  });

  it('a session that is lost is opened again', async () => {
    const page = await bench.open(`${at('markup.v', 4)}&pane=try`);
    await page.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
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
    await page.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
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

  it('a server that is gone is told of; what was typed is kept, and all goes on when its next start has admitted the browser', async () => {
    const page = await bench.open(at('swap.v', 1));
    await checked(page);
    await bench.stop('SIGKILL');
    await page.locator('.banner').waitFor();
    await page.keyboard.type('(* kept *) ');
    await bench.startAgain(page);
    await page.locator('.banner').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.cm-content').innerText()).toContain('(* kept *)');
    await page.keyboard.press('Control+s');
    await expect.poll(() => onDisk('swap.v')).toContain('(* kept *)');
    await checked(page);
    await page.context().close();
  });
});
