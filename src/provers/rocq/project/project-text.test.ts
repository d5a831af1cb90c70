import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRocqProject } from './project.ts';

describe('what has the name of a file that says the project', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quod-no-file-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    '_CoqProject',
    '_RocqProject',
    'dune',
    'dune-project',
    'Makefile',
    'Makefile.coq.conf',
    'Makefile.coq.local',
  ])('is refused by its name where it is a pipe, and is none where it is a folder: %s', async (name) => {
    const path = join(folder, name);
    // A theory asks for all of the rest.
    if (name.startsWith('dune-')) await writeFile(join(folder, 'dune'), '(coq.theory (name T))');
    await mkdir(path);
    await expect(findRocqProject(join(folder, 'a.v'))).resolves.toBeDefined();
    await rm(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    await expect(findRocqProject(join(folder, 'a.v'))).rejects.toMatchObject({
      ...{ reason: 'file-unreadable', place: { file: path } },
      message: 'This has the name of a project file, and is not a regular file.',
    });
  });

  it('is no concern of the project where its name is nobody’s', async () => {
    execFileSync('mkfifo', [join(folder, 'mine.conf')]);
    await expect(findRocqProject(join(folder, 'a.v'))).resolves.toMatchObject({ source: undefined });
  });
});

describe('an option that no project file knows', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quod-unknown-option-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it.each(['-impredicative-set', '-type-in-type', '-f other', '-sources-of lib', '-custom foo bar baz'])(
    'is one of which nobody knows what it says: %s',
    async (option) => {
      await writeFile(join(folder, '_CoqProject'), `-Q . L\n${option}\n-arg -w -arg none\n`);
      expect(await findRocqProject(join(folder, 'a.v'))).toMatchObject({
        arguments: ['-w', 'none'],
        unread: [`${option} (options of Rocq stand behind -arg)`],
      });
    },
  );
});
