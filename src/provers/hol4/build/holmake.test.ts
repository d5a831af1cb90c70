import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHol4, requireHol4 } from '../discovery.ts';
import { LineCutter, readHolmakeLine } from './holmake-output.ts';
import { runHolmake } from './holmake.ts';
import { readTheoryLog } from './theory-log.ts';

describe('what Holmake prints', () => {
  it.each([
    ['Building 2 theory files', { kind: 'total', theories: 2 }],
    ['Starting work on okTheory', { kind: 'started', target: 'okTheory' }],
    [
      'okTheory                                  (0s)        FAIL<1>',
      { kind: 'finished', target: 'okTheory', seconds: 0, result: 'failed' },
    ],
    [
      'chTheory                                  (12s)   [1/1]CHEATED',
      { kind: 'finished', seconds: 12, result: 'cheated' },
    ],
    [
      'e_castTheory                              (0s)   [1/1]     OK',
      { kind: 'finished', target: 'e_castTheory', result: 'ok' },
    ],
    [
      '\u001b[1mokTheory\u001b[0m  (1s) \u001b[32mOK\u001b[0m',
      { kind: 'finished', target: 'okTheory', result: 'ok' },
    ],
    [
      '*** Holmake aborted - 1 target failed:',
      { kind: 'aborted', message: 'Holmake aborted - 1 target failed:' },
    ],
    [' Saved theorem _______ "noq"', { kind: 'output' }],
  ])('%s', (line, event) => {
    expect(readHolmakeLine(line)).toMatchObject(event);
  });

  it('is cut into lines wherever the bytes were cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(200)), (text, places) => {
        const bytes = Buffer.from(text);
        const cutter = new LineCutter();
        const lines: string[] = [];
        let at = 0;
        for (const place of [...places.toSorted((left, right) => left - right), bytes.length]) {
          const end = Math.min(bytes.length, Math.max(at, place));
          lines.push(...cutter.push(bytes.subarray(at, end)));
          at = end;
        }
        lines.push(...cutter.push(bytes.subarray(at)), ...cutter.end());
        expect(lines.join('\n')).toBe(text.replace(/\n$/, ''));
      }),
    );
  });
});

describe('the log of a theory', () => {
  it('tells of a proof that left goals', () => {
    const log =
      '<<HOL message: Created theory "ok">>\nSaved definition ____ "dbl_def"\nProof of \n\n∀n. EVEN (dbl n)\n\nfailed.\nFirst unsolved sub-goal is\n\nEVEN (2 * n)\n\nTactic failure proving "dbl_even"; heap saved to ok.dbl_even.dumpedheap.\nResume with: bin/hol --holstate=ok.dbl_even.dumpedheap\n';
    expect(readTheoryLog(log)).toEqual({
      saved: [{ name: 'dbl_def', kind: 'definition' }],
      seconds: undefined,
      failure: {
        message: 'The proof of dbl_even failed.',
        theorem: 'dbl_even',
        statement: '∀n. EVEN (dbl n)',
        goal: 'EVEN (2 * n)',
        heap: 'ok.dbl_even.dumpedheap',
      },
    });
  });

  it('tells of errors of the compiler and of HOL’s reader, with their place', () => {
    const compiler =
      'error in quse stScript.sml : Fail "Static Errors"\n<<HOL message: Created theory "st">>\nstScript.sml:3: error: Pattern and expression have incompatible types.\n   Pattern: x : int : int\nFound near val x : int = "a"\nUncaught exception at ./basis/FinalPolyML.sml:491: Fail "Static Errors"\n';
    expect(readTheoryLog(compiler).failure).toMatchObject({
      line: 3,
      message: expect.stringContaining('incompatible types') as string,
    });
    const reader = `peScript.sml:8:1: parse error: expected 'QED'\nSaved theorem _______ "noq"\n`;
    expect(readTheoryLog(reader)).toMatchObject({
      failure: { line: 8, column: 1, message: "expected 'QED'" },
    });
  });

  it('tells of cheats and times', () => {
    const log =
      'Saved CHEAT _________ "c1"\nSaved theorem _______ "good"\nTheory "ch" took 0.16180s to build\n';
    expect(readTheoryLog(log)).toEqual({
      saved: [
        { name: 'c1', kind: 'cheat' },
        { name: 'good', kind: 'theorem' },
      ],
      seconds: 0.1618,
      failure: undefined,
    });
  });
});

