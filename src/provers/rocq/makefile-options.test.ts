import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makefileOptions } from './makefile-options.ts';
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
  ['MAKEFLAGS += COQEXTRAFLAGS=-noinit', [], ['MAKEFLAGS += COQEXTRAFLAGS=-noinit']],
  ['X = EXTRAFLAGS\nCOQ$(X) = -ri A.B', [], ['COQ$(X) = -ri A.B']],
  ['COQC = ./wrapped', [], ['COQC = ./wrapped']],
  ['COQC = coqc $(X)', [], ['COQC = coqc $(X)']],
  ['COQC = $(shell echo coqc -noinit)', [], ['COQC = $(shell echo coqc -noinit)']],
  ['COQC = $(shell cat how)', [], ['COQC = $(shell cat how)']],
  ['COQBIN = bin/', [], ['COQBIN = bin/']],
  ['COQMF_OTHERFLAGS = -ri A.B', RI, []],
  ['T.vo: T.v\n\tcoqc -Q . A -ri A.B $<', [], ['coqc -Q . A -ri A.B $<']],
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
COQBIN ?=
COQBIN := $(COQBIN)/
COQBIN = /opt/coq/bin/
COQBIN=$(dir $(shell which coqc))
COQDOCFLAGS = -interpolate -utf8 $(EXTRA)
COQDOCEXTRAFLAGS = --external http://x Y
COQCHKFLAGS = -silent
COQLIBS = -R . A -Q $(DIR) B -I src
COQFLAGS = -q $(OTHERFLAGS) $(COQEXTRAFLAGS)
CAMLFLAGS += -w -a
$(info COQFLAGS = $(COQFLAGS))
export COQEXTRAFLAGS
unexport COQFLAGS
all: Makefile.coq
	+@$(MAKE) -f Makefile.coq all
	@echo 'COQFLAGS = $(COQFLAGS)'
Makefile.coq: _CoqProject
	$(COQBIN)coq_makefile -f _CoqProject -o Makefile.coq
%.vo: %.v
	$(COQC) $(COQFLAGS) $(COQLIBS) -w none -time $<
	coqc -q -R . A -o $@ $< && coqc --version
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
      inclusions: [{ name: 'Makefile.coq', isOptional: true, line: '-include Makefile.coq' }],
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
    await put('flags.mk', 'COQEXTRAFLAGS += -noinit\n-include gone.mk flags.mk .depend $(DS:.v=.d)');
    expect(await optionsOf()).toEqual({ flags: ['-noinit'], unread: undefined });
  });

  it('are of a project that their settings alone tell, whatever they are called, and of none', async () => {
    await put('Makefile', 'COQFLAGS = -noinit $(MORE)');
    const ofMakefile = { flags: ['-noinit'], unread: ['COQFLAGS = -noinit $(MORE)'] };
    expect(await optionsOf()).toEqual(ofMakefile);
    await put('build.mk.conf', 'COQMF_COQLIBS = -Q . A\nCOQMF_OTHERFLAGS = -q\nCOQEXTRAFLAGS = $(X)\n');
    expect(await findRocqProject(join(folder, 'T.v'))).toMatchObject({
      source: join(folder, 'build.mk.conf'),
    });
    expect(await optionsOf()).toEqual({
      flags: ['-q', '-noinit'],
      unread: ['COQEXTRAFLAGS = $(X)', 'COQFLAGS = -noinit $(MORE)'],
    });
  });

  it('say what coq_makefile was told besides the project file, where they are not older', async () => {
    await put('_CoqProject', '-Q . A -arg -q');
    await put('Makefile.conf', 'COQMF_COQLIBS = -Q . A\nCOQMF_OTHERFLAGS = -q -ri A.B\n');
    expect((await optionsOf()).flags).toContain('-ri');
    await utimes(join(folder, 'Makefile.conf'), 1, 1);
    expect((await optionsOf()).flags).toEqual(['-q']);
  });

  it('outside of the repository are not read, and said', async () => {
    await put('_CoqProject', '-Q . A');
    await put('Makefile', `include ${tmpdir()}/quod-x.mk ../../etc/hostname`);
    expect((await optionsOf()).unread).toHaveLength(2);
  });

  it('have names that show it', () => {
    expect(
      ['build.mk.conf', 'build.mk.local', 'Makefile.coq.local-late', 'x.inc', 'a.mk'].every(isProjectSaying),
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
      await put(`${name}.local`, 'COQEXTRAFLAGS = $(X)');
      expect((await optionsOf()).unread).toEqual(['COQEXTRAFLAGS = $(X)']);
    },
  );
});
