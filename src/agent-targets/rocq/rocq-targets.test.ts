import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import { hostOf } from '../testing/caller-host.ts';
import type { TargetHost } from '../target-host.ts';
import { openRocqTargets } from './rocq-targets.ts';

const { signal } = new AbortController();
let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({ 'a.v': 'Module M.\nTheorem t : True.\nProof.\nAdmitted.\nEnd M.\n' });
});
afterAll(() => caller.close());

test('what is proved is not open because its name became short for another, too', async () => {
  const file = await openRocqTargets(await hostOf(caller), { file: 'a.v' }, signal);
  expect(file.targets.map(({ theorem }) => theorem)).toEqual(['t']);
  expect(await file.openNow?.(['t'])).toEqual(['t']);
  const other = 'Module N.\nTheorem t : True.\nProof.\nAdmitted.\nEnd N.\n';
  const proved = 'Module M.\nTheorem t : True.\nProof.\nexact I.\nQed.\nEnd M.\n';
  await writeFile(join(caller.folder, 'a.v'), proved + other);
  expect(await file.openNow?.(['t'])).toEqual([]);
  await expect(file.recheck(['t'], signal)).rejects.toThrow('The file states several theorems t.');
  await writeFile(join(caller.folder, 'a.v'), `Section S.\n${proved}End S.\n`);
  expect(await file.openNow?.(['t'])).toEqual([]);
});

/** Another file stands there while an operation reads it, and is put back or stays. */
async function hostOfOther(text: string, other: string, isPutBack: boolean): Promise<TargetHost> {
  const { workspace, calls } = await hostOf(caller);
  const begun: TargetHost['calls'] = {
    ...calls,
    call: async (operation, input, as) => {
      if (operation.name === 'rocq_outline') return await calls.call(operation, input, as);
      await caller.write('b.v', other);
      try {
        return await calls.call(operation, input, as);
      } finally {
        if (isPutBack) await caller.write('b.v', text);
      }
    },
  };
  return { workspace, calls: begun };
}

const TRUE = 'Definition zero := 0.\nTheorem t : forall n : nat, zero + n = n.\nProof.\nAdmitted.\n';
const FALSE = TRUE.replace('zero := 0', 'zero := 1');

test.each([
  ['put back at once', FALSE, true],
  ['left there', FALSE, false],
  ['without the theorem, and left there', 'Definition zero := 0.\n', false],
])('another file, %s, says nothing of the theorem of a run', async (_, other, isPutBack) => {
  const opened = async () => {
    await caller.write('b.v', TRUE);
    const { targets } = await openRocqTargets(
      await hostOfOther(TRUE, other, isPutBack),
      { file: 'b.v' },
      signal,
    );
    return targets[0];
  };
  const changed = { reason: 'file-changed' };
  await expect((await opened())?.refute?.(10, signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.search(5, 0, signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.openToolSession(signal)).rejects.toMatchObject(changed);
  await expect((await opened())?.context(signal)).rejects.toMatchObject(changed);
});

test('the file of a run can be refuted and worked on', async () => {
  await caller.write('b.v', FALSE);
  const { targets } = await openRocqTargets(await hostOf(caller), { file: 'b.v' }, signal);
  expect(await targets[0]?.refute?.(10, signal)).toMatchObject({ refuted: true });
  await (await targets[0]?.openToolSession(signal))?.close();
});
