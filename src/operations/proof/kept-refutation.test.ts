/** What an earlier run refuted is refuted at once; what it kept makes nothing false by itself. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { readPackedText, writePacked } from '../../search/libraries/packed-file.ts';
import { proveFile } from '../../search/prove-file.ts';
import type { ProveRequest, Refuter } from '../../search/prove-request.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { refuterOf } from './refuter.ts';

const SUM = `Definition weight (n m : nat) := n + 2 * m.
Lemma light : forall n m : nat, n = 0 -> weight n m = weight m n.
Admitted.
`;

const folder = mkdtempSync(join(tmpdir(), 'quod-kept-refutation-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The looks of one run, each with what came of it, and how the theorem ends. */
async function run(text: string, more: Partial<ProveRequest> = {}) {
  const file = join(folder, 'a.v');
  const { signal } = new AbortController();
  const prover = await findRocq('auto');
  const refuter = refuterOf(file, prover, signal);
  const looks: {
    readonly isRecalled: boolean;
    readonly answer: NonNullable<Awaited<ReturnType<Refuter>>>['kind'] | undefined;
  }[] = [];
  const [result] = await proveFile(
    {
      ...{ file, text, theorems: 'all-holes', jobs: 1, seed: 0, prover, signal, cacheDirectory: folder },
      refuter: async (asked) => {
        const answer = await refuter(asked);
        looks.push({ isRecalled: asked.earlier !== undefined, answer: answer?.kind });
        return answer;
      },
      judge: () => Promise.resolve({ kind: 'unknown', reason: 'internal', message: 'There is no proof.' }),
      budgetMs: () => 20_000,
      ...more,
    },
    () => {},
  );
  return { looks, outcome: result?.outcome, times: result?.times };
}

const kept = (): string[] =>
  readdirSync(join(folder, 'refuted-1')).map((name) => join(folder, 'refuted-1', name));

async function change(of: (again: string) => string): Promise<void> {
  for (const path of kept()) {
    const { again } = JSON.parse(await readPackedText(path)) as { readonly again: string };
    const changed = of(again);
    expect(changed).not.toBe(again);
    await writePacked(path, JSON.stringify({ again: changed }));
  }
}

const RECALLED = [{ isRecalled: true, answer: 'refuted' }];
/** It was taken for none, and the statement was looked at as if there were nothing. */
const REJECTED = [
  { isRecalled: true, answer: undefined },
  { isRecalled: false, answer: 'refuted' },
];

describe.skipIf(findExecutable(['coqc']) === undefined)('a refutation of an earlier run', () => {
  it('is proved and judged again, without a search, unless the run is to be another one', async () => {
    const first = await run(SUM);
    expect(first.outcome).toMatchObject({ kind: 'refuted', counterexample: 'n = 0, m = 1' });
    expect(first.looks.map(({ isRecalled }) => isRecalled)).not.toContain(true);
    const second = await run(SUM);
    expect(second.outcome).toEqual(first.outcome);
    expect(second.looks).toEqual(RECALLED);
    expect(second.times).not.toHaveProperty('search');
    expect(await run(SUM, { seed: 1 })).not.toMatchObject({ looks: RECALLED });
    expect((await run(SUM, { nodes: 100 })).looks.map(({ isRecalled }) => isRecalled)).not.toContain(true);
  }, 300_000);

  it('is no more where a definition was changed so that the statement holds', async () => {
    const { outcome, looks } = await run(SUM.replace('n + 2 * m', 'n * m'));
    expect(looks[0]).toEqual({ isRecalled: true, answer: undefined });
    expect(outcome?.kind).not.toBe('refuted');
    expect(kept().length, 'that of the other seed').toBe(1);
    rmSync(join(folder, 'refuted-1'), { recursive: true });
  }, 300_000);

  it.each<[string, (again: string) => string]>([
    ['other values', (again) => again.replace('"value":"1"', '"value":"0"')],
    [
      'values under the names of others',
      (again) => again.replace('"n"', '"x"').replace('"m"', '"n"').replace('"x"', '"m"'),
    ],
    ['more than a value', (again) => again.replace('"value":"1"', '"value":"1). Abort. Check (1"')],
    [
      'tactics that Quod does not try',
      (again) => again.replace(/"script":\[[^\]]*\]/u, '"script":["admit."]'),
    ],
    ['no disproof', () => 'nothing'],
  ])(
    'with %s in the cache makes nothing false',
    async (_, of) => {
      const honest = await run(SUM);
      await change(of);
      const { outcome, looks } = await run(SUM);
      expect(looks).toEqual(REJECTED);
      expect(outcome).toEqual(honest.outcome);
    },
    300_000,
  );
});
