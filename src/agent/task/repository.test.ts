/** With a real git; skipped without one. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test as anyTest, vi } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import { changedFiles as whyChanged } from './changed-files.ts';
import { commitRunsOwn } from './repository.ts';
import { inRepository } from './testing/in-repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const { folder, git, init, path } = inRepository('quod-repository-');
const changedFiles = async (files: readonly string[]): Promise<readonly string[]> => [
  ...(await whyChanged(files)).keys(),
];

interface Order {
  readonly message: string;
  readonly signal?: AbortSignal;
  readonly timeMs?: number;
}

const NO_FILES = new Map<string, string>();
const commitOwn = (written: readonly FileVersion[], usersOwn: ReadonlyMap<string, string>, order: Order) =>
  commitRunsOwn(written, usersOwn, { ...order, message: () => order.message });

/** None of them is the user's own. */
const commitFiles = async (written: readonly FileVersion[], order: Order) => {
  const { commit, message } = await commitOwn(written, NO_FILES, order);
  return { commit, message };
};

/** As it lies on the disk. */
const lying = (file: string): FileVersion => ({ file, bytes: readFileSync(file) });
/** As a run has written it. */
const judgedFile = (name: string): FileVersion => {
  writeFileSync(path(name), 'judged\n');
  return lying(path(name));
};

test('only the named files are committed, whatever else is changed or staged', async () => {
  writeFileSync(path('a.v'), 'two\n');
  writeFileSync(path('b.v'), 'the user’s\n');
  writeFileSync(path('c.v'), 'staged\n');
  git('add', 'c.v');
  writeFileSync(path('TASK.md'), 'new\n');
  const { commit, message } = await commitFiles([lying(path('a.v')), lying(path('TASK.md'))], {
    message: 'Prove a',
  });
  expect(message).toBe('Prove a');
  expect(
    git('show', '--name-only', '--format=%H', commit ?? '')
      .trim()
      .split(/\n+/u),
  ).toEqual([commit, 'TASK.md', 'a.v']);
  expect(git('status', '--porcelain')).toBe(' M b.v\nA  c.v\n');
});

test.each([':a.v', ':(top)a.v', '*.v'])('%s is a name, and no pattern', async (name) => {
  writeFileSync(path(name), 'one\n');
  git('--literal-pathspecs', 'add', name);
  git('commit', '--quiet', '-m', 'second');
  expect(await changedFiles([path(name)])).toEqual([]);
  writeFileSync(path('a.v'), 'mine\n');
  expect(await changedFiles([path(name)])).toEqual([]);
  writeFileSync(path(name), 'two\n');
  expect((await commitFiles([lying(path(name))], { message: 'Prove it' })).message).toBe('Prove it');
  expect(git('show', '--name-only', '--format=').trim()).toBe(name);
  expect(git('status', '--porcelain')).toBe(' M a.v\n');
});

test('files with the user’s own changes are noticed, and those that git does not have', async () => {
  writeFileSync(path('b.v'), 'mine\n');
  writeFileSync(path('c.v'), 'new\n');
  writeFileSync(path('.git/info/exclude'), 'd.v\n');
  writeFileSync(path('d.v'), 'ignored\n');
  const files = ['a.v', 'b.v', 'c.v', 'd.v'].map(path);
  expect(await changedFiles(files)).toEqual(files.slice(1));
});

test('what is the user’s own is left to them, and the run says so where nothing else was written', async () => {
  for (const name of ['a.v', 'b.v']) writeFileSync(path(name), 'proved\n');
  const own = new Map([[path('a.v'), 'had changes of yours when the run began']]);
  expect(await commitOwn([lying(path('a.v'))], own, { message: 'Prove a' })).toEqual({
    files: [],
    commit: null,
    message: expect.stringMatching(/^Not committed, for you to commit: a\.v had changes of yours/u) as string,
  });
  expect(
    await commitOwn([lying(path('a.v')), lying(path('b.v'))], own, { message: 'Prove b' }),
  ).toMatchObject({
    files: [path('b.v')],
    message: expect.stringMatching(/^Prove b\nNot committed, for you to commit: a\.v had/u) as string,
  });
  expect(git('log', '-1', '--format=%B').trim()).toBe('Prove b');
  expect(git('status', '--porcelain')).toBe(' M a.v\n');
});

