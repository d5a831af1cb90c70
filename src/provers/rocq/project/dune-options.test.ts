import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRocqProject } from './project.ts';
import { readSExpressions } from '../s-expression.ts';

let folder = '';
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-dune-'));
  await put('dune-project', '(lang dune 3.8)');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  readonly unread?: readonly string[];
}

const THEORY = '(coq.theory (name Main))';
const PLAIN = '(coq.theory (name Main) (flags -noinit))';
const RELEASE = '(env (release (coq (flags -noinit))))';
const SCRIPT =
  '(* -*- tuareg -*- *)\nlet () = Jbuild_plugin.V1.send "(coq.theory (name Main) (flags -ri A))"';

const cases: readonly Case[] = [
  {
    what: 'those of a file outside of the folder that is included whole',
    files: { 'main/dune': '(include ../x.inc)', 'x.inc': PLAIN },
    options: ['-noinit'],
  },
  {
    what: 'those of one file that two folders include',
    files: {
      dune: '(subdir other (include ../x.inc)) (subdir main (include ../x.inc))',
      'x.inc': PLAIN,
    },
    options: ['-noinit'],
  },
  {
    what: 'none that anybody knows, of a file that is not there',
    files: { 'main/dune': '(include x.inc)' },
    unread: ['(include x.inc) in main/dune'],
  },
  {
    what: 'none that anybody knows, of a file outside of the workspace',
    files: { 'main/dune': `(include ../../x.inc) ${PLAIN}` },
    options: ['-noinit'],
    unread: ['(include ../../x.inc) in main/dune'],
  },
  {
    what: 'none that anybody knows, of what dune makes while it reads',
    files: { dune: '(dynamic_include x.inc)', 'main/dune': THEORY },
    unread: ['((dynamic_include x.inc) in dune)'],
  },
  {
    what: 'those that the context of the workspace has',
    files: {
      'dune-workspace':
        '(env (_ (coq (flags -q)))) (context (default (env (_ (coq (flags :standard -noinit))))))',
      'main/dune': THEORY,
    },
    options: ['-q', '-noinit'],
  },
  {
    what: 'those of the profile that the context has',
    files: { 'dune-workspace': '(context (default (profile release)))', 'main/dune': `${THEORY} ${RELEASE}` },
    options: ['-noinit'],
  },
  {
    what: 'none of a context that builds elsewhere',
    files: {
      'dune-workspace':
        '(context default) (context (opam (switch s) (name o) (profile release) (env (_ (coq (flags -q))))))',
      'main/dune': `${THEORY} ${RELEASE}`,
    },
  },
  {
    what: 'none that anybody knows, where no context builds where Quod looks',
    files: { 'dune-workspace': '(context (default (name mine)))', 'main/dune': THEORY },
    unread: ['(the contexts of dune-workspace)'],
  },
  {
    what: 'none that anybody knows, of a file that is a program',
    files: { 'main/dune': SCRIPT },
    unread: ['main/dune, which is OCaml'],
  },
  {
    what: 'none that anybody knows, of a program in a folder around',
    files: { dune: SCRIPT, 'main/dune': THEORY },
    unread: ['(dune, which is OCaml)'],
  },
  {
    what: 'its own alone, where it leaves out those around',
    files: { dune: SCRIPT, 'main/dune': PLAIN },
    options: ['-noinit'],
  },
  {
    what: 'none that anybody knows, of a file that does not end',
    files: { 'main/dune': `${PLAIN} (env (_ "` },
    options: ['-noinit'],
    unread: ['the end of main/dune'],
  },
  ...['(modules_flags (T (:standard -ri A.B)))', '(boot)', '(stdlib no)', '(of_tomorrow x)'].map((one) => ({
    what: `none that anybody knows, where a theory has ${one}`,
    files: { 'main/dune': `(coq.theory (name Main) ${one})` },
    unread: [one],
  })),
  ...[
    'rocqdep_flags',
    'rocqdoc_flags',
    'rocqdoc_header',
    'coqdoc_footer',
    'coqdep_flags',
    'legacy_install',
  ].map((one) => ({
    what: `none that are strange where a theory or an environment has ${one}`,
    files: { 'main/dune': `(rocq.theory (name Main) (${one} x)) (env (_ (rocq (${one} x))))` },
  })),
  {
    what: 'its own alone, beside what dune makes while it reads, which is no theory',
    files: { 'main/dune': `(dynamic_include x.inc) ${PLAIN}` },
    options: ['-noinit'],
  },
  {
    what: 'none that anybody knows, where an environment has what is not known',
    files: { 'main/dune': `${THEORY} (env (_ (coq (later -x) (coqdoc_flags -y))))` },
    unread: ['(later -x)'],
  },
  {
    what: 'none that anybody knows, where dune works them out, behind others, too',
    files: { 'main/dune': '(coq.theory (name Main) (flags -noinit -w %{read:w} :other \\ -w))' },
    options: ['-noinit', '-w', '-w'],
    unread: ['%{read:w}', ':other', '\\'],
  },
  {
    what: 'none where it says that it has none',
    files: { dune: '(env (_ (coq (flags -noinit))))', 'main/dune': '(coq.theory (name Main) (flags))' },
  },
  {
    what: 'none that anybody knows, of two theories in one folder that have others',
    files: { 'main/dune': `${PLAIN} (coq.theory (name B) (modules T) (flags -q))` },
    options: ['-noinit'],
    unread: ['the flags of several theories in one folder'],
  },
  {
    what: 'none of what stands around its own project',
    files: {
      dune: '(env (_ (coq (flags -noinit))))',
      'main/dune-project': '(lang dune 3.8)',
      'main/dune': THEORY,
    },
  },
  {
    what: 'those of a theory by its old name',
    files: { 'main/dune': '(coqlib (name Main) (flags -noinit))' },
    options: ['-noinit'],
  },
  {
    what: 'those of the other name of a dune file, where the project takes it',
    files: {
      'dune-project': '(lang dune 3.0) (accept_alternative_dune_file_name)',
      'main/dune-file': PLAIN,
      'main/dune': '(coq.theory (name Main) (flags -q))',
    },
    options: ['-noinit'],
  },
  {
    what: 'those of a dune file, where the project takes no other name of it',
    files: {
      'dune-project':
        '(lang dune 3.0) ; (accept_alternative_dune_file_name)\n(accept_alternative_dune_file_name false)',
      ...{ 'main/dune-file': '(', 'main/dune': PLAIN },
    },
    options: ['-noinit'],
  },
  {
    what: 'those of the workspace that the environment names',
    files: {
      'dune-workspace': '(env (_ (coq (flags -q))))',
      'dune-workspace.dev': '(env (_ (coq (flags -noinit))))',
      'main/dune': THEORY,
    },
    environment: { DUNE_WORKSPACE: 'dune-workspace.dev' },
    options: ['-noinit'],
  },
  {
    what: 'none that anybody knows, where the environment names a workspace that is not there',
    files: { 'main/dune': THEORY },
    environment: { DUNE_WORKSPACE: 'elsewhere' },
    unread: ['(DUNE_WORKSPACE=elsewhere)'],
  },
  {
    what: 'none that are strange in a usual theory',
    files: {
      dune: '(env (dev (flags (:standard -w +a)))) (rule (with-stdout-to x (run echo)))',
      'main/dune':
        '(include_subdirs qualified) (coq.theory (name Main) (package p) (synopsis "\\| A (b\n) (theories Stdlib) (mode vo) (stdlib yes))',
    },
  },
];

