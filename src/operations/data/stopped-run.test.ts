/** Sources that are run for later use, by calls that are stopped or given what is no source. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCaller, type Caller } from '../testing/caller.ts';

/** The middle proof takes minutes: a call of seconds always ends in it. */
const SLOW = `Lemma a : True.
Proof. exact I. Qed.
Lemma slow : True.
Proof. do 2000000000 idtac. exact I. Qed.
Lemma b : True /\\ True.
Proof. split; exact I. Qed.
`;

let caller: Caller;

beforeEach(async () => {
  caller = await openCaller({ 'Slow.v': SLOW, 'Foo.lean': 'theorem a : True := trivial\n' });
  vi.stubEnv('QUOD_CACHE', join(caller.folder, 'cache'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await caller.close();
});

test('a source that is not run to its end is not stored, and still to be indexed', async () => {
  for (let times = 0; times < 2; times += 1)
    expect(await caller.call('data_index', { paths: ['.'], timeout: 4 })).toMatchObject({
      ...{ files: [], indexed: 0, unchanged: 0, failed: 0, left: 1, stopped: 'timeout' },
    });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 2000);
  expect(await caller.call('data_index', { paths: ['.'] }, { signal: stop.signal })).toMatchObject({
    ...{ files: [], left: 1, stopped: 'interrupted' },
  });
});

test('a source that is not run to its end is still to be mined', async () => {
  expect(await caller.call('data_mine', { paths: ['.'], output: 'out', timeout: 4 })).toMatchObject({
    ...{ sources: [], mined: 0, failed: 0, left: 1, stopped: 'timeout' },
  });
});

test('what is no source of Rocq is neither indexed nor mined', async () => {
  for (const paths of [['Foo.lean'], ['Slow.v', 'Foo.lean']]) {
    const index = await caller.failure('data_index', { paths });
    expect(index).toMatchObject({ reason: 'invalid-input' });
    expect(index.text).toContain('Foo.lean');
    expect(await caller.failure('data_mine', { paths, output: 'out' })).toMatchObject({
      reason: 'invalid-input',
    });
  }
  const nothing = await openCaller({ 'Foo.lean': '' });
  expect(await nothing.failure('data_index', { paths: ['.'] })).toMatchObject({ reason: 'not-found' });
  await nothing.close();
});
