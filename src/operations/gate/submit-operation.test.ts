/**
 * Submissions that are handed in, with the real Rocq: as files and as texts, what is kept, and what its signature
 * is worth.
 */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePolicy } from '../../gate/policy.ts';
import { sha256 } from '../../core/sha256.ts';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const TARGET = 'Lemma both : True /\\ True.\nProof.\nAdmitted.\n';
const GOOD = 'Lemma both : True /\\ True.\nProof. split; exact I. Qed.\n';
const CHEAT = 'Lemma both : True.\nProof. exact I. Qed.\n';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'target.v': TARGET, 'good.v': GOOD });
});
afterAll(() => caller.close());

it('judges files and texts, keeps both verdicts, and lists them newest first', async () => {
  const accepted = await caller.call('gate_submit', { target: 'target.v', submission: 'good.v' });
  expect(accepted).toMatchObject({ verdict: 'accepted', statements: [{ assumptions: [] }] });
  const rejected = await caller.call('gate_submit', {
    ...{ target: 'target.v', submission: 'Dropped.v', submission_text: CHEAT },
    policy: '{"helperLemmas": false}',
  });
  expect(rejected).toMatchObject({ verdict: 'rejected' });
  await expect(stat(join(caller.folder, 'Dropped.v'))).rejects.toThrow();

  const { verdicts, total } = await caller.call('gate_history', {});
  expect(total).toBe(2);
  expect(new Set((verdicts as { id: string }[]).map(({ id }) => id))).toEqual(
    new Set([accepted['id'], rejected['id']]),
  );
  const kept = await caller.call('gate_kept', { id: rejected['id'] });
  // A text that was dropped is no file that may change.
  expect(kept['made_with']).toMatchObject([
    { file: 'target.v', file_hash: sha256(TARGET), backend: 'coqidetop' },
  ]);
  expect(kept).toMatchObject({
    ...{ verdict: 'rejected', target_text: TARGET, submission_text: CHEAT, submission: 'Dropped.v' },
  });
  expect(parsePolicy(String(kept['policy']), 'policy.json')).toMatchObject({ helperLemmas: false });
  expect((kept['findings'] as { line: number | null }[]).length).toBeGreaterThan(0);
});

it('says at every face what is open in what was accepted, and that it does not hold', async () => {
  const [U, T] = ['Theorem u : 1 = 2. Admitted.\n', 'Theorem t : 1 = 2. '];
  await caller.write('open.v', `${U}${T}Admitted.\n`);
  await caller.write('closed.v', `${U}${T}exact u. Qed.\n`);
  const files = { target: 'open.v', submission: 'closed.v' };
  const policy = '{"theorems": ["t"]}';
  const submitted = await operations.gate_submit.answer({ ...files, policy }, caller.context());
  expect(submitted.holds()).toBe(false);
  const { id } = submitted.value;
  const told = 'accepted, but for what is open: u';
  expect(submitted.conclusion()).toBe(`${told}; kept as ${id}`);

  const kept = await operations.gate_kept.answer({ id }, caller.context());
  expect(kept.value).toMatchObject({
    statements: [{ name: 't', open_statements: ['u'] }],
    open_statements: ['u'],
  });
  expect(kept.holds()).toBe(false);
  expect(kept.conclusion()).toBe(told);

  const history = await operations.gate_history.answer({ limit: 1 }, caller.context());
  expect(history.value).toMatchObject({ verdicts: [{ id, open_statements: ['u'] }] });
  expect(history.body()).toContain(told);

  // What is closed, too, is accepted in a word.
  const good = await operations.gate_submit.answer(
    { target: 'target.v', submission: 'good.v' },
    caller.context(),
  );
  expect(good.holds()).toBe(true);
  expect(good.conclusion()).toBe(`accepted; kept as ${good.value.id}`);
  expect((await operations.gate_history.answer({ limit: 1 }, caller.context())).body()).not.toContain('open');
});