test.each(['--assume-unchanged', '--skip-worktree'])(
  'a file with the user’s own changes is noticed where git was told not to look (%s)',
  async (flag) => {
    git('update-index', flag, 'a.v');
    expect(await changedFiles([path('a.v')])).toEqual([]);
    writeFileSync(path('a.v'), 'mine\n');
    expect(git('status', '--porcelain')).toBe('');
    expect(await changedFiles([path('a.v')])).toEqual([path('a.v')]);
  },
);

describe('what differs from the last commit by more than what the run put there', () => {
  /** A run that puts lines `proof` into files. */
  const proved = (name: string, text: string): FileVersion => {
    const withoutProofs = (bytes: Uint8Array): string =>
      Buffer.from(bytes).toString().replaceAll('proof\n', '');
    const bytes = Buffer.from(text);
    writeFileSync(path(name), bytes);
    return {
      ...{ file: path(name), bytes },
      isRunsOwn: (committed) => withoutProofs(committed) === withoutProofs(bytes),
    };
  };
  const LEFT = expect.stringMatching(
    /^Not committed, for you to commit: a\.v has (?:changes|something) of yours/u,
  ) as string;

  test('is not committed, whenever somebody wrote it; the other files are', async () => {
    const files = [proved('a.v', 'one\nproof\nmine\n'), proved('b.v', 'one\nproof\n')];
    expect(await commitOwn(files.slice(0, 1), NO_FILES, { message: 'Prove a' })).toEqual({
      files: [],
      commit: null,
      message: LEFT,
    });
    expect(await commitOwn(files, NO_FILES, { message: 'Prove both' })).toMatchObject({
      files: [path('b.v')],
      message: expect.stringMatching(/^Prove both\nNot committed/u) as string,
    });
    expect(git('status', '--porcelain')).toBe(' M a.v\n');
    expect(git('show', 'HEAD:b.v')).toBe('one\nproof\n');
  });

  test('is not taken back either where somebody committed it while the run worked', async () => {
    writeFileSync(path('a.v'), 'one\nmine\n');
    git('commit', '--quiet', '-am', 'mine');
    const order = { message: 'Prove a' };
    expect(await commitOwn([proved('a.v', 'one\nproof\n')], NO_FILES, order)).toMatchObject({
      message: LEFT,
    });
    expect(git('show', 'HEAD:a.v')).toBe('one\nmine\n');
    expect(await commitOwn([proved('a.v', 'one\nproof\nmine\n')], NO_FILES, order)).toMatchObject({
      message: 'Prove a',
    });
  });

  test('is left in the index where somebody staged it', async () => {
    writeFileSync(path('a.v'), 'one\nstaged\n');
    git('add', 'a.v');
    const order = { message: 'Prove a' };
    expect(await commitOwn([proved('a.v', 'one\nproof\n')], NO_FILES, order)).toMatchObject({
      message: LEFT,
    });
    expect(git('show', ':a.v')).toBe('one\nstaged\n');
  });
});

test('of many that commit at once in one repository each makes its commit', async () => {
  const names = ['c.v', 'd.v', 'e.v', 'f.v'];
  for (const name of names) writeFileSync(path(name), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'more');
  for (const name of names) writeFileSync(path(name), 'two\n');
  const made = await Promise.all(
    names.map((name) => commitFiles([lying(path(name))], { message: `Prove ${name}` })),
  );
  expect(made.map(({ message }) => message)).toEqual(names.map((name) => `Prove ${name}`));
  expect(git('log', '--format=%s').trim().split('\n').toSorted()).toEqual(
    ['first', 'more', ...names.map((name) => `Prove ${name}`)].toSorted(),
  );
  expect(git('status', '--porcelain')).toBe('');
});

test('a commit whose files the index cannot be told of is made, and says so', async () => {
  writeFileSync(path('a.v'), 'two\n');
  standInGit('update-index', '[ -n "$GIT_OBJECT_DIRECTORY" ] || { echo no >&2; exit 1; }');
  const { commit, message } = await commitFiles([lying(path('a.v'))], { message: 'Prove a' });
  vi.unstubAllEnvs();
  expect(commit).toBe(git('rev-parse', 'HEAD').trim());
  expect(message).toBe('Prove a\nthe index does not have it yet: no');
});

