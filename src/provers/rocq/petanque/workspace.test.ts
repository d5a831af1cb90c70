import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseCoqProject } from '../project/coq-project.ts';
import type { RocqProject } from '../project/project.ts';
import { makeWorkspace } from './workspace.ts';

const project: RocqProject = {
  root: '/p',
  source: '/p/_CoqProject',
  loadPath: [
    { flag: '-R', physical: '/p/the ories', logical: 'Proj' },
    { flag: '-Q', physical: '/p/#é', logical: '' },
  ],
  ocamlPath: ['/p/plugin'],
  arguments: ['-w', '-all', '-set', 'Warnings=a b'],
};

it('gives the server the load path and a file of the same full name, and goes without a trace', async () => {
  const { folder, uri, remove } = await makeWorkspace(project, '/p/the ories/sub/é.v');
  expect(readFileSync(fileURLToPath(uri), 'utf8')).toBe('');
  const read = parseCoqProject(readFileSync(join(folder, '_CoqProject'), 'utf8'), folder, '_CoqProject');
  expect(read).toEqual({
    loadPath: [...project.loadPath, { flag: '-Q', physical: folder, logical: 'Proj.sub' }],
    ocamlPath: project.ocamlPath,
    arguments: project.arguments,
  });
  await remove();
  expect(existsSync(folder)).toBe(false);
});

it('names the file Top when its own name is none for a module', async () => {
  const { uri, remove } = await makeWorkspace({ ...project, loadPath: [] }, '/p/not-a-module.v');
  expect(uri).toMatch(/\/Top\.v$/);
  await remove();
});
