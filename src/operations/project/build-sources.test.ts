import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCaller } from '../testing/caller.ts';

test('a project file with the name of no folder is what is told of, by build and check', async () => {
  const caller = await openCaller({ _CoqProject: '-Q theoris Shop\n' });
  await mkdir(join(caller.folder, 'theories'));
  await caller.write('theories/Base.v', 'Definition a := 1.\n');
  await caller.write('theories/Top.v', 'From Shop Require Import Base.\n');
  const why = 'says `-Q theoris Shop`, and there is no folder theoris';
  expect((await caller.failure('proof_build')).text).toContain(why);
  expect(await caller.call('proof_check', { file: 'theories/Top.v' })).toMatchObject({
    errors: [{ reason: 'library-missing', message: expect.stringContaining(why) as unknown }],
  });
  await caller.close();
});
