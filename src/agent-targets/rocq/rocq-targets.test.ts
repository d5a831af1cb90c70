import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCaller, type Caller } from '../../operations/testing/caller.ts';
import { hostOf } from '../testing/caller-host.ts';
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
