/** What is made from the commands: completions that their shells run, and a manual page that is not stale. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { readPackageVersion } from '../../../core/installed-package.ts';
import { commandEntries } from './command-tree.ts';
import { SHELLS, completionScript } from './completions.ts';
import { manPage } from './man-page.ts';
import { wholeProgram } from '../whole-program.ts';

const entries = commandEntries(wholeProgram());
const folder = mkdtempSync(join(tmpdir(), 'quod-completions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const scripts = new Map(
  SHELLS.map((shell) => {
    const path = join(folder, `quod.${shell}`);
    writeFileSync(path, completionScript(shell, entries));
    return [shell, path] as const;
  }),
);

function completedByBash(words: readonly string[], runs = join(folder, 'none')): string[] {
  const script = `
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _quod; printf '%s\n' "\${COMPREPLY[@]}"`;
  const path = scripts.get('bash') ?? '';
  return execFileSync('bash', ['-c', script.replaceAll('\\$', '$'), 'bash', path, ...words], {
    encoding: 'utf8',
    env: { ...process.env, QUOD_RUNS: runs },
  })
    .split('\n')
    .filter((word) => word !== '');
}

describe.skipIf(findExecutable(['bash']) === undefined)('bash completes', () => {
  test.each([
    [
      ['quod', 'pro'],
      ['prove', 'proof'],
    ],
    [['quod', 'mcp', 'i'], ['install']],
    [
      ['quod', 'prove', 'a.v', '--bu'],
      ['--budget', '--build'],
    ],
    [['quod', 'rocq', 'check-p'], ['check-proof']],
    [['quod', 'completions', '--h'], ['--help']],
    [
      ['quod', 'completions', ''],
      ['bash', 'zsh', 'fish', '--help'],
    ],
    [['quod', 'prove', '--backend', 'coqi'], ['coqidetop']],
    [['quod', 'prove', 'a.'], []],
  ])('%j', (words, expected) => {
    expect(completedByBash(words)).toEqual(expected);
  });

  test('the runs of the folder, the newest first, and runs nothing that a name says', () => {
    const runs = join(folder, 'runs');
    const names = ['20260101-120000000-0a1b', '20260102-120000000-0a1b', '$(touch$IFS../ran)', 'a b'];
    for (const name of names) {
      mkdirSync(join(runs, name), { recursive: true });
      writeFileSync(join(runs, name, 'events.jsonl'), '');
    }
    const [older, newer] = names;
    for (const command of [['resume'], ['run', 'original'], ['show']])
      expect(completedByBash(['quod', ...command, ''], runs).slice(0, 4)).toEqual([
        ...['last', newer, older],
        expect.stringMatching(/^--/u),
      ]);
    expect(completedByBash(['quod', 'resume', '20260102'], runs)).toEqual([newer]);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  test('every command and every option', () => {
    for (const { path, options, subcommands, choices } of entries) {
      const offered = completedByBash([...path.split(' '), '']);
      expect(offered, path).toEqual([
        ...subcommands.map(({ name }) => name),
        ...choices,
        ...options.map(({ name }) => name),
      ]);
    }
  });
});

test.each(['zsh', 'fish'] as const)('%s takes its script where it is installed', (shell) => {
  if (findExecutable([shell]) !== undefined) execFileSync(shell, ['-n', scripts.get(shell) ?? '']);
  const text = readFileSync(scripts.get(shell) ?? '', 'utf8');
  for (const { path } of entries) expect(text).toContain(path);
  // What stands in quotes is closed: an apostrophe of a description does not end it.
  expect(text.replaceAll("'\\''", '').split("'").length % 2).toBe(1);
});

test('the manual page is what `npm run reference` writes', () => {
  const about = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  // npm links no page that is named as a string.
  expect(JSON.parse(about)).toMatchObject({ man: ['man/quod.1'] });
  const written = readFileSync(new URL('../../../../man/quod.1', import.meta.url), 'utf8');
  expect(written, 'man/quod.1 is stale: npm run reference').toBe(manPage(entries, readPackageVersion()));
});

test.skipIf(findExecutable(['groff']) === undefined)('groff has nothing to say of the manual page', () => {
  const page = fileURLToPath(new URL('../../../../man/quod.1', import.meta.url));
  const run = spawnSync('groff', ['-man', '-Tutf8', '-ww', page], { encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, stderr: '' });
});

test('an option that names a file says so', () => {
  const page = manPage(entries, '1.0.0').replaceAll('\\-', '-');
  for (const name of ['file', 'key', 'target', 'submission', 'axioms', 'search-in']) {
    expect(page).toContain(`--${name} <file>`);
    expect(page).not.toContain(`--${name} <text>`);
  }
});

test('the manual page names every command and option, and nothing in it is a request by accident', () => {
  const page = manPage(entries, '1.0.0');
  for (const { path, options } of entries) {
    expect(page.replaceAll('\\-', '-')).toContain(path);
    for (const { name } of options) expect(page.replaceAll('\\-', '-')).toContain(name);
  }
  expect(
    page
      .split('\n')
      .filter((line) => /^['.]/.test(line) && !/^\.(?:TH|SH|SS|TP|B|BR|I|\\")(?: |$)/.test(line)),
  ).toEqual([]);
});
