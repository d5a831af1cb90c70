/** A folder with git repositories for tests, and what a run would commit in them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FileVersion } from '../../workflow/judged-files.ts';
import { commitRunsOwn } from '../repository.ts';

/** Before each test the folder is made anew, a repository with `a.v` and `b.v` in it; behind it, it is removed. */
export function inRepository(prefix: string) {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const gitIn = (place: string, ...commandLine: string[]): string =>
    execFileSync('git', ['-C', path(place), '-c', 'user.name=t', '-c', 'user.email=t@t', ...commandLine], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  /** With a file of each of these names that is committed. */
  const makeRepository = (place: string, names: readonly string[]): void => {
    mkdirSync(path(place), { recursive: true });
    gitIn(place, 'init', '--quiet');
    gitIn(place, 'config', 'user.name', 'somebody');
    gitIn(place, 'config', 'user.email', 'somebody@example.org');
    for (const name of names) writeFileSync(path(`${place}/${name}`), 'one\n');
    gitIn(place, 'add', '.');
    gitIn(place, 'commit', '--quiet', '-m', 'first');
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), prefix));
    makeRepository('.', ['a.v', 'b.v']);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  return {
    folder: (): string => folder,
    path,
    gitIn,
    git: (...commandLine: string[]): string => gitIn('.', ...commandLine),
    makeRepository,
    /** A file with what a run has put there. */
    proved: (name: string): FileVersion => {
      writeFileSync(path(name), 'proved\n');
      return { file: path(name), bytes: Buffer.from('proved\n'), proves: () => [name] };
    },
    commit: (files: readonly FileVersion[], usersOwn: ReadonlyMap<string, string> = new Map()) =>
      commitRunsOwn(files, usersOwn, { message: (theorems) => `Prove ${theorems.join(', ')}` }),
  };
}
