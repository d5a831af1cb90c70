/** Whoever goes to another view of the page asks nothing more: what was asked ends, also among thousands of files. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCaller, type Caller } from '../testing/caller.ts';

const FILES = 400;

let caller: Caller;
beforeAll(async () => {
  const names = Array.from({ length: FILES }, (_, at) => `m${at}.v`);
  const text = (at: number): string =>
    `${at === 0 ? '' : `Require Import m${at - 1}.\n`}Lemma l${at} : True.\nProof. exact I. Qed.\n`;
  caller = await openCaller({
    _CoqProject: `-R . M\n${names.join('\n')}\n`,
    ...Object.fromEntries(names.map((name, at) => [name, text(at)])),
  });
});
afterAll(() => caller.close());

it.each(['proof_status', 'proof_statements'])('%s ends when nobody waits for it any more', async (name) => {
  const gone = new AbortController();
  const asked = caller.call(name, {}, { signal: gone.signal });
  setTimeout(() => gone.abort(), 300);
  const begun = performance.now();
  await expect(asked).rejects.toThrow();
  expect(performance.now() - begun).toBeLessThan(3000);
});