test('of what git says why it refuses is told, and what it proposes', async () => {
  writeFileSync(path('a.v'), 'two\n');
  const said = [
    'warning: w',
    "fatal: detected dubious ownership in repository at '/x'",
    'To add it, call:',
    '',
  ];
  standInGit(
    '--show-toplevel',
    `printf '%s\\n' ${[...said, '\tgit config it'].map((line) => `"${line}"`).join(' ')} >&2; exit 128`,
  );
  const { message } = await commitFiles([lying(path('a.v'))], { message: 'Prove a' });
  vi.unstubAllEnvs();
  expect(message).toBe(
    "Not committed (a.v): fatal: detected dubious ownership in repository at '/x' (git config it)",
  );
});

test('a lock of the index is waited for a little, and one that stays is told with who holds it', async () => {
  writeFileSync(path('a.v'), 'two\n');
  const lock = path('.git/index.lock');
  const holder = (script: string) => spawn('sh', ['-c', script, 'holder'], { cwd: folder(), stdio: 'pipe' });
  const held = holder(`exec 9>'${lock}'; echo; read line; rm '${lock}'`);
  onTestFinished(() => void held.kill());
  await once(held.stdout, 'data');
  expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).toEqual({
    commit: null,
    message: expect.stringMatching(
      /index\.lock is there, and process \d+ \(sh -c\) is at work in this repository/u,
    ) as string,
  });
  // It is gone a moment after it is waited for.
  const committed = commitFiles([lying(path('a.v'))], { message: 'Prove a' });
  held.stdin.end('\n');
  expect(await committed).toMatchObject({ commit: expect.stringMatching(/^[\da-f]+$/u) as string });
});

test('a commit that cannot be made says why, and changes neither a file nor the index', async () => {
  expect(await commitFiles([lying(path('a.v'))], { message: 'nothing' })).toEqual({
    commit: null,
    message: 'Nothing to commit.',
  });
  writeFileSync(path('a.v'), 'two\n');
  writeFileSync(path('.git/index.lock'), '');
  expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).toMatchObject({
    commit: null,
    message: expect.stringMatching(
      /^Not committed \(a\.v\): \/.*index\.lock is there, .*remove that file/u,
    ) as string,
  });
  rmSync(path('.git/index.lock'));
  expect(git('status', '--porcelain')).toBe(' M a.v\n');
  expect(git('log', '--format=%s')).toBe('first\n');
  const outside = mkdtempSync(join(tmpdir(), 'quod-no-repository-'));
  writeFileSync(join(outside, 'a.v'), 'x');
  expect(await commitFiles([lying(join(outside, 'a.v'))], { message: 'Prove a' })).toMatchObject({
    commit: null,
    message: 'Not committed: there is no git repository around a.v.',
  });
  expect(await changedFiles([join(outside, 'a.v')])).toEqual([]);
  rmSync(outside, { recursive: true });
});

