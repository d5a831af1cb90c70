import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingFolder } from './missing-folder.ts';
import { findRocqProject } from './project.ts';

test('a folder that a project file binds and that is not there is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'theories'));
  writeFileSync(join(folder, '_CoqProject'), '-Q theories Shop\n-Q theoris Bag\n');
  const project = await findRocqProject(join(folder, 'theories', 'A.v'));
  expect(missingFolder(project)?.message).toBe(
    '`_CoqProject` says `-Q theoris Bag`, and there is no folder theoris.',
  );
  expect(missingFolder(project, 'Bag.Base')).toBeDefined();
  expect(missingFolder(project, 'Bagged.Base')).toBeUndefined();
  expect(missingFolder(project, 'Shop.Base')).toBeUndefined();
});
