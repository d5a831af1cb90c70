/** What tactics keep in the folder in which Rocq works does not get into the user's, nor through a link that lies there. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProverSession } from '../../core/prover.ts';
import { findCoqidetop } from '../../provers/rocq/coqidetop/adapter.ts';
import { makeWorkingFolder } from '../../provers/rocq/working-folder.ts';
import { findRocq } from '../find-rocq.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-session-folder-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function runAll(session: ProverSession, ...sentences: string[]): Promise<void> {
  let at = session.root;
  for (const text of sentences) {
    const result = await session.run(at, { text });
    expect(result, text).toMatchObject({ status: 'done' });
    if (result.status === 'done') at = result.state;
  }
}

describe.skipIf(findCoqidetop() === undefined)('a session of Rocq', () => {
  it.each([true, false])(
    'writes no cache into the folder, nor through a link (a client: %s)',
    async (onlyProves) => {
      const precious = join(folder, 'precious');
      writeFileSync(precious, 'mine');
      mkdirSync(join(folder, 'project'));
      const links = ['.lia.cache', '.nia.cache', '.nra.cache', '.csdp.cache'];
      for (const name of links) symlinkSync(precious, join(folder, 'project', name));
      const prover = await findRocq('coqidetop');
      const session = await prover.openSession({ file: join(folder, 'project', 'a.v'), onlyProves });
      try {
        await runAll(
          session,
          'Require Import Lia ZArith.',
          'Goal forall x y : Z, (x < y -> 2 * x + 1 < 2 * y)%Z.',
          'lia.',
          'Qed.',
          'Goal forall x : Z, (x * x >= 0)%Z.',
          'nia.',
          'Qed.',
        );
      } finally {
        await session.close();
      }
      expect(readFileSync(precious, 'utf8')).toBe('mine');
      expect(readdirSync(join(folder, 'project')).toSorted()).toEqual(links.toSorted());
    },
  );

  it('finds what lies beside the file: libraries, and what is loaded by a relative path', async () => {
    mkdirSync(join(folder, 'parts'));
    writeFileSync(join(folder, 'one.v'), 'Definition one := 1.\n');
    writeFileSync(join(folder, 'parts', 'two.v'), 'Definition two := 2.\n');
    const prover = await findRocq('coqidetop');
    const session = await prover.openSession({ file: join(folder, 'a.v') });
    try {
      await runAll(session, 'Load one.', 'Load "./parts/two".', 'Check (eq_refl : one + one = two).');
    } finally {
      await session.close();
    }
  });
});

it('lends sources and folders, not hidden ones nor other files', () => {
  for (const name of ['sub', '.git']) mkdirSync(join(folder, name));
  for (const name of ['a.v', 'a.vo', '.hidden.v', 'notes.txt']) writeFileSync(join(folder, name), '');
  const working = makeWorkingFolder(folder);
  expect(readdirSync(working.path).toSorted()).toEqual(['a.v', 'sub']);
  working.remove();
  expect(readdirSync(folder)).toContain('a.v');
  const empty = makeWorkingFolder(join(folder, 'nowhere'));
  expect(readdirSync(empty.path)).toEqual([]);
  empty.remove();
});
