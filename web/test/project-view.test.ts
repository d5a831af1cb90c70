/** The page of the folder, and the way in: the real server and the real Chromium. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench, missing, whyNot } from './workbench.ts';
import { faultsOfAccess, picture } from './looking.ts';

const FILES = {
  _CoqProject: '-Q . Lists\nbase.v\nuse.v\nsub/more.v\n',
  'base.v': `Fixpoint double (n : nat) : nat := match n with 0 => 0 | S m => S (S (double m)) end.
Lemma double_add (n : nat) : double n = n + n.
Proof.
Admitted.
Lemma double_zero : double 0 = 0.
Proof. reflexivity. Qed.
`,
  'use.v': `From Lists Require Import base.
Theorem even_double (n : nat) : exists m, double n = m + m.
Proof. exists n. apply double_add. Qed.
Theorem twice (n : nat) : exists m, double (double n) = m + m.
Proof. apply even_double. Qed.
`,
  'sub/more.v': 'Lemma alone : True.\nProof. exact I. Qed.\n',
  'section.v': `Section Of.
Variable element : Type.
Hypothesis equal : forall x y : element, {x = y} + {x <> y}.
Lemma same (x : element) : x = x.
Proof. reflexivity. Qed.
End Of.
`,
};

describe.skipIf(missing !== undefined)(`the workbench of a folder${whyNot}`, () => {
  const bench = new Workbench(FILES);
  beforeAll(() => bench.start());
  afterAll(() => bench.close());

  it('shows files, counts, and why a theorem is not finished; builds what is not compiled', async () => {
    const page = await bench.open('/ui/');
    await page.locator('.file-tree .virtual-row', { hasText: 'base.v' }).waitFor();
    await expect
      .poll(() => page.locator('.file-tree .virtual-row').allInnerTexts())
      .toEqual(
        expect.arrayContaining([expect.stringMatching(/base\.v\s*1 open/), expect.stringMatching(/sub\//)]),
      );
    await page.keyboard.press('/');
    await page.keyboard.type('twice');
    await page.locator('.statements .virtual-row', { hasText: 'twice' }).click();
    await page.locator('.ways a', { hasText: 'double_add' }).waitFor();
    await expect.poll(() => page.locator('.ways a').allInnerTexts()).toHaveLength(3);
    await page.getByRole('button', { name: 'Build', exact: true }).click();
    await page.getByRole('button', { name: 'Build', exact: true }).waitFor({ state: 'detached' });
    await page.locator('.build').getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ask Rocq' }).click();
    await page.locator('.chosen-statement .message', { hasText: 'double_add' }).waitFor();
    await picture(page, 'project');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.context().close();
  });

  it('what Rocq says of a theorem whose files were changed since they were compiled is said to be of before', async () => {
    const files = {
      _CoqProject: '-Q . My\nunder.v\nover.v\n',
      'under.v': 'Lemma under : 1 = 1.\nProof. reflexivity. Qed.\n',
      'over.v': 'From My Require Import under.\nLemma over : 1 = 1.\nProof. exact under. Qed.\n',
    };
    const changed = new Workbench(files);
    await changed.start();
    try {
      const page = await changed.open('/ui/project');
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      await page.locator('.figures .good', { hasText: '2' }).waitFor();
      await page.locator('.statements .virtual-row', { hasText: 'over' }).click();
      await page.getByRole('button', { name: 'Ask Rocq' }).click();
      await page.getByText('Rocq: it rests on nothing that is open.').waitFor();
      changed.write('under.v', 'Lemma under : 1 = 1.\nProof. Admitted.\n');
      // It is asked again by itself.
      await page.locator('.chosen-statement .message.warning', { hasText: 'compiled before' }).waitFor();
      await page.getByText('under.v is not compiled as it is now').waitFor();
      await page.context().close();
    } finally {
      await changed.close();
    }
  });

  it('a file of which nothing may be written is not compiled, with the reason, and not in error', async () => {
    const files = {
      _CoqProject: '-Q . My\ngood.v\nkept.v\n',
      'good.v': 'Lemma good : True.\nProof. exact I. Qed.\n',
      'kept.v': 'Lemma kept : True.\nProof. exact I. Qed.\n',
      'kept.vo/in-the-way': '',
    };
    const hindered = new Workbench(files);
    await hindered.start();
    try {
      const page = await hindered.open('/ui/project');
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      await page.locator('.build-faults li.left-out', { hasText: 'kept.vo cannot be written' }).waitFor();
      await page.locator('.file-tree .virtual-row', { hasText: /kept\.v\s*not compiled/u }).waitFor();
      expect(await page.locator('.project .badge.bad').count()).toBe(0);
      await page.context().close();
    } finally {
      await hindered.close();
    }
  });

  it('a build says which file it compiles and how many are done, is stopped, and names what does not compile at its place', async () => {
    const files = {
      _CoqProject:
        '-Q theories My\ntheories/A.v\ntheories/Slow.v\ntheories/Bad.v\ntheories/D.v\ntheories/C.v\n',
      'theories/A.v': 'Definition a := 1.\n',
      'theories/Slow.v': `From My Require Import A.
Fixpoint f n := match n with 0 => 0 | S m => f m + f m end.
Lemma slow : f 60 = 0. Proof. vm_compute. reflexivity. Qed.
`,
      'theories/Bad.v': 'From My Require Import A.\nLemma bad : a = 2.\nProof. reflexivity. Qed.\n',
      'theories/D.v': 'From My Require Import A Bad.\nLemma d : a = 2. Proof. exact bad. Qed.\n',
      'theories/C.v': 'From My Require Import A Slow.\nLemma c : f 0 + a = 1. Proof. reflexivity. Qed.\n',
    };
    const built = new Workbench(files);
    await built.start();
    try {
      const page = await built.open('/ui/project');
      const using = await page.context().newPage();
      await page.getByText('No file is compiled as it is now').waitFor();
      // Who opens a file first is told why Rocq refuses it, and what helps.
      await using.goto(`${built.url}/ui/file/theories/C.v`);
      await using.getByText('4 other files of the project are not compiled').waitFor();
      await using.locator('.outline-row', { hasText: 'follows' }).waitFor();
      await using.getByRole('button', { name: 'Build what it requires' }).click();
      for (const one of [page, using]) {
        await one.getByText('compiling theories/Slow.v').waitFor();
        await one.getByText('1 of 3').waitFor();
      }
      expect(await faultsOfAccess(using)).toEqual([]);
      await using.getByRole('button', { name: 'Stop' }).click();
      await page.getByText(/^Stopped: 1 compiled/u).waitFor();
      built.write('theories/Slow.v', files['theories/Slow.v'].replace('60', '3'));
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      const faults = page.locator('.build-faults li');
      await faults.filter({ hasText: 'My.Bad did not compile' }).waitFor();
      await expect
        .poll(async () => (await faults.allInnerTexts()).map((text) => text.replace(/\s+/gu, ' ')).toSorted())
        .toEqual([
          expect.stringMatching(/^theories\/Bad\.v:3:7 .*Unable to unify/u),
          'theories/D.v My.Bad did not compile',
        ]);
      await page.locator('.file-tree .virtual-row', { hasText: /Bad\.v\s*does not compile/u }).waitFor();
      // What it states has the error, and nothing beside it says another word.
      const ofBad = page.locator('.statements .virtual-row', { hasText: 'theories/Bad.v' });
      await expect.poll(() => ofBad.locator('.badge').allInnerTexts()).toEqual(['error']);
      await ofBad.click();
      await expect.poll(() => page.locator('.chosen-statement .badge').allInnerTexts()).toEqual(['error']);
      expect(await faultsOfAccess(page)).toEqual([]);
      // What was built serves whoever waited for it.
      await using.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
      expect(await using.locator('.outside').count()).toBe(0);
      await faults.getByRole('link', { name: 'theories/Bad.v:3:7' }).click();
      await page.locator('.cm-activeLineGutter', { hasText: '3' }).waitFor();
      built.write('theories/Bad.v', files['theories/Bad.v'].replace('a = 2.', 'a = 1.'));
      built.write('theories/D.v', files['theories/D.v'].replace('a = 2.', 'a = 1.'));
      await page.goto(`${built.url}/ui/project`);
      // What the last build said of it is old.
      await page
        .locator('.file-tree .virtual-row', { hasText: /Bad\.v\s*changed since the build/u })
        .waitFor();
      await faults.filter({ hasText: 'Bad.v' }).getByText('changed since the build').waitFor();
      await page.getByText('build to count what they prove as fully proved').waitFor();
      // Nor is a proof shown any longer with what was compiled before, once that was built.
      built.write('theories/A.v', `${files['theories/A.v']}Definition again := a.\n`);
      await using.goto(`${built.url}/ui/proof/theories/Slow.v?theorem=slow`);
      await using.locator('.stale-libraries').waitFor();
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      await page.getByText('5 compiled').waitFor();
      await using.locator('.stale-libraries').waitFor({ state: 'detached' });
      await expect.poll(() => faults.count()).toBe(0);
    } finally {
      await built.close();
    }
  });

  it('in a narrow window the name of a file is not crowded out by what is said of it', async () => {
    const hole = (name: string): string => `Lemma ${name} : True.\nProof.\nAdmitted.\n`;
    const using = `From My Require Import lists.\n${hole('z')}Lemma known : 1 = 1. Proof. reflexivity. Qed.\n`;
    const narrow = new Workbench({
      _CoqProject: '-Q . My\nlists.v\nuser_of_lists.v\n',
      'lists.v': hole('a'),
      'user_of_lists.v': using,
    });
    await narrow.start();
    try {
      const page = await narrow.open('/ui/project', { viewport: { width: 320, height: 720 } });
      await page.getByRole('button', { name: 'Build', exact: true }).click();
      await page.getByText('2 compiled').waitFor();
      narrow.write('user_of_lists.v', `${using}(* changed *)\n`);
      const row = page.locator('.file-tree .virtual-row', { hasText: 'user_of_lists.v' });
      await row.getByText('not compiled').waitFor();
      const name = await row.locator('.tree-file').boundingBox();
      expect(name?.width).toBeGreaterThan(55);
      // What is not to be seen of it the title says.
      const said = await row.locator('.tree-counts').getAttribute('title');
      expect(said).toBe('1 open, rests on holes, not compiled, 1 proof');
      // A short list leaves the window to what stands below it.
      const list = await page.locator('.file-tree').boundingBox();
      expect(list?.height).toBe(2 * 28);
    } finally {
      await narrow.close();
    }
  });

  it('gives the palette the very next key, whatever was typed into before', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('#statement-words').focus();
    const takes = await page.evaluate(async () => {
      const { activeElement } = document;
      activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
      // The next task, as the next key is one: no frame has been drawn by then.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(undefined);
      });
      return document.activeElement?.getAttribute('aria-label');
    });
    expect(takes).toBe('Find a command');
    await page.context().close();
  });

  it('is used with the keyboard alone: find a hole, prove it, accept the proof, save it', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('.file-tree .virtual-row').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('dialog.palette').waitFor();
    await page.keyboard.type('what is open');
    await page.keyboard.press('Enter');
    await page.keyboard.press('/');
    await page.keyboard.type('double_add');
    for (let tabs = 0; tabs < 12; tabs += 1) {
      await page.keyboard.press('Tab');
      if (await page.locator('.statements .virtual-list').evaluate((list) => list === document.activeElement))
        break;
    }
    await page.keyboard.press('ArrowDown');
    await page.getByRole('link', { name: 'Prove…' }).waitFor();
    for (let tabs = 0; tabs < 12; tabs += 1) {
      await page.keyboard.press('Tab');
      if (
        await page.getByRole('link', { name: 'Prove…' }).evaluate((link) => link === document.activeElement)
      )
        break;
    }
    await page.keyboard.press('Enter');
    await page.locator('.badge.good', { hasText: /sentences? checked/u }).waitFor();
    await page.keyboard.press('Alt+3');
    const press = async (name: string): Promise<void> => {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      for (let tabs = 0; tabs < 30; tabs += 1) {
        if (await button.evaluate((one) => one === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await press('Prove double_add');
    await press('Accept the change');
    await page.keyboard.press('Control+s');
    await page.locator('.toast.good').waitFor();
    expect(readFileSync(join(bench.folder, 'base.v'), 'utf8')).not.toContain('Admitted');
    await page.context().close();
  });

  it('statements are found by a pattern of Rocq, and by proofs that are near to a goal', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('.statements .virtual-row').first().waitFor();
    const names = (): Promise<string[]> => page.locator('.statements .statement-name').allInnerTexts();
    await page.getByLabel('How to search').selectOption('pattern');
    await page.getByLabel('from the end of').selectOption('base.v');
    await page.getByLabel('Search statements').fill('(double _ = _)');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names()).toSorted()).toEqual(['double_add', 'double_zero']);
    await page.locator('.statements .virtual-row', { hasText: 'double_zero' }).click();
    await page.locator('.chosen-statement a', { hasText: 'base.v:' }).waitFor();
    // What Rocq refuses is shown with what it says.
    await page.getByLabel('Search statements').fill('(nothing_like_that _)');
    await page.keyboard.press('Enter');
    await page.locator('.error-note', { hasText: 'nothing_like_that' }).waitFor();
    await page.getByLabel('How to search').selectOption('goal');
    await page.getByLabel('Search statements').fill('exists m, double (n + 1) = m + m');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names())[0]).toBe('even_double');
    // A proof of the text alone is not shown as one that Rocq has taken.
    const badges = page.locator('.statements .virtual-row', { hasText: 'even_double' }).locator('.badge');
    await badges.first().waitFor();
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.context().close();
  });

  it('what a section assumes for itself is listed when somebody asks for it', async () => {
    const page = await bench.open('/ui/project');
    const names = (): Promise<string[]> => page.locator('.statements .statement-name').allInnerTexts();
    await page.getByLabel('Search statements').fill('element');
    await expect.poll(names).toEqual(['same']);
    await page.getByLabel('section variables').check();
    await expect.poll(names).toEqual(['element', 'equal', 'same']);
    await page.context().close();
  });

  it('the palette finds everything, and nothing in it is wrong for a screen reader', async () => {
    const page = await bench.open('/ui/project', { colorScheme: 'dark' });
    await page.locator('.file-tree .virtual-row').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('.palette li').first().waitFor();
    await picture(page, 'palette');
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.palette').count()).toBe(0);
    await page.context().close();
  });

  it('a view that breaks says so, the others go on, and it comes back when it is asked again', async () => {
    const page = await bench.open('/ui/bench');
    // What no server of ours answers stands for a defect of the view.
    await page.route('**/api/proof/status', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: result\ndata: {}\n\n' }),
    );
    await page.locator('.views a', { hasText: 'Project' }).click();
    await page.getByRole('heading', { name: 'This view broke' }).waitFor();
    expect(await faultsOfAccess(page)).toEqual([]);
    await page.locator('.views a', { hasText: 'Gate' }).click();
    await page.getByRole('heading', { name: 'Hand in a submission' }).waitFor();
    await page.locator('.views a', { hasText: 'Project' }).click();
    await page.getByRole('heading', { name: 'This view broke' }).waitFor();
    await page.unroute('**/api/proof/status');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.file-tree .virtual-row').first().waitFor();
    await page.context().close();
  });

  it('a view that is loaded after one has gone on to another does not take its place', async () => {
    const page = await bench.open('/ui/project');
    await page.locator('.file-tree .virtual-row').first().waitFor();
    const held = Promise.withResolvers<undefined>();
    await page.route('**/assets/bench-view-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.locator('.views a', { hasText: 'Bench' }).click();
    await page.waitForURL('**/ui/bench');
    await page.locator('.views a', { hasText: 'Gate' }).click();
    await page.getByRole('heading', { name: 'Hand in a submission' }).waitFor();
    const late = page.waitForResponse('**/assets/bench-view-*.js');
    held.resolve(undefined);
    // The page's own import has ended when a second one of the same address has, and a frame later it is drawn.
    // (As text, since vitest would rewrite an import that stands here as code.)
    await page.evaluate(
      `import(${JSON.stringify((await late).url())}).then(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))`,
    );
    expect(await page.getByRole('heading', { name: 'Hand in a submission' }).count()).toBe(1);
    await page.context().close();
  });

  it('a browser that was not admitted is told how; a link admits once', async () => {
    const page = await (await bench.person()).newPage();
    await page.goto(`${bench.url}/ui/project`);
    await page.getByRole('heading', { name: 'This browser is not known to the server' }).waitFor();
    expect(await faultsOfAccess(page)).toEqual([]);
    const link = await bench.ticket();
    await page.goto(link);
    await page.locator('.file-tree').waitFor();
    expect(page.url()).not.toContain('enter');
    const other = await (await bench.person()).newPage();
    await other.goto(link);
    await other.getByRole('heading', { name: 'This browser is not known to the server' }).waitFor();
    await page.context().close();
    await other.context().close();
  });

  it.each(['another port of this machine', 'another site'])(
    'a page of %s can neither call nor read nor frame it',
    async (whose) => {
      const page = await bench.open('/ui/project');
      const evil = await page.context().newPage();
      // A program on another port gets this machine's cookies too, and its pages count as the same site.
      const listener = createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<p>evil</p>'),
      );
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const address = listener.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      await evil.route('http://evil.example/*', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<p>evil</p>' }),
      );
      await evil.goto(whose === 'another site' ? 'http://evil.example/' : `http://127.0.0.1:${port}/`);
      const tried = await evil.evaluate(async (url) => {
        const attempt = async (path: string, request: RequestInit): Promise<string> =>
          fetch(url + path, { credentials: 'include', ...request }).then(
            async (response) => `${response.type} ${await response.text()}`,
            () => 'refused',
          );
        return [
          await attempt('/api/jobs', {}),
          await attempt('/api/jobs', { mode: 'no-cors' }),
          await attempt('/api/proof/build', { method: 'POST', mode: 'no-cors', body: new Blob(['{}']) }),
          await attempt('/api/jobs', { method: 'POST', headers: { 'quod-page': 'x' }, body: '{}' }),
        ];
      }, bench.url);
      expect(tried.filter((answer) => answer !== 'refused' && answer !== 'opaque ')).toEqual([]);
      await evil.setContent(`<iframe src="${bench.url}/ui/"></iframe>`);
      await evil.waitForTimeout(1000);
      expect(await evil.frames()[1]?.locator('.header').count()).toBe(0);
      // Nothing was started by it.
      expect(await page.locator('.jobs').count()).toBe(0);
      listener.close();
      await page.context().close();
    },
  );
});
