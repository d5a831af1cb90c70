import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workspace } from './workspace.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-workspace-'));
  await mkdir(join(folder, 'sub'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const OWN = { reason: 'invalid-input', message: expect.stringContaining('Quod keeps for itself') as unknown };

describe('what Quod keeps for itself', () => {
  beforeEach(async () => {
    await mkdir(join(folder, '.quod', 'verdicts'), { recursive: true });
    await mkdir(join(folder, 'sub', '.quod'));
    await writeFile(join(folder, '.quod', 'verdicts', 'key.pem'), 'a key');
    await symlink('.quod', join(folder, 'store'));
    await symlink(join('..', '.quod', 'verdicts', 'key.pem'), join(folder, 'sub', 'Key.v'));
  });

  it.each([
    '.quod',
    '.quod/',
    '.quod/verdicts/key.pem',
    './sub/../.quod/verdicts/key.pem',
    'sub/.quod/new.v',
    '.quod/verdicts/absent.v',
    '.QUOD/verdicts/key.pem',
    '.Quod /x.v',
    '.q\u200cuod/x.v',
    '.\uff51uod/x.v',
    'store/verdicts/key.pem',
    'sub/Key.v',
  ])('cannot be named as %j', async (name) => {
    const workspace = await Workspace.confinedTo(folder);
    await expect(workspace.resolve(name)).rejects.toMatchObject(OWN);
    await expect(workspace.resolve(join(folder, name))).rejects.toMatchObject(OWN);
    await expect(workspace.startingAt(name)).rejects.toMatchObject(OWN);
  });

  it.each(['a.quod', 'quod/x.v', '.quodlibet/x.v', 'sub/quod.v', '..quod/x.v'])(
    'is not what %j names',
    async (name) => {
      const workspace = await Workspace.confinedTo(folder);
      expect(await workspace.resolve(name)).toBe(join(workspace.root, name));
    },
  );

  it('is for who owns the machine to name', async () => {
    const workspace = await Workspace.openFrom(folder);
    expect(await workspace.resolve('.quod/verdicts/key.pem')).toMatch(/key\.pem$/);
  });
});

it('what Quod keeps cannot be named by where its folder is linked to', async () => {
  await mkdir(join(folder, 'kept', 'verdicts'), { recursive: true });
  await symlink('kept', join(folder, '.quod'));
  const workspace = await Workspace.confinedTo(folder);
  for (const name of ['.quod/verdicts/key.pem', 'kept/verdicts/key.pem', 'kept'])
    await expect(workspace.resolve(name)).rejects.toMatchObject(OWN);
  expect(await workspace.resolve('sub/a.v')).toBe(join(workspace.root, 'sub', 'a.v'));
});
