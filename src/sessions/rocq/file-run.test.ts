/** What an author wrote of a long proof is watched as far as whoever searches has time for it. */
import { expect, it } from 'vitest';
import type { ProverSession } from '../../core/prover.ts';
import { entryAt } from '../../core/entry.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { findRocq } from '../find-rocq.ts';
import { FileRun } from './file-run.ts';
import { ImportHints } from './imports/import-hint.ts';

const STEPS = 50;
const OUTLINE = outlineOf(`Lemma t : True.\nProof.\n${'idtac.\n'.repeat(STEPS)}Admitted.\n`);

it('watches an open proof only as long as it may go on, and once', async () => {
  let ran = 0;
  const session = {
    root: 'root',
    goals: () => Promise.resolve({ goals: [], unfocused: [], shelved: 0, givenUp: 0 }),
    run: () => {
      ran += 1;
      return Promise.resolve({ status: 'done', state: `state ${ran}`, messages: [], elapsedMs: 0 });
    },
  } as unknown as ProverSession;
  const told: number[] = [];
  const run = new FileRun(
    session,
    { outline: OUTLINE, file: 'a.v' },
    { onTrace: (trace) => told.push(trace.length), onError: () => undefined },
    { record: 'open-proofs', signal: new AbortController().signal },
  );
  const theorem = entryAt(OUTLINE.statements, 0, 'statement');
  for (let time = 0; time < 2; time += 1) await run.recordOpenProof(theorem, session.root, () => ran < 3);
  expect([ran, told]).toEqual([3, [3]]);
});

it('tells of a sentence that does not come to its end where it begins, and what is set aside for it', async () => {
  const text =
    'Eval compute in endless.\nLemma t : True.\nProof.\nendless.\nQed.\nLemma u : True.\nAdmitted.\n';
  const outline = outlineOf(text);
  const session = {
    root: 'root',
    goals: () => Promise.resolve({ goals: [], unfocused: [], shelved: 0, givenUp: 0 }),
    run: (from: string, { text: sentence }: { text: string }) =>
      Promise.resolve(
        sentence.includes('endless')
          ? { status: 'unknown', reason: 'timeout', message: 'Too long.', elapsedMs: 1 }
          : { status: 'done', state: `${from}'`, messages: [], elapsedMs: 0 },
      ),
  } as unknown as ProverSession;
  const told: unknown[] = [];
  const run = new FileRun(
    session,
    { outline, file: 'a.v' },
    {
      onTrace: () => undefined,
      onError: ({ reason }, { endless, setAside }) => told.push([reason, endless, setAside?.text]),
    },
    { record: false, signal: new AbortController().signal },
  );
  await run.advanceTo(entryAt(outline.statements, 1, 'statement'));
  expect(told).toEqual([
    ['timeout', 0, undefined],
    ['timeout', text.indexOf('endless.\nQed'), 'Admitted.'],
  ]);
});

it('tells with an error what import helps against it', async () => {
  const text =
    'Definition pair : list nat := [1; 2].\nDefinition first := hd 0 (1 :: nil).\nLemma t : 0 <= 1.\nProof. lia. Qed.\n';
  const session = await (await findRocq('auto')).openSession({ file: '/quod-hinted.v' });
  const told: unknown[] = [];
  const run = new FileRun(
    session,
    { outline: outlineOf(text), file: 'a.v', imports: new ImportHints() },
    {
      onTrace: () => undefined,
      onError: ({ remedy, place }) =>
        told.push([place.position?.line, remedy?.replace(/^.*?Import (.*)` .*$/u, '$1')]),
    },
    { record: false, signal: new AbortController().signal },
  );
  try {
    await run.finish();
  } finally {
    await session.close();
  }
  expect(told).toEqual([
    [1, 'List. Import ListNotations.'],
    [2, 'List.'],
    [4, 'Lia.'],
  ]);
});
