import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import { sha256 } from '../../core/sha256.ts';
import type { TargetFile } from '../../agent/target.ts';
import { confirm } from '../../agent/workflow/confirmation.ts';
import { hostOf } from '../testing/caller-host.ts';
import type { TargetChoice } from '../target-choice.ts';
import { openRocqTargets } from './rocq-targets.ts';

const { signal } = new AbortController();
let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({});
});
afterAll(() => caller.close());

const OPEN = (statement: string): string => `${statement}\nProof.\nAdmitted.\n`;
const F = OPEN('Definition f : nat -> nat.');
const AXIOM = `${F}Axiom ax : f 0 = 0 -> False.\n${OPEN('Lemma two : False.')}`;
const BAD = `${F}${OPEN('Lemma bad : f 0 = 1.')}${OPEN('Lemma two : False.')}`;
const VALUE = 'Proof. exact (fun _ => 0). Defined.';
const BY_AXIOM = 'Proof. exact (ax eq_refl). Qed.';
const BY_BAD = 'Proof. discriminate bad. Qed.';

const opened = async (choice: Partial<TargetChoice> = {}): Promise<TargetFile> =>
  openRocqTargets(await hostOf(caller), { file: 'c.v', ...choice }, signal);

async function write(file: TargetFile, proofs: Readonly<Record<string, string>>): Promise<void> {
  for (const [theorem, proof] of Object.entries(proofs))
    await file.targets.find((one) => one.theorem === theorem)?.write(proof, signal);
}

const warned = (of: string) => ({
  verdict: 'accepted',
  grounds: { two: { warnings: [expect.stringContaining('values-chosen: ') as string] } },
  ...(of === 'bad' ? { restsOnOpen: { two: ['bad'] } } : {}),
});

describe('what the run itself has put into the file is no ground to stand on', () => {
  test.each([
    ['an axiom', AXIOM, BY_AXIOM, 'ax'],
    ['an open statement', BAD, BY_BAD, 'bad'],
  ])('%s that speaks of a chosen value is told of all that was written', async (_, text, proof, of) => {
    await caller.write('c.v', text);
    const file = await opened({ theorems: ['f', 'two'] });
    await write(file, { f: VALUE, two: proof });
    const judged = await file.recheck(['f', 'two'], signal);
    expect(judged).toMatchObject(warned(of));
    expect(judged.grounds?.['f']?.warnings.join()).toContain(`${of} (of f)`);
    // The value stands there and is the run's, although nobody asks about it.
    expect(await file.recheck(['two'], signal)).toMatchObject(warned(of));
  });

  test('so is what was written in part only', async () => {
    await caller.write('c.v', AXIOM);
    const file = await opened();
    await write(file, { f: VALUE });
    const proofs = new Map([['two', { proof: BY_AXIOM }]]);
    expect(await file.judgeTogether?.(proofs, signal)).toMatchObject(warned('ax'));
  });

  test('and what an earlier part of the run wrote', async () => {
    const text = AXIOM.replace('Proof.\nAdmitted.', VALUE).replace('Proof.\nAdmitted.', BY_AXIOM);
    await caller.write('c.v', text);
    const proofs = new Map([
      ['f', { proof: VALUE }],
      ['two', { proof: BY_AXIOM }],
    ]);
    const known = { original: AXIOM, hashes: [sha256(AXIOM), sha256(text)], proofs };
    const file = await opened({ theorems: ['f', 'two'], known });
    expect(await file.recheck(['f', 'two'], signal)).toMatchObject(warned('ax'));
  });

  test('also where a resumed run finds only the value in the file', async () => {
    const text = AXIOM.replace('Proof.\nAdmitted.', VALUE);
    await caller.write('c.v', text);
    const ended = (theorem: string, proof: string) => ({
      ...{ kind: 'theorem-ended' as const, key: theorem, theorem, proof, outcome: 'proved' as const },
      ...{ restsOnOpen: [], found: 'plan' as const, reason: '' },
    });
    const written = { kind: 'written' as const, key: 'f', fileHash: sha256(text) };
    const past = [ended('f', VALUE), written, ended('two', BY_AXIOM)].map((event, seq) => ({
      ...{ seq, at: '', event },
    }));
    const known = {
      ...{ original: AXIOM, hashes: [sha256(AXIOM), sha256(text)] },
      proofs: new Map([['f', { proof: VALUE }]]),
    };
    const file = await opened({ theorems: ['f', 'two'], known });
    const { events, proofs } = await confirm(past, [file], signal);
    expect([...proofs.keys()]).toEqual(['f', 'two']);
    expect(events).toMatchObject([warned('ax')]);
  });

  test('a lemma that the run put there is taken back with its proof', async () => {
    await caller.write('c.v', AXIOM);
    const file = await opened();
    await write(file, { f: VALUE });
    const two = file.targets.find(({ theorem }) => theorem === 'two');
    const before = 'Local Lemma h : f 0 = 0.\nProof.\nreflexivity.\nQed.';
    await two?.write('Proof. exact (ax h). Qed.', signal, before);
    expect(await file.recheck(['f', 'two'], signal)).toMatchObject(warned('ax'));
  });

  test('a file that only its proofs make compile is accepted, and what cannot be told is', async () => {
    const needed = `${F}Example e : f 0 = 0.\nProof. reflexivity. Qed.\n${OPEN('Lemma two : f 1 = 0.')}`;
    await caller.write('c.v', needed);
    const file = await opened();
    await write(file, { f: VALUE, two: 'Proof. reflexivity. Qed.' });
    expect(await file.recheck(['f', 'two'], signal)).toMatchObject({
      verdict: 'accepted',
      grounds: { two: { warnings: [expect.stringContaining('as the run found it') as string] } },
    });
  });
});

