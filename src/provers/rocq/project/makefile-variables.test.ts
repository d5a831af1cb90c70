import { describe, expect, it } from 'vitest';
import { makefileOptions } from './makefile-options.ts';
import { MakefileVariables } from './makefile-variables.ts';

/** A makefile that is all there is, the options that it gives, and what nobody knows. */
type Case = readonly [text: string, flags: readonly string[], unread?: readonly string[]];

const RI = ['-ri', 'A.B'];

const cases: readonly Case[] = [
  // As CompCert and UniMath have it.
  [
    'DIRS = a b\nCOQINCLUDES = $(foreach d,$(DIRS),-R $(d) c.$(d))\nCOQC="$(COQBIN)coqc" -q $(COQINCLUDES) $(COQCOPTS)\nCOQCOPTS ?= -w none',
    ['-q', '-w', 'none'],
  ],
  [
    'ifdef R\nCOMMAND = "$(COQBIN)rocq" $(2)\nelse\nCOMMAND = "$(COQBIN)$(1)"\nendif\nCOQC = $(call COMMAND,coqc,c) -q',
    ['-q'],
  ],
  ['OTHERFLAGS += $(MOREFLAGS)', []],
  ['OTHERFLAGS += $(WARN)\nWARN = -w $(HOW),$(WHAT)\nHOW = +a\nWHAT=-b', ['-w', '+a,-b']],
  ['COQFLAGS = $(if $(X),-w none,-q)', ['-w', 'none', '-q']],
  ['A := $(A) -q\nCOQFLAGS = $(A)', ['-q']],
  ['M = -ri A.B\nOTHERFLAGS = $(M)', RI],
  ['define M\n-ri A.B\nendef\nOTHERFLAGS = ${M}', RI],
  ['C = coqc -ri A.B\nC = coqc\nCOQC = $(C)', RI],
  ['F = -ri A.B\nx:\n\tcoqc $(F) $<', [], ['coqc $(F) $<']],
  ['ifdef X\nM = -noinit\nendif\nCOQFLAGS = $(M)', ['-noinit'], ['COQFLAGS = $(M)']],
  ['M = -q\nT.vo: M += -w none -time-file $<.t\nCOQFLAGS = $(M)', ['-q', '-w', 'none', '-time-file', '$<.t']],
  ['T.vo: M += -noinit\nCOQFLAGS = $(M)', ['-noinit'], ['COQFLAGS = $(M)']],
  ['COQFLAGS = $(if $(X),-noinit)', ['-noinit'], ['COQFLAGS = $(if $(X),-noinit)']],
  ['A = $(B)\nB = $(A) -q\nCOQFLAGS = $(A)', ['-q'], ['COQFLAGS = $(A)']],
  ['x:\n\tmake M=-noinit\nCOQFLAGS = $(M)', [], ['COQFLAGS = $(M)']],
  ['$(eval M = -noinit)\nCOQFLAGS = $(M)', [], ['COQFLAGS = $(M)']],
  ['$(1)_M = -noinit\nCOQFLAGS = $(MY_M)', [], ['COQFLAGS = $(MY_M)']],
  ['M != cat x\nCOQFLAGS = $(M)', [], ['COQFLAGS = $(M)']],
  ['COQFLAGS = $(MAKEFLAGS)', [], ['COQFLAGS = $(MAKEFLAGS)']],
  ['COQFLAGS = $(foreach f,-noinit,$(f))', [], ['COQFLAGS = $(foreach f,-noinit,$(f))']],
];

describe('a variable of a makefile', () => {
  const whole = cases.map(([text, flags, unread = []]) => [text, flags, unread] as const);
  it.each(whole)('stands for what is assigned to it: %j', (text, flags, unread) => {
    expect(makefileOptions(text, new MakefileVariables([text], true))).toEqual({ flags, unread });
  });

  it('that nothing sets is empty only where all could be read', () => {
    const text = 'COQFLAGS = $(M)';
    expect(makefileOptions(text, new MakefileVariables([text], false)).unread).toEqual([text]);
    expect(makefileOptions(text, new MakefileVariables([text, 'M = -q'], false)).flags).toEqual(['-q']);
  });

  it.each(['', '-q'])('that doubles again and again is not worked out: %j', (first) => {
    const lines = Array.from({ length: 300 }, (_, at) => `X${at + 1} = $(X${at})$(X${at})`);
    const text = [`X0 = ${first}`, ...lines, 'COQFLAGS = $(X300)'].join('\n');
    expect(makefileOptions(text, new MakefileVariables([text], true)).unread).toEqual(['COQFLAGS = $(X300)']);
  });
});
