/** The cases of the prover port over HOL4. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHol4, requireHol4 } from '../../provers/hol4/discovery.ts';
import { openHolSession } from '../hol4/hol-session.ts';
import { type PortFacts, type PortUnderTest, describePort } from './port-cases.ts';

const FACTS: PortFacts = {
  prover: 'hol4',
  version: /^[A-Z]\w+/,
  header: ['Theory conformance\nAncestors arithmetic'],
  endless: '(fn g => let fun loop () : goal list * validation = loop () in loop () end)',
  trivial: {
    statement: 'Theorem x: T\nProof',
    named: 'Theorem one: T\nProof',
    conclusion: 'T',
    solving: 'ACCEPT_TAC TRUTH',
    closing: 'QED',
    asked: ['one', '⊢ T'],
  },
  writing: [
    '\n (* "a comment" *)\nTheorem several: ((!x. P x) ==> P 3n) /\\ (q \\/ ~q)\nProof',
    ...[' (* first *) rpt strip_tac', '\n  >- (', 'ALL_TAC', '>> first_assum MATCH_ACCEPT_TAC', ')'],
    ...['\\\\ Cases_on ‘q’', '>> simp[]', 'QED'],
  ],
  ways: {
    base: 'Theorem refl: !n:num. n = n\nProof',
    left: 'Q.X_GEN_TAC ‘a’',
    right: 'Q.X_GEN_TAC ‘b’',
    leftGoal: { conclusion: 'a = a' },
    rightGoal: { conclusion: 'b = b' },
    deeper: ['>> simp[]', 'QED', 'val later = 1'],
    asked: ['later', '1: int'],
  },
  closedTwice: {
    inside: ['Theorem two: 1 = 1n\nProof', 'ALL_TAC'],
    after: ['>> simp[]', 'QED', 'val user = two'],
    again: ['>> REFL_TAC', 'QED'],
    gone: 'user',
    askedAgain: [],
    askedAfter: [['user', '⊢ 1 = 1']],
  },
  rounds: {
    outer: 'Theorem many: !n:num. n = n /\\ T\nProof',
    inner: ['strip_tac', '>> conj_tac'],
    conclusions: ['n = n', 'T'],
    wrong: '>> no_such_tactic',
    fromInner: (round) => [`>- (K ALL_TAC ${round} >> simp[])`],
    fromOuter: [],
    finish: ['>> simp[]', 'QED', 'val after = 1'],
  },
  focus: {
    nested: [
      'Theorem nested: (p ==> p) /\\ (q ==> q) /\\ T\nProof',
      ...['conj_tac', '>- (', 'simp[]', ')', '>> conj_tac', '>- ('],
    ],
    unfocused: [1],
    finish: ['simp[]', ')', '>> simp[]', 'QED'],
    refused: ['QED', 'parenthesis'],
  },
  wrong: [
    ...['simp[', 'simp 3', 'no_such_tactic', 'FAIL_TAC "x"', 'ACCEPT_TAC TRUTHS', 'exists_tac “1 : bool”'],
    'QED',
  ],
  unknownNames: [
    ...['', '(* é *) ', '  (* ∀ 𝔸 *)\n '].map((prefix) => ({
      text: `${prefix}missing_name`,
      name: 'missing_name',
    })),
    { text: 'val x = missing_value', name: 'missing_value', isAtRoot: true },
  ],
  messages: {
    telling: '(print "one\\n"; ALL_TAC)',
    told: [{ severity: 'info', message: 'one' }],
    silent: 'ALL_TAC',
  },
  queries: {
    early: ['Definition early_def: early = 1n\nEnd'],
    late: ['Definition late_def: late = 2n\nEnd'],
    askedEarly: ['early_def', 'early = 1'],
    askedLate: ['late_def', 'late = 2'],
    sneaking: 'val sneaked = 3',
    question: 'sneaked',
    anew: 'val sneaked = 4',
  },
  stops: {
    earlier: 'val kept = 7',
    asked: ['kept', '7: int'],
    statement: 'Theorem slow: x = x\nProof',
    conclusion: 'x = x',
    idle: 'ALL_TAC',
    endlessQuestion: 'let fun loop () : int = loop () in loop () end',
    slow: (number) => `(List.tabulate (${number * 20000}, I); ALL_TAC)`,
  },
  walk: {
    statement:
      'Theorem ways: !a b c d. (a = b \\/ (c:bool = d)) ==> (b = a \\/ d = c) /\\ (T /\\ (a:bool = a))\nProof',
    tactics: [
      ...['rpt strip_tac', '>> simp[]', '>> Cases_on ‘a’', '>- simp[]', '>- (', ')', '>> metis_tac[]'],
      ...['gvs[]', '>> cheat', 'QED'],
    ],
    maxLength: 20,
    numRuns: 3,
  },
};

describe.skipIf(findHol4() === undefined)('HOL4 (skipped without one: set QUOD_HOL4)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quod-hol4-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  describePort('HOL4', {
    ...FACTS,
    open: () => {
      const { hol: executable } = requireHol4();
      return Promise.resolve({
        openSession: ({ signal }) => openHolSession({ executable, folder, ...(signal && { signal }) }),
        capabilities: { interrupt: 'in-process', backgroundGoals: false, installedLibraries: true },
      });
    },
    file: () => join(folder, 'conformanceScript.sml'),
    ownCases: describeHolCases,
  });
});

function describeHolCases(port: PortUnderTest): void {
  const { step, run, fail, ask, proof } = port;

  it('runs sentences one at a time: a second one is refused, not dropped', async () => {
    expect((await fail(port.root, 'val a = 1; val b = 2;')).error.span).toEqual({ start: 11, end: 21 });
    const before = await run(port.root, 'Theorem x: T\nProof');
    expect((await fail(before, 'ALL_TAC\nQED')).error.message).toContain('One sentence');
    expect((await fail(await run(before, 'ALL_TAC'), 'simp[]')).error.message).toContain('needs >>');
  });

  describe('shows goals', () => {
    it('with hypotheses by number, oldest first, on one line however long', async () => {
      const sum = Array.from({ length: 60 }, (_, index) => `(x + ${index})`).join(' + ');
      const state = await run(
        port.root,
        `Theorem long: !x y. x < y ==> 0 < y ==> (${sum}) = y:num\nProof`,
        'rpt strip_tac',
      );
      const [goal] = (await proof(state)).goals;
      expect(goal?.hypotheses).toEqual([
        { name: '0', type: 'x < y' },
        { name: '1', type: '0 < y' },
      ]);
      expect(goal?.conclusion).toContain('x + 59');
      expect(goal?.conclusion).not.toContain('\n');
    });

    it('and counts what is given up', async () => {
      const split = await run(port.root, 'Theorem gu: F /\\ T\nProof', 'conj_tac', '>- cheat');
      expect(await proof(split)).toMatchObject({ givenUp: 1 });
      const solved = await run(split, '>> simp[]');
      expect(await proof(solved)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 1 });
      const closed = await step(solved, 'QED');
      expect(closed.messages).toContainEqual({
        severity: 'warning',
        message: 'The theorem rests on oracles: cheat.',
      });
      const hidden = await run(port.root, 'val my_tactic = cheat', 'Theorem hid: F\nProof', 'my_tactic');
      expect(await proof(hidden)).toMatchObject({ goals: [], givenUp: 1 });
    });

    it('out of focus: none where no proof is open', async () => {
      expect(await port.session.background(port.root)).toBeNull();
    });
  });

  it('reports errors of declarations, of which nothing stays', async () => {
    expect((await fail(port.root, 'Theorem noq: T\nProof\n simp[]')).error.message).not.toBe('');
    expect((await port.session.query(port.root, { text: 'noq' })).status).toBe('failed');
    expect((await fail(port.root, 'Definition d: d x = ~(d (x:num))')).error.message).not.toBe('');
    expect((await fail(port.root, 'Theory other\nAncestors no_such')).error.message).toContain('no_such');
  });

  it('hands a notice on', async () => {
    const invented = await step(port.root, 'val t = “f x = y”');
    expect(invented.messages[0]).toMatchObject({
      severity: 'notice',
      message: expect.stringContaining('type variable') as string,
    });
  });

  it('finds its own theorems', async () => {
    const late = await run(port.root, 'Definition early_def: early = 1n\nEnd', 'val late = 1');
    expect(await ask(late, 'DB.find "early_def"')).toContain('early');
  });
}
