/**
 * Lines of a file, or of what a model says, may end as they do on Windows. What is printed is the text that Rocq
 * reads all the same. A real Rocq, and a scripted model over real HTTP.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const STATEMENT = 'Lemma one :\n  forall n,\n  n + 0 = n.\n';
const PROOF = 'Proof.\n  induction n; simpl;\n  [reflexivity | rewrite IHn; reflexivity].\nQed.\n';
const onWindows = (text: string): string => text.replaceAll('\n', '\r\n');

test.each([
  ['the file', onWindows(`${STATEMENT}Proof.\nAdmitted.\n`), PROOF],
  ['the answer of a model', `${STATEMENT}Proof.\nAdmitted.\n`, onWindows(PROOF)],
])(
  'lines that end in CRLF in %s are lines in what is printed',
  async (_, file, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-line-ends-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'a.v'), file);
    const server = await startModelServer(() => ({ text }));
    onTestFinished(() => server.close());
    const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
    const options = ['--model', 'scripted/rocq', '--mode', 'few-shot', '--no-search-first'];
    const run = await runQuod(
      ['agent', 'a.v', ...options, '--set', `providers=${providers}`, 'samples=1'],
      folder,
    );
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: `${STATEMENT}${PROOF}\n` });
    const resumed = await runQuod(['resume', 'last'], folder);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0, stdout: run.stdout });
  },
  600_000,
);
