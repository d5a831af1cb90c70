/** Names of usual length stand whole in every list, however long the statement or the body behind them is. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checked } from './file-page.ts';
import { needlesslyCut } from './looking.ts';
import { Workbench, missing, whyNot } from './workbench.ts';

const TEXT = `Inductive expr : Type :=
| Const (n : nat)
| Plus (a b : expr)
| Times (a b : expr).

Fixpoint eval (e : expr) : nat :=
  match e with
  | Const n => n
  | Plus a b => eval a + eval b
  | Times a b => eval a * eval b
  end.

Fixpoint opt (e : expr) : expr :=
  match e with
  | Plus (Const 0) b => opt b
  | Plus a b => Plus (opt a) (opt b)
  | Times a b => Times (opt a) (opt b)
  | Const n => Const n
  end.

Lemma opt_sound : forall e, eval (opt e) = eval e /\\ eval (opt (opt e)) = eval (opt e) /\\ eval e = eval e.
Proof.
Admitted.

Lemma plus_comm : forall a b, eval (Plus (Plus a a) b) = eval (Plus b (Plus a a)) /\\ eval a + eval b = eval b + eval a.
Proof.
Admitted.
`;
const NAMES = ['expr', 'eval', 'opt', 'opt_sound', 'plus_comm'];

/** The names and files that are shown, with what of them is to be seen. */
async function cutOf(page: Page, words: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>('main .cut')].flatMap((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const whole = range.getBoundingClientRect().width;
        const { width } = one.getBoundingClientRect();
        return wanted.includes(one.textContent.trim()) && whole > width
          ? [`${one.textContent}: ${width} of ${whole} px`]
          : [];
      }),
    words,
  );
}

describe.skipIf(missing !== undefined)(`names of usual length${whyNot}`, () => {
  const bench = new Workbench({ _CoqProject: '-Q . My\nBase.v\nOther.v\n', 'Base.v': TEXT, 'Other.v': TEXT });
  beforeAll(async () => {
    await bench.start();
  });
  afterAll(() => bench.close());

  const LISTS: Record<string, string> = {
    project: 'project',
    outline: 'file/Base.v',
    proofs: 'proof',
    'proofs of a file': 'proof/Base.v',
  };

  it.each([700, 1400])('at %d px no list cuts them', async (width) => {
    const page = await bench.open('/ui/', { viewport: { width, height: 900 } });
    const faults: string[] = [];
    for (const [name, path] of Object.entries(LISTS)) {
      await page.goto(`${bench.url}/ui/${path}`);
      await page.locator('main .cut', { hasText: 'opt_sound' }).first().waitFor();
      if (path.startsWith('file/')) await checked(page);
      const found = [...(await cutOf(page, [...NAMES, 'Base.v'])), ...(await needlesslyCut(page))];
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