describe('the options of a dune theory', () => {
  it.each(cases)('are $what', async ({ files, environment = {}, options = [], unread }) => {
    for (const [name, value] of Object.entries({ DUNE_PROFILE: '', DUNE_WORKSPACE: '', ...environment }))
      vi.stubEnv(name, value);
    for (const [path, text] of Object.entries(files)) await put(path, text);
    const project = await findRocqProject(join(folder, 'main/T.v'));
    vi.unstubAllEnvs();
    expect(project.arguments).toEqual(options);
    expect(project.unread).toEqual(unread);
  });

  it('are those of what make builds, where a dune file that cannot be read lies in its folder', async () => {
    await put('_CoqProject', '-Q main Main');
    await put('main/dune', SCRIPT);
    const unread = async () => (await findRocqProject(join(folder, 'main/T.v'))).unread;
    expect(await unread()).toEqual(['main/dune, which is OCaml']);
    await put('Makefile', '');
    expect(await unread()).toBeUndefined();
    await put('_build/default/main/T.vo', '');
    expect(await unread()).toEqual(['main/dune, which is OCaml']);
    await put('main/T.vo', '');
    expect(await unread()).toBeUndefined();
  });
});

it('a theory in a folder that is a link is found in the place where dune builds it', async () => {
  await put('dune', '(dirs lib main)');
  await put('main/dune', '(coq.theory (name Main) (theories Lib))');
  await put('v/real/dune', '(coq.theory (name Lib))');
  await symlink('v/real', join(folder, 'lib'));
  const places = async () =>
    (await findRocqProject(join(folder, 'main/T.v'))).loadPath.map(({ physical }) => physical);
  expect(await places()).toEqual([join(folder, 'v/real'), join(folder, 'main')]);
  await put('_build/default/lib/L.vo', '');
  expect(await places()).toEqual([join(folder, '_build/default/lib'), join(folder, 'main')]);
});

it('strings of whole lines end with them', () => {
  expect(readSExpressions('(a "\\| (x" y\n   "\\>  z)\n) b')).toEqual([['a', '(x" y\n z)'], 'b']);
});
