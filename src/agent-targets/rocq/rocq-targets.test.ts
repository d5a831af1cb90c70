import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import { hostOf } from '../testing/caller-host.ts';
import type { TargetHost } from '../target-host.ts';
import { openRocqTargets } from './rocq-targets.ts';

const { signal } = new AbortController();
let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'a.v': 'Module M.\nTheorem t : True.\nProof.\nAdmitted.\nEnd M.\n' });
});
afterAll(() => caller.close());

test('what is proved is not open because its name became short for another, too', async () => {
  const file = await openRocqTargets(await hostOf(caller), { file: 'a.v' }, signal);
  expect(file.targets.map(({ theorem }) => theorem)).toEqual(['t']);
  expect(await file.openNow?.(['t'])).toEqual(['t']);
  const other = 'Module N.\nTheorem t : True.\nProof.\nAdmitted.\nEnd N.\n';
  const proved = 'Module M.\nTheorem t : True.\nProof.\nexact I.\nQed.\nEnd M.\n';
  await writeFile(join(caller.folder, 'a.v'), proved + other);
  expect(await file.openNow?.(['t'])).toEqual([]);
  await writeFile(join(caller.folder, 'a.v'), `Section S.\n${proved}End S.\n`);
  expect(await file.openNow?.(['t'])).toEqual([]);
});

/** Another file stands there while an operation reads it, and is put back or stays. */
async function hostOfOther(text: string, other: string, isPutBack: boolean): Promise<TargetHost> {
  const { workspace, calls } = await hostOf(caller);
  const begun: TargetHost['calls'] = {
    ...calls,
    call: async (operation, input, as) => {
      if (operation.name === 'rocq_outline') return await calls.call(operation, input, as);
      await caller.write('b.v', other);
      try {
        return await calls.call(operation, input, as);
      } finally {
        if (isPutBack) await caller.write('b.v', text);
      }
    },
  };
  return { workspace, calls: begun };
}

const TRUE = 'Definition zero := 0.\nTheorem t : forall n : nat, zero + n = n.\nProof.\nAdmitted.\n';
const FALSE = TRUE.replace('zero := 0', 'zero := 1');

