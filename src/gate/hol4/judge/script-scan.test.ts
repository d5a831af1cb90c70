import { expect, test } from 'vitest';
import { scanScript } from './script-scan.ts';

const found = (text: string): string[] =>
  scanScript({ path: 'mineScript.sml', text }).map(
    ({ position, subject }) => `${position?.line ?? 0}:${position?.column ?? 0} ${subject ?? ''}`,
  );

/** Each attack with what is found, and a twin in which the same names do no harm. */
test.each([
  [
    'cheat',
    'Theorem t: F\nProof cheat\nQED\n',
    ['2:6 cheat'],
    'Theorem t: T\nProof simp[] (* cheat *)\nQED\n',
  ],
  ['mk_thm', 'val t = mk_thm ([], “F”);', ['1:8 mk_thm'], 'val t = "mk_thm";'],
  ['a qualified name', 'val t = Thm.mk_thm ([], “F”);', ['1:8 Thm.mk_thm'], 'val t = Thm.REFL “x”;'],
  [
    'mk_oracle_thm',
    'val t = mk_oracle_thm "o" ([], “F”);',
    ['1:8 mk_oracle_thm'],
    '(* mk_oracle_thm *) val t = T',
  ],
  ['disk_thm', 'val t = disk_thm x y;', ['1:8 disk_thm'], 'val t = disk_thms;'],
  ['set_prover', 'val _ = set_prover (fn (t, _) => x t);', ['1:8 set_prover'], 'val _ = "set_prover";'],
  ['a cast', 'val t : thm = RunCall.unsafeCast x;', ['1:14 RunCall.unsafeCast'], 'val t = cast x;'],
  ['an axiom', 'val t = new_axiom ("t", “F”);', ['1:8 new_axiom'], 'val t = new_axioms;'],
  [
    'the end of the process',
    'val _ = OS.Process.exit OS.Process.success;',
    ['1:8 OS.Process.exit', '1:24 OS.Process.success'],
    'val _ = print "exit";',
  ],
  ['a structure by another name', 'structure P = PolyML;', ['1:14 PolyML'], 'structure P = List;'],
  ['an opened structure', 'open OS;', ['1:5 OS'], 'open bossLib;'],
  ['another file', 'val _ = use "evil.sml";', ['1:8 use'], 'val _ = user "evil.sml";'],
  [
    'a file written',
    'val f = TextIO.openOut ".hol/objs/x.dat";',
    ['1:8 TextIO.openOut'],
    'val f = TextIO.stdIn;',
  ],
  ['deleted proofs', 'val _ = delete_proof t;', ['1:8 delete_proof'], 'val _ = undelete_proof t;'],
  ['code inside a term', 'val t = “x = ^(mk_thm ([], “F”))”;', ['1:15 mk_thm'], 'val t = “x = ^(concl th)”;'],
  [
    'code inside a statement',
    'Theorem t: ^(cheat x) = y\nProof simp[]\nQED\n',
    ['1:13 cheat'],
    'Theorem t: cheat x = y\nProof simp[]\nQED\n',
  ],
  [
    'after a comment in a comment',
    '(* (* *) *) val t = mk_thm x;',
    ['1:20 mk_thm'],
    '(* (* *) val t = mk_thm x; *)',
  ],
  [
    'after a string with an escaped quote',
    'val s = "\\""; val t = mk_thm x;',
    ['1:22 mk_thm'],
    'val s = "\\"; val t = mk_thm x;";',
  ],
  [
    'after a character that is a quote',
    'val c = #"\\""; val t = mk_thm x;',
    ['1:23 mk_thm'],
    'val c = "#"; val t = x;',
  ],
  [
    'after a string with a comment mark',
    'val s = "(*"; val t = mk_thm x;',
    ['1:22 mk_thm'],
    '(* "(*" *) mk_thm *) *)',
  ],
  [
    'in the code of a termination proof',
    'Definition f:\n f x = f x\nTermination\n cheat\nEnd\n',
    ['4:1 cheat'],
    'Definition f:\n f x = cheat x\nEnd\n',
  ],
  [
    'behind what only looks like a header: HOL reads a function called Definition',
    'fun Definition x y = y;\nval z =\nDefinition foo x : thm;\nval t = cheat;\n',
    ['4:8 cheat'],
    'Definition foo : cheat x = x\nEnd\n',
  ],
  [
    'behind a header on two lines',
    'val z = Theorem\nfoo : thm; val t = cheat;\n',
    ['2:19 cheat'],
    'Theorem foo : cheat = cheat\nProof\n simp[]\nQED\n',
  ],
  [
    'in a term, for names that no term has',
    'Theorem t: mk_thm = x\nProof simp[]\nQED\n',
    ['1:11 mk_thm'],
    'Theorem t: use = x\nProof simp[]\nQED\n',
  ],
])('%s', (_, attack, findings, twin) => {
  expect(found(attack)).toEqual(findings);
  expect(found(twin)).toEqual([]);
});

test('an indented theorem is one too: a quotation mark in it hides nothing', () => {
  expect(found('  Theorem t: a ` b\nProof\n cheat\nQED\n')).toEqual(['3:1 cheat']);
});

test('a finding says what it is and what to do', () => {
  expect(scanScript({ path: 'a.sml', text: 'val t = new_axiom x' })).toEqual([
    {
      kind: 'new-axiom',
      file: 'a.sml',
      position: { line: 1, column: 8 },
      subject: 'new_axiom',
      message: '`new_axiom` asserts an axiom.',
      remedy: 'Prove it with tactics and rules, without this name; rename it if it is your own.',
    },
  ]);
});