/** A git that does something else where its words match. */
function standInGit(words: string, does: string): void {
  const real = findExecutable(['git']);
  mkdirSync(path('bin'));
  writeFileSync(path('bin/git'), `#!/bin/sh\ncase "$*" in *${words}*) ${does};; esac\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', `${path('bin')}:${process.env['PATH']}`);
}

test.each([
  [
    'does not list the filters',
    '--get-regexp',
    'echo no list >&2; exit 3',
    /^Not committed \(a\.v\): no list$/u,
  ],
  [
    'prints an option that it does not know',
    '--path-format=absolute',
    'echo --path-format=absolute',
    /git 2\.31/u,
  ],
])('nothing is committed by a git that %s', async (_, words, does, why) => {
  writeFileSync(path('a.v'), 'two\n');
  standInGit(words, does);
  const committed = await commitFiles([lying(path('a.v'))], { message: 'Prove a' });
  vi.unstubAllEnvs();
  expect(committed).toEqual({ commit: null, message: expect.stringMatching(why) as string });
});

const OTHER = 'was changed or put back by somebody else after the run had written it';

test.each([
  ['put back', 'one\n'],
  ['changed', 'exchanged\n'],
])('a file that was %s since it was judged is not committed, and the others are', async (_, text) => {
  const judged = ['a.v', 'b.v'].map(judgedFile);
  writeFileSync(path('a.v'), text);
  expect(await commitFiles(judged, { message: 'Prove b' })).toMatchObject({
    message: `Prove b\nNot committed, for you to commit: a.v ${OTHER}.`,
  });
  expect(git('show', '--name-only', '--format=').trim()).toBe('b.v');
  expect(readFileSync(path('a.v'), 'utf8')).toBe(text);
});

test('so is one that is changed while the commit is made', async () => {
  const judged = ['a.v', 'b.v'].map(judgedFile);
  standInGit('commit-tree', `echo exchanged > ${path('a.v')}`);
  const { message } = await commitFiles(judged, { message: 'Prove b' });
  vi.unstubAllEnvs();
  expect(message).toBe(`Prove b\nNot committed, for you to commit: a.v ${OTHER}.`);
  expect(git('show', '--name-only', '--format=').trim()).toBe('b.v');
  expect(git('rev-list', '--count', 'HEAD')).toBe('2\n');
});

const REMOVED = 'is not there any more (removed or renamed)';
const replacedBy = (what: string): string => `is no file any more (${what} is in its place)`;

test.each([
  ['deleted', REMOVED, () => rmSync(path('in/a.v'))],
  ['renamed', REMOVED, () => renameSync(path('in/a.v'), path('in/renamed.v'))],
  ['renamed with its folder', REMOVED, () => renameSync(path('in'), path('out'))],
  [
    'moved behind a file of the name of its folder',
    REMOVED,
    () => {
      renameSync(path('in'), path('out'));
      writeFileSync(path('in'), '');
    },
  ],
  [
    'replaced by a link',
    replacedBy('a link'),
    () => {
      renameSync(path('in/a.v'), path('in/renamed.v'));
      symlinkSync('renamed.v', path('in/a.v'));
    },
  ],
  [
    'replaced by a folder',
    replacedBy('a folder'),
    () => {
      rmSync(path('in/a.v'));
      mkdirSync(path('in/a.v'));
    },
  ],
])('a file that was %s is committed under no name, and the others are', async (_, why, change) => {
  mkdirSync(path('in'));
  writeFileSync(path('in/a.v'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'in');
  const judged = ['in/a.v', 'b.v'].map(judgedFile);
  change();
  expect(await commitFiles(judged, { message: 'Prove it' })).toMatchObject({
    message: `Prove it\nNot committed, for you to commit: a.v ${why}.`,
  });
  expect(git('show', '--name-only', '--format=').trim()).toBe('b.v');
  expect(await commitFiles(judged.slice(0, 1), { message: 'Prove it' })).toEqual({
    commit: null,
    message: `Not committed, for you to commit: a.v ${why}.`,
  });
});

test.each([
  ['', true],
  ['*.v text=auto -ident -filter\n', true],
  ['*.v text\n', false],
  ['*.v ident\n', false],
  ['*.v working-tree-encoding=UTF-16LE-BOM\n', false],
])('Windows line ends that git has are left as they are, but for %j', async (attributes, isLeft) => {
  writeFileSync(path('a.v'), 'one\r\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'line ends');
  vi.stubEnv('GIT_CONFIG_GLOBAL', path('.git/own'));
  writeFileSync(path('.git/own'), '[core]\n\tautocrlf = true\n');
  writeFileSync(path('.gitattributes'), attributes);
  const bytes = Buffer.from('idtac "$Id: x $".\r\n');
  writeFileSync(path('a.v'), bytes);
  const { message } = await commitFiles([{ file: path('a.v'), bytes }], { message: 'Prove a' });
  vi.unstubAllEnvs();
  expect(message).toMatch(isLeft ? /^Prove a$/u : /^Not committed/u);
  expect(git('show', 'HEAD:a.v')).toBe(isLeft ? bytes.toString() : 'one\r\n');
});

test.each(['.gitattributes', '.git/HEAD'])(
  'git that waits at a pipe in the place of %s is waited for once each time',
  { timeout: 60_000 },
  async (name) => {
    writeFileSync(path('a.v'), 'two\n');
    const file = lying(path('a.v'));
    rmSync(path(name), { force: true });
    execFileSync('mkfifo', [path(name)]);
    const begunAt = performance.now();
    await changedFiles([file.file, path('b.v')]);
    const { commit, message } = await commitFiles([file], { message: 'Prove a' });
    expect(commit).toBeNull();
    expect(message).toMatch(/^Not committed/u);
    expect(performance.now() - begunAt).toBeLessThan(40_000);
  },
);

test.each([
  ['ident', 'idtac "$Id: x $".\n', false],
  ['ident', 'idtac "$Id$".\n', 'other'],
  ['ident', 'idtac.\n', true],
  ['text eol=crlf', 'idtac.\r\n', false],
  ['text eol=crlf', 'idtac.\n', 'other'],
  ['text', 'idtac.\n', true],
  ['working-tree-encoding=UTF-16LE', 'idtac.\n', false],
] as const)('with %s %j is committed to the byte, or not at all', async (attribute, text, isSame) => {
  for (const place of ['.gitattributes', '.git/info/attributes']) {
    for (const one of ['.gitattributes', '.git/info/attributes']) rmSync(path(one), { force: true });
    mkdirSync(path('.git/info'), { recursive: true });
    writeFileSync(path(place), `*.v ${attribute}\n`);
    const bytes = Buffer.from(
      `(* ${place} *)\n${text}`.replaceAll(/\r?\n/gu, text.endsWith('\r\n') ? '\r\n' : '\n'),
    );
    writeFileSync(path('a.v'), bytes);
    const { commit, message } = await commitFiles([{ file: path('a.v'), bytes }], { message: 'Prove a' });
    expect(commit === null).toBe(isSame === false);
    if (commit === null) expect(message).toMatch(/^Not committed/u);
    else expect(git('show', 'HEAD:a.v')).toBe(bytes.toString());
    expect(message.includes('git will write other bytes of a.v')).toBe(isSame === 'other');
  }
});

test('the first commit of a repository, in a folder of it, by the user’s name', async () => {
  rmSync(path('.git'), { recursive: true });
  init('.');
  mkdirSync(path('theories'));
  writeFileSync(path('theories/c.v'), 'three\n');
  expect(await commitFiles([lying(path('theories/c.v'))], { message: 'Prove c' })).toMatchObject({
    message: 'Prove c',
  });
  expect(git('log', '--format=%an %ae %s', '--name-only')).toBe(
    'somebody somebody@example.org Prove c\n\ntheories/c.v\n',
  );
  expect(git('status', '--porcelain')).toBe('?? a.v\n?? b.v\n');
});

test('what git ignores, and what stands in the middle of a merge, is not committed', async () => {
  writeFileSync(path('.git/info/exclude'), 'private.v\n');
  writeFileSync(path('private.v'), 'mine\n');
  expect((await commitFiles([lying(path('private.v'))], { message: 'Prove it' })).commit).toBeNull();
  writeFileSync(path('a.v'), 'two\n');
  writeFileSync(path('.git/MERGE_HEAD'), git('rev-parse', 'HEAD'));
  expect((await commitFiles([lying(path('a.v'))], { message: 'Prove it' })).commit).toBeNull();
});

describe('a folder whose repository lies elsewhere', () => {
  let strange: string;
  const strangers = (name: string): string => join(strange, name);
  const commits = (): number => Number(git('rev-list', '--count', '--all'));
  const commit = (at: string) => {
    writeFileSync(join(at, 'a.v'), 'proved\n');
    return commitFiles([lying(join(at, 'a.v'))], { message: 'Prove a' });
  };

  beforeEach(() => {
    strange = mkdtempSync(join(tmpdir(), 'quod-strange-'));
  });
  afterEach(() => rmSync(strange, { recursive: true }));

  test('commits where that knows the folder: as a work tree, or as a submodule', async () => {
    git('worktree', 'add', '--quiet', strangers('tree'), '-b', 'tree');
    expect(await changedFiles([strangers('tree/a.v')])).toEqual([]);
    expect(await commit(strangers('tree'))).toMatchObject({ message: 'Prove a' });
    git('clone', '--quiet', folder(), strangers('super'));
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder(), 'sub'];
    execFileSync('git', ['-C', strangers('super'), ...add], { stdio: 'ignore' });
    for (const [name, value] of [
      ['user.name', 'somebody'],
      ['user.email', 'somebody@example.org'],
    ] as const)
      execFileSync('git', ['-C', strangers('super/sub'), 'config', name, value]);
    expect(await commit(strangers('super/sub'))).toMatchObject({ message: 'Prove a' });
  });

  test.for<[string, (at: string) => void]>([
    ['a file .git', (at) => writeFileSync(join(at, '.git'), `gitdir: ${path('.git')}\n`)],
    ['a link .git', (at) => symlinkSync(path('.git'), join(at, '.git'))],
    [
      'the file .git of another work tree',
      (at) => {
        git('worktree', 'add', '--quiet', path('tree'), '-b', 'tree');
        symlinkSync(path('tree/.git'), join(at, '.git'));
      },
    ],
    [
      'a file in .git that names a repository to share',
      (at) => {
        execFileSync('git', ['-C', at, 'init', '--quiet']);
        writeFileSync(join(at, '.git', 'commondir'), path('.git'));
      },
    ],
    [
      'a link among its branches',
      (at) => {
        execFileSync('git', ['-C', at, 'init', '--quiet']);
        rmSync(join(at, '.git', 'refs', 'heads'), { recursive: true });
        symlinkSync(path('.git/refs/heads'), join(at, '.git', 'refs', 'heads'));
      },
    ],
  ])('nothing is committed where %s leads to one that does not', async ([, prepare]) => {
    prepare(strange);
    const before = [commits(), git('for-each-ref')];
    expect(await commit(strange)).toMatchObject({
      commit: null,
      message: expect.stringMatching(/^Not committed \(a\.v\): The repository .*is not used/u) as string,
    });
    expect([commits(), git('for-each-ref')]).toEqual(before);
  });
});

describe('a repository whose configuration names programs', () => {
  const HOOKS = [
    ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
    ...['reference-transaction', 'post-index-change', 'pre-auto-gc', 'post-checkout'],
  ];
  /** As attributes may name them. */
  const FILTERS = ['e', 'E.x=y'];
  let ran: string;

  beforeEach(() => {
    ran = path('ran');
    const program = path('program.sh');
    writeFileSync(program, `#!/bin/sh\n{ echo "$0 $@"; env; } >> ${ran}\nexit 1\n`, { mode: 0o755 });
    mkdirSync(path('hooks'));
    for (const hook of HOOKS) {
      symlinkSync(program, path(`hooks/${hook}`));
      symlinkSync(program, path(`.git/hooks/${hook}`));
    }
    for (const [name, value] of [
      ['core.fsmonitor', program],
      ['core.hooksPath', path('hooks')],
      ['core.pager', program],
      ['core.editor', program],
      ['core.sshCommand', program],
      ['core.askPass', program],
      ['commit.gpgSign', 'true'],
      ['gpg.program', program],
      ['log.showSignature', 'true'],
      ['filter.f.clean', program],
      ['filter.f.process', program],
      ['diff.d.textconv', program],
      ['diff.external', program],
      ['merge.m.driver', program],
      ['credential.helper', program],
      ['alias.add', `!${program}`],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', folder()],
      ['remote.origin.uploadpack', program],
    ] as const)
      git('config', name, value);
    rmSync(ran, { force: true });
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-canary');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('starts none of them, and what is committed is committed', async () => {
    writeFileSync(path('a.v'), 'two\n');
    expect(await changedFiles([path('a.v'), path('b.v')])).toEqual([path('a.v')]);
    const { commit } = await commitFiles([lying(path('a.v'))], { message: 'Prove a' });
    expect(commit).not.toBeNull();
    expect(existsSync(ran)).toBe(false);
  });

  test('is not asked to filter a file, which then stays with the user', async () => {
    writeFileSync(path('.gitattributes'), '*.v filter=f diff=d merge=m\n');
    writeFileSync(path('a.v'), 'two\n');
    expect(await changedFiles([path('a.v')])).toEqual([path('a.v')]);
    expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).toMatchObject({
      commit: null,
      message: expect.stringMatching(/filter/u) as string,
    });
    expect(existsSync(ran)).toBe(false);
  });

  test.each(['.gitattributes', '.git/info/attributes'])(
    'chooses no program of the user’s own configuration by %s',
    async (place) => {
      const program = path('program.sh');
      vi.stubEnv('GIT_CONFIG_GLOBAL', path('.git/own'));
      for (const filter of FILTERS)
        for (const kind of ['clean', 'smudge', 'process'])
          execFileSync('git', ['config', '--global', `filter.${filter}.${kind}`, program]);
      for (const [name, value] of [
        ['filter.e.required', 'true'],
        ['diff.e.textconv', program],
        ['diff.e.command', program],
        ['diff.external', program],
        ['merge.e.driver', program],
        ['core.fsmonitor', program],
        ['core.hooksPath', path('hooks')],
        ['commit.gpgSign', 'true'],
        ['gpg.program', program],
        ['status.submoduleSummary', 'true'],
      ] as const)
        execFileSync('git', ['config', '--global', name, value]);
      for (const filter of FILTERS) {
        mkdirSync(path('.git/info'), { recursive: true });
        writeFileSync(path(place), `* filter=${filter} diff=e merge=e\n`);
        writeFileSync(path('a.v'), 'two\n');
        expect(await changedFiles([path('a.v')])).toEqual([path('a.v')]);
        expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).toMatchObject({
          commit: null,
          message: expect.stringMatching(/has a filter for it/u) as string,
        });
      }
      expect(existsSync(ran)).toBe(false);
      rmSync(path(place));
      expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).toMatchObject({
        message: 'Prove a',
      });
      expect(existsSync(ran)).toBe(false);
    },
  );

  test('is not asked for objects that it lacks', async () => {
    for (const name of readdirSync(path('.git/objects')).filter((one) => one.length === 2))
      rmSync(path(`.git/objects/${name}`), { recursive: true });
    writeFileSync(path('a.v'), 'two\n');
    await changedFiles([path('a.v')]);
    expect((await commitFiles([lying(path('a.v'))], { message: 'Prove a' })).commit).toBeNull();
    expect(existsSync(ran)).toBe(false);
  });
});

