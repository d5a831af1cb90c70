import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { coqProjectText, parseCoqProject } from './coq-project.ts';
import { duneStanzas, duneTheories } from './dune-theory.ts';
import { coqArguments, findRocqProject, libraryNameIn } from './project.ts';
import { type SExpression, readSExpressions } from '../s-expression.ts';

const parse = (text: string) => parseCoqProject(text, '/p', '/p/_CoqProject');

describe('a _CoqProject file', () => {
  it('gives paths, plugins and arguments, and skips sources and what is for the makefile', () => {
    const text = `# a comment -Q no no
      -Q theories Foo -R "with blank" "" # to the end
      -I ../plugin
      -arg "-w +all" -arg '-w'
      -arg "-set 'Printing Width=70'"
      -docroot Doc  CAMLFLAGS = "-a -b"
      -native-compiler no
      theories/a.v src/b.ml theories`;
    expect(parse(text)).toEqual({
      loadPath: [
        { flag: '-Q', physical: '/p/theories', logical: 'Foo' },
        { flag: '-R', physical: '/p/with blank', logical: '' },
      ],
      ocamlPath: ['/plugin'],
      arguments: ['-w', '+all', '-w', '-set', 'Printing Width=70', '-native-compiler', 'no'],
    });
  });

  it('refuses a string without end, with its place, and an option without its words', () => {
    expect(() => parse('-Q a A\n  "b')).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        place: { file: '/p/_CoqProject', position: { line: 2, column: 2 } },
      }),
    );
    expect(() => parse('-Q a')).toThrow(expect.objectContaining({ reason: 'invalid-input' }));
  });

  it('is written so that the same is read back; what cannot be written is refused', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/["'\0]/u.test(text));
    const loadPath = fc.record({
      flag: fc.constantFrom('-Q' as const, '-R' as const),
      physical: word.map((name) => resolve('/p', name)),
      logical: word,
    });
    const project = fc.record({
      loadPath: fc.array(loadPath),
      ocamlPath: fc.array(word.map((name) => resolve('/p', name))),
      arguments: fc.array(word),
    });
    fc.assert(
      fc.property(project, (written) => {
        expect(parse(coqProjectText(written))).toEqual(written);
      }),
    );
    const hidden = { flag: '-R' as const, physical: '/p/x" -arg "-l /etc', logical: 'X' };
    expect(() => coqProjectText({ loadPath: [hidden], ocamlPath: [], arguments: [] })).toThrow(
      expect.objectContaining({ reason: 'invalid-input' }),
    );
  });

  it('reads back whatever words were written, quoted or not, between any blanks and comments', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('"'));
    const filler = fc.constantFrom(' ', '\n', '\t', '\r\n', ' # "remark\n', '  ');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, filler)), (entries) => {
        const text = entries
          .map(([dir, name, blank]) => `-Q${blank}"${dir}"${blank}"${name}"${blank}`)
          .join('');
        expect(parse(text).loadPath.map(({ logical }) => logical)).toEqual(entries.map(([, name]) => name));
      }),
    );
  });
});

describe('S-expressions', () => {
  it('have three kinds of comments', () => {
    expect(readSExpressions('a ; b\n#| c #| d |# e |# (f #;(g h) "i \\"j") #; k l')).toEqual([
      'a',
      ['f', 'i "j'],
      'l',
    ]);
  });

  it('are read back from any printed tree', () => {
    const { tree } = fc.letrec<{ tree: SExpression; list: readonly SExpression[] }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, fc.string(), tie('list')),
      list: fc.array(tie('tree')),
    }));
    const print = (expression: SExpression): string =>
      typeof expression === 'string'
        ? `"${expression.replace(/[\\"]/g, '\\$&')}"`
        : `(${expression.map(print).join(' ; comment\n')})`;
    fc.assert(
      fc.property(tree, (expression) => {
        expect(readSExpressions(print(expression))).toEqual([expression]);
      }),
    );
  });

  it('never fail', () => {
    const piece = fc.constantFrom('(', ')', '"', ';', '\n', '#|', '|#', '#;', 'a', ' ', '\\');
    fc.assert(fc.property(fc.array(piece), (pieces) => void readSExpressions(pieces.join(''))));
  });
});

describe('a dune file', () => {
  it('defines theories, also in sub-folders', async () => {
    const text = `(include_subdirs qualified)
      (coq.theory (name A.B) (package p) (theories C D) (flags (:standard -w "-all")))
      (subdir sub (rocq.theory (name E)))`;
    expect(duneTheories(await duneStanzas(text, '/w'))).toEqual([
      { name: 'A.B', folder: '/w', theories: ['C', 'D'], flags: [':standard', '-w', '-all'] },
      { name: 'E', folder: '/w/sub', theories: [], flags: [':standard'] },
    ]);
  });
});

