/** `quod train` up to the point where Python takes over, and what becomes of Python's answers. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-train-'));
afterAll(() => rmSync(folder, { recursive: true }));

const quod = (...commandLine: string[]) => runQuod(['train', ...commandLine], folder);

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

beforeAll(() => {
  for (const name of ['data', 'model']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'data', 'dataset.json'), '{}');
  writeFileSync(join(folder, 'model', 'card.json'), '{}');
});

test('it refuses what is no data set, and says how to make one', async () => {
  const run = await quod('model', '-o', 'out', '--from-scratch');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('model is not a data set');
  expect(run.stderr).toContain('`quod mine` with `--output`');
});

test('it refuses a model that is not there', async () => {
  const run = await quod('data', '-o', 'out', '--start-from', 'data');
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('There is no model to go on from.');
  expect(run.stderr).toContain('--from-scratch');
});

test('it says what to install when Python or its packages are missing', async () => {
  const bare = program('bare-python', 'echo "ModuleNotFoundError: No module named \'torch\'" >&2; exit 1');
  const lacking = await quod('data', '-o', 'out', '--start-from', 'model', '--python', bare);
  expect(lacking.exitCode).toBe(2);
  expect(lacking.stderr).toContain("No module named 'torch'");
  expect(lacking.stderr).toContain('requirements.lock');
  const absent = await quod('data', '-o', 'out', '--start-from', 'model', '--python', './absent');
  expect(absent.exitCode).toBe(2);
  expect(absent.stderr).toContain('./absent cannot be run');
});

test('it gives Python the data, the start, the held-out libraries and the settings', async () => {
  const python = program('python', '[ "$1" = -c ] && exit 0\nfor one; do echo "$one"; done');
  const run = await quod(
    ...['data', '-o', 'out', '--start-from', 'model', '--python', python],
    ...['--held-out', 'Own.Hidden', '--set', 'steps=5', 'positive_below=0.2'],
  );
  expect(run.exitCode).toBe(0);
  expect(run.stdout.trim().split('\n')).toEqual([
    ...['-m', 'quod_training', 'train', '--output', join(folder, 'out')],
    ...['--mined', join(folder, 'data'), '--start-from', join(folder, 'model')],
    ...['--held-out=Own.Hidden', '--steps=5', '--positive-below=0.2'],
  ]);
  const wrong = await quod(
    'data',
    '-o',
    'out',
    '--start-from',
    'model',
    '--python',
    python,
    '--set',
    'steps',
  );
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('The setting "steps" is no name with a value. Write `--set` as name=value');
});

test.each([
  [2, 'invalid-input'],
  [1, 'internal'],
])('an end of Python with %i is %s, with what it said last', async (code, reason) => {
  const python = program(
    `python-${code}`,
    `[ "$1" = -c ] && exit 0\necho "data/Own.jsonl:3: not an item" >&2; exit ${code}`,
  );
  const run = await quod('data', '-o', 'out', '--from-scratch', '--python', python);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('data/Own.jsonl:3: not an item');
  expect(run.stderr).toContain(reason);
});

test.each([
  [
    'python -m quod_training train: error: argument --batch-size: invalid int value: 1e5',
    'The training does not take the setting "batch_size": invalid int value: 1e5',
  ],
  [
    'python -m quod_training: error: unrecognized arguments: --stepz=5 --threadz=2',
    'The training has no such setting: stepz=5 threadz=2',
  ],
])('a setting that the training does not take is told as it was given: %s', async (said, told) => {
  const usage = 'usage: python -m quod_training train [-h] --output MODEL';
  const python = program('refusing', `[ "$1" = -c ] && exit 0\nprintf '${usage}\\n${said}\\n' >&2; exit 2`);
  const run = await quod('data', '-o', 'out', '--from-scratch', '--python', python, '--set', 'stepz=5');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`quod: ${told}`);
  expect(run.stderr).not.toContain('usage');
});

test('a Python that lies in the project is run once the user allowed it, and takes no module from there', async () => {
  const own = join(folder, '.quod', 'python', 'bin');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(folder, 'own'));
  const told = 'echo "safe=$PYTHONSAFEPATH $1" >> ran.txt; [ "$1" = -c ] && exit 0; echo trained';
  const python = program('.quod/python/bin/python', told);
  const settings = { QUOD_CONFIG: join(folder, 'own') };
  const train = ['train', 'data', '-o', 'out', '--from-scratch'];
  const refused = await runQuod(train, folder, settings);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`quod run allow --program ${python}`);
  expect(existsSync(join(folder, 'ran.txt'))).toBe(false);
  await runQuod(['run', 'allow', '--program', python], folder, settings);
  expect(await runQuod(train, folder, settings)).toMatchObject({ exitCode: 0, stdout: 'trained\n' });
  const lines = readFileSync(join(folder, 'ran.txt'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.startsWith('safe=1 '))).toBe(true);
});
