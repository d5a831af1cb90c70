/** Sessions of HOL as several clients see them: who waits, who holds, and what is told after a command was stopped. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findHol4 } from '../../provers/hol4/discovery.ts';
import { obedientHol, type ObedientInstallation } from '../../provers/hol4/testing/obedient-installation.ts';
import { HolSessions } from '../../sessions/hol4/hol-sessions.ts';
import { HolWorkbench } from '../../sessions/hol4/workbench.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let installation: ObedientInstallation;
beforeAll(() => {
  installation = obedientHol();
});
afterAll(() => {
  installation.remove();
});

describe('operations', () => {
  let caller: Caller;
  beforeEach(async () => {
    vi.stubEnv('QUOD_HOL4', installation.folder);
    caller = await openCaller();
  });
  afterEach(async () => {
    await caller.close();
    vi.unstubAllEnvs();
  });

  it('a folder that is not there is said to be so', async () => {
    const failure = await caller.failure('hol_start', { workdir: 'nowhere' });
    expect(failure.reason).toBe('not-found');
    expect(failure.text).toContain(join(caller.folder, 'nowhere'));
    expect(failure.text).not.toContain('/bin/sh');
  });

  it('a call that waits for a busy session is given up in its own time', async () => {
    await caller.call('hol_start');
    let isRunning = true;
    const long = caller.call('hol_send', { command: 'sleep 600', timeout: 900 }).finally(() => {
      isRunning = false;
    });
    const failure = await caller.failure('hol_send', { command: '1', timeout: 0.2 });
    expect(failure.reason).toBe('timeout');
    expect(isRunning).toBe(true);
    const state = await caller.failure('hol_proof_state', { timeout: 0.2 });
    expect(state.reason).toBe('timeout');
    expect(await caller.call('hol_interrupt')).toMatchObject({ interrupted: true });
    await long;
    // What was given up was never made, and what comes now has its turn.
    expect(await caller.call('hol_send', { command: '2' })).toMatchObject({ status: 'ok' });
  });

  it('the proof is told after a command that ran out of time', async () => {
    await caller.call('hol_start');
    const answer = await caller.call('hol_send', { command: 'sleep 600', timeout: 0.4 });
    expect(answer['status']).not.toBe('ok');
    expect(answer).toMatchObject({ proof: { goals: [{ conclusion: 'p' }] }, proof_unknown: null });
  });

  it('a client that went away holds nothing, and goes on where nobody came', async () => {
    const [one, two] = [{ client: 'one' }, { client: 'two' }];
    await caller.call('hol_start', {}, one);
    expect((await caller.failure('hol_attach', {}, two)).reason).toBe('invalid-input');
    caller.services.clientAway('one');
    expect(await caller.call('hol_send', { command: '1' }, one)).toMatchObject({ status: 'ok' });
    expect((await caller.failure('hol_attach', {}, two)).reason).toBe('invalid-input');
    caller.services.clientAway('one');
    expect(await caller.call('hol_sessions', {}, two)).toMatchObject({ sessions: [{ held: 'by-nobody' }] });
    await caller.call('hol_attach', {}, two);
    expect((await caller.failure('hol_send', { command: '1' }, one)).reason).toBe('not-found');
  });
});

it('one that has not called for a while can be followed, but its name is not taken by chance', async () => {
  const hol = findHol4({ ...process.env, QUOD_HOL4: installation.folder });
  if (hol === undefined) throw new Error('There is no installation.');
  const start = (): Promise<HolWorkbench> =>
    HolWorkbench.start({ installation: hol, folder: installation.folder });
  // A negative time: whoever does not call at this very moment has not called for a while.
  const sessions = new HolSessions({ idleMs: 600_000, maximum: 4, heldMs: -1 });
  try {
    await sessions.start('killed', 'default', installation.folder, start);
    await expect(sessions.start('other', 'default', installation.folder, start)).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    expect(sessions.attach('other', 'default').name).toBe('default');
  } finally {
    await sessions.closeAll();
  }
});
