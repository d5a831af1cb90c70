/** Bad input: a clear error with its reason code, exit code 2, nothing on stdout and nothing written. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runQuod } from './testing/run-quod.ts';

const COMMANDS = [['prove', '--write'], ['check']] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-bad-input-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function expectRefusal(name: string, message: RegExp): Promise<void> {
  const before = readdirSync(folder);
  for (const [command, ...options] of COMMANDS) {
    const run = await runQuod([command, name, ...options], folder);
    expect(run, command).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr, command).toMatch(message);
    expect(run.stderr.trim().split('\n'), command).toHaveLength(1);
  }
  expect(readdirSync(folder)).toEqual(before);
}

describe('what is not a file of text is refused before a prover is started', () => {
  test('no such file', () => expectRefusal('absent.v', /^quod: absent\.v: .*\[not-found\]/));

  test('an unreadable file: a dangling symbolic link', async () => {
    symlinkSync('gone.v', join(folder, 'link.v'));
    await expectRefusal('link.v', /link\.v: .*symbolic link.*\[not-found\]/);
  });

  test('an unreadable file: a named pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.v')]);
    await expectRefusal('pipe.v', /not a regular file.*\[file-unreadable\]/);
  });

  test('a directory: no file to check, and nothing to prove where it has no sources', async () => {
    mkdirSync(join(folder, 'directory.v'));
    await expectRefusal(
      'directory.v',
      /^quod: directory\.v: .*(?:directory|folder).*\[(?:file-unreadable|not-found)\]/,
    );
  });

  test('an empty file', async () => {
    writeFileSync(join(folder, 'empty.v'), '');
    await expectRefusal('empty.v', /empty.*\[invalid-input\]/);
  });

  test('a file of 50 MB', async () => {
    writeFileSync(join(folder, 'large.v'), '');
    truncateSync(join(folder, 'large.v'), 50 * 1024 * 1024);
    await expectRefusal('large.v', /more than.*\[too-large\]/);
  });

  test('not UTF-8', async () => {
    writeFileSync(join(folder, 'latin1.v'), Buffer.from('Lemma a : True.\n(* été *)', 'latin1'));
    await expectRefusal('latin1.v', /latin1\.v:2:3: .*UTF-8.*iconv.*\[file-unreadable\]/);
  });
});

test.each([['serve', '--workspace'], ['ui'], ['mcp', '--workspace']])(
  'a file in the place of a folder: %s',
  async (...words) => {
    writeFileSync(join(folder, 'a.v'), 'Lemma a : True.\nAdmitted.\n');
    const run = await runQuod([...words, 'a.v'], folder);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/a\.v: This is a file, not a folder\. Name its folder.*\[invalid-input\]/);
  },
);

test('a file that no prover takes: it is said which files are taken', async () => {
  writeFileSync(join(folder, 'notes.txt'), 'Lemma a : True.\n');
  writeFileSync(join(folder, 'a.v'), 'Lemma a : True.\nProof. exact I. Qed.\n');
  for (const command of [['status'], ['status', 'a.v'], ['prove'], ['check']]) {
    const run = await runQuod([...command, 'notes.txt'], folder);
    expect(run, command.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr, command.join(' ')).toMatch(
      /^quod: notes\.txt: Quod does not know in which language .*`\.v`.*\[invalid-input\]\n$/,
    );
  }
});

test.each([
  ...[
    ['check', '-'],
    ['refute', '-'],
    ['status', '-'],
    ['rocq', 'outline', '-'],
    ['prove', '-'],
  ],
  ...[
    ['agent', '-'],
    ['verify', '-', 'a.v'],
    ['verify', 'a.v', '-'],
    ['lean', 'export', '-'],
  ],
  ...[
    ['check', '/dev/stdin'],
    ['prove', '/dev/stdin'],
    ['build', '-'],
  ],
])('the text of a file on standard input is not taken for its name: %s %s', async (...command) => {
  const run = await runQuod(command, folder, {}, 'Lemma a : True.\nAdmitted.\n');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('none is read from standard input');
  expect(run.stderr).not.toContain('Lemma');
});

test('--theorem that is not there: the nearest names', async () => {
  const text = 'Lemma first_one : True.\nAdmitted.\nLemma second_one : True.\nAdmitted.\n';
  writeFileSync(join(folder, 'names.v'), text);
  const run = await runQuod(['prove', 'names.v', '--write', '--theorem', 'frist_one'], folder);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/no theorem frist_one.*Did you mean first_one\?.*\[not-found\]/);
  expect(readFileSync(join(folder, 'names.v'), 'utf8')).toBe(text);
});

test('with --json the error is also one object on stdout', async () => {
  const run = await runQuod(['prove', 'absent.v', '--json'], folder);
  expect(JSON.parse(run.stdout)).toMatchObject({
    error: { reason: 'not-found', message: 'There is no such file.', file: 'absent.v' },
  });
});

test.each([
  [
    ['bench', 'run', 'absent'],
    /^quod: absent: There is no such file\. Name the specification .* \[not-found\]$/,
  ],
  [['bench', 'run', '.'], /^quod: \.: This is a directory, not a file\. Name the .* \[file-unreadable\]$/],
  [
    ['bench', 'compare', 'absent', 'absent'],
    /^quod: absent\/cells\.jsonl: There is no such file\. Name the .*$/,
  ],
  [['status', 'absent'], /^quod: absent: There is no such file\. Check the path; .* \[not-found\]$/],
  [['report', 'absent', '--key', 'key.pem'], /^quod: key\.pem: There is no such file\. .* \[not-found\]$/],
  [['agent', 'a.v', '--config', 'absent'], /absent: There is no such file\. .* \[not-found\]$/],
  [['lean', 'check', 'a.olean', '--axioms', 'absent'], /absent: There is no such file\. .* \[not-found\]$/],
])('a file that is not there is told with what to do: %j', async (commandLine, message) => {
  const run = await runQuod(commandLine, folder);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr.trim()).toMatch(message);
  expect(run.stderr).not.toMatch(/ENOENT|EISDIR/u);
});

test.each([
  [['prove', 'a.v', '--budget', 'soon'], /Write a time such as/],
  [['prove', 'a.v', '--nodes', '0'], /at least 1/],
  [['prove', 'a.v', '--seed', '-1'], /whole number/],
  [['prove', 'a.v', '--diff', '--json'], /cannot be used with/],
  [['prove', 'a.v', '--backend', 'coqtop'], /Allowed choices/],
  [['prove'], /missing required argument/],
  [['porve', 'a.v'], /Did you mean prove\?/],
])('a command line that makes no sense is told what is wrong: %j', async (commandLine, message) => {
  const run = await runQuod(commandLine, folder);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(message);
});

test.each([
  [['prove', '--budget', 'soon', 'a.v'], 'quod prove'],
  [['mcp', 'install', '--clent', 'zed'], 'quod mcp install'],
  [['hol', 'replay', '--timeout', 'x', 'a'], 'quod hol replay'],
  [['rocq', 'outline', '--bogus', 'a.v'], 'quod rocq outline'],
  [['lean', 'show'], 'quod lean show'],
  [['porve'], 'quod'],
])('%j points to the help of %s', async (commandLine, command) => {
  const run = await runQuod(commandLine, folder);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`(${command} --help lists the `);
});

test('what is wrong with an input is said in options, and of JSON in its own names', async () => {
  const option = await runQuod(['rocq', 'outline', 'a.v', '--limit', '0'], folder);
  expect(option.stderr).toMatch(/^quod: `--limit`: .* What it takes: <file>, `--offset`, /u);
  const json = await runQuod(['call', 'rocq_outline', '--input', '{"limit": 0}'], folder);
  expect(json.stderr).toMatch(/^quod: `file` is missing; `limit`: .* What it takes: `file`, `offset`, /u);
});