test.each([
  ['put back at once', FALSE, true],
  ['left there', FALSE, false],
  ['without the theorem, and left there', 'Definition zero := 0.\n', false],
])('another file, %s, says nothing of the theorem of a run', async (_, other, isPutBack) => {
  const opened = async () => {
    await caller.write('b.v', TRUE);
    const { targets } = await openRocqTargets(
      await hostOfOther(TRUE, other, isPutBack),
      { file: 'b.v' },
      signal,
    );
    return targets[0];
  };
  const changed = { reason: 'file-changed' };
  await expect((await opened())?.refute?.(10, signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.search(5, 0, signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.openToolSession(signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.context(signal)).rejects.toMatchObject(changed);
});

test('a session that was opened while something else was required is closed', async () => {
  await caller.write('b.v', TRUE);
  const host = await hostOf(caller);
  const opened: string[] = [];
  const closed: string[] = [];
  const changing: TargetHost['calls'] = {
    ...host.calls,
    call: async (operation, input, as) => {
      const answer = await host.calls.call(operation, input, as);
      if (operation.name === 'rocq_close') closed.push((input as { session_id: string }).session_id);
      if (operation.name !== 'rocq_open') return answer;
      opened.push((answer as { session_id: string }).session_id);
      await caller.write('_CoqProject', '-Q . Other\n');
      return answer;
    },
  };
  const { targets } = await openRocqTargets({ ...host, calls: changing }, { file: 'b.v' }, signal);
  try {
    await expect(targets[0]?.openToolSession(signal)).rejects.toMatchObject({ reason: 'file-changed' });
  } finally {
    await rm(join(caller.folder, '_CoqProject'));
  }
  expect(opened).toHaveLength(1);
  expect(closed).toEqual(opened);
});

test('the file of a run can be refuted and worked on', async () => {
  await caller.write('b.v', FALSE);
  const { targets } = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  expect(await targets[0]?.refute?.(10, signal)).toMatchObject({ refuted: true });
  await (await targets[0]?.openToolSession(signal))?.close();
});

const FALSE_TWICE = 'Theorem u : forall n : nat, n + 1 = n.\nProof.\nAdmitted.\n';

test('proofs are judged together in the text of the run, and in no other', async () => {
  await caller.write('b.v', `${FALSE}${FALSE_TWICE}`);
  const file = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  await caller.write('b.v', `${TRUE}${FALSE_TWICE}`.replaceAll('n + 1 = n', 'n = n'));
  const changed = { reason: 'file-changed', message: 'The file changed while the agent worked on it.' };
  const proofs = new Map(['t', 'u'].map((name) => [name, { proof: 'Proof. intros. reflexivity. Qed.' }]));
  await expect(file.judgeTogether?.(proofs, signal)).rejects.toMatchObject(changed);
  await expect(file.recheck(['t', 'u'], signal)).rejects.toMatchObject(changed);
});

test('what somebody else wrote is judged together as it was compared', async () => {
  const text = 'Theorem t : True.\nAdmitted.\nTheorem u : True.\nAdmitted.\n';
  await caller.write('b.v', text);
  const file = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  await caller.write('b.v', text.replaceAll('Admitted.', 'Proof. exact I. Qed.'));
  expect(await file.compare(text, signal)).toMatchObject({ clean: true });
  const proofs = new Map(['t', 'u'].map((name) => [name, { proof: 'Proof. exact I. Qed.' }]));
  expect(await file.judgeTogether?.(proofs, signal)).toMatchObject({ verdict: 'accepted' });
});

test.skipIf(findExecutable(['coqc']) === undefined)(
  'a library that was compiled again is another one where its bytes are others',
  async () => {
    const compile = async (text: string): Promise<void> => {
      execFileSync('coqc', ['-q', '-Q', caller.folder, 'P', await caller.write('Lib.v', text)]);
    };
    await caller.write('_CoqProject', '-Q . P\n');
    await caller.write('c.v', 'From P Require Import Lib.\nTheorem t : k = 3.\nProof.\nAdmitted.\n');
    await compile('Definition k := 3.\n');
    const file = await openRocqTargets(await hostOf(caller), { file: 'c.v' }, signal);
    const [target] = file.targets;
    const proof = 'Proof. reflexivity. Qed.';
    await compile('Definition k := 3.\n');
    expect(await target?.judge(proof, signal)).toMatchObject({ verdict: 'accepted' });
    await compile('Axiom more : nat.\nDefinition k := 3.\n');
    const changed = {
      reason: 'file-changed',
      message: 'A dependency changed while the agent worked on the file: Lib.v.',
    };
    await expect(target?.judge(proof, signal)).rejects.toMatchObject(changed);
    await expect(target?.judge(proof, signal, 'Lemma h : True. Proof. exact I. Qed.')).rejects.toMatchObject(
      changed,
    );
    await expect(target?.write(proof, signal)).rejects.toMatchObject(changed);
    await expect(target?.openToolSession(signal)).rejects.toMatchObject(changed);
    await expect(file.requireDependencies?.()).rejects.toMatchObject(changed);
  },
);

test('what stands before the keyword of a lemma is named as that', async () => {
  await caller.write('b.v', TRUE);
  const { targets } = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  const state = (statement: string) => targets[0]?.helpers?.state(statement, [], signal);
  await expect(state('#[global] Lemma q : 1 + 1 = 2.')).rejects.toMatchObject({
    message: 'Something stands before the word Lemma.',
  });
  await expect(state('Lemma q : True. Lemma r : True.')).rejects.toThrow('That is not one statement.');
});

test('what is wrong with a call is told in the parameters that the model was told of', async () => {
  await caller.write('b.v', TRUE);
  const { targets } = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  const session = await targets[0]?.openToolSession(signal);
  try {
    for (const input of [{ scrip: 'exact I.' }, {}, { script: 1 }, { script: 'exact I.', sessionid: 's' }]) {
      const answer = await session?.call('rocq_step', input, signal);
      expect(answer?.text).toMatch(/invalid-input.*`script`/su);
      expect(answer?.text).not.toContain('session_id');
    }
  } finally {
    await session?.close();
  }
});