/** Ways to a theorem without a proof, all of which Holmake lets pass with code 0 and most with OK. */
const ESCAPES: Readonly<Record<string, string>> = {
  cheated: 'Theorem evil: 1 = 2n\nProof\n  cheat\nQED',
  quiet: 'val _ = set_trace "Theory.save_thm_reporting" 0\nTheorem evil: 1 = 2n\nProof\n  cheat\nQED',
  renamed: 'val tactic = cheat\nTheorem evil: 1 = 2n\nProof\n  tactic\nQED',
  made: 'Theorem evil = mk_thm ([], “1 = 2n”)',
  oracle: 'Theorem evil = mk_oracle_thm "trust_me" ([], “1 = 2n”)',
  axiom: 'val ax = new_axiom ("ax", “1 = 2n”)\nTheorem evil: 0 = 1n\nProof\n  mp_tac ax >> simp[]\nQED',
  assumed: 'Theorem evil: 1 = 2n\nProof\n  ACCEPT_TAC (ASSUME “1 = 2n”)\nQED',
  below: 'Theorem evil: 1 = 2n\nProof\n  ACCEPT_TAC cheatedTheory.evil\nQED',
  disk: 'Theorem evil = Thm.disk_thm ("bool", Thm.SavedName "TRUTH") (((("bool", 0), []), []), [“1 = 2n”])',
  prover:
    'val _ = Tactical.set_prover (fn ((hyps, goal), _) => mk_thm (hyps, goal))\nTheorem evil: 1 = 2n\nProof\n  ALL_TAC\nQED',
  cast: 'datatype fake = FAKE of Tag.tag * term HOLset.set * term\nval FAKE (tag, hyps, _) = RunCall.unsafeCast TRUTH : fake\nTheorem evil = RunCall.unsafeCast (FAKE (tag, hyps, “1 = 2n”)) : thm',
  left: 'Theorem fine: T\nProof\n  simp[]\nQED\nval _ = (Theory.export_theory (); OS.Process.exit OS.Process.success : unit)\nTheorem evil: 1 = 2n\nProof\n  simp[]\nQED',
};

describe.skipIf(findHol4() === undefined)(
  'Holmake of a real HOL4 (skipped without one: set QUOD_HOL4)',
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quod-holmake-'));
      for (const [name, text] of Object.entries(ESCAPES))
        await writeFile(join(folder, `${name}Script.sml`), `Theory ${name}\n\n${text}\n`);
      await writeFile(
        join(folder, 'honestScript.sml'),
        'Theory honest\n\nTheorem fine: 1 + 1 = 2n\nProof\n  simp[]\nQED\n',
      );
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
    });

    it('calls no escape clean, and the honest twin clean', async () => {
      const installation = requireHol4();
      const all = await runHolmake({ installation, folder, extraArguments: ['-k'] });
      expect(all.status).not.toBe('clean');
      const told = Object.fromEntries(
        all.theories.map(({ theory, state, theorems, axioms, missing, cheats }) => [
          theory,
          {
            state,
            flagged: theorems
              .filter(({ standing }) => standing !== 'clean')
              .map(({ name, standing }) => `${name} ${standing}`),
            axioms,
            missing,
            cheats: cheats.length,
          },
        ]),
      );
      expect(told['honest']).toEqual({ state: 'built', flagged: [], axioms: [], missing: [], cheats: 0 });
      expect(told['cheated']).toMatchObject({ flagged: ['evil cheated'], cheats: 1 });
      expect(told['quiet']).toMatchObject({ flagged: ['evil cheated'] });
      expect(told['renamed']).toMatchObject({ flagged: ['evil cheated'] });
      expect(told['made']).toMatchObject({ flagged: ['evil oracle'], cheats: 1 });
      expect(told['oracle']).toMatchObject({ flagged: ['evil oracle'], cheats: 1 });
      expect(told['axiom']).toMatchObject({ axioms: ['axiom$ax'] });
      expect(told['assumed']).toMatchObject({ flagged: ['evil hypotheses'] });
      expect(told['below']).toMatchObject({ flagged: ['evil cheated'], cheats: 0 });
      // No tag shows these: that they are built says nothing, and the code that makes them is told.
      expect(told['disk']).toMatchObject({ state: 'built', flagged: [], cheats: 1 });
      expect(told['cast']).toMatchObject({ state: 'built', flagged: [], cheats: 2 });
      expect(told['prover']).toMatchObject({ cheats: 2 });
      const left = all.theories.find(({ theory }) => theory === 'left');
      expect(left?.state === 'built' ? left.missing : left?.state).not.toEqual([]);
      const honest = await runHolmake({ installation, folder, target: 'honestTheory' });
      expect(honest).toMatchObject({
        status: 'clean',
        exitCode: 0,
        theories: [{ theory: 'honest', state: 'up-to-date' }],
      });
    });

    it('notices a data file that was changed after the build', async () => {
      const data = join(folder, '.hol', 'objs', 'honestTheory.dat');
      await writeFile(data, `${await readFile(data, 'utf8')} `);
      const report = await runHolmake({ installation: requireHol4(), folder, target: 'honestTheory' });
      expect(report.status).not.toBe('clean');
    });

    it('says that it was stopped, not that it failed', async () => {
      await writeFile(
        join(folder, 'slowScript.sml'),
        'Theory slow\n\nval _ = let fun loop () : unit = loop () in loop () end\n',
      );
      const report = await runHolmake({
        installation: requireHol4(),
        folder,
        target: 'slowTheory',
        timeoutMs: 6000,
      });
      expect(report).toMatchObject({ status: 'unknown', stopped: 'timeout' });
    });
  },
);
