import { describe, expect, it } from 'vitest';
import { queriesOf } from '../testing/recordings.ts';
import { scanCommandLine, scanText, undefinedVals } from './scan.ts';

function kinds(text: string): readonly string[] {
  return scanText(text).map(({ kind }) => kind);
}

/**
 * The pushes of the recorded list of escapes: each of these false statements F* accepted, without a message or
 * nearly so.
 */
function recordedEscape(name: string): string {
  for (const { query, args } of queriesOf('escapes.jsonl').values()) {
    const code = (args as { code?: string }).code ?? '';
    if (query === 'push' && code.includes(name)) return code;
  }
  throw new Error(`no ${name} in the recording`);
}

describe('finds every escape that a real F* let pass', () => {
  it.each([
    ['let a1 ', ['admit']],
    ['let a1b ', ['admit']],
    ['let a2 ', ['assume']],
    ['let a3 ', ['magic']],
    ['let a3b ', ['magic']],
    ['assume val av', ['assumed-declaration']],
    ['assume Ax', ['assumed-declaration']],
    ['assume type tt', ['assumed-declaration']],
    ['assume new type', ['assumed-declaration']],
    ['let a6 ', ['admitting-tactic']],
    ['let a6b ', ['admitting-tactic']],
    ['let a22 ', ['admitting-tactic']],
    ['let t1 ', ['admitting-tactic']],
    ['let a8 ', ['option']],
    ['let a10 ', ['option']],
    ['let a11 ', ['option']],
    ['let a12 ', ['option']],
    ['let a13 ', ['silenced-warning', 'silenced-warning']],
    ['let w296 ', ['silenced-warning', 'admitting-tactic']],
    ['let a15 ', ['unsafe-coercion']],
    ['let rec a16 ', ['divergent-proof']],
    ['let a17 ', ['vacuous-precondition']],
    ['let a18 ', ['expected-failure']],
    ['let a19 ', ['expected-failure']],
    ['--__no_positivity', ['option']],
    ['--unsafe_tactic_exec', ['option']],
    ['%splice', ['generated-code']],
  ])('%s', (name, expected) => {
    expect(kinds(recordedEscape(name))).toEqual(expected);
  });

  it('and nothing in what it proved', () => {
    for (const honest of ['let ok ()', 'let a24 ', 'let w ()']) {
      expect(kinds(recordedEscape(honest))).toEqual([]);
    }
  });
});

describe('looks at code only', () => {
  it.each([
    '(* admit () *) let x = 1',
    '// admit ()\nlet x = 1',
    'let s = "assume (1 == 2)"',
    'let admitted = 1',
    "let admit' = 1",
    '#push-options "--admit_smt_queries false --z3rlimit 20"\nlet x = 1',
    '#push-options "--warn_error @240@296+271"\nlet x = 1',
  ])('%j has none', (text) => {
    expect(scanText(text)).toEqual([]);
  });

  it.each([
    ['// IN F*: let x : squash False = admit ()', ['hidden-code', 'admit']],
    ['// nothing here \u2028 let x = admit ()', ['hidden-code', 'admit']],
    ['// nothing here \r let x = admit ()', ['hidden-code', 'admit']],
    ['let x = 1 +// admit ()\n2', ['admit']],
    ["let c = '\"' let x = admit () let d = '\"'", ['admit']],
    ['let x = ``admit`` ()', ['admit']],
    ['let x = Prims.admit ()', ['admit']],
    ['let t () = exact (pack (Tv_FVar (pack_fv ["Prims"; "magic"])))', ['name-in-text']],
    ['let f x = (* (* *) *) assume (x > 0)', ['assume']],
    ['```pulse\nfn f () { admit () }\n```', ['generated-code', 'admit']],
    ['[@@ admit_termination] let rec f x = f x', ['unchecked-recursion']],
    ['let x = \u202E1', ['hidden-code']],
  ])('%j has %j', (text, expected) => {
    expect([...kinds(text)].sort()).toEqual([...expected].sort());
  });
});

describe('options', () => {
  it('weaken what stands between them and their end', () => {
    const text = [
      'let before = 1',
      '#push-options "--admit_smt_queries true"',
      'let inside = 1',
      '#push-options "--z3rlimit 10"',
      'let deeper = 1',
      '#pop-options',
      '#set-options "--admit_smt_queries false"',
      'let honest = 1',
      '#pop-options',
      'let after = 1',
    ].join('\n');
    expect(scanText(text)).toMatchObject([
      {
        kind: 'option',
        text: '--admit_smt_queries true',
        severity: 'unsound',
        affects: ['inside', 'deeper'],
      },
    ]);
  });

  it.each([
    ['--warn_error -19', 'unsound'],
    ['--warn_error +19', 'unsound'],
    ['--warn_error -1..400', 'unsound'],
    ['--warn_error=-296', 'suspicious'],
    ['--warn_error -271', 'suspicious'],
    ['--z3smtopt "(assert false)"', 'unsound'],
    ['--load M', 'unsound'],
    ['--lax', 'unsound'],
  ])('%s are %s, in a text and on the command line', (options, severity) => {
    expect(scanText(`#set-options "${options.replaceAll('"', '\\"')}"`)[0]?.severity).toBe(severity);
    expect(scanCommandLine(options.replaceAll('"', '').split(' '))[0]?.severity).toBe(severity);
  });
});

describe('vals without a definition', () => {
  it('are found in an implementation', () => {
    const text = 'module A\nval f : int\nval g : int\nlet g = 1\nassume val h : int\nval p : nat\n';
    expect(undefinedVals(text).map(({ declaration }) => declaration)).toEqual(['f', 'p']);
  });

  it('and in an interface, given its implementation', () => {
    const text = 'module A\nval f : int\nval g : int\n';
    expect(
      undefinedVals(text, 'module A\nlet rec f = 1 and e = 2').map(({ declaration }) => declaration),
    ).toEqual(['g']);
  });
});

it('says where an escape stands and in what', () => {
  const text = 'module A\nlet f () : Lemma False =\n  admit ()\n';
  expect(scanText(text)).toMatchObject([
    { kind: 'admit', severity: 'unsound', text: 'admit', declaration: 'f', span: { start: 36, end: 41 } },
  ]);
});
