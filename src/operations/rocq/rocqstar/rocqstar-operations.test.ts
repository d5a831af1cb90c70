import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Services } from '../../definition/services.ts';
import { Workspace } from '../../definition/workspace.ts';
import { ROCQSTAR_OPERATIONS } from './rocqstar-operations.ts';

const FILE = `Lemma one (P : Prop) : P -> P.
Proof. auto. Qed.
Lemma both (P Q : Prop) : P -> Q -> P /\\ Q.
Proof. intros. split; assumption. Qed.
`;

let folder: string;
const services = new Services({ sessionIdleMs: 60_000, maximumSessions: 10, proverMemory: 4 * 1024 ** 3 });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-rocqstar-'));
  await writeFile(join(folder, 'a.v'), FILE);
});
afterAll(async () => {
  await services.close();
  await rm(folder, { recursive: true });
});

async function call(name: string, input: Record<string, unknown> = {}) {
  const operation = ROCQSTAR_OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`There is no tool ${name}.`);
  const { value } = await operation.answer(input, {
    workspace: await Workspace.confinedTo(folder),
    client: 'agent',
    signal: new AbortController().signal,
    services,
    progress: () => undefined,
  });
  return value;
}

it('has the tools of the paper and of the server', () => {
  expect(ROCQSTAR_OPERATIONS.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['list_coq_files', 'get_theorem_names', 'get_theorem_names_excl', 'get_current_target_state'],
      ...['get_theorem_with_proof', 'check_proof', 'get_similar_proofs', 'get_objects', 'about_term'],
      ...['search_pattern', 'print_term', 'check_term', 'get_project_root'],
      ...['get_current_target_theorem_state', 'get_specific_theorem_with_proof_by_name'],
      'get_theorem_names_from_file_with_target_theorem',
      'get_theorem_names_from_file_without_target_theorem',
    ]) as string[],
  );
});

it('takes an agent through a proof', async () => {
  expect(await call('list_coq_files')).toEqual({ coqFiles: [{ name: 'a.v', pathFromRoot: 'a.v' }] });
  const filePath = 'a.v';
  const { sessionId, proofVersionHash } = await call('start_session', { filePath, theoremName: 'both' });
  const session = { coqSessionId: sessionId, proofVersionHash };
  expect(await call('get_theorem_names_excl', { filePath, ...session })).toMatchObject({
    theoremNames: ['one'],
    isSessionBased: true,
  });
  expect(await call('get_theorem_names', { filePath, coqSessionId: sessionId })).toMatchObject({
    theoremNames: ['one', 'both'],
  });
  expect(await call('get_current_target_state', session)).toMatchObject({
    theoremStatement: 'Lemma both (P Q : Prop) : P -> Q -> P /\\ Q.',
    theoremProof: 'Proof.',
    isIncomplete: true,
  });
  expect(await call('get_theorem_with_proof', { filePath, theoremName: 'one', ...session })).toMatchObject({
    theoremProof: 'Proof. auto. Qed.',
    isFromOriginalFile: true,
  });
  expect(await call('get_theorem_with_proof', { filePath, theoremName: 'both', ...session })).toMatchObject({
    theoremProof: 'Proof.',
    isIncomplete: true,
    isFromOriginalFile: false,
  });
  const check = (proof: string) => call('check_proof', { proof, ...session });
  expect(await check('intros p q.')).toMatchObject({
    success: true,
    message: 'Proof is incomplete but valid so far',
  });
  expect(await check('intros. split.\n- assumption.')).toMatchObject({
    success: true,
    message: 'Your proof is incomplete but valid so far. It has the following goal at the depth 1:',
    goals: [expect.stringContaining('⊢ Q')],
  });
  expect(await check('intros.\nsplit; oops.')).toMatchObject({
    success: false,
    message: expect.stringMatching(/^Proof contains errors.* at L2$/u) as string,
    validPrefix: 'intros.',
    attemptedProof: 'intros.\nsplit; oops.',
  });
  expect(await check('admit.')).toMatchObject({ success: false });
  expect(await check('```coq\nProof.\nintros. split; assumption.\nQed.\n```')).toMatchObject({
    success: true,
    message: 'Proof complete and valid',
    restsOn: expect.stringMatching(/^What it rests on was not looked at/u) as string,
    goals: [],
  });
  expect(await check('intros.')).toMatchObject({ restsOn: null });
  expect(
    await call('get_similar_proofs', {
      goal: '{"hypothesis": [], "conclusion": "True -> True"}',
      filePath,
      coqSessionId: sessionId,
    }),
  ).toMatchObject({
    premises: ['one'],
  });
  expect(await call('check_term', { term: 'one', coqSessionId: sessionId })).toMatchObject({
    result: [expect.stringContaining('P -> P')],
  });
  // With one session there is no doubt which is meant.
  expect(await call('about_term', { term: 'one' })).toMatchObject({
    result: [expect.stringContaining('one :')],
  });
  expect(await call('get_objects', {})).toMatchObject({ objects: [expect.stringContaining('one')] });
  const history = await call('proof_history', { coqSessionId: sessionId });
  expect((history['versions'] as unknown[]).length).toBeGreaterThan(3);
  expect(await call('finish_session', { coqSessionId: sessionId })).toMatchObject({ success: true });
  await expect(call('check_proof', { proof: 'auto.' })).rejects.toMatchObject({ reason: 'not-found' });
});
