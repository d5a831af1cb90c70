/** The cases of the prover port over Rocq: every backend runs all of them, but for what it declares that it cannot do. */
import { describe, expect, it } from 'vitest';
import type { Prover } from '../../core/prover.ts';
import { type PortFacts, type PortUnderTest, describePort } from './port-cases.ts';

export interface RocqBackend {
  readonly open: () => Promise<Prover>;
  /** Sentences that stand before everything that is tested: backends may treat long documents in another way. */
  readonly sentencesBefore?: number;
  /** Fixes what is drawn by chance, for a backend that answers from a recording. */
  readonly seed?: number;
}

/** Every conjunction, and no equation. */
const SPLIT = 'repeat match goal with |- _ /\\ _ => split end.';

const FACTS: PortFacts = {
  prover: 'rocq',
  version: /^(8|9)\.\d+/,
  header: [],
  // The number fits where integers have 31 bits.
  endless: 'do 1000000000 idtac.',
  trivial: {
    statement: 'Goal True.',
    named: 'Lemma one : True.',
    conclusion: 'True',
    solving: 'exact I.',
    closing: 'Qed.',
    asked: ['Check one.', 'one : True'],
  },
  writing: [
    '\n (* "a comment." *) Goal True /\\ (True /\\ True).',
    ...[
      ' split.',
      '\n  -',
      ' exact I.',
      '-',
      'split.',
      '2: {',
      'exact I.',
      '}',
      '{',
      'exact I.',
      '}',
      'Qed.',
    ],
  ],
  ways: {
    base: 'Goal forall n : nat, n = n.',
    left: 'intros a.',
    right: 'intros b.',
    leftGoal: { hypotheses: [{ name: 'a', type: 'nat' }] },
    rightGoal: { hypotheses: [{ name: 'b', type: 'nat' }] },
    deeper: ['reflexivity.', 'Qed.', 'Definition later := 1.'],
    asked: ['Check later.', 'later : nat'],
  },
  closedTwice: {
    inside: ['Lemma two : 1 = 1.', 'idtac.'],
    after: ['reflexivity.', 'Qed.', 'Definition user := two.'],
    again: ['exact eq_refl.', 'Defined.'],
    gone: 'Check user.',
    askedAgain: [['Eval compute in two.', 'eq_refl']],
    askedAfter: [
      ['Check user.', 'user : 1 = 1'],
      ['Eval compute in two.', '= two'],
    ],
  },
  rounds: {
    outer: 'Goal forall n : nat, n = n /\\ True.',
    inner: ['intros n.', 'split.'],
    conclusions: ['n = n', 'True'],
    wrong: 'exact wrong.',
    fromInner: (round) => [`pose (k := ${round}).`, 'reflexivity.'],
    fromOuter: ['intros m.', 'constructor.', 'idtac.'],
    finish: ['pose (k := 1).', 'reflexivity.', 'exact I.', 'Qed.', 'Definition after := 1.'],
  },
  focus: {
    nested: ['Goal (True /\\ True) /\\ True.', 'split.', '-', 'split.', '+'],
    unfocused: [1, 1],
    finish: ['exact I.', '+', 'exact I.', '-', 'exact I.', 'Qed.'],
    refused: ['-', 'bullet'],
  },
  wrong: ['exact )', 'exact (1 + I).', 'exact nothing_of_this_name.', 'fail.', 'Qed.'],
  unknownNames: [
    ...['', '(* é *) ', '  (* ∀ 𝔸 *)\n idtac "é𝔸"; ', '\n\n'].map((prefix) => ({
      text: `${prefix}exact missing_name.`,
      name: 'missing_name',
    })),
    { text: 'Definition é𝔸 := y𝔸z.', name: 'y𝔸z', isAtRoot: true },
  ],
  messages: {
    telling: 'idtac "one"; idtac "two".',
    told: [{ message: 'one' }, { message: 'two' }],
    silent: 'idtac.',
  },
  queries: {
    early: ['Definition early := 1.', 'Goal early = 1.'],
    late: ['reflexivity.', 'Qed.', 'Definition late := 2.'],
    askedEarly: ['Check early.', 'early : nat'],
    askedLate: ['Check late.', 'late : nat'],
    sneaking: 'Definition sneaked := 3.',
    question: 'Check sneaked.',
    anew: 'Definition sneaked := 4.',
  },
  stops: {
    earlier: 'Definition kept := 7.',
    asked: ['Check kept.', 'kept : nat'],
    statement: 'Goal kept = 7.',
    conclusion: 'kept = 7',
    idle: 'idtac.',
    endlessQuestion: 'Eval lazy in (Nat.pow 2 60).',
    slow: (number) => `do ${number * 500} idtac.`,
  },
  walk: {
    statement: 'Goal forall a b c d : bool, (a = b \\/ c = d) -> (b = a \\/ d = c) /\\ (True /\\ a = a).',
    tactics: [
      ...[
        'intros.',
        'intros a b c d H.',
        'split.',
        'repeat split.',
        'destruct H as [H|H].',
        'auto.',
        'left.',
      ],
      ...['right.', 'symmetry.', 'assumption.', 'exact I.', '-', '{', '}', 'shelve.', 'admit.', 'subst.'],
      ...['all: intuition congruence.', 'Qed.'],
    ],
    maxLength: 25,
    numRuns: 6,
  },
};