it('a judgement whose time is over says that, and not that somebody cancelled it', async () => {
  const slow = `Fixpoint f n := match n with 0 => 0 | S m => f m + f m end.
Lemma slow : f 90 = 0. Proof. vm_compute. reflexivity. Qed.
${GOOD}`;
  const verdict = await caller.call('gate_submit', {
    ...{ target: 'target.v', submission: 'Slow.v', submission_text: slow, timeout: 1 },
  });
  expect(verdict).toMatchObject({
    verdict: 'unknown',
    reason: 'timeout',
    message: 'The call was given up after 1 s. Ask for less, or give it a larger `timeout`.',
  });
});

it('the report is signed, gate_report accepts it for these bytes alone, and a changed one is refused', async () => {
  const { id } = await caller.call('gate_submit', { target: 'target.v', submission: 'good.v' });
  const kept = await caller.call('gate_kept', { id });
  await caller.write('report.dsse.json', String(kept['signed_report']));
  const key = String(kept['public_key']);
  const check = (more: Record<string, unknown>) =>
    caller.call('gate_report', { file: 'report.dsse.json', key, ...more });
  expect(await check({ target: 'target.v', submission: 'good.v' })).toMatchObject({
    genuine: true,
    verdict: 'accepted',
  });
  expect(await check({ submission: 'target.v' })).toMatchObject({ genuine: false });
  const file = join(caller.folder, 'report.dsse.json');
  const envelope = JSON.parse(await readFile(file, 'utf8')) as { payload: string };
  const report = Buffer.from(envelope.payload, 'base64').toString('utf8').replace('"both"', '"all"');
  await writeFile(file, JSON.stringify({ ...envelope, payload: Buffer.from(report).toString('base64') }));
  expect(await check({})).toMatchObject({ genuine: false });
  const { mode } = await stat(join(caller.folder, '.quod', 'verdicts', 'key.pem'));
  expect(mode & 0o077).toBe(0);
});

it('shows no verdict beside a text that was put in the place of the judged one', async () => {
  const { id } = await caller.call('gate_submit', { target: 'target.v', submission: 'good.v' });
  await writeFile(
    join(caller.folder, '.quod', 'verdicts', String(id), 'submission-good.v'),
    'Axiom f : False.\n',
  );
  const failure = JSON.stringify(await caller.failure('gate_kept', { id }));
  expect(failure).toContain('invalid-input');
  expect(failure).toContain('is not the one that was judged');
});

it('refuses names that are paths, other kinds, and policies that say what there is not', async () => {
  const submit = (input: Record<string, unknown>) =>
    caller.failure('gate_submit', { target: 'target.v', submission: 'x.v', submission_text: GOOD, ...input });
  expect(await submit({ submission: '../../x.v;rm' })).toMatchObject({ reason: 'invalid-input' });
  expect(await submit({ submission: 'xScript.sml' })).toMatchObject({ reason: 'invalid-input' });
  expect(await submit({ policy: '{"helperLemma": false}' })).toMatchObject({ reason: 'invalid-input' });
  expect(await submit({ target: '../../etc/passwd' })).toMatchObject({ reason: 'outside-workspace' });
  expect(await caller.failure('gate_kept', { id: '../..' })).toMatchObject({ reason: 'not-found' });
});

it('follows no link that somebody laid where verdicts are kept', async () => {
  const stranger = await openCaller({ 'target.v': TARGET, 'good.v': GOOD, victim: 'kept' });
  try {
    await mkdir(join(stranger.folder, '.quod', 'verdicts'), { recursive: true });
    await symlink('../../victim', join(stranger.folder, '.quod', 'verdicts', 'key.pub.pem'));
    expect(await stranger.call('gate_submit', { target: 'target.v', submission: 'good.v' })).toMatchObject({
      id: null,
      not_kept: expect.stringContaining('symbolic link') as string,
    });
    expect(await readFile(join(stranger.folder, 'victim'), 'utf8')).toBe('kept');
    expect(await readdir(join(stranger.folder, '.quod', 'verdicts'))).not.toContain('key.pem');
  } finally {
    await stranger.close();
  }
});

