import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inclusionsOf, isMadeMakefile, makefileOptions } from './makefile-options.ts';
import { findRocqProject } from './project.ts';
import { isProjectSaying } from './project-sayings.ts';

let folder = '';
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-make-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const RI = ['-ri', 'A.B'];

/** A makefile, the options that it gives, and what nobody knows. */
type Case = readonly [text: string, flags: readonly string[], unread: readonly string[]];

const given: readonly Case[] = [
  ['COQEXTRAFLAGS += -ri A.B', RI, []],
  ['  COQEXTRAFLAGS+=-ri A.B # why', RI, []],
  ['\tCOQEXTRAFLAGS += -ri A.B', RI, []],
  ['COQEXTRAFLAGS ::= -ri A.B', RI, []],
  ['COQEXTRAFLAGS += \\\n  -ri A.B', RI, []],
  ['override COQEXTRAFLAGS += -ri A.B', RI, []],
  ['private COQFLAGS = -ri A.B', RI, []],
  ['export COQEXTRAFLAGS = -ri A.B', RI, []],
  ['override export OTHERFLAGS := -ri A.B', RI, []],
  ['COQDEBUG = -ri A.B', RI, []],
  ['define COQEXTRAFLAGS\n-ri A.B\nendef', RI, []],
  ['override define COQEXTRAFLAGS =\n-ri A.B\nendef\nCOQFLAGS = -q', [...RI, '-q'], []],
  ['COQLIBS += -ri A.B -Q x X', RI, []],
  ['COQC = coqc -ri A.B', RI, []],
  ['COQC = rocq compile -ri A.B', RI, []],
  ['all:\n\t$(MAKE) -f Makefile.coq COQEXTRAFLAGS="-ri A.B"', RI, []],
  ["all:\n\tCOQEXTRAFLAGS='-ri A.B' make -f Makefile.coq", RI, []],
  ['all:\n\t+make -f Makefile.coq "COQEXTRAFLAGS=-ri A.B"', RI, []],
  ['all:\n\techo "COQEXTRAFLAGS += -q" >Makefile.coq.local; make COQFLAGS+=-noinit', ['-noinit'], []],
  ['ifeq (a,a)\nCOQFLAGS = -ri A.B\nendif', RI, ['COQFLAGS = -ri A.B']],
  ['S.vo: COQEXTRAFLAGS += -ri A.B', [], ['S.vo: COQEXTRAFLAGS += -ri A.B']],
  ['%.vo: private COQEXTRAFLAGS = -noinit', [], ['%.vo: private COQEXTRAFLAGS = -noinit']],
  ['COQFLAGS != cat flags', [], ['COQFLAGS != cat flags']],
  ['COQEXTRAFLAGS = $(X)', [], ['COQEXTRAFLAGS = $(X)']],
  [
    'COQEXTRAFLAGS = -q $(shell cat flags) -noinit',
    ['-q', '-noinit'],
    ['COQEXTRAFLAGS = -q $(shell cat flags) -noinit'],
  ],
  ['COQEXTRAFLAGS = -w `cat flags`', ['-w'], ['COQEXTRAFLAGS = -w `cat flags`']],
  ['all:\n\t$(MAKE) COQEXTRAFLAGS="$$F"', [], ['COQEXTRAFLAGS = $$F']],
  ['$(eval COQEXTRAFLAGS += -ri A.B)', [], ['$(eval COQEXTRAFLAGS += -ri A.B)']],
  ['MAKEFLAGS += COQEXTRAFLAGS=-noinit', ['-noinit'], ['MAKEFLAGS += COQEXTRAFLAGS=-noinit']],
  ['ifdef X\ndefine COQFLAGS\n-noinit\nendef\nendif', ['-noinit'], ['define COQFLAGS']],
  ['ifdef X\na:\n\tmake COQFLAGS=-noinit\nendif', ['-noinit'], ['make COQFLAGS=-noinit']],
  ['define COQFLAGS\nCOQEXTRAFLAGS=-q\nendef', ['COQEXTRAFLAGS=-q'], []],
  ['a:\n\t@echo "COQFLAGS=-noinit" > x.mk', ['-noinit'], []],
  ['a:\n\t@echo "$$(make COQFLAGS=-noinit)"', ['-noinit'], []],
  ['a:\n\t@echo $(shell make COQFLAGS=-noinit)', ['-noinit'], []],
  ['a:\n\t@echo x; make COQFLAGS=-noinit', ['-noinit'], []],
  ['COQC = $(or $(COQC),./mine)', [], ['COQC = $(or $(COQC),./mine)']],
  ['COQC = $(if $(X),./mine,coqc)', [], ['COQC = $(if $(X),./mine,coqc)']],
  ['X = EXTRAFLAGS\nCOQ$(X) = -ri A.B', [], ['COQ$(X) = -ri A.B']],
  ['COQC = ./wrapped', [], ['COQC = ./wrapped']],
  ['COQC = coqc $(X)', [], ['COQC = coqc $(X)']],
  ['COQC = $(shell echo coqc -noinit)', [], ['COQC = $(shell echo coqc -noinit)']],
  ['COQC = $(shell cat how)', [], ['COQC = $(shell cat how)']],
  ['COQBIN = bin/', [], ['COQBIN = bin/']],
  ['COQMF_OTHERFLAGS = -ri A.B', RI, []],
  ['T.vo: T.v\n\tcoqc -Q . A -ri A.B $<', [], ['coqc -Q . A -ri A.B $<']],
  ['T.vo: T.v\n\t$(COQBIN)coqc -ri A.B $<', [], ['$(COQBIN)coqc -ri A.B $<']],
  ['T.vo: T.v\n\t"$(BIN)/rocq" c -ri A.B $<', [], ['"$(BIN)/rocq" c -ri A.B $<']],
  ['T.vo: T.v\n\t$(ROCQ) c -ri A.B $<', [], ['$(ROCQ) c -ri A.B $<']],
  ['T.vo: T.v\n\t${ROCQ} -ri A.B $<', [], ['${ROCQ} -ri A.B $<']],
  ['%.vo: %.v\n\t@$(COQC) -noinit $*', [], ['@$(COQC) -noinit $*']],
];