export function describeRocqPort(name: string, backend: RocqBackend): void {
  let opened: Prover | undefined;
  const prover = (): Prover => {
    if (opened === undefined) throw new Error('the backend is not open yet');
    return opened;
  };
  describePort(name, {
    ...FACTS,
    open: async () => (opened = await backend.open()),
    file: () => '/nowhere/conformance.v',
    before: Array.from(
      { length: backend.sentencesBefore ?? 0 },
      (_, index) => `Definition d${index} := ${index}.`,
    ),
    ...(backend.seed !== undefined && { seed: backend.seed }),
    ownCases: (port) => describeRocqCases(port, prover, backend.seed !== undefined),
  });
}

function describeRocqCases(port: PortUnderTest, prover: () => Prover, isRecorded: boolean): void {
  const { step, run, fail, ask, proof, conclusions } = port;

  it('says who it is, as the session does', () => {
    expect(port.session.identity).toEqual(prover().identity);
  });

  describe('shows goals', () => {
    it('with one hypothesis a name, and values of local definitions', async () => {
      const state = await run(
        port.root,
        'Goal forall (n m : nat) (H : n = m), let f := fun k : nat => k in f n = m.',
        'intros n m H f.',
        'pose (g := fun x : nat => let y := x in y).',
        'set (p := (f n, exists z : nat, z = m)).',
      );
      expect((await proof(state)).goals).toMatchObject([
        {
          hypotheses: [
            { name: 'n', type: 'nat' },
            { name: 'm', type: 'nat' },
            { name: 'H', type: 'n = m' },
            { name: 'f', type: 'nat -> nat', body: 'fun k : nat => k' },
            { name: 'g', type: 'nat -> nat', body: 'fun x : nat => let y := x in y' },
            { name: 'p', type: 'nat * Prop', body: '(f n, exists z : nat, z = m)' },
          ],
          conclusion: 'f n = m',
        },
      ]);
    });

    it('on one line, however long they are', async () => {
      const sum = Array.from({ length: 60 }, (_, index) => `(${index} + 0)`).join(' + ');
      const state = await run(port.root, `Goal (fun n : nat => ${sum} = n) 1.`);
      expect((await conclusions(state))[0]).not.toContain('\n');
      expect((await conclusions(state))[0]).not.toContain('...');
    });

    it('counting what is out of focus, shelved and given up', async () => {
      const split = await run(port.root, 'Goal (1 = 1 /\\ 1 = 1) /\\ 1 = 1 /\\ 1 = 1.', SPLIT);
      expect(await proof(await run(split, '2: {'))).toMatchObject({
        unfocused: [3],
        shelved: 0,
        givenUp: 0,
      });
      expect(await proof(await run(split, 'shelve.'))).toMatchObject({ shelved: 1, givenUp: 0 });
      const admitted = await run(split, 'admit.', 'all: reflexivity.');
      expect(await proof(admitted)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 1 });
      expect((await port.session.run(admitted, { text: 'Qed.' })).status).toBe('failed');
      const nothing = await run(split, 'all: reflexivity.');
      expect(await proof(nothing)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 0 });
    });

    it('and those in the background on request', async (context) => {
      if (!prover().capabilities.backgroundGoals) context.skip('the backend declares no background goals');
      const state = await run(
        port.root,
        'Goal 1 = 1 /\\ 2 = 2 /\\ 3 = 3 /\\ 4 = 4.',
        SPLIT,
        'admit.',
        '3: shelve.',
        '2: {',
      );
      const background = await port.session.background(state);
      const shown = (goals: readonly { conclusion: string }[] = []): readonly string[] =>
        goals.map(({ conclusion }) => conclusion);
      expect(await conclusions(state)).toEqual(['3 = 3']);
      expect(background?.unfocused.map(shown)).toEqual([['2 = 2']]);
      expect(shown(background?.shelved)).toEqual(['4 = 4']);
      expect(shown(background?.givenUp)).toEqual(['1 = 1']);
      expect(await port.session.background(port.root)).toBeNull();
    });
  });

  describe('reports errors', () => {
    it('of commands', async () => {
      const { error } = await fail(port.root, 'Require Import No.Such.Library.');
      expect(error.message).toContain('No.Such.Library');
      const misfit = await fail(port.root, 'Check (1 : bool).');
      expect(misfit.error.message).toContain('bool');
      if (prover().capabilities.errorPlaces !== false)
        expect(misfit.error.span).toEqual({ start: 7, end: 8 });
    });
  });

  describe('answers queries', () => {
    // A recording has no answer to what was not asked.
    it.skipIf(isRecorded)(
      'with the answer alone, not with what is said of the files that it takes',
      async () => {
        expect(await ask(port.root, 'Print Assumptions plus_n_O.')).toBe('Closed under the global context');
        // This one answers in what others tell of their work.
        const open = await run(
          port.root,
          'Require Import Program.Tactics.',
          'Obligation Tactic := idtac.',
          'Program Definition small : {n : nat | n < 2} := 1.',
        );
        expect(await ask(open, 'Obligations.')).toContain('Obligation 1 of small');
      },
    );

    it('with the place of an error', async () => {
      const result = await port.session.query(port.root, { text: 'Check (* é *) missing.' });
      const error = prover().capabilities.errorPlaces === false ? {} : { span: { start: 14, end: 21 } };
      expect(result).toMatchObject({ status: 'failed', error });
    });
  });

  it('stops what was stopped while earlier steps were made again for it', async () => {
    const base = await run(port.root, 'Goal True.');
    // Gone back from, the first leaves behind what has to be made straight before the next command.
    await run(base, 'idtac.');
    const slow = await run(base, 'pose proof I.', 'do 300000 idtac.');
    const stopped = await port.session.run(slow, { text: 'Definition late := 1.' }, { timeoutMs: 5 });
    expect(['done', 'unknown']).toContain(stopped.status);
    expect(await conclusions(slow)).toEqual(['True']);
    expect(await conclusions(await run(base, 'pose proof I.'))).toEqual(['True']);
  });

  describe('keeps what a file can contain', () => {
    it('sections with variables, Let and Proof using', async () => {
      const inside = await run(
        port.root,
        'Section S.',
        'Variable A : Type.',
        'Variable a : A.',
        'Hypothesis H : forall x : A, x = a.',
        'Let b := a.',
        'Lemma all_b : forall x : A, x = b.',
        'Proof using H.',
      );
      expect((await proof(inside)).goals[0]?.hypotheses.find(({ name }) => name === 'b')).toEqual({
        name: 'b',
        type: 'A',
        body: 'a',
      });
      const after = await run(inside, 'intros x.', 'apply H.', 'Qed.', 'End S.');
      expect(await ask(after, 'Check all_b.')).toContain('forall (A : Type) (a : A)');
      const again = await run(inside, 'exact H.', 'Qed.');
      expect(await ask(again, 'Check all_b.')).toBe('all_b : forall x : A, x = b');
    });

    it('Program obligations', async () => {
      const open = await run(
        port.root,
        'Require Import Program.Tactics.',
        'Obligation Tactic := idtac.',
        'Program Definition small : {n : nat | n < 2 /\\ n = 1} := 1.',
        'Next Obligation.',
      );
      expect((await conclusions(open)).length).toBe(1);
      const closed = await run(open, 'split.', '-', 'constructor.', '-', 'reflexivity.', 'Qed.');
      expect(await ask(closed, 'Check small.')).toContain('small');
    });

    it('universe polymorphism, modules and functors', async () => {
      const end = await run(
        port.root,
        'Set Universe Polymorphism.',
        'Polymorphic Lemma id@{u} (A : Type@{u}) : A -> A.',
        'exact (fun x => x).',
        'Defined.',
        'Module Type T.',
        'Parameter t : Set.',
        'End T.',
        'Module F (X : T).',
        'Definition u := X.t.',
        'End F.',
        'Module N <: T.',
        'Definition t := nat.',
        'End N.',
        'Module G := F N.',
      );
      expect(await ask(end, 'Eval compute in (id@{Set} G.u).')).toContain('fun x');
    });

    it('settings, notations and tactics, each only after the sentence that makes it', async () => {
      const noted = await run(
        port.root,
        'Notation "x ⊕ y" := (x + y) (at level 50).',
        'Ltac finish := reflexivity.',
      );
      const proved = await run(noted, 'Goal 1 ⊕ 1 = 2.', 'finish.', 'Qed.');
      expect(await port.session.goals(proved)).toBeNull();
      expect((await port.session.run(port.root, { text: 'Goal 1 ⊕ 1 = 2.' })).status).toBe('failed');
      const stated = await run(port.root, 'Set Default Goal Selector "!".', 'Goal True /\\ True.', 'split.');
      expect((await port.session.run(stated, { text: 'exact I.' })).status).toBe('failed');
      const free = await run(port.root, 'Goal True /\\ True.', 'split.');
      expect((await port.session.run(free, { text: 'exact I.' })).status).toBe('done');
    });
  });

  it('hands a warning on', async () => {
    const warned = await step(port.root, '#[deprecated(note="old")] Notation aged := 1.');
    const { messages } = await step(warned.state, 'Definition uses := aged.');
    // Some also tell that it is defined.
    expect(messages.filter(({ severity }) => severity !== 'info')).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('old') as string },
    ]);
    expect(await ask(port.root, 'Print bool.')).toContain('true : bool');
  });

  it('answers a query with a tactic as one that changes no proof', async () => {
    const early = await run(port.root, 'Definition early := 1.', 'Goal early = 1.');
    await port.session.query(early, { text: 'exact (eq_refl early).' });
    expect(await conclusions(early)).toEqual(['early = 1']);
  });
}
