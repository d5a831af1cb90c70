/**
 * Questions about a thousand files: what they take grows with the files, and they end when whoever asked has gone elsewhere. It
 * is told by the processor's time, which other work on the machine does not change much.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCaller, type Caller } from '../testing/caller.ts';

const FEW = 250;
const MANY = 4 * FEW;

const opened: Caller[] = [];
let few: Caller;
let many: Caller;
beforeAll(async () => {
  few = await projectOf(FEW);
  many = await projectOf(MANY);
});
afterAll(async () => {
  for (const caller of opened) await caller.close();
});

/** Each file rests on all before it. */
async function projectOf(files: number): Promise<Caller> {
  const names = Array.from({ length: files }, (_, at) => `m${at}.v`);
  const text = (at: number): string =>
    `${at === 0 ? '' : `Require Import m${at - 1}.\n`}Lemma l${at} : True.\nProof. exact I. Qed.\n`;
  const caller = await openCaller({
    _CoqProject: `-R . M\n${names.join('\n')}\n`,
    ...Object.fromEntries(names.map((name, at) => [name, text(at)])),
  });
  opened.push(caller);
  return caller;
}

/** Milliseconds of the processor. */
async function processorMs(run: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

it.each(['proof_status', 'proof_statements'])(
  '%s takes as long as there are files, not as there are pairs of them, and ends when nobody waits for it',
  async (name) => {
    await few.call(name, {}); // What is loaded once is loaded now.
    const ofFew = await processorMs(() => few.call(name, {}));
    const ofMany = await processorMs(() => many.call(name, {}));
    const gone = new AbortController();
    const untilGone = await processorMs(async () => {
      const asked = many.call(name, {}, { signal: gone.signal });
      setTimeout(() => gone.abort(), 50);
      await expect(asked).rejects.toThrow();
    });
    // Looked at again for each other, four times the files take sixteen times as long.
    expect(ofMany / ofFew).toBeLessThan(10);
    expect(untilGone / ofMany).toBeLessThan(0.5);
  },
  120_000,
);
