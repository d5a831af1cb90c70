import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QuodError } from '../../core/errors.ts';
import { callerOptions, possiblePrograms } from './caller-options.ts';

const inside = (path: string): Promise<string> =>
  path.startsWith('/') || path.split('/').includes('..')
    ? Promise.reject(new QuodError('outside-workspace', 'out'))
    : Promise.resolve(`/workspace/${path}`);

const reasonOf = (given: readonly string[]): Promise<string> =>
  callerOptions(given, inside).then(
    () => 'taken',
    (error: unknown) => (error instanceof QuodError ? error.reason : String(error)),
  );

test.each([
  [
    ['--z3rlimit', '20', '--fuel=2'],
    ['--z3rlimit', '20', '--fuel', '2'],
  ],
  [['--query_stats', '--warn_error', '-271+272@274'], undefined],
  [['--using_facts_from', '* -FStar.Seq', '--already_cached', '*,-Mine'], undefined],
  [['--quake', '5/10/k'], undefined],
  [
    ['--cache_dir', '.cache', '--include=lib'],
    ['--cache_dir', '/workspace/.cache', '--include', '/workspace/lib'],
  ],
])('%j is for callers', async (given, taken = given) => {
  expect(await callerOptions(given, inside)).toEqual(taken);
});

/** Each kind of harm, and each way to write it. */
test.each([
  ...['--smt', '--load', '--load_cmxs', '--with_fstarc', '--use_native_tactics', '--z3cliopt', '--z3smtopt'],
  ...[
    '--odir',
    '--codegen',
    '--extract',
    '--dep',
    '--output_deps_to',
    '--log_queries',
    '--fstar_home',
    '--lsp',
    '--in',
  ],
  ...[
    '-d',
    '--',
    '@file',
    'Other.fst',
    '/bin/sh',
    '',
    '--SMT',
    ' --smt',
    'toString',
    '__proto__',
    '--unheard_of',
  ],
])('%s is not', async (option) => {
  expect(await reasonOf([option, 'value'])).toBe('not-allowed');
  expect(await reasonOf([`${option}=./program`])).toBe('not-allowed');
  expect(await reasonOf(['--z3rlimit', '20', option])).toBe('not-allowed');
});

test.each([
  [['--include', '/etc'], 'outside-workspace'],
  [['--cache_dir=../..'], 'outside-workspace'],
  [['--hint_file', '/etc/passwd'], 'outside-workspace'],
  [['--fuel', '--smt'], 'invalid-input'],
  [['--fuel'], 'invalid-input'],
  [['--lax=./program'], 'invalid-input'],
  [['--lax', './program'], 'not-allowed'],
  [['--z3version', '../../program'], 'invalid-input'],
  [['--using_facts_from', '@file'], 'invalid-input'],
])('%j: %s', async (given, reason) => {
  expect(await reasonOf(given)).toBe(reason);
});

test('whatever is given, what F* gets is options of the list with values that are no paths but in the workspace', async () => {
  const word = fc.oneof(
    fc.constantFrom(
      '--include',
      '--smt',
      '--fuel',
      '--ext',
      '--lax',
      '=',
      './a',
      '/a',
      '..',
      '2',
      '--load=a',
      'a',
    ),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          word,
          fc.tuple(word, word).map((two) => two.join('=')),
        ),
      ),
      async (given) => {
        const taken = await callerOptions(given, inside).catch(() => []);
        for (const one of taken) {
          if (one.startsWith('--')) expect(one).not.toMatch(/smt|load|=/u);
          else if (one.includes('/')) expect(one).toMatch(/^\/workspace\//u);
          expect(one).not.toMatch(/^@/u);
        }
      },
    ),
  );
});

test('what a project gives names a program where it is not known to be none', () => {
  const given = ['--fuel', '2', '--include', '../lib', '--warn_error=-272', '--using_facts_from', '* -A'];
  expect(possiblePrograms(given)).toEqual([]);
  expect(
    possiblePrograms([...given, '--include', '@more', '--new', '--smt', 'z3', '--lax=1', 'A.fst']),
  ).toEqual(['@more', '--new', 'z3', '1', 'A.fst']);
});
