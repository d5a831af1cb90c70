/** A folder with git repositories for tests, and what a run would commit in them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FileVersion } from '../../workflow/judged-files.ts';
import { commitRunsOwn } from '../repository.ts';

/** Texts by the names of files; a name may have folders in it. */
type Texts = Readonly<Record<string, string>>;

/** What the first commit of each repository says. */
const FIRST = 'first';

/** Before each test the folder is made anew, a repository with these files in it; behind it, it is removed. */
export function inRepository(prefix: string, files: Texts = { 'a.v': 'one\n', 'b.v': 'one\n' }) {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const gitIn = (place: string, ...commandLine: string[]): string =>
    execFileSync('git', ['-C', path(place), '-c', 'user.name=t', '-c', 'user.email=t@t', ...commandLine], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  /** An empty one. */
  const init = (place: string): void => {
    gitIn(place, 'init', '--quiet');
    gitIn(place, 'config', 'user.name', 'somebody');
    gitIn(place, 'config', 'user.email', 'somebody@example.org');
  };

  /** With files that are committed. */
  const makeRepository = (place: string, texts: Texts): void => {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(path(`${place}/${name}`)), { recursive: true });
      writeFileSync(path(`${place}/${name}`), text);
    }
    init(place);
    gitIn(place, 'add', '.');
    gitIn(place, 'commit', '--quiet', '-m', FIRST);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), prefix));
    makeRepository('.', files);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  return {
    folder: (): string => folder,
    path,
    gitIn,
    git: (...commandLine: string[]): string => gitIn('.', ...commandLine),
    init,
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
