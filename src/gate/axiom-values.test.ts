/** Axioms of Rocq's own library that policies allow as sets, against what the prover computes at boundary values. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { whyFalse } from './axiom-sets.ts';
import { allowsAxiom } from './policy.ts';
import { installedLibrary } from './rocq/testing/installed-rocq.ts';

const ASR = 'Coq.Numbers.Cyclic.Int63.Sint63.asr_spec';

/** What the commands of a file in `testing` answer, in turn, without their types. */
function answersOf(name: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'quod-axioms-'));
  try {
    copyFileSync(join(import.meta.dirname, 'testing', name), join(folder, name));
    const said = execFileSync('coqc', ['-q', '-noglob', name], { cwd: folder, encoding: 'utf8' });
    return said
      .replaceAll(/\s+/gu, ' ')
      .split(' = ')
      .slice(1)
      .map((answer) => answer.replace(/ : .*$/u, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// From 9.0 on the libraries are divided otherwise; the axioms and the kernel's functions are the same.
const isThere = existsSync(join(installedLibrary, 'theories/Numbers/Cyclic/Int63/Sint63.vo'));

it.skipIf(!isThere)(
  'of the axioms of integers, one is false',
  () => {
    const [unsigned = '', signed, isFound, isOfNegative, isOfFar, inKernel] =
      answersOf('axioms_of_integers.v');
    expect(unsigned.match(/\d+/gu)).toEqual(Array.from({ length: 14 }, () => '0'));
    expect(signed).toMatch(/^\[0; 0; 0\]$|^\[0%nat; 0%nat; 0%nat\]$/u);
    expect([isFound, isOfNegative, isOfFar, inKernel]).toEqual(['true', 'true', 'true', '[]']);
  },
  300_000,
);

it.skipIf(!isThere)(
  'of the axioms of floating-point numbers, none is false',
  () => {
    const [all = '', others = ''] = answersOf('axioms_of_floats.v');
    expect(all.match(/\[[^\]]*\]/gu)).toEqual(Array.from({ length: 16 }, () => '[]'));
    expect(others).toBe('([], [])');
  },
  300_000,
);

it('the false one is in no set, and allowed by its own name alone', () => {
  expect(whyFalse(ASR)).toContain('63');
  expect(whyFalse(ASR.replace('Coq.', 'Corelib.').replace('Sint63.', 'Sint63Axioms.'))).toContain('63');
  expect(allowsAxiom({ logic: ['primitive-integers'] }, ASR)).toBe(false);
  expect(allowsAxiom({ axioms: ['Coq.Numbers.Cyclic.Int63.Sint63.*'] }, ASR)).toBe(false);
  expect(allowsAxiom({ axioms: [ASR] }, ASR)).toBe(true);
  expect(allowsAxiom({ logic: ['primitive-integers'] }, ASR.replace('asr_spec', 'div_spec'))).toBe(true);
});
