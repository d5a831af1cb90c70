import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryHeap, arbitraryScript, arbitraryTactic } from '../testing/random-script.ts';
import { findCheats } from './cheats.ts';
import { parseScript } from './script.ts';
import { spliceProof } from './splice.ts';

const text = `(* cheat *)
Theory demo[bare]
Ancestors list[qualified] (* and *) pred_set
Libs wordsLib

open arithmeticTheory;

Theorem one[simp,local, ind = a b]:
  p /\\ "QED" = q (* Proof *)
Proof[exclude_simps = x]
  rw[] >- (simp["cheat"] (* cheat *)) \\\\ cheat
QED

Triviality two: T
Proof simp[]
QED

Theorem three = CONJUNCT1 (prove(“T”, cheat))
Definition f_def[nocompute]:
  f x = if x = 0 then 0 else f (x - 1)
Termination
  WF_REL_TAC ‘measure I’
End
Datatype:
  t = A | B
End
val old = Q.store_thm("old[simp]", \`!x. x = x\`, let val y = (1, 2) in rw[] end);
val lemma = prove(\`\`T\`\`, simp[]);
val saved = save_thm("saved", TRUTH);
local
  val hidden = 1
in
Theorem inside: T
Proof cheat
QED
end
Theorem later:
  x = 1
Proof
  suspend "c"
QED
Resume later[c]:
  simp[]
QED
Finalise later
Overload "++" = “f”
val _ = export_theory();
`;

