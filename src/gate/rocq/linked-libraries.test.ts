/** Projects with links: the judge and the separate checker find what the compiler finds, or say which link leads out. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { findSandbox } from '../../process/sandbox.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { verify } from '../verify.ts';

const TARGET = 'From M.sub Require Import L.\nTheorem t : k = 3.\nAdmitted.\n';
const PROVED = TARGET.replace('Admitted.', 'Proof. reflexivity. Qed.');
const hasChecker = findExecutable(['coqchk', 'rocqchk']) !== undefined;
const sandbox = await findSandbox();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), '.quod-links-test-'));
  mkdirSync(join(folder, 'p', 'others'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The library `M.sub.L`, whose folder the project `p` reaches by a link. */
function libraryIn(store: string): void {
  mkdirSync(join(folder, store), { recursive: true });
  const text = join(folder, store, 'L.v');
  writeFileSync(text, 'Definition k := 3.\n');
  execFileSync('coqc', ['-q', '-Q', join(folder, store), 'M.sub', text]);
}

function judge(submission = PROVED, target = TARGET) {
  const physical = join(folder, 'p');
  const loadPath: RocqProject['loadPath'] = [{ flag: '-Q', physical, logical: 'M' }];
  const project = { root: physical, source: undefined, loadPath, ocamlPath: [], arguments: [] };
  return verify(
    { path: join(physical, 'T.v'), text: target },
    { path: join(physical, 'S.v'), text: submission },
    { project, policy: { recheck: 'always' } },
  );
}

describe.skipIf(findExecutable(['coqc']) === undefined || sandbox === undefined)('a link', () => {
  it.skipIf(!hasChecker)('inside the project: the checker has the library by both names', async () => {
    libraryIn('p/store');
    symlinkSync('store', join(folder, 'p', 'sub'));
    expect(await judge()).toMatchObject({
      kind: 'accepted',
      restsOn: { recheckedBy: expect.stringContaining('coqchk') as unknown },
    });
    expect(await judge(PROVED.replace('k = 3.', 'k = k.'))).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'statement-changed' }],
    });
  });

  it('that leads out of the project is named, with what to do', async () => {
    libraryIn('store');
    symlinkSync('../store', join(folder, 'p', 'sub'));
    expect(await judge()).toMatchObject({
      ...{ kind: 'unknown', reason: 'does-not-compile' },
      message: expect.stringContaining(
        `The link ${join(folder, 'p', 'sub')} leads out of the project, to ${join(folder, 'store')}`,
      ) as unknown,
    });
  });

  it('of a compiled file that leads out is named, too', async () => {
    libraryIn('store');
    mkdirSync(join(folder, 'p', 'sub'));
    symlinkSync('../../store/L.vo', join(folder, 'p', 'sub', 'L.vo'));
    expect(await judge()).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining(`The link ${join(folder, 'p', 'sub', 'L.vo')} leads out`) as unknown,
    });
  });

  it('of a source that `Load` takes in and that leads out is named', async () => {
    mkdirSync(join(folder, 'store'));
    writeFileSync(join(folder, 'store', 'D.v'), 'Definition k := 3.\n');
    symlinkSync('../store/D.v', join(folder, 'p', 'D.v'));
    symlinkSync('../store/D.v', join(folder, 'p', 'Other.v'));
    const verdict = await judge(PROVED, `Load "D.v".\n${TARGET}`);
    expect(verdict).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining(`The link ${join(folder, 'p', 'D.v')} leads out`) as unknown,
    });
    expect(JSON.stringify(verdict)).not.toContain('Other.v');
  });

  it('that leads nowhere or to what is shown is not blamed', async () => {
    symlinkSync('others', join(folder, 'p', 'more'));
    symlinkSync('../gone', join(folder, 'p', 'nowhere'));
    const verdict = await judge();
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'does-not-compile' });
    expect(JSON.stringify(verdict)).not.toContain('leads out');
  });
});
