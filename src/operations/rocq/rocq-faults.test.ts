import { readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const FILE = 'Lemma both (P Q : Prop) : P -> Q -> P /\\ Q.\nAdmitted.\n';

/** Provers started by this process: its children that run an `idetop`, or whatever the petanque backend is called. */
function provers(): number[] {
  const parent = new RegExp(`^\\d+ \\(.*\\) \\S ${process.pid} `, 'u');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        return (
          parent.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) &&
          /idetop|pet/u.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
        );
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

// The embedded Rocq is a thread of this process: there is nothing to kill.
describe.skipIf(findExecutable(['coqidetop.opt', 'coqidetop', 'rocqidetop', 'pet']) === undefined)(
  'a session whose prover',
  () => {
    let caller: Caller;
    let session_id: unknown;
    beforeEach(async () => {
      caller = await openCaller({ 'a.v': FILE });
      ({ session_id } = await caller.call('rocq_open', { file: 'a.v', theorem: 'both' }));
    });
    afterEach(() => caller.close());

    const goesOn = async () => {
      expect(await caller.call('rocq_step', { session_id, from: 's1', script: 'split.' })).toMatchObject({
        goals_total: 2,
        error: null,
      });
      expect(
        await caller.call('rocq_check_proof', { session_id, proof: 'intros p q. split; assumption.' }),
      ).toMatchObject({ outcome: 'proved' });
    };

    it('is killed between two calls goes on from its states', async () => {
      await caller.call('rocq_step', { session_id, script: 'intros p q.' });
      expect(provers()).not.toEqual([]);
      for (const pid of provers()) process.kill(pid, 'SIGKILL');
      await goesOn();
    });

    it('is killed in the middle of a step goes on from its states', async () => {
      await caller.call('rocq_step', { session_id, script: 'intros p q.' });
      const hanging = caller.call('rocq_step', {
        session_id,
        script: 'do 100000000 idtac.',
        sentence_timeout: 2,
      });
      setTimeout(() => {
        for (const pid of provers()) process.kill(pid, 'SIGKILL');
      }, 200);
      expect(await hanging).toMatchObject({ accepted: 0, error: { reason: 'timeout' } });
      await goesOn();
    });

    it('is stopped loses the step and not the session', async () => {
      await caller.call('rocq_step', { session_id, script: 'intros p q.' });
      for (const pid of provers()) process.kill(pid, 'SIGSTOP');
      const frozen = await caller.call('rocq_step', {
        session_id,
        from: 's1',
        script: 'idtac.',
        sentence_timeout: 1,
      });
      expect(frozen).toMatchObject({ error: { reason: 'timeout' } });
      await goesOn();
    });

    it('runs in another session does not wait for one that hangs', async () => {
      await caller.call('rocq_step', { session_id, script: 'intros p q.' });
      const controller = new AbortController();
      const hanging = caller.failure(
        'rocq_step',
        { session_id, script: 'do 100000000 idtac.', sentence_timeout: 600 },
        { signal: controller.signal },
      );
      // Were the second session to wait for the first one's step, this would take its ten minutes.
      const other = await caller.call('rocq_open', { file: 'a.v', theorem: 'both' }, { client: 'another' });
      expect(
        await caller.call(
          'rocq_check_proof',
          { session_id: other['session_id'], proof: 'intros p q. split; assumption.' },
          { client: 'another' },
        ),
      ).toMatchObject({ outcome: 'proved' });
      controller.abort();
      expect(await hanging).toMatchObject({ reason: 'interrupted' });
      await goesOn();
    });

    it('is closed leaves no process behind', async () => {
      expect(provers()).not.toEqual([]);
      await caller.services.close();
      expect(provers()).toEqual([]);
    });
  },
);

const canMount = process.getuid?.() === 0 && findExecutable(['mount']) !== undefined;

// Only root can make a disk that is full.
it.skipIf(!canMount)('a proof that does not fit on the disk leaves the file as it was', async ({ skip }) => {
  const caller = await openCaller();
  const disk = join(caller.folder, 'disk');
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    await caller.close();
    skip('This container does not let root mount a disk.');
  }
  try {
    const text = `${FILE}(* ${'x'.repeat(9000)} *)\n`;
    await caller.write('disk/full.v', text);
    expect(
      await caller.failure('rocq_fill', {
        file: 'disk/full.v',
        theorem: 'both',
        proof: 'intros. split; assumption.',
      }),
    ).toMatchObject({
      reason: 'file-unwritable',
      text: expect.stringMatching(/cannot be written: no space .*It is unchanged\. Make room/u) as string,
    });
    expect(readFileSync(join(disk, 'full.v'), 'utf8')).toBe(text);
    expect(readdirSync(disk)).toEqual(['full.v']);
  } finally {
    execFileSync('umount', [disk]);
    await caller.close();
  }
});
