/** Functions that the kernel was told not to look at: the guard checker has to find each of them by itself, whatever the kernel makes of it today. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastPart } from '../../../core/qualified-name.ts';
import { readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { installedFile } from '../compiled/library-files.ts';
import { coqc, installedLibrary, installedRelease } from '../testing/installed-rocq.ts';
import { unconfirmedRecursion } from './unconfirmed-recursion.ts';

const FOLDER = join(import.meta.dirname, '../testing/refused-recursion');

function compiled(text: string): CompiledFile {
  const folder = mkdtempSync(join(tmpdir(), 'quod-recursion-'));
  try {
    const path = join(folder, 'Refused.v');
    writeFileSync(path, text);
    execFileSync('coqc', ['-q', path], { stdio: 'ignore' });
    return readCompiledFile(readFileSync(`${path}o`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function library(name: string): CompiledFile {
  return readCompiledFile(readFileSync(installedFile(installedLibrary, name)));
}

describe.skipIf(coqc === undefined || installedRelease >= 900)(
  'recursion that is not right (needs Coq before 9.0)',
  () => {
    it.each(readdirSync(FOLDER))('of %s nothing is confirmed', async (file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      const found = await unconfirmedRecursion(compiled(text), (name) => Promise.resolve(library(name)));
      const names = new Set(
        [...text.matchAll(/(?:fixpoint|lemma|with) (bad_\w+)/giu)].map(([, name]) => name),
      );
      expect(new Set(found.flatMap(({ names }) => names).map((name) => lastPart(name)))).toEqual(names);
    });
  },
);
