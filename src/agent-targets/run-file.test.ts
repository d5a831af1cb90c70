import { expect, test } from 'vitest';
import { RunFile, type Dependencies } from './run-file.ts';

async function opened(runFiles: readonly string[] = []) {
  const disk = { dependencies: new Map([['/p/A.v', 'one']]) as Dependencies };
  const file = await RunFile.open({
    ...{ path: '/p/B.v', name: 'B.v', hash: 'first', runFiles },
    dependencies: () => Promise.resolve(disk.dependencies),
  });
  return { disk, file };
}

test.each([
  ['another', [['/p/A.v', 'two']], 'A.v'],
  ['gone', [], 'A.v'],
  [
    'one more',
    [
      ['/p/A.v', 'one'],
      ['/q/C.v', 'one'],
    ],
    '../q/C.v',
  ],
] as const)('a dependency that is %s ends the run', async (_, now, named) => {
  const { disk, file } = await opened();
  await file.requireDependencies();
  disk.dependencies = new Map(now);
  await expect(file.requireDependencies()).rejects.toThrow(
    `A dependency changed while the agent worked on the file: ${named}.`,
  );
});

test('what the run writes itself is no change, and what was compared is what counts from then on', async () => {
  const { disk, file } = await opened(['/p/A.v', '/p/B.v']);
  disk.dependencies = new Map([['/p/A.v', 'two']]);
  await file.requireDependencies();
  disk.dependencies = new Map([['/p/C.v', 'one']]);
  await expect(file.requireDependencies()).rejects.toMatchObject({ reason: 'file-changed' });
  expect(() => file.require('second')).toThrow('The file changed while the agent worked on it.');
  await file.compared('second');
  file.require('second');
  await file.requireDependencies();
});
