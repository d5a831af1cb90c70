/** Limits and interruptions hold inside one step that takes for ever. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayInThread } from './replay-in-thread.ts';
import { fixturePath } from '../testing/recorded-traces.ts';

let folder: string;
let endless: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-replay-'));
  endless = join(folder, 'endless.prf');
  writeFileSync(endless, underManyBinders(60));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** `t0` is bound by the outermost binder, and t(n+1) is `f (λ:bool. tn) (λ:'a. tn)`: 2^levels lists of binders. */
function underManyBinders(levels: number): string {
  const types = [
    'y o min$bool',
    "y v 'a",
    'y o min$fun 0 0',
    'y o min$fun 1 0',
    'y o min$fun 3 0',
    'y o min$fun 2 4',
  ];
  const terms = ['m f f 5', `m b ${levels}`];
  for (let level = 0; level < levels; level += 1) {
    const [inner, next] = [terms.length - 1, terms.length];
    terms.push(`m l 0 ${inner}`, `m l 1 ${inner}`, `m a 0 ${next}`, `m a ${next + 2} ${next + 1}`);
  }
  terms.push(`m l 0 ${terms.length - 1}`);
  const step = `t REFL ${terms.length - 1}`;
  return ['theory mine', ...types, ...terms, step, `end ${types.length} ${terms.length} 1`, ''].join('\n');
}

test('the time that it was given', async () => {
  const { verdict } = await replayInThread([endless], { timeoutMs: 300 });
  expect(verdict).toMatchObject({ kind: 'unknown', reason: 'timeout' });
});

test('whoever waits is free to interrupt it', async () => {
  const interruption = new AbortController();
  const replay = replayInThread([endless], { timeoutMs: 600_000, signal: interruption.signal });
  setTimeout(() => {
    interruption.abort();
  }, 300);
  await expect(replay).rejects.toMatchObject({ reason: 'interrupted' });
});

test('what it answers otherwise is what replayFiles answers, with the theory that was asked for', async () => {
  const { verdict, theory } = await replayInThread([fixturePath('bool')], { timeoutMs: 600_000 }, 'bool');
  expect(verdict.kind).toBe('accepted');
  expect(theory?.axioms).toContain('ETA_AX');
});
