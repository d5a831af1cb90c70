import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRocqProject } from '../project/project.ts';
import { buildRemedy } from './uncompiled.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-uncompiled-'));
  writeFileSync(join(folder, 'dune-project'), '(lang dune 2.9)\n(using coq 0.3)\n');
  writeFileSync(join(folder, 'dune'), '(coq.theory (name P))\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('says to build, and where no context of dune builds where Quod looks, to have one', async () => {
  const remedy = async () => buildRemedy(await findRocqProject(join(folder, 'a.v')));
  expect(await remedy()).toContain('`dune build`');
  writeFileSync(join(folder, 'dune-workspace'), '(lang dune 2.9)\n(context (default (name mine)))\n');
  expect(await remedy()).toContain('(context default)');
  writeFileSync(join(folder, 'dune-workspace'), '(lang dune 2.9)\n(context default)\n');
  expect(await remedy()).toContain('`dune build`');
});
