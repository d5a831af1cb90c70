/**
 * Proofs of which the gate accepts each and not all in one file, for a user who wants them written: a run that is taken up again says so, as the run did. A real Rocq, and a scripted model over real HTTP.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod, type QuodRun } from '../testing/run-quod.ts';

const LONG = 600_000;
const UNIVERSES = 'Definition U1 := Type.\nDefinition U2 := Type.\n';
const hole = (name: string): string => `Lemma ${name} : True.\nProof.\nAdmitted.\n`;
const PROOFS = {
  one: 'Proof. pose (U2 : U1). exact I. Qed.',
  two: 'Proof. pose (U1 : U2). exact I. Qed.',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-apart-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Both are found at once, so that neither is judged with the other; one of them is written. */
async function written(): Promise<QuodRun> {
  writeFileSync(join(folder, 'a.v'), UNIVERSES + hole('one') + hole('two'));
  const server = await startModelServer(({ messages }) => {
    const [, name] = /Lemma (one|two) /u.exec(JSON.stringify(messages).split('Theorem:')[1] ?? '') ?? [];
    return { text: PROOFS[name === 'one' ? 'one' : 'two'] };
  });
  onTestFinished(() => server.close());
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  const options = ['--model', 'scripted/rocq', '--mode', 'few-shot', '--no-search-first', '--jobs', '2'];
  return await runQuod(
    [
      'agent',
      'a.v',
      '--write',
      ...options,
      '--set',
      `providers=${providers}`,
      'samples=1',
      'refute-seconds=0',
    ],
    folder,
  );
}

test(
  'a run whose proofs do not go together ends with 2 and says so, also each time that it is taken up again',
  async () => {
    const run = await written();
    const told = (reason: RegExp) => ({
      ...{ exitCode: 2, stderr: expect.stringMatching(reason) as unknown },
    });
    const notWritten = /2 of 2 proved, 1 of them not written\..*was not written: .*universe inconsistency/su;
    expect(run, run.stderr).toMatchObject(told(notWritten));
    const text = readFileSync(join(folder, 'a.v'), 'utf8');
    expect(text.match(/pose/gu)).toHaveLength(1);
    const again = await runQuod(['resume', 'last', '--write'], folder);
    expect(again, again.stderr).toMatchObject(told(notWritten));
    const printed = await runQuod(['resume', 'last', '--set', 'write=false'], folder);
    expect(printed, printed.stderr).toMatchObject(
      told(/2 of 2 proved\..*accepts each of these proofs, but not all.*universe inconsistency/su),
    );
    expect(readFileSync(join(folder, 'a.v'), 'utf8')).toBe(text);
  },
  LONG,
);

test(
  'where the user has made the one in the file another that goes with it, the other is written',
  async () => {
    await written();
    const path = join(folder, 'a.v');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/pose \(U. : U.\)\.\s*/u, ''));
    const resumed = await runQuod(['resume', 'last', '--write'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path, 'utf8').match(/Qed/gu)).toHaveLength(2);
  },
  LONG,
);