const honest = `
KNOWNTARGETS := Makefile.coq
COQC ?= coqc
COQC ?= "$(COQBIN)coqc"
ROCQ = $(COQBIN)rocq
COQC = $(ROCQ) compile
COQC = /usr/bin/coqc
COQC = $(shell which coqc)
COQC = $(shell command -v coqc || echo "$(COQBIN)rocq c")
COQC = $(or $(COQC),coqc)
COQBIN = \${HOME}/bin/
MAKEARGS = COQBIN="$(COQBIN)"
COQBIN ?=
COQBIN := $(COQBIN)/
COQBIN = /opt/coq/bin/
COQBIN=$(dir $(shell which coqc))
COQDOCFLAGS = -interpolate -utf8 $(EXTRA)
COQDOCEXTRAFLAGS = --external http://x Y
COQCHKFLAGS = -silent
COQLIBS = -R . A -Q $(DIR) B -I src -R a -as A
COQFLAGS = -q $(OTHERFLAGS) $(COQEXTRAFLAGS)
CAMLFLAGS += -w -a
$(info COQFLAGS = $(COQFLAGS))
export COQEXTRAFLAGS
unexport COQFLAGS
all: Makefile.coq
	+@$(MAKE) -f Makefile.coq all
	@echo 'COQFLAGS = $(COQFLAGS)'
	+@$(MAKE) -f Makefile.coq COQEXTRAFLAGS=$(COQEXTRAFLAGS) COQC="$(COQC)" COQBIN=$(dir $(shell which coqc))
	@echo "COQEXTRAFLAGS=-noinit COQBIN=<a folder> are taken"
	@printf 'COQC=%s' x
	cppo -V $(word 1, $(shell coqc -print-version)) -n
Makefile.coq: _CoqProject
	$(COQBIN)coq_makefile -f _CoqProject -o Makefile.coq
%.vo: %.v
	$(COQC) $(COQFLAGS) $(COQLIBS) -w none -time -native-compiler no -quiet $<
	coqc -q -R . A -o $@ $< && coqc --version
	$(COQBIN)coqc -q -R . A $<
	$(ROCQ) c -Q . A $< && $(ROCQ) dep -f _CoqProject && $(COQMAKEFILE) -f _CoqProject -o M
clean:: Makefile.coq
	rm -f $(wildcard *.vo)
ifneq ($(filter-out $(KNOWNTARGETS),$(MAKECMDGOALS)),)
COQEXTRAFLAGS += -w +default
endif
$(VO): COQEXTRAFLAGS += -w none
-include Makefile.coq
.PHONY: all clean
`;

