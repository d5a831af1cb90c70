/** Questions about a thousand files: they are answered in seconds, and end when whoever asked has gone elsewhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCaller, type Caller } from '../testing/caller.ts';

const FILES = 1000;

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
  setTimeout(() => gone.abort(), 50);
  const begun = performance.now();
  await expect(asked).rejects.toThrow();
  expect(performance.now() - begun).toBeLessThan(3000);
});

it.each(['proof_status', 'proof_statements'])(
  '%s takes as long as there are files, not as there are pairs of them',
  async (name) => {
    const begun = performance.now();
    await caller.call(name, {});
    // Each of the files rests on all before it: looking at each again for each takes minutes.
    expect(performance.now() - begun).toBeLessThan(30_000);
  },
  120_000,
);
