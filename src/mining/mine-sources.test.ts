import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Prover, ProverSession } from '../core/prover.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { checkDataset } from './dataset-check.ts';
import { Dataset } from './dataset.ts';
import { mineSources, type MiningEvent } from './mine-sources.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-mine-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const TEXT = 'Lemma one : 1 = 1 /\\ True. Proof. split. - reflexivity. - exact I. Qed.\n';

async function mine(
  names: readonly string[],
  options: { readonly prover?: Prover; readonly signal?: AbortSignal } = {},
): Promise<{ events: MiningEvent[]; dataset: Dataset }> {
  const dataset = await Dataset.openOrCreate(join(folder, 'out'), { format: 1, seed: 0, after: null });
  const events: MiningEvent[] = [];
  const sources = names.map((name) => ({ path: join(folder, name), file: name, library: name.slice(0, -2) }));
  const { prover = await findRocq('auto'), signal = new AbortController().signal } = options;
  await mineSources({ sources, dataset, prover, jobs: 2, share: 1000, signal }, (event) =>
    events.push(event),
  );
  return { events, dataset };
}

/** A Rocq that does something each time before it closes a session. */
async function rocqThat(before: () => Promise<void>): Promise<Prover> {
  const prover = await findRocq('auto');
  const openSession = async (context: Parameters<Prover['openSession']>[0]): Promise<ProverSession> => {
    const session = await prover.openSession(context);
    const run: ProverSession['run'] = async (from, sentence, options) => {
      if (sentence.text === 'Qed.') await before();
      return session.run(from, sentence, options);
    };
    return new Proxy(session, {
      get: (target, name) => {
        if (name === 'run') return run;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  return { ...prover, openSession };
}

test('what is done is left alone, what changed is mined again', async () => {
  await writeFile(join(folder, 'A.v'), TEXT);
  await writeFile(join(folder, 'B.v'), TEXT);
  const first = await mine(['A.v', 'B.v']);
  expect(first.events.map(({ kind }) => kind)).toEqual(['mined', 'mined']);
  expect(await checkDataset(first.dataset)).toEqual([]);
  await writeFile(join(folder, 'B.v'), `${TEXT}Lemma two : True. Proof. exact I. Qed.\n`);
  await rm(join(folder, 'out', 'A.jsonl'));
  await rm(join(folder, 'out', 'A.source.json'));
  const second = await mine(['A.v', 'B.v']);
  expect(second.events.map(({ kind }) => kind)).toEqual(['mined', 'mined']);
  const third = await mine(['A.v', 'B.v']);
  expect(third.events.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
});

test('a source that is edited while it is mined is an error, and leaves nothing', async () => {
  await writeFile(join(folder, 'A.v'), TEXT);
  const prover = await rocqThat(() => writeFile(join(folder, 'A.v'), `${TEXT}(* edited *)\n`));
  const { events, dataset } = await mine(['A.v'], { prover });
  expect(events).toMatchObject([{ kind: 'failed', error: { reason: 'file-changed' } }]);
  expect(await dataset.libraries()).toEqual([]);
  expect(await checkDataset(dataset)).toEqual([]);
});

test('a source that cannot be read is an error, and the others are mined', async () => {
  await writeFile(join(folder, 'B.v'), TEXT);
  const { events } = await mine(['A.v', 'B.v']);
  expect(events.find(({ source }) => source.library === 'A')).toMatchObject({
    kind: 'failed',
    error: { reason: 'file-unreadable' },
  });
  expect(events.find(({ source }) => source.library === 'B')?.kind).toBe('mined');
});

test('an interrupt loses the source in work and nothing else', async () => {
  await writeFile(join(folder, 'A.v'), TEXT);
  await mine(['A.v']);
  const before = await readFile(join(folder, 'out', 'A.jsonl'), 'utf8');
  await writeFile(join(folder, 'B.v'), TEXT);
  const controller = new AbortController();
  const prover = await rocqThat(() => {
    controller.abort();
    return Promise.resolve();
  });
  const { events, dataset } = await mine(['A.v', 'B.v'], { prover, signal: controller.signal });
  expect(events.map(({ kind }) => kind)).toEqual(['unchanged']);
  expect(await dataset.libraries()).toEqual(['A']);
  expect(await readFile(join(folder, 'out', 'A.jsonl'), 'utf8')).toBe(before);
});
