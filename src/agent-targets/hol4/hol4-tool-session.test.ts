/** Closings in a session of HOL, by a program that stands for it: each of them is handed on as a whole proof. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { obedientHol, type ObedientInstallation } from '../../provers/hol4/testing/obedient-installation.ts';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import { hol4Dependencies } from './hol4-dependencies.ts';
import { Hol4ToolSession } from './hol4-tool-session.ts';
import { OperationCalls } from '../operation-calls.ts';
import { RunFile } from '../run-file.ts';
import { readUnlinkedSource } from '../../operations/files/source-file.ts';
import type { TargetHost } from '../target-host.ts';
import { hostOf } from '../testing/caller-host.ts';

const { signal } = new AbortController();
let installation: ObedientInstallation;
let caller: Caller;
let host: TargetHost;
let file: string;
beforeAll(async () => {
  installation = obedientHol();
  vi.stubEnv('QUOD_HOL4', installation.folder);
  caller = await openCaller({ 'aScript.sml': 'Theory a\n\nTheorem it:\n  p\nProof\n  cheat\nQED\n' });
  file = join(caller.folder, 'aScript.sml');
  host = await hostOf(caller);
});
afterAll(async () => {
  await caller.close();
  installation.remove();
  vi.unstubAllEnvs();
});

const runFile = (hash: string): Promise<RunFile> =>
  RunFile.open({ path: file, name: file, hash, dependencies: hol4Dependencies(file) });

it('what a sent or only a tried tactic closes is the whole proof; a new try begins with open goals', async () => {
  const source = await runFile((await readUnlinkedSource(file)).hash);
  const toolSession = await Hol4ToolSession.open(new OperationCalls(host), 'it', source, signal);
  const sent = async (command: string) => await toolSession.call('hol_send', { command }, signal);
  const tried = async (...tactics: string[]) => await toolSession.call('hol_try', { tactics }, signal);
  try {
    expect(await sent('e (simp [])')).toMatchObject({ check: { outcome: 'incomplete', proof: null } });
    expect(await sent('e (finish)')).toMatchObject({
      check: { outcome: 'proved', proof: 'finish' },
      text: expect.stringContaining('HOL took the proof of it') as unknown,
    });
    const open = await tried('simp []');
    expect(open.text).toContain('opened anew');
    expect(open.check).toBeNull();
    expect(await tried('simp []', 'finish')).toMatchObject({ check: { outcome: 'proved', proof: 'finish' } });
    expect(await toolSession.call('hol_cursor_complete', { proof: 'finish' }, signal)).toMatchObject({
      check: { outcome: 'proved', proof: 'finish' },
    });
  } finally {
    await toolSession.close();
  }
});

it('no session is opened on another text than the run has', async () => {
  const calls = new OperationCalls(host);
  const source = await runFile('of another text');
  await expect(Hol4ToolSession.open(calls, 'it', source, signal)).rejects.toMatchObject({
    reason: 'file-changed',
  });
});

it('no session is opened, and nothing judged, with other libraries beside the script than the run has', async () => {
  const source = await runFile((await readUnlinkedSource(file)).hash);
  await caller.write('bScript.sml', 'Theory b\n');
  const changed = {
    reason: 'file-changed',
    message: 'A dependency changed while the agent worked on the file: bScript.sml.',
  };
  const opened = Hol4ToolSession.open(new OperationCalls(host), 'it', source, signal);
  await expect(opened).rejects.toMatchObject(changed);
  await expect(source.judged(() => Promise.resolve('accepted'))).rejects.toMatchObject(changed);
});
