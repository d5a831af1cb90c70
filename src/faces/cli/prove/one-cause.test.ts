/** A fault in front of many holes, as `quod prove` and `quod refute` tell it: once, with what it costs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

const NOT_CLOSED = `Theorem first : forall n : nat, n = n.
Proof.
  intro n.

Theorem second : 1 = 1.
Proof. Admitted.

Theorem third : 2 = 2.
`;
const NOT_DEFINED = `Definition twice (n : nat) : nat := n + m.
Theorem one : twice 1 = 2.
Proof. Admitted.
Theorem two : twice 2 = 4.
Proof. Admitted.
Theorem other : 1 = 1.
Proof. Admitted.
Theorem three : twice 3 = 6.
Proof. Admitted.
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-one-cause-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function quod(text: string, ...words: string[]) {
  writeFileSync(join(folder, 'a.v'), text);
  return runQuod([...words, 'a.v'], folder);
}

const prove = (text: string, ...more: string[]) => quod(text, 'prove', '--nodes', '30', ...more);

describe.skipIf(!hasNativeRocq)('one fault in front of many holes', { timeout: 240_000 }, () => {
  test('a proof that is not closed is a hole as others are, and what stands behind it is searched', async () => {
    const run = await prove(NOT_CLOSED);
    expect(run.stderr).toMatch(/^quod: a\.v:1:0: The proof of first is not closed .* at 5:0;/mu);
    expect(run.stderr).not.toContain('Nested proofs');
    expect(run.stderr).toMatch(/^3 of 3 proved/mu);
    expect(run.exitCode, run.stderr).toBe(0);
  });

  test('so it is where the proofs are written', async () => {
    const written = await prove(NOT_CLOSED, '--write');
    expect(written.exitCode, written.stderr).toBe(0);
    expect(readFileSync(join(folder, 'a.v'), 'utf8').match(/Qed\./gu)).toHaveLength(3);
  });

  test('of a proof that is not closed and not asked for it is told, and the exit code says so', async () => {
    const run = await prove(NOT_CLOSED, '--theorem', 'second');
    expect(run.stderr).toMatch(/The proof of first is not closed/u);
    expect(run.stderr).toMatch(/^1 of 1 proved/mu);
    expect(run.exitCode, run.stderr).toBe(2);
  });

  test('theorems that speak of what has an error are told in one line, with the error', async () => {
    const run = await prove(NOT_DEFINED);
    expect(run.stderr.match(/^quod: .*$/gmu)).toEqual([
      expect.stringMatching(/^quod: a\.v:1:40: The reference m was not found/u),
    ]);
    expect(run.stderr).toMatch(
      /^ {2}✗ one, two, three \(a\.v:2 to 8\) {2}not searched: .* for the error in twice at 1:40: The reference m /mu,
    );
    expect(run.stderr).not.toContain('The reference twice');
    expect(run.exitCode).toBe(2);
    const lines = (await prove(NOT_DEFINED, '--json')).stdout.trim().split('\n');
    expect(lines.filter((line) => line.includes('"theorem":"t'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('for the error in twice at 1:40'))).toHaveLength(3);
  });

  test('so it is where a counterexample is looked for', async () => {
    const run = await quod(NOT_DEFINED, 'refute');
    expect(run.stdout).toMatch(
      /^one, two, three: not tried\. .* for the error in twice at 1:40: The reference m /mu,
    );
  });
});