describe('the project of a file', () => {
  let folder = '';
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quod-project-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('is the nearest one upwards, _RocqProject first', async () => {
    await put('_CoqProject', '-Q . Far');
    await put('near/_CoqProject', '-Q . Old');
    await put('near/_RocqProject', '-Q . Near');
    const project = await findRocqProject(join(folder, 'near/deep/not-there/file.v'));
    expect(project).toMatchObject({ root: join(folder, 'near'), source: join(folder, 'near/_RocqProject') });
    expect(coqArguments(project)).toEqual(['-Q', join(folder, 'near'), 'Near']);
    expect(coqArguments(await findRocqProject(join(folder, 'file.v')))).toEqual(['-Q', folder, 'Far']);
  });

  it('follows the theories of a dune workspace, in _build where they are built', async () => {
    await put('dune-project', '(lang dune 3.8)');
    await put('a/dune', '(coq.theory (name A) (theories B Installed))');
    await put('b/dune', '(coq.theory (name B) (theories C))');
    await put('c/dune', '(coq.theory (name C) (theories B))');
    await put('other/dune', '(coq.theory (name Other))');
    await put('_build/default/b/dune', '(coq.theory (name Wrong))');
    expect(await findRocqProject(join(folder, 'a/sub/file.v'))).toEqual({
      root: folder,
      source: join(folder, 'a/dune'),
      loadPath: [
        { flag: '-Q', physical: join(folder, 'c'), logical: 'C' },
        { flag: '-Q', physical: join(folder, '_build/default/b'), logical: 'B' },
        { flag: '-R', physical: join(folder, 'a'), logical: 'A' },
      ],
      ocamlPath: [],
      arguments: [],
    });
  });

  it('of dune orders theories as dune does: each behind what it requires', async () => {
    await put('dune-project', '(lang dune 3.8)');
    const theories = { E: '', D: 'E', C: 'E', A: 'D C', B: 'C A E' };
    for (const [name, required] of Object.entries(theories))
      await put(`${name}/dune`, `(coq.theory (name ${name}) (theories ${required}))`);
    const orderOf = async (name: string): Promise<string[]> =>
      (await findRocqProject(join(folder, name, 'file.v'))).loadPath.map(({ logical }) => logical);
    expect(await orderOf('A')).toEqual(['E', 'D', 'C', 'A']);
    expect(await orderOf('B')).toEqual(['E', 'C', 'D', 'A', 'B']);
  });

  it('of dune has the flags of the folders around it, the nearest last, where it does not leave them out', async () => {
    const flagsOf = async (): Promise<readonly string[]> =>
      (await findRocqProject(join(folder, 'near/a/file.v'))).arguments;
    await put('dune-workspace', '(lang dune 3.8) (env (release (coq (flags -x))) (_ (coq (flags -noinit))))');
    await put('dune', '(env (dev (flags (-w +a)) (coq (flags (:standard -type-in-type)))))');
    await put(
      'near/dune',
      '(subdir a (env (_ (rocq (flags :standard -w one))))) (subdir b (env (_ (coq (flags -y)))))',
    );
    await put('near/a/dune', '(coq.theory (name A) (flags :standard -w -all))');
    expect(await flagsOf()).toEqual(['-noinit', '-type-in-type', '-w', 'one', '-w', '-all']);
    await put('near/a/dune', '(coq.theory (name A))');
    expect(await flagsOf()).toEqual(['-noinit', '-type-in-type', '-w', 'one']);
    await put('dune', '(env (_ (coq (flags -q))))');
    expect(await flagsOf()).toEqual(['-q', '-w', 'one']);
    await put('near/a/dune', '(coq.theory (name A) (flags -noinit))');
    expect(await flagsOf()).toEqual(['-noinit']);
  });

  it('of dune has what the files say that a dune file includes, and the profile of the workspace', async () => {
    await put('dune-workspace', '(lang dune 3.8) (profile release)');
    await put('dune', '(include all.inc)');
    await put(
      'all.inc',
      '(env (dev (coq (flags -x))) (release (coq (flags -noinit)))) (subdir a (include a.inc))',
    );
    await put('a/a.inc', '(include further/b.inc) (include a.inc)');
    await put('a/further/b.inc', '(coq.theory (name A) (flags :standard -q))');
    expect(await findRocqProject(join(folder, 'a/file.v'))).toMatchObject({
      loadPath: [{ flag: '-R', physical: join(folder, 'a'), logical: 'A' }],
      arguments: ['-noinit', '-q'],
    });
    vi.stubEnv('DUNE_PROFILE', 'dev');
    try {
      expect((await findRocqProject(join(folder, 'a/file.v'))).arguments).toEqual(['-x', '-q']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('of dune has the flags of a file that a field includes, and names one that cannot be read', async () => {
    await put('a/flags.inc', '(-noinit (-w all))');
    await put('a/dune', '(coq.theory (name A) (flags -q (:include flags.inc) (:include made-by-dune)))');
    expect(await findRocqProject(join(folder, 'a/file.v'))).toMatchObject({
      arguments: ['-q', '-noinit', '-w', 'all'],
      unread: ['(:include made-by-dune)'],
    });
  });

  it('has no options that say only what is reported, written beside and shared', async () => {
    const words = '-time -arg -verbose -arg -no-glob -arg -emacs -arg "-async-proofs off" -arg "-d all"';
    await put('_CoqProject', `-Q . A -arg ${words} -arg -noinit -arg "-w all" -arg "-color no"`);
    await put('Makefile.coq.local', 'COQEXTRAFLAGS += -time -async-proofs-j 4 -q');
    expect((await findRocqProject(join(folder, 'file.v'))).arguments).toEqual(['-noinit', '-w', 'all', '-q']);
    await put('dune', '(coq.theory (name A) (flags (:standard -time -dump-glob f -indices-matter)))');
    await rm(join(folder, '_CoqProject'));
    expect((await findRocqProject(join(folder, 'file.v'))).arguments).toEqual(['-indices-matter']);
  });

  it('has the options that the makefile gives to coqc, but for what make works out', async () => {
    await put(
      '_CoqProject',
      '-Q . A\nCOQEXTRAFLAGS = "-ri \'A B\'"\nCOQDOCFLAGS = "-x"\nCOQFLAGS = "$(MINE)"',
    );
    const local = 'OTHERFLAGS += -noinit \\\n\t-w "-all" # why\nCOQEXTRAFLAGS ?= $(X)\nall: COQFLAGS\n';
    await put('Makefile.coq.local', local);
    const optionsOf = async (): Promise<readonly string[]> =>
      (await findRocqProject(join(folder, 'file.v'))).arguments;
    expect(await optionsOf()).toEqual(['-ri', 'A B', '-noinit', '-w', '-all']);
    await rm(join(folder, '_CoqProject'));
    await put('Makefile.coq.conf', 'COQMF_COQLIBS = -Q . A\nCOQEXTRAFLAGS = -q\n');
    expect(await optionsOf()).toEqual(['-q', '-noinit', '-w', '-all']);
    await put('_CoqProject', '-Q . A\nLAST =');
    expect(await optionsOf()).toEqual(['-noinit', '-w', '-all']);
  });

  it('names sources of dune theories, built or not', async () => {
    await put('dune-project', '(lang dune 3.8)');
    await put('a/dune', '(coq.theory (name A) (theories B))');
    await put('b/dune', '(coq.theory (name B))');
    await put('_build/default/b/dune', '');
    const project = await findRocqProject(join(folder, 'a/file.v'));
    expect(libraryNameIn(project, join(folder, 'a/file.v'))).toBe('A.file');
    expect(libraryNameIn(project, join(folder, 'b/sub/file.v'))).toBe('B.sub.file');
  });

  it('is not said by a folder that has the name of a project file', async () => {
    await put('_CoqProject', '-Q . Far');
    for (const name of ['_RocqProject', '_CoqProject', 'dune', 'dune-project', 'dune-workspace'])
      await mkdir(join(folder, 'near', name), { recursive: true });
    const project = await findRocqProject(join(folder, 'near/dune/file.v'));
    expect(project).toMatchObject({ root: folder, source: join(folder, '_CoqProject') });
  });

  it('of dune has its root where a file says so, not a folder', async () => {
    await put('a/dune', '(coq.theory (name A))');
    await mkdir(join(folder, 'dune-project'), { recursive: true });
    expect(await findRocqProject(join(folder, 'a/file.v'))).toMatchObject({ root: join(folder, 'a') });
  });

  it('is what coq_makefile was told where no project file says more', async () => {
    const conf = [
      "COQMF_COQLIBS = -I ../plugin -Q . Y -R 'a b' X",
      'COQMF_COQLIBS_NOML = -R no No',
      "COQMF_OTHERFLAGS = '-w' '-all,+foo' '-set' 'A B=1'",
    ].join('\n');
    await put('sub/Makefile.coq.conf', `# coq_makefile -R no No\n${conf}\n`);
    expect(await findRocqProject(join(folder, 'sub/deep/file.v'))).toEqual({
      root: join(folder, 'sub'),
      source: join(folder, 'sub/Makefile.coq.conf'),
      loadPath: [
        { flag: '-Q', physical: join(folder, 'sub'), logical: 'Y' },
        { flag: '-R', physical: join(folder, 'sub/a b'), logical: 'X' },
      ],
      ocamlPath: [join(folder, 'plugin')],
      arguments: ['-w', '-all,+foo', '-set', 'A B=1'],
    });
    await put('sub/_CoqProject', '-Q . Written');
    expect(coqArguments(await findRocqProject(join(folder, 'sub/file.v')))).toContain('Written');
    await put('none/Makefile.conf', 'COQMF_COQLIBS = \n');
    expect(await findRocqProject(join(folder, 'none/file.v'))).toMatchObject({ source: undefined });
  });

  it('is of dune where a project file above has the folder, too, but for what is compiled in its place, or by make', async () => {
    await put('_CoqProject', '-Q a A -R _build/default/b B');
    await put('dune-project', '(lang dune 3.8)');
    await put('a/dune', '(coq.theory (name A))');
    await put('b/dune', '(coq.theory (name B))');
    await put('c/dune', '(coq.extraction (prelude C) (theories A))');
    const sources = async (): Promise<(string | undefined)[]> =>
      Promise.all(
        ['a', 'b', 'c'].map(async (name) => (await findRocqProject(join(folder, name, 'C.v'))).source),
      );
    const ofDune = ['a', 'b', 'c'].map((name) => join(folder, name, 'dune'));
    expect(await sources()).toEqual(ofDune);
    expect(coqArguments(await findRocqProject(join(folder, 'c/C.v')))).toEqual([
      '-Q',
      join(folder, 'a'),
      'A',
    ]);
    const above = join(folder, '_CoqProject');
    await put('Makefile', '');
    expect(await sources()).toEqual([above, ofDune[1], above]);
    await put('_build/default/a/D.vo', '');
    expect(await sources()).toEqual(ofDune);
    await put('a/sub/D.vo', '');
    await put('b/D.vo', '');
    expect(await sources()).toEqual([above, ofDune[1], above]);
    await put('_CoqProject', '-Q a "A');
    expect(await sources()).toEqual(ofDune);
  });

  it('is of dune where a project file above binds what the theory requires, and not its own folder', async () => {
    await put('_CoqProject', '-Q a A');
    await put('Makefile', '');
    await put('dune-project', '(lang dune 3.8)');
    await put('a/dune', '(coq.theory (name A))');
    await put('c/dune', '(coq.theory (name C) (theories A))');
    const sourceOf = async (name: string) => (await findRocqProject(join(folder, name, 'C.v'))).source;
    expect(await sourceOf('c')).toBe(join(folder, 'c/dune'));
    expect(await sourceOf('a')).toBe(join(folder, '_CoqProject'));
  });

  it('of a theory in the root is not compiled in its place by what dune made below it', async () => {
    await put('_CoqProject', '-Q work X');
    await put('work/dune-project', '(lang dune 3.8)');
    await put('work/dune', '(coq.theory (name X))');
    await put('work/_build/default/A.vo', '');
    const source = async () => (await findRocqProject(join(folder, 'work/A.v'))).source;
    expect(await source()).toBe(join(folder, 'work/dune'));
    await put('work/A.vo', '');
    expect(await source()).toBe(join(folder, '_CoqProject'));
  });

  it('is the folder of the file when nobody says more', async () => {
    await put('dune', '(library (name x))');
    expect(await findRocqProject(join(folder, 'file.v'))).toMatchObject({ root: folder, loadPath: [] });
  });
});

describe('the name of a library', () => {
  const project = {
    root: '/p',
    source: '/p/_CoqProject',
    loadPath: [
      { flag: '-Q', physical: '/p/theories', logical: 'Foo' },
      { flag: '-R', physical: '/p/theories/inner', logical: 'Bar.Baz' },
      { flag: '-Q', physical: '/p/plain', logical: '' },
    ],
    ocamlPath: [],
    arguments: [],
  } as const;

  it('is that of the nearest folder of the load path and the path below', () => {
    expect(libraryNameIn(project, '/p/theories/a/b.v')).toBe('Foo.a.b');
    expect(libraryNameIn(project, '/p/theories/inner/b.v')).toBe('Bar.Baz.b');
    expect(libraryNameIn(project, '/p/plain/b.v')).toBe('b');
    expect(libraryNameIn(project, '/p/theories2/b.v')).toBeUndefined();
    expect(libraryNameIn(project, '/p/theories/CVS/b.v')).toBeUndefined();
  });
});