it('a name that is too long is refused and leaves nothing; one as long as the system takes is kept', async () => {
  const folders = async () => await readdir(join(caller.folder, '.quod', 'verdicts')).catch(() => []);
  const texts = { target_text: TARGET, submission: 'Given.v', submission_text: GOOD };
  const submit = (target: string) => ({ ...texts, target });
  const before = await folders();
  const failure = await caller.failure('gate_submit', submit(`${'n'.repeat(300)}.v`));
  expect(failure).toMatchObject({ reason: 'invalid-input' });
  for (const file of [`${'n'.repeat(300)}.v`, `${'a/'.repeat(3000)}t.v`])
    expect(await caller.failure('rocq_outline', { file })).toMatchObject({ reason: 'invalid-input' });
  expect(await folders()).toEqual(before);
  const longest = `${'n'.repeat(253)}.v`;
  const { id } = await caller.call('gate_submit', submit(longest));
  expect(await caller.call('gate_kept', { id })).toMatchObject({ target: longest, target_text: TARGET });
});

it('lists each kept verdict for itself: one that was damaged or forged is named with why, and the others stand', async () => {
  const own = await openCaller({ 'target.v': TARGET, 'good.v': GOOD, 'cheat.v': CHEAT });
  try {
    const judge = async (submission: string): Promise<string> =>
      String((await own.call('gate_submit', { target: 'target.v', submission }))['id']);
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push(await judge('cheat.v'));
    const [gone, forged, resigned, unsigned, whole] = ids as [string, string, string, string, string];
    const at = (id: string, name: string): string => join(own.folder, '.quod', 'verdicts', id, name);
    await rm(at(gone, 'submission-cheat.v'));
    const report = await readFile(at(forged, 'report.json'), 'utf8');
    await writeFile(at(forged, 'report.json'), report.replace('"rejected"', '"accepted"'));
    const envelope = JSON.parse(await readFile(at(resigned, 'report.json.dsse.json'), 'utf8')) as {
      payload: string;
    };
    const payload = Buffer.from(
      Buffer.from(envelope.payload, 'base64').toString('utf8').replace('"rejected"', '"accepted"'),
    ).toString('base64');
    await writeFile(at(resigned, 'report.json.dsse.json'), JSON.stringify({ ...envelope, payload }));
    await writeFile(at(resigned, 'report.json'), Buffer.from(payload, 'base64'));
    await rm(at(unsigned, 'report.json.dsse.json'));

    const history = await operations.gate_history.answer({}, own.context());
    const { verdicts, unreadable, total } = history.value;
    expect(verdicts.map(({ id, verdict }) => [id, verdict])).toEqual([[whole, 'rejected']]);
    expect(total).toBe(5);
    const why = Object.fromEntries(unreadable.map((entry) => [entry.id, entry.why]));
    expect(why[gone]).toMatch(/submission-cheat\.v.* is gone/);
    expect(why[forged]).toMatch(/report .* was changed/);
    expect(why[resigned]).toMatch(/not one of this folder's key/);
    expect(why[unsigned]).toMatch(/dsse\.json.* is gone/);
    expect(history.body()).not.toContain('accepted');
    expect(history.body().split('\n')).toHaveLength(5);
    for (const id of [gone, forged, resigned, unsigned])
      expect(await own.failure('gate_kept', { id })).toMatchObject({
        text: expect.stringContaining(String(why[id])) as string,
      });
  } finally {
    await own.close();
  }
});

it('a verdict that cannot be kept is told all the same, with why', async () => {
  const own = await openCaller({ 'target.v': TARGET, 'good.v': GOOD, '.quod': 'no folder' });
  try {
    const submitted = await operations.gate_submit.answer(
      { target: 'target.v', submission: 'good.v' },
      own.context(),
    );
    expect(submitted.value).toMatchObject({ verdict: 'accepted', id: null });
    expect(submitted.value.not_kept).toMatch(/verdicts: .* cannot be written: not a directory\. .*copy/);
    expect(submitted.conclusion()).toMatch(/^accepted; not kept: /);
    expect(submitted.holds()).toBe(true);
  } finally {
    await own.close();
  }
});
