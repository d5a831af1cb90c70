/** What was run in a session before a proof is checked from there. With the real Rocq. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { operations } from '../../catalogue.ts';
import { openCaller, type Caller } from '../../testing/caller.ts';

const hasRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

describe.skipIf(!hasRocq)('a proof that is checked from a state of a session', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller({
      'f.v':
        'Set Nested Proofs Allowed.\nTheorem t : 1 + 1 = 3.\nProof. Admitted.\nTheorem u : 1 + 1 = 2.\nProof. Admitted.\n',
    });
  });
  afterAll(() => caller.close());

  const checkedAfter = async (theorem: string, before: string, proof: string) => {
    const context = caller.context();
    const { session_id } = await operations.rocq_open.call({ file: 'f.v', theorem }, context);
    const { state } = await operations.rocq_step.call({ session_id, script: before }, context);
    return operations.rocq_check_proof.call({ session_id, from: state, proof }, context);
  };

  it.each([
    ['Axiom bad : False.', 'destruct bad.'],
    ['Time Axiom bad : False.', 'destruct bad.'],
    ['Abort. Theorem t : True.', 'exact I.'],
    ['Lemma bad : False. Admitted.', 'destruct bad.'],
    ['Lemma one : True. exact I. Qed.', 'destruct one. admit.'],
    ['Admitted. Theorem u : True.', 'exact I.'],
  ])('does not count when %s was run before', async (before, proof) => {
    const { outcome, message } = await checkedAfter('t', before, proof);
    expect(outcome).toBe('forbidden');
    expect(message).toMatch(/nothing was run/u);
  });

  it.each([
    ['Proof. simpl.', 'reflexivity.'],
    ['assert (h : True).', '{ exact I. } reflexivity.'],
    ['Time simpl. Show.', 'reflexivity.'],
    ['Check nat.', 'Proof. reflexivity.'],
  ])('counts when only steps of it were run before: %s', async (before, proof) => {
    const { outcome, message } = await checkedAfter('u', before, proof);
    expect(message).toMatch(/not looked at/u);
    expect(outcome).toBe('proved');
  });

  it('is judged in the text with which the session was opened, and the answer says what the file is now', async () => {
    await caller.write('stale.v', 'Theorem t : True.\nProof.\nAdmitted.\n');
    const context = caller.context();
    const { session_id, rests_on } = await operations.rocq_open.call(
      { file: 'stale.v', theorem: 't' },
      context,
    );
    const check = () =>
      operations.rocq_check_proof.call({ session_id, proof: 'exact I.', final: true }, context);
    const same = await check();
    expect(same.message).toMatch(/the gate accepts it in the file\./u);
    expect(same.gate).toMatchObject({ file_now: 'the-same', file_hash: rests_on.file_hash });
    await caller.write('stale.v', 'Theorem t : False.\nProof.\nAdmitted.\n');
    const changed = await check();
    expect(changed.message).not.toMatch(/in the file/u);
    expect(changed.message).toContain(`SHA-256 ${String(rests_on.file_hash)}; the file is another one now`);
    expect(changed.gate).toMatchObject({ file_now: 'another', file_hash: rests_on.file_hash });
    const searched = await operations.proof_search.call({ session_id, budget: 5 }, context);
    expect(searched.results[0]?.message).toMatch(/another one now/u);
    await rm(join(caller.folder, 'stale.v'));
    const gone = await check();
    expect(gone.message).toMatch(/the file is gone now/u);
    expect(gone.gate?.file_now).toBe('gone');
  });
});
