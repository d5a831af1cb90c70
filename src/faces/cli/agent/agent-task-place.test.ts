/** The file of a task: which files it leads to, and what somebody in its folder may put in its place while a run works. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import type { TaskFiles } from '../../../agent/task/task-files.ts';
import { withHandoff } from '../../../agent/task/task-file.ts';
import { readTask, taskFiles } from './agent-task.ts';

let base: string;
const path = (name: string): string => join(base, name);
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'quod-task-place-')));
  for (const folder of ['outside', 'inside']) {
    mkdirSync(path(folder));
    writeFileSync(path(`${folder}/T.md`), `Of ${folder}.`);
  }
});
afterEach(() => rmSync(base, { recursive: true }));

const opened = () =>
  taskFiles({ file: path('inside/T.md'), text: '', instructions: '', prompt: '', usersOwn: [] });

test.each([
  ['the file', () => rmSync(path('inside/T.md')), () => symlinkSync('../outside/T.md', path('inside/T.md'))],
  [
    'its folder',
    () => renameSync(path('inside'), path('moved')),
    () => symlinkSync('outside', path('inside')),
  ],
])('a link in the place of %s is neither read nor written through', async (_, remove, link) => {
  const { updateTask } = await opened();
  expect(await updateTask((text) => `${text} And more.`)).toBe('Of inside. And more.');
  remove();
  link();
  let told = '';
  await expect(updateTask((text) => (told = text))).rejects.toMatchObject({ reason: 'file-changed' });
  expect(told).toBe('');
  expect(readFileSync(path('outside/T.md'), 'utf8')).toBe('Of outside.');
});

test('a task file into which somebody else has written is known as shared, also when the run is resumed', async () => {
  const task = { file: path('inside/T.md'), text: 'Of inside.', instructions: '', prompt: '', usersOwn: [] };
  const past = (text: string) => {
    const event = { kind: 'handed-off', key: 'k', note: '', state: '', task: text } as const;
    return [{ seq: 1, at: '', event }];
  };
  const noted = (files: TaskFiles, note: string): Promise<string> =>
    files.updateTask((text) => withHandoff(text, note));
  const files = await taskFiles(task);
  const first = await noted(files, 'One.');
  expect(files.written?.()).toMatchObject({ isShared: false });
  const resumed = await taskFiles(task, past(first));
  await noted(resumed, 'Two.');
  expect(resumed.written?.()).toMatchObject({ isShared: false });
  // What the run took out of it when all was proved, nobody else did.
  writeFileSync(path('inside/T.md'), 'Of inside.');
  const taken = await taskFiles(task, past(first));
  await noted(taken, 'Again.');
  expect(taken.written?.()).toMatchObject({ isShared: false });
  writeFileSync(path('inside/T.md'), `Mine. ${first}`);
  await noted(resumed, 'Three.');
  const last = await noted(resumed, 'Four.');
  expect(resumed.written?.()).toMatchObject({ isShared: true });
  const again = await taskFiles(task, past(last));
  await noted(again, 'Five.');
  expect(again.written?.()).toMatchObject({ isShared: true });
});

test('a task that is a link when the run begins is the file that it leads to', async () => {
  renameSync(path('inside/T.md'), path('inside/real.md'));
  symlinkSync('real.md', path('inside/T.md'));
  const { updateTask } = await opened();
  await updateTask(() => 'New.');
  expect(readFileSync(path('inside/real.md'), 'utf8')).toBe('New.');
});

test('what is listed twice is one target, and a file with names and without is refused', async () => {
  writeFileSync(path('inside/T.md'), '## Targets\n- a.v: x, x\n- ./a.v: x, y\n- b.v\n- b.v\n');
  const { choices } = await readTask(path('inside/T.md'), {});
  expect(choices.map(({ file, theorems }) => [file, theorems])).toEqual([
    [path('inside/a.v'), ['x', 'y']],
    [path('inside/b.v'), undefined],
  ]);
  writeFileSync(path('inside/T.md'), '## Targets\n- a.v: x\n- a.v\n');
  await expect(readTask(path('inside/T.md'), {})).rejects.toThrow(/lists a\.v with names and without/u);
  // By a link, too, and by one in its folder's place.
  writeFileSync(path('inside/a.v'), '');
  symlinkSync('a.v', path('inside/l.v'));
  symlinkSync('.', path('inside/here'));
  writeFileSync(path('inside/T.md'), '## Targets\n- a.v: x\n- l.v: x, y\n- here/a.v: z\n');
  const linked = await readTask(path('inside/T.md'), {});
  expect(linked.choices).toMatchObject([{ file: path('inside/a.v'), theorems: ['x', 'y', 'z'] }]);
  writeFileSync(path('inside/T.md'), '## Targets\n- a.v\n- l.v: x\n');
  await expect(readTask(path('inside/T.md'), {})).rejects.toThrow(/lists l\.v with names and without/u);
});

test.skipIf(findExecutable(['git']) === undefined)(
  'changes of the user’s own are noticed in the file that a link of the task leads to',
  async () => {
    const git = (...words: string[]): void => {
      const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
      execFileSync('git', ['-C', path('inside'), ...who, ...words], { stdio: 'ignore' });
    };
    writeFileSync(path('inside/a.v'), 'one\n');
    symlinkSync('a.v', path('inside/l.v'));
    writeFileSync(path('inside/T.md'), '## Targets\n- l.v: x\n');
    for (const words of [['init'], ['add', '.'], ['commit', '-m', 'first']]) git(...words);
    expect((await readTask(path('inside/T.md'), {})).task.usersOwn).toEqual([]);
    writeFileSync(path('inside/a.v'), 'mine\n');
    expect((await readTask(path('inside/T.md'), {})).task.usersOwn).toEqual([path('inside/a.v')]);
  },
);

test('a note is never written that would make the task one that cannot be read', async () => {
  const { updateTask } = await opened();
  const most = 10 * 1024 * 1024;
  expect((await updateTask(() => 'x'.repeat(most + 1))).length).toBe(most + 1);
  expect(readFileSync(path('inside/T.md'), 'utf8').length).toBe('Of inside.'.length);
  await updateTask(() => 'x'.repeat(most));
  expect(await updateTask((text) => text.slice(0, 1))).toBe('x');
});
