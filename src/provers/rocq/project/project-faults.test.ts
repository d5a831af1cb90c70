import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRocqProject } from './project.ts';
import { projectFaults } from './project-faults.ts';

async function faultsOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quod-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'theories'));
  writeFileSync(join(folder, 'theories', 'A.v'), '');
  writeFileSync(join(folder, '_CoqProject'), text);
  const faults = await projectFaults(await findRocqProject(join(folder, 'theories', 'A.v')));
  return faults.map(({ line, message, remedy }) => `${line}: ${message} ${remedy}`);
}

test('a listed file that is not there is named, with its line', async () => {
  expect(await faultsOf('-Q theories Shop\n\n"theories/A.v" theories\ntheories/Gone.v\n')).toEqual([
    '4: `_CoqProject` lists theories/Gone.v, and there is no such file. Correct the name in _CoqProject, or take away what is gone.',
  ]);
  const [many] = await faultsOf(Array.from({ length: 9 }, (_, at) => `G${at}.v`).join(' '));
  expect(many).toContain('lists 9 files that are not there: G0.v, G1.v, G2.v, G3.v, G4.v and 4 more.');
});

test('an option that nobody knows is named with its words, and what it may have been', async () => {
  expect(await faultsOf('-Q theories Shop\n-Qq theories Bag # why\ntheories/A.v\n')).toEqual([
    '2: An option that is not known is passed over: `-Qq theories Bag`. Did you mean -Q? What Rocq itself is to be told stands behind -arg.',
  ]);
  const [several] = await faultsOf('-impredicative-set -Q theories Shop -w all');
  expect(several).toContain('Options that are not known are passed over: `-impredicative-set`, `-w all`.');
});

test('what coq_makefile takes is no fault', async () => {
  const all =
    '-R theories S -I . -arg "-w all" -docroot D CAMLFLAGS = -g -native-compiler no -install none -o x';
  expect(await faultsOf(all)).toEqual([]);
});
