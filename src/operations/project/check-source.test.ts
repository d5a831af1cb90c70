/** `quod check` on HOL4 scripts and F* files: over the real provers of the machine, else over recordings of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LineIndex } from '../../core/position.ts';
import { locateFstar } from '../../provers/fstar/discovery.ts';
import { useTestFstar } from '../../provers/fstar/testing/fstar-program.ts';
import { findHol4 } from '../../provers/hol4/discovery.ts';
import { holUnderTest } from '../../provers/hol4/testing/hol-under-test.ts';
import type { CheckReport } from '../files/check-report.ts';
import { checkSource } from './check-source.ts';
import { checkScript } from '../hol4/check-script.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-check-'));
const environment = { ...process.env };
afterAll(() => {
  process.env = environment;
  rmSync(folder, { recursive: true });
});

const limits = { timeoutMs: 60_000, signal: new AbortController().signal };

/** `line:column message` of each, as the terminal shows them. */
function shown({ errors, holes }: CheckReport, text: string) {
  const lines = new LineIndex(text);
  const at = ({ span }: { readonly span: { readonly start: number } }): string => {
    const { line, column } = lines.printedAt(span.start);
    return `${line}:${column}`;
  };
  return {
    errors: errors.map((error) => `${at(error)} ${error.message.split('\n')[0] ?? ''}`),
    holes: holes.map((hole) => `${at(hole)} ${hole.theorem} ${hole.kind}`),
  };
}

const SCRIPT = `Theory small

Theorem swap:
  !p q. p /\\ q ==> q /\\ p
Proof
  cheat (* one *)
QED

Theorem wrong:
  !p q. p ==> q \\/ p
Proof
  rpt strip_tac
  >> nothing_tac
QED

Theorem early:
  !p q. p /\\ q ==> q /\\ p
Proof
  rpt strip_tac >- simp[]
QED

Theorem fine:
  T /\\ T
Proof
  simp[] (* cheat *)
QED

Theorem forged = Thm.mk_thm ([], “F”);
`;

describe('a HOL4 script', () => {
  it('is checked to its end, with the step at which each proof fails and the holes', async () => {
    const file = join(folder, 'smallScript.sml');
    const { identity, report } = await checkScript({
      file,
      text: SCRIPT,
      program: holUnderTest('check'),
      ...limits,
    });
    expect(identity.prover).toBe('hol4');
    expect(shown(report, SCRIPT)).toEqual({
      errors: [
        '13:5 Value or constructor (nothing_tac) has not been declared',
        '20:0 The proof ends before all goals are proved.',
      ],
      holes: ['6:2 swap cheat', '28:17 forged Thm.mk_thm'],
    });
    expect(report.errors.map(({ goals }) => goals?.map(({ conclusion }) => conclusion))).toEqual([
      ['q ∨ p'],
      ['p'],
    ]);
    expect(report.times).toHaveLength(6);
    expect(report).toMatchObject({ skipped: 0, partial: false });
  });

  it.skipIf(findHol4() === undefined)(
    'goes on behind a definition that fails, and names it where it is missing (skipped without a HOL4)',
    async () => {
      const text = `Theory later
Ancestors arithmetic
Definition broken_def:
  broken (n:num) = n + T
End
Theorem uses = CONJ broken_def TRUTH;
Theorem fine:
  1 + 1 = 2n
Proof
  simp[]
QED
val _ = export_theory ();
`;
      const { report, unit } = await checkSource({
        file: join(folder, 'laterScript.sml'),
        text,
        backend: 'auto',
        ...limits,
      });
      expect(unit).toBe('declaration');
      expect(report.errors.map(({ follows }) => follows)).toEqual([undefined, 'broken_def']);
      expect(report).toMatchObject({ skipped: 2, partial: false, holes: [] });
      expect(report.times).toHaveLength(4);
    },
  );
});

const MODULE = `module Small
let f (x:int) : int = x + 1
let wrong (x:int) : Lemma (f x > x + 1) = ()
let after (x:int) : Lemma (f x > x) = wrong x
let typed : int = "a"
let adm (x:int) : Lemma (x > 5) = admit ()
#push-options "--admit_smt_queries true"
let hidden () : Lemma False = ()
#pop-options
let assumed = assume (1 = 2)
let unknown = nowhere 3
`;

describe('an F* file', () => {
  it('is checked to its end, with every error and every hole', async () => {
    const file = join(folder, 'Small.fst');
    writeFileSync(file, MODULE);
    await useTestFstar(folder, 'check', locateFstar());
    const { identity, report, unit } = await checkSource({ file, text: MODULE, backend: 'auto', ...limits });
    expect([identity.prover, unit]).toEqual(['fstar', 'declaration']);
    expect(shown(report, MODULE)).toEqual({
      errors: [
        '3:42 could not prove post-condition',
        '5:20 Expected expression of type "int"; got expression ""a"" of type "string"',
        '11:14 Identifier not found: [nowhere]',
      ],
      holes: ['6:34 adm admit', '7:14 hidden --admit_smt_queries true', '10:14 assumed assume'],
    });
    expect(report.times).toHaveLength(11);
    expect(report).toMatchObject({ skipped: 2, partial: false });
  });
});

it('refuses Standard ML that is no script', async () => {
  await expect(
    checkSource({ file: '/a/library.sml', text: 'val x = 1', backend: 'auto', ...limits }),
  ).rejects.toThrow(/no script of a HOL4 theory/);
});