test('what is stopped makes no commit: branch and index stay as they are', async () => {
  const before = git('rev-parse', 'HEAD');
  writeFileSync(path('a.v'), 'two\n');
  const order = { message: 'Prove a', signal: AbortSignal.abort() };
  expect(await commitFiles([lying(path('a.v'))], order)).toMatchObject({ commit: null });
  expect(git('rev-parse', 'HEAD')).toBe(before);
  expect(git('status', '--porcelain')).toBe(' M a.v\n');
});

test('a git that takes too long makes no commit, and the message says so', async () => {
  writeFileSync(path('a.v'), 'two\n');
  expect(await commitFiles([lying(path('a.v'))], { message: 'Prove a', timeMs: 1 })).toEqual({
    commit: null,
    message: 'Not committed (a.v): git took more than 0.001 s.',
  });
  expect(git('status', '--porcelain')).toBe(' M a.v\n');
});

test.each([['--skip-worktree'], ['--assume-unchanged'], ['--skip-worktree', '--assume-unchanged']])(
  'what git was told of a file stays told (%s %s)',
  async (...flags) => {
    for (const flag of flags) git('update-index', flag, 'a.v');
    const tag = git('ls-files', '-v', 'a.v');
    writeFileSync(path('a.v'), 'two\n');
    writeFileSync(path('b.v'), 'two\n');
    const { message } = await commitFiles(
      ['a.v', 'b.v'].map((name) => lying(path(name))),
      {
        message: 'Prove both',
      },
    );
    expect(message).toBe('Prove both');
    expect(git('ls-files', '-v')).toBe(`${tag}H b.v\n`);
    expect(git('show', ':a.v')).toBe('two\n');
  },
);

