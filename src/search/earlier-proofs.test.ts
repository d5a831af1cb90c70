/** Proofs that are there before a search, on the real Rocq: whether they fit, what of them is avoided, and which runs keep any. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { present } from '../core/entry.ts';
import type { ProofState } from '../core/proof-state.ts';
import type { Prover, ProverSession } from '../core/prover.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { askedBy, EarlierProofs, ProofsOfTheorem, type PlaceOfProof } from './earlier-proofs.ts';
import type { ProveRequest } from './prove-request.ts';
import { fileStyleOf } from './script/style/file-style.ts';
import { NameHabits } from './script/style/naming.ts';
import type { RestyledProof } from './script/style/restyle.ts';
import { credulous } from './testing/credulous-judge.ts';

const NEVER = new AbortController().signal;
const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-earlier-'));
const TEXT = 'Lemma helper : True. Proof. exact I. Qed.\nLemma t : True /\\ 1 = 1.\nProof.\n';
let prover: Prover;
let session: ProverSession;
let place: PlaceOfProof;
let state: ProofState;

beforeAll(async () => {
  prover = await findRocq('auto');
  session = await prover.openSession({ file: '/nowhere/earlier.v', signal: NEVER });
  let root = session.root;
  for (const sentence of outlineOf(TEXT).sentences) {
    const result = await session.run(root, sentence);
    if (result.status !== 'done') throw new Error(`Rocq refuses ${sentence.text}`);
    root = result.state;
  }
  state = present((await session.goals(root)) ?? undefined, 'goals');
  place = { worker: { session, root }, state, isAvoided: () => false };
});
afterAll(async () => {
  await session.close();
  rmSync(cacheDirectory, { recursive: true });
});

function earlier(more: Partial<ProveRequest> = {}): EarlierProofs {
  return new EarlierProofs({
    ...{ file: '/nowhere/earlier.v', text: TEXT, theorems: 'all-holes', jobs: 1, seed: 0, cacheDirectory },
    ...{ prover, judge: credulous, signal: NEVER },
    ...more,
  });
}

const written = {
  ...{ nodes: undefined, recursive: new Set<string>(), signal: NEVER, habits: new NameHabits() },
  wantedStyle: { style: 'terse' as const, file: fileStyleOf(outlineOf('')) },
};

/** As it is kept where nothing is written in another way. */
function asFound(found: ScriptTree): RestyledProof {
  return { found, written: found, unnamed: found };
}

const PROOF: ScriptTree = {
  sentences: ['pose proof helper as H', 'split'],
  children: [
    { sentences: ['exact I'], children: [] },
    { sentences: ['reflexivity'], children: [] },
  ],
};

it('are those of the goals, too, where a place in an author’s proof was asked for', () => {
  const inside = { ...state, goals: state.goals.map((goal) => ({ ...goal, conclusion: 'False' })) };
  expect(askedBy('Lemma t : True.', state)).not.toBe(askedBy('Lemma t : True.', inside));
  expect(askedBy('Lemma t : True.', state)).not.toBe(askedBy('Lemma u : True.', state));
});

it('are found by the next run of the file with the same prover and seed, and forgotten when they are refused', async () => {
  await earlier().keep('kept', asFound(PROOF));
  expect((await earlier().ofEarlierRun('kept', place, written))?.found).toEqual(PROOF);
  for (const more of [{ file: '/nowhere/other.v' }, { seed: 1 }])
    expect(await earlier(more).ofEarlierRun('kept', place, written)).toBeUndefined();
  expect(await earlier().ofEarlierRun('another', place, written)).toBeUndefined();
  await earlier().forget('kept');
  expect(await earlier().ofEarlierRun('kept', place, written)).toBeUndefined();
});

it('are given as they were shown in the style that is asked for, and written anew in another once', async () => {
  await earlier().keep('shown', asFound(PROOF));
  expect(await earlier().ofEarlierRun('shown', place, written)).toEqual(asFound(PROOF));
  const wantedStyle = { ...written.wantedStyle, style: 'readable' as const };
  const readable = await earlier({ style: 'readable' }).ofEarlierRun('shown', place, {
    ...written,
    wantedStyle,
  });
  expect(readable?.found).toEqual(PROOF);
  expect(readable?.written).not.toEqual(PROOF);
  // Habits of the file would give other names now.
  const again = await earlier({ style: 'readable' }).ofEarlierRun('shown', place, written);
  expect(again).toEqual(readable);
  expect(await earlier().ofEarlierRun('shown', place, written)).toEqual(asFound(PROOF));
});

it('are given again where an author’s steps came to nothing, and those that were shown are, whatever was found behind them', async () => {
  const proofs = new ProofsOfTheorem(earlier(), 'instead of steps');
  proofs.add('whole', asFound(PROOF));
  await proofs.standInsteadOfSteps('whole');
  const next = new ProofsOfTheorem(earlier(), 'instead of steps');
  expect(await next.insteadOfSteps(place, written)).toEqual(asFound(PROOF));
  await earlier().keep('whole', asFound({ sentences: ['auto'], children: [] }));
  await proofs.keep();
  expect(await earlier().ofEarlierRun('whole', place, written)).toEqual(asFound(PROOF));
  await next.forget();
  expect(await next.insteadOfSteps(place, written)).toBeUndefined();
});

it('are neither kept nor used by a run that can be repeated or that is measured, nor without a cache', async () => {
  const more: Partial<ProveRequest>[] = [{ nodes: 10 }, { without: ['lemmas'] }];
  for (const one of more) {
    await earlier(one).keep('measured', asFound(PROOF));
    expect(await earlier().ofEarlierRun('measured', place, written)).toBeUndefined();
  }
  await earlier().keep('measured', asFound(PROOF));
  for (const one of more) expect(await earlier(one).ofEarlierRun('measured', place, written)).toBeUndefined();
});

it('are none where the prover refuses them now', async () => {
  await earlier().keep('broken', asFound({ sentences: ['exact I'], children: [] }));
  expect(await earlier().ofEarlierRun('broken', place, written)).toBeUndefined();
});

it('are lessened by the steps that name what is avoided, where they prove it still', async () => {
  const isAvoided = (text: string): boolean => text.includes('helper');
  const proofs = earlier();
  expect(await proofs.ofThisRun('again', place, written)).toBeUndefined();
  await proofs.keep('again', asFound(PROOF));
  const lessened = await proofs.ofThisRun('again', { ...place, isAvoided }, written);
  expect(lessened?.found.sentences).toEqual(['split']);
  await proofs.keep('needed', asFound({ sentences: ['exact (conj helper eq_refl)'], children: [] }));
  expect(await proofs.ofThisRun('needed', { ...place, isAvoided }, written)).toBeUndefined();
  // What an earlier run found is one of this run when it was given.
  const next = earlier();
  await next.ofEarlierRun('again', place, written);
  expect(await next.ofThisRun('again', place, written)).toBeDefined();
});
