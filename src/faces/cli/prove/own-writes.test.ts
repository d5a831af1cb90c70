/** Compiled files that `quod prove --write` makes stale by its own writing, with the Rocq of the machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

const BASE = `Definition twice (n : nat) := n + n.
Lemma twice_zero : twice 0 = 0.
Proof.
Admitted.
`;
const USES = `From P Require Import Base.
Opaque twice.
Lemma uses : twice (twice 0) = twice 0.
Proof.
Admitted.
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-own-writes-'));
  write('_CoqProject', '-Q . P\nBase.v\nUses.v\n');
  write('Base.v', BASE);
  write('Uses.v', USES);
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const prove = (...commandLine: string[]) => runQuod(['prove', '.', '--nodes', '40', ...commandLine], folder);

function compile(...names: string[]): void {
  for (const name of names) execFileSync('coqc', ['-Q', '.', 'P', name], { cwd: folder, stdio: 'pipe' });
}

describe.skipIf(!hasNativeRocq)('what is compiled of a file that the run wrote', { timeout: 240_000 }, () => {
  test('is made anew before a file that requires it is worked on, and said in one line', async () => {
    compile('Base.v', 'Uses.v');
    const run = await prove('--write');
    expect(run.stderr).toMatch(/^Base\.v changed in this run and is compiled again: 1 compiled, /mu);
    expect(run.stderr).not.toMatch(/warning|proved, but|✓ P\.Base/u);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(read('Uses.v')).toContain('Qed.');
    compile('Uses.v');
  });

  test('of the file that is written last it is told that it is older', async () => {
    compile('Base.v', 'Uses.v');
    const run = await prove('--write');
    expect(run.stderr).toMatch(/^What was compiled of Uses\.v is of the text before this run; quod build /mu);
  });

  test('so it is told of one that is written alone, and of what was not compiled nothing is', async () => {
    compile('Base.v');
    const alone = await runQuod(['prove', 'Base.v', '--nodes', '40', '--write'], folder);
    expect(alone.stderr).toMatch(/^What was compiled of Base\.v is of the text before this run; /mu);
    write('Base.v', BASE);
    const notCompiled = await runQuod(['prove', 'Base.v', '--nodes', '40', '--write'], folder);
    expect(notCompiled.stderr).not.toContain('What was compiled');
  });

  test('stays, as all stays that was not compiled before: it is built when that is asked for', async () => {
    compile('Base.v');
    write('Base.v', `${BASE}(* another text *)\n`);
    const before = readFileSync(join(folder, 'Base.vo'));
    const run = await prove('--write');
    expect(run.stderr).not.toContain('compiled again');
    expect(run.stderr).toMatch(/warning: .*: Base\.v\. This run itself changed Base\.v\. .* Give --build/mu);
    expect(readFileSync(join(folder, 'Base.vo'))).toEqual(before);
  });

  test('stays where nothing is written, and where it cannot be built that is told', async () => {
    compile('Base.v', 'Uses.v');
    const before = readFileSync(join(folder, 'Base.vo'));
    expect((await prove()).stderr).not.toMatch(/compiled again|warning/u);
    expect(readFileSync(join(folder, 'Base.vo'))).toEqual(before);
    write('Makefile', 'all:\n\tfalse\n');
    const run = await prove('--write');
    expect(run.stderr).toMatch(
      /^Uses\.v: warning: this run changed Base\.v, and what was compiled could not be made anew: ./mu,
    );
    expect(run.stderr).toMatch(/This run itself changed Base\.v\./u);
  });
});