describe('what is false with a value that the run chose', () => {
  const refuteTarget = async (text: string, proofs: Readonly<Record<string, string>>) => {
    await caller.write('c.v', text);
    const file = await opened();
    await write(file, proofs);
    return await file.targets.find(({ theorem }) => theorem === 'target')?.refute?.(10, signal);
  };

  test('is not refuted', async () => {
    const text = `${F}${OPEN('Lemma target : f 0 = 1.')}`;
    expect(await refuteTarget(text, { f: VALUE })).toMatchObject({
      refuted: false,
      negation: null,
      falseWith: ['f'],
      message: expect.stringContaining('with what this run has put into the file') as string,
    });
  });

  test('is not refuted for a lemma of a run that goes on either', async () => {
    const text = AXIOM.replace('Proof.\nAdmitted.', VALUE);
    await caller.write('c.v', text);
    const proofs = new Map([['f', { proof: VALUE }]]);
    const known = { original: AXIOM, hashes: [sha256(AXIOM), sha256(text)], proofs };
    const { targets } = await opened({ theorems: ['f', 'two'], known });
    const two = targets.find(({ theorem }) => theorem === 'two');
    const lemma = await two?.helpers?.state('Lemma l : f 0 = 1.', [], signal);
    expect(await lemma?.target.refute?.(10, signal)).toMatchObject({ refuted: false });
    await lemma?.close();
  });

  test('is refuted where it is false whatever that is', async () => {
    const text = `${F}${OPEN('Lemma target : forall n : nat, n = n + 1.')}`;
    const refuted = await refuteTarget(text, { f: VALUE });
    expect(refuted).toMatchObject({ refuted: true });
    expect(refuted?.negation).toContain('target_false');
  });
});

test('a proof that needs what is gone from a file that was put back is not refused for that', async () => {
  await caller.write('c.v', AXIOM);
  const file = await opened();
  await write(file, { f: VALUE });
  await caller.write('c.v', AXIOM);
  const two = file.targets.find(({ theorem }) => theorem === 'two');
  const changed = { reason: 'file-changed', message: 'The file changed while the agent worked on it.' };
  await expect(two?.judge(BY_AXIOM, signal)).rejects.toMatchObject(changed);
});