describe('the parser of scripts', () => {
  const script = parseScript(text);

  it('finds every declaration', () => {
    expect(script.problems).toEqual([]);
    expect(script.items.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`))).toEqual([
      'theory demo',
      'open',
      'theorem one',
      'theorem two',
      'theorem three',
      'definition f_def',
      'datatype',
      'declaration',
      'declaration',
      'declaration',
      'declaration',
      'theorem later',
      'resume later[c]',
      'finalise later',
      'overload ++',
      'declaration',
    ]);
    expect(script.header).toEqual({ name: 'demo', ancestors: ['list', 'pred_set'], libraries: ['wordsLib'] });
  });

  it('knows theorems of every form, with attributes, statement and proof', () => {
    expect(
      script.theorems.map(({ form, name, statement, proof, exported, nested, cheats }) => ({
        form,
        name,
        statement: statement && text.slice(statement.start, statement.end).trim(),
        proof: proof && text.slice(proof.start, proof.end).trim(),
        exported,
        nested,
        cheats: cheats.length,
      })),
    ).toEqual([
      {
        form: 'Theorem',
        name: 'one',
        statement: 'p /\\ "QED" = q (* Proof *)',
        proof: 'rw[] >- (simp["cheat"] (* cheat *)) \\\\ cheat',
        exported: false,
        nested: false,
        cheats: 1,
      },
      {
        form: 'Triviality',
        name: 'two',
        statement: 'T',
        proof: 'simp[]',
        exported: false,
        nested: false,
        cheats: 0,
      },
      {
        form: 'Theorem =',
        name: 'three',
        statement: undefined,
        proof: undefined,
        exported: true,
        nested: false,
        cheats: 1,
      },
      {
        form: 'Termination',
        name: 'f_def',
        statement: 'f x = if x = 0 then 0 else f (x - 1)',
        proof: 'WF_REL_TAC ‘measure I’',
        exported: false,
        nested: false,
        cheats: 0,
      },
      {
        form: 'store_thm',
        name: 'old',
        statement: '!x. x = x',
        proof: 'let val y = (1, 2) in rw[] end',
        exported: true,
        nested: false,
        cheats: 0,
      },
      {
        form: 'prove',
        name: 'lemma',
        statement: 'T',
        proof: 'simp[]',
        exported: false,
        nested: false,
        cheats: 0,
      },
      {
        form: 'save_thm',
        name: 'saved',
        statement: undefined,
        proof: undefined,
        exported: true,
        nested: false,
        cheats: 0,
      },
      {
        form: 'Theorem',
        name: 'inside',
        statement: 'T',
        proof: 'cheat',
        exported: false,
        nested: true,
        cheats: 1,
      },
      {
        form: 'Theorem',
        name: 'later',
        statement: 'x = 1',
        proof: 'suspend "c"',
        exported: true,
        nested: false,
        cheats: 0,
      },
      {
        form: 'Resume',
        name: 'later[c]',
        statement: undefined,
        proof: 'simp[]',
        exported: false,
        nested: false,
        cheats: 0,
      },
    ]);
    expect(script.theorems[0]?.attributes).toEqual([
      { name: 'simp', values: [] },
      { name: 'local', values: [] },
      { name: 'ind', values: ['a', 'b'] },
    ]);
  });

  it('finds cheats in code only, antiquotations included', () => {
    expect(script.cheats.map(({ span }) => text.slice(0, span.start).split('\n').length)).toEqual([
      11, 18, 34,
    ]);
    const tricky =
      'val a = ‘cheat ^(f cheat)’; (* cheat *) val s = "cheat"; val m = Thm.mk_thm; val c = cheated;';
    expect(
      findCheats(tricky, { start: 0, end: tricky.length }).map(({ name, kind }) => `${kind} ${name}`),
    ).toEqual(['cheat cheat', 'oracle Thm.mk_thm']);
  });

  it('says what is wrong with a file that HOL would refuse, and reads on', () => {
    const wrong = parseScript('Theorem a:\n  T\nProof\n  simp[]\n\nTheorem b: T\nProof simp[]\nQED\n');
    expect(wrong.theorems.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(wrong.problems.map(({ message }) => message)).toEqual(['The proof of a is not followed by QED.']);
    for (const broken of [
      'QED',
      'Theorem x: T',
      'val x = (',
      'val s = "a',
      'Definition d: T',
      '(* a',
      'val q = `x',
      'Theory t\nlocal',
    ])
      expect(parseScript(broken).problems.length, broken).toBeGreaterThan(0);
  });

  it('covers any text: what lies in items, in order, and blanks between', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryHeap,
          arbitraryScript.map((made) => made.text),
        ),
        (any) => {
          const { items } = parseScript(any);
          let at = 0;
          for (const { span } of items) {
            expect(span.start).toBeGreaterThanOrEqual(at);
            expect(span.end).toBeGreaterThan(span.start);
            at = span.end;
          }
          expect(at).toBeLessThanOrEqual(any.length);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds what was put into a script', () => {
    fc.assert(
      fc.property(arbitraryScript, ({ text: made, theorems, items }) => {
        const read = parseScript(made);
        expect(read.problems).toEqual([]);
        expect(read.items.length).toBe(items);
        expect(read.theorems.filter(({ proof }) => proof !== undefined).map(({ name }) => name)).toEqual(
          theorems,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('splice', () => {
  it('replaces one proof and nothing else', () => {
    fc.assert(
      fc.property(arbitraryScript, arbitraryTactic, fc.nat(), ({ text: made }, tactic, which) => {
        const script = parseScript(made);
        const provable = script.theorems.filter(({ proof }) => proof !== undefined);
        const theorem = provable[which % Math.max(1, provable.length)];
        fc.pre(theorem?.proof !== undefined);
        const spliced = spliceProof(script, theorem, tactic);
        expect(spliced.startsWith(made.slice(0, theorem.proof.start))).toBe(true);
        expect(spliced.endsWith(made.slice(theorem.proof.end))).toBe(true);
        const again = parseScript(spliced);
        const index = script.theorems.indexOf(theorem);
        const proofs = (text_: string, { theorems }: typeof again): readonly string[] =>
          theorems.map(({ proof }) => (proof === undefined ? '' : text_.slice(proof.start, proof.end)));
        const [before, after] = [proofs(made, script), proofs(spliced, again)];
        expect(after[index]?.trim()).toBe(tactic);
        expect(after.toSpliced(index, 1)).toEqual(before.toSpliced(index, 1));
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a proof that would swallow what follows', () => {
    const script = parseScript('Theorem a: T\nProof\n  cheat\nQED\n\nval x = 1;\n');
    const [theorem] = script.theorems;
    if (theorem === undefined) throw new Error('no theorem');
    for (const proof of ['simp[', 'rw[] (*', 'foo "x', '‘a', ') ; val y = (1']) {
      expect(() => spliceProof(script, theorem, proof), proof).toThrow('cannot be put into the file');
    }
  });
});