describe('a makefile', () => {
  it.each(given)('gives coqc what is read, or what nobody knows: %j', (text, flags, unread) => {
    expect(makefileOptions(text)).toMatchObject({ flags, unread });
  });

  it('that is as usual gives nothing that is not known', () => {
    expect(makefileOptions(honest)).toEqual({
      flags: ['-q', '-w', '+default', '-w', 'none'],
      unread: [],
    });
    expect(inclusionsOf(honest)).toEqual([
      { name: 'Makefile.coq', isOptional: true, isChosen: false, line: '-include Makefile.coq' },
    ]);
  });

  it('was made by coq_makefile where the top of it says so, of whatever release', () => {
    const line = '#'.repeat(40);
    const old = `${line}\n##  v      #  The Coq Proof Assistant  ##\n## Makefile automagically generated by coq_makefile V8.4 ##\n${line}\n`;
    const middle = `${line}\n##  v  # The Coq Proof Assistant ##\n${line}\n## GNUMakefile for Coq 8.9.1\n`;
    const recent = `${line}\n##  v  # The Rocq Prover / The Rocq Development Team ##\n${line}\n## GNUMakefile for Rocq 9.0.0\n`;
    expect([old, middle, recent].every(isMadeMakefile)).toBe(true);
    for (const text of [`all:\n${middle}`, '## GNUMakefile for Coq 8.16.1\n', `${line}\n\n${middle}`])
      expect(makefileOptions(`${text}COQC = coqc -ri A.B\n`).flags).toEqual(RI);
    expect(makefileOptions(`${middle}COQC = coqc -ri A.B\nOPT = $(shell x)\nCOQFLAGS = $(OPT)`)).toEqual({
      flags: RI,
      unread: [],
    });
  });
});

const optionsOf = async () => {
  const { arguments: flags, unread } = await findRocqProject(join(folder, 'T.v'));
  return { flags, unread };
};

