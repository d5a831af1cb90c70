/** What `quod prove` says of an error of the file, before the proofs and behind them: once, in words, where it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const BEHIND = `Lemma b1 : 1 = 1.
Admitted.
Lemma b2 : 2 = 2.
Abort.
Definition bad := 3 + true.
`;
const BEFORE = `Lemma first : 1 = 1.
Admitted.
Theorem wrong : forall n, lenght n = 0.
Admitted.
Lemma last : 2 = 2.
Admitted.
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-error-behind-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function prove(text: string, ...more: string[]) {
  writeFileSync(join(folder, 'a.v'), text);
  return runQuod(['prove', 'a.v', '--nodes', '20', ...more], folder);
}

const withRocq = test.skipIf(findExecutable(['coqc']) === undefined);

withRocq('a patch names the place in the file that there is, and judges what is given up', async () => {
  const { stderr, stdout } = await prove(BEHIND, '--diff');
  expect(stderr).toMatch(/2 of 2 proved/u);
  expect(stdout).toContain('-Abort.');
  expect(stderr).toMatch(
    /a\.v:5:22: The file stops compiling behind the proofs: The term "true"[^]*expected to have type "nat"\. The proofs were judged/u,
  );
  expect(stderr).not.toMatch(/ at \d+:\d+|The target/u);
});

withRocq(
  'an error before a proof is told where it was seen, and with the proof only where it is',
  async () => {
    const { stderr, stdout } = await prove(BEFORE, '--write');
    expect(stderr.match(/lenght was not found/gu)).toHaveLength(1);
    expect(stderr).toMatch(/\? last .*: found, not judged: the file has an error before it, at 3:26\. \[/u);
    expect(stderr).toMatch(
      /a\.v:5:26: The file stops compiling there, at the error that is told above\. \(This is the place/u,
    );
    expect(stdout).toBe('');
  },
);