test('a lock of git that is there is named, with what is to be done', async () => {
  writeFileSync(path('a.v'), 'two\n');
  const branch = git('symbolic-ref', 'HEAD').trim();
  writeFileSync(path(`.git/${branch}.lock`), '');
  const { message } = await commitFiles([lying(path('a.v'))], { message: 'Prove a' });
  expect(message).toMatch(
    /^Not committed \(a\.v\): fatal: .*\.lock is there, so another git may be at work/u,
  );
  expect(message).toContain('remove that file');
});

test('files that are the user’s own are told with why', async () => {
  writeFileSync(path('b.v'), 'mine\n');
  writeFileSync(path('c.v'), 'new\n');
  writeFileSync(path('.git/info/exclude'), 'd.v\n');
  writeFileSync(path('d.v'), 'ignored\n');
  expect([...(await whyChanged(['a.v', 'b.v', 'c.v', 'd.v'].map(path))).values()]).toEqual([
    'had changes of yours when the run began',
    'was in no commit when the run began',
    'is ignored by git',
  ]);
  standInGit('status', 'echo broken >&2; exit 3');
  const why = await whyChanged([path('a.v')]);
  vi.unstubAllEnvs();
  expect(why.get(path('a.v'))).toMatch(/which git did not say \(broken\)$/u);
});