describe('the makefiles of a project', () => {
  const places = [
    ...['Makefile', 'makefile', 'GNUmakefile', 'Makefile.coq.local', 'Makefile.coq.local-late'],
    ...['CoqMakefile.local-late', 'Makefile.local', 'build.mk', 'build.mk.local', 'build.mk.local-late'],
  ];
  it.each(places)('are read: %s', async (name) => {
    await put('_CoqProject', '-Q . A');
    await put('build.mk.conf', 'COQMF_COQLIBS = -Q . A\n');
    await put(name, 'COQEXTRAFLAGS += -ri A.B');
    expect(await optionsOf()).toEqual({ flags: RI, unread: undefined });
    await put(name, 'include flags.mk');
    expect((await optionsOf()).unread).toEqual(['include flags.mk']);
    await put(
      'flags.mk',
      'ifdef Y\ninclude $(Y)/y.mk\nendif\nCOQEXTRAFLAGS += -noinit\n-include gone.mk flags.mk .depend $(DS:.v=.d) $(X)',
    );
    expect(await optionsOf()).toEqual({ flags: ['-noinit'], unread: undefined });
  });

  it('are of a project that their settings alone tell, whatever they are called, and of none', async () => {
    await put('Makefile', 'COQFLAGS = -noinit $$(more)');
    const ofMakefile = { flags: ['-noinit'], unread: ['COQFLAGS = -noinit $$(more)'] };
    expect(await optionsOf()).toEqual(ofMakefile);
    await put('build.mk.conf', 'COQMF_COQLIBS = -Q . A\nCOQMF_OTHERFLAGS = -q\nCOQEXTRAFLAGS = $(X)\n');
    expect(await findRocqProject(join(folder, 'T.v'))).toMatchObject({
      source: join(folder, 'build.mk.conf'),
    });
    expect(await optionsOf()).toEqual({
      flags: ['-q', '-noinit'],
      unread: ['COQEXTRAFLAGS = $(X)', 'COQFLAGS = -noinit $$(more)'],
    });
  });

  it('say what coq_makefile was told besides the project file, where they are not older', async () => {
    await put('_CoqProject', '-Q . A -arg -q');
    await put('Makefile.conf', 'COQMF_COQLIBS = -Q . A\nCOQMF_OTHERFLAGS = -q -ri A.B\n');
    expect((await optionsOf()).flags).toContain('-ri');
    await utimes(join(folder, 'Makefile.conf'), 1, 1);
    expect((await optionsOf()).flags).toEqual(['-q']);
  });

  it('leave a variable unknown that a file may set whose name make works out', async () => {
    await put('Makefile', 'COQFLAGS = $(MORE)');
    expect((await optionsOf()).unread).toBeUndefined();
    await put('Makefile', '-include $(wildcard *.mk)\nCOQFLAGS = $(MORE)');
    expect((await optionsOf()).unread).toEqual(['COQFLAGS = $(MORE)']);
    await put('Makefile', 'COQFLAGS = $(MORE)\ninclude Makefile.coq');
    await put('_CoqProject', '-Q . A MORE = "-noinit"');
    expect(await optionsOf()).toEqual({ flags: ['-noinit'], unread: undefined });
  });

  it('outside of the repository are not read, and said', async () => {
    await put('_CoqProject', '-Q . A');
    await put('Makefile', `include ${tmpdir()}/quod-x.mk ../../etc/hostname`);
    expect((await optionsOf()).unread).toHaveLength(2);
  });

  it('are read to the folder around that says a project, where there is no repository', async () => {
    await put('deep/sub/_CoqProject', '-Q . A');
    await put('deep/sub/Makefile', 'include ../../Makefile.common');
    await put('Makefile.common', 'COQEXTRAFLAGS += -ri A.B');
    const ofFile = async () => (await findRocqProject(join(folder, 'deep/sub/T.v'))).arguments;
    expect(await ofFile()).toEqual([]);
    await put('x.opam', '');
    expect(await ofFile()).toEqual(RI);
  });

  it.each(['Makefile.conf', 'Makefile.coq', 'CoqMakefile'])(
    'are read where they only have the name of what is made: %s',
    async (name) => {
      await put('_CoqProject', '-Q . A');
      await put('Makefile', `include ${name}`);
      expect(await optionsOf()).toEqual({ flags: [], unread: undefined });
      await put(name, 'COQEXTRAFLAGS = -ri A.B');
      expect(await optionsOf()).toEqual({ flags: RI, unread: undefined });
    },
  );

  it.each<readonly [text: string, flags: readonly string[]]>([
    ['include ../latex.mk', []],
    ['OTHERFLAGS = -g $(shell arch)\nall:\n\tcc $(OTHERFLAGS) x.c', []],
    ['OTHERFLAGS = -ri A.B\nall:\n\tcoqc $(OTHERFLAGS) T.v', RI],
    ['OTHERFLAGS = -ri A.B\nall:\n\tmake -f Makefile.coq', RI],
    ['OTHERFLAGS = -ri A.B\ninclude coq.mk', RI],
  ])('count beside a lone file where they have to do with Rocq: %j', async (text, flags) => {
    await put('coq.mk', 'all:\n\trocq c T.v');
    await put('Makefile', text);
    expect(await optionsOf()).toEqual({ flags, unread: undefined });
  });

  it('have names that show it', () => {
    expect(
      [
        ...['build.mk.conf', 'build.mk.local', 'Makefile.coq.local-late', 'x.inc', 'a.mk'],
        ...['Makefile.common', 'Makefile.config', 'flags.sexp'],
      ].every(isProjectSaying),
    ).toBe(true);
    expect(['T.v', 'a.md', 'conf'].some(isProjectSaying)).toBe(false);
  });

  it
    .runIf(spawnSync('coq_makefile', ['--help']).error === undefined)
    .each(['Makefile', 'Makefile.coq', 'build.mk'])(
    'that the real coq_makefile makes say nothing more: %s',
    async (name) => {
      await put('_CoqProject', '-Q . A\n-arg -w -arg none\nCOQDOCFLAGS = "-x"\nT.v\n');
      await put('T.v', '');
      execFileSync('coq_makefile', ['-f', '_CoqProject', '-o', name], { cwd: folder });
      if (name !== 'Makefile') await put('Makefile', honest.replace('COQFLAGS = -q', 'X = '));
      expect((await optionsOf()).unread).toBeUndefined();
      await rm(join(folder, '_CoqProject'));
      expect((await optionsOf()).unread).toBeUndefined();
      await put(`${name}.local`, 'COQEXTRAFLAGS = `cat x`');
      expect((await optionsOf()).unread).toEqual(['COQEXTRAFLAGS = `cat x`']);
    },
  );
});
