/**
 * The contract of the prover port (src/core/prover.ts) as tests. Every Rocq backend runs all of them; what a backend
 * declares that it cannot do is skipped, and nothing else.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProofState } from '../../core/proof-state.ts';
import type { Prover, ProverSession, StateId } from '../../core/prover.ts';
import { sessionCalls } from './session-calls.ts';

export interface PortUnderTest {
  readonly open: () => Promise<Prover>;
  /** How long `openSession` may be cancelled after; a backend that starts in no time needs a short one. */
  readonly cancelOpeningAfterMs?: number;
  /** Sentences that stand before everything that is tested: backends may treat long documents in another way. */
  readonly sentencesBefore?: number;
  /** Fixes what is drawn by chance, for a backend that answers from a recording. */
  readonly seed?: number;
}

/** Takes so long that only an interrupt ends it; the number fits where integers have 31 bits. */
const ENDLESS = 'do 1000000000 idtac.';
/** Every conjunction, and no equation. */
const SPLIT = 'repeat match goal with |- _ /\\ _ => split end.';
const FILE = '/nowhere/conformance.v';

export function describePort(name: string, port: PortUnderTest): void {
  describe(`the prover port over ${name}`, () => {
    let prover: Prover;
    let session: ProverSession;
    let root: StateId;

    beforeAll(async () => {
      prover = await port.open();
      session = await prover.openSession({ file: FILE });
      const before = Array.from(
        { length: port.sentencesBefore ?? 0 },
        (_, index) => `Definition d${index} := ${index}.`,
      );
      root = await run(session.root, ...before);
    });
    afterAll(async () => {
      await session.close();
    });

    const { step, run, fail, ask, proof, conclusions } = sessionCalls(() => session);

    describe('says who it is', () => {
      it('with a version that Rocq has', () => {
        expect(session.identity).toEqual(prover.identity);
        expect(prover.identity.prover).toBe('rocq');
        expect(prover.identity.version).toMatch(/^(8|9)\.\d+/);
      });
    });

    describe('runs sentences', () => {
      it('from the root, outside and inside of proofs, to Qed', async () => {
        const stated = await step(root, 'Lemma one : True.', { withGoals: true });
        expect(stated.proof?.goals).toMatchObject([{ hypotheses: [], conclusion: 'True' }]);
        const solved = await step(stated.state, 'exact I.', { withGoals: true });
        expect(solved.proof).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 0 });
        const closed = await step(solved.state, 'Qed.', { withGoals: true });
        expect(closed.proof).toBeNull();
        expect(await ask(closed.state, 'Check one.')).toBe('one : True');
      });

      it('without goals unless they are asked for', async () => {
        expect(await step(root, 'Goal True.')).not.toHaveProperty('proof');
      });

      it('with leading blanks and comments, bullets, braces and selectors', async () => {
        const end = await run(
          root,
          '\n (* "a comment." *) Goal True /\\ (True /\\ True).',
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
        );
        expect(await session.goals(end)).toBeNull();
      });

      it('from any earlier state, with ids that are never used twice', async () => {
        const base = await run(root, 'Goal forall n : nat, n = n.');
        const one = await run(base, 'intros a.');
        const other = await run(base, 'intros b.');
        const deeper = await run(one, 'reflexivity.', 'Qed.', 'Definition later := 1.');
        expect(new Set([root, base, one, other, deeper]).size).toBe(5);
        expect((await proof(other)).goals[0]?.hypotheses).toEqual([{ name: 'b', type: 'nat' }]);
        expect((await proof(one)).goals[0]?.hypotheses).toEqual([{ name: 'a', type: 'nat' }]);
        expect(await ask(deeper, 'Check later.')).toBe('later : nat');
      });

      it('from inside of a proof that was closed, without touching what came after', async () => {
        const inside = await run(root, 'Lemma two : 1 = 1.', 'idtac.');
        const after = await run(inside, 'reflexivity.', 'Qed.', 'Definition user := two.');
        const again = await run(inside, 'exact eq_refl.', 'Defined.');
        expect((await session.query(again, { text: 'Check user.' })).status).toBe('failed');
        expect(await ask(again, 'Eval compute in two.')).toContain('eq_refl');
        expect(await ask(after, 'Check user.')).toBe('user : 1 = 1');
        expect(await ask(after, 'Eval compute in two.')).toContain('= two');
      });

      it('from the same few states, hundreds of times', async () => {
        const outer = await run(root, 'Goal forall n : nat, n = n /\\ True.');
        const inner = await run(outer, 'intros n.', 'split.');
        for (let round = 0; round < 120; round += 1) {
          expect((await session.run(inner, { text: 'exact wrong.' })).status).toBe('failed');
          await run(inner, `pose (k := ${round}).`, 'reflexivity.');
          if (round % 10 === 0) await run(outer, 'intros m.', 'constructor.', 'idtac.');
        }
        const solved = await run(inner, 'pose (k := 1).', 'reflexivity.', 'exact I.');
        expect(await session.goals(await run(solved, 'Qed.', 'Definition after := 1.'))).toBeNull();
        expect(await conclusions(inner)).toEqual(['n = n', 'True']);
      });

      it('from inside of a nested focus', async () => {
        const nested = await run(root, 'Goal (True /\\ True) /\\ True.', 'split.', '-', 'split.', '+');
        const done = await run(nested, 'exact I.', '+', 'exact I.', '-', 'exact I.', 'Qed.');
        expect((await proof(nested)).unfocused).toEqual([1, 1]);
        expect((await fail(nested, '-')).error.message).toContain('bullet');
        expect(await session.goals(done)).toBeNull();
      });
    });

    describe('shows goals', () => {
      it('with one hypothesis a name, and values of local definitions', async () => {
        const state = await run(
          root,
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
        const state = await run(root, `Goal (fun n : nat => ${sum} = n) 1.`);
        expect((await conclusions(state))[0]).not.toContain('\n');
        expect((await conclusions(state))[0]).not.toContain('...');
      });

      it('counting what is out of focus, shelved and given up', async () => {
        const split = await run(root, 'Goal (1 = 1 /\\ 1 = 1) /\\ 1 = 1 /\\ 1 = 1.', SPLIT);
        expect(await proof(await run(split, '2: {'))).toMatchObject({
          unfocused: [3],
          shelved: 0,
          givenUp: 0,
        });
        expect(await proof(await run(split, 'shelve.'))).toMatchObject({ shelved: 1, givenUp: 0 });
        const admitted = await run(split, 'admit.', 'all: reflexivity.');
        expect(await proof(admitted)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 1 });
        expect((await session.run(admitted, { text: 'Qed.' })).status).toBe('failed');
        const nothing = await run(split, 'all: reflexivity.');
        expect(await proof(nothing)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 0 });
      });

      it('and those in the background on request', async (context) => {
        if (!prover.capabilities.backgroundGoals) context.skip('the backend declares no background goals');
        const state = await run(
          root,
          'Goal 1 = 1 /\\ 2 = 2 /\\ 3 = 3 /\\ 4 = 4.',
          SPLIT,
          'admit.',
          '3: shelve.',
          '2: {',
        );
        const background = await session.background(state);
        const shown = (goals: readonly { conclusion: string }[] = []): readonly string[] =>
          goals.map(({ conclusion }) => conclusion);
        expect(await conclusions(state)).toEqual(['3 = 3']);
        expect(background?.unfocused.map(shown)).toEqual([['2 = 2']]);
        expect(shown(background?.shelved)).toEqual(['4 = 4']);
        expect(shown(background?.givenUp)).toEqual(['1 = 1']);
        expect(await session.background(root)).toBeNull();
      });

      it('or null where no proof is open', async () => {
        expect(await session.goals(root)).toBeNull();
      });
    });

    describe('reports errors', () => {
      it('of parsing, typing and tactics, and goes on from the same state', async () => {
        const base = await run(root, 'Goal True.');
        for (const wrong of ['exact )', 'exact (1 + I).', 'exact nothing_of_this_name.', 'fail.', 'Qed.']) {
          const { error, messages } = await fail(base, wrong);
          expect(error.severity).toBe('error');
          expect(error.message).not.toBe('');
          expect(messages.filter(({ message }) => message === error.message)).toEqual([]);
        }
        expect(await conclusions(base)).toEqual(['True']);
        expect(await session.goals(await run(base, 'exact I.', 'Qed.'))).toBeNull();
      });

      it('with spans in UTF-16 units, whatever stands before', async (context) => {
        if (prover.capabilities.errorPlaces === false)
          context.skip('the backend declares no places of errors');
        const base = await run(root, 'Goal True.');
        for (const prefix of ['', '(* é *) ', '  (* ∀ 𝔸 *)\n idtac "é𝔸"; ', '\n\n']) {
          const { error } = await fail(base, `${prefix}exact missing_name.`);
          expect(error.span).toEqual({ start: prefix.length + 6, end: prefix.length + 18 });
        }
        const { error } = await fail(root, 'Definition é𝔸 := y𝔸z.');
        expect(error.span).toEqual({ start: 18, end: 22 });
      });

      it('of commands', async () => {
        const { error } = await fail(root, 'Require Import No.Such.Library.');
        expect(error.message).toContain('No.Such.Library');
        const misfit = await fail(root, 'Check (1 : bool).');
        expect(misfit.error.message).toContain('bool');
        if (prover.capabilities.errorPlaces !== false)
          expect(misfit.error.span).toEqual({ start: 7, end: 8 });
      });
    });

    describe('hands messages on', () => {
      it('of the step alone, with their severity', async () => {
        const base = await run(root, 'Goal True.');
        const told = await step(base, 'idtac "one"; idtac "two".');
        expect(told.messages.map(({ message }) => message)).toEqual(['one', 'two']);
        expect((await step(base, 'idtac.')).messages).toEqual([]);
        const warned = await step(root, '#[deprecated(note="old")] Notation aged := 1.');
        const { messages } = await step(warned.state, 'Definition uses := aged.');
        // Some also tell that it is defined.
        expect(messages.filter(({ severity }) => severity !== 'info')).toMatchObject([
          { severity: 'warning', message: expect.stringContaining('old') as string },
        ]);
        expect(await ask(root, 'Print bool.')).toContain('true : bool');
      });
    });

    describe('answers queries', () => {
      it('at any state, and nothing they do is visible', async () => {
        const early = await run(root, 'Definition early := 1.', 'Goal early = 1.');
        const late = await run(early, 'reflexivity.', 'Qed.', 'Definition late := 2.');
        expect(await ask(late, 'Check late.')).toBe('late : nat');
        expect((await session.query(early, { text: 'Check late.' })).status).toBe('failed');
        expect(await ask(early, 'Check early.')).toBe('early : nat');
        await session.query(late, { text: 'Definition sneaked := 3.' });
        await session.query(early, { text: 'exact (eq_refl early).' });
        expect((await session.query(late, { text: 'Check sneaked.' })).status).toBe('failed');
        expect(await conclusions(early)).toEqual(['early = 1']);
        expect(await run(late, 'Definition sneaked := 4.')).toBeTruthy();
      });

      // A recording has no answer to what was not asked.
      it.skipIf(port.seed !== undefined)(
        'with the answer alone, not with what is said of the files that it takes',
        async () => {
          expect(await ask(root, 'Print Assumptions plus_n_O.')).toBe('Closed under the global context');
          // This one answers in what others tell of their work.
          const open = await run(
            root,
            'Require Import Program.Tactics.',
            'Obligation Tactic := idtac.',
            'Program Definition small : {n : nat | n < 2} := 1.',
          );
          expect(await ask(open, 'Obligations.')).toContain('Obligation 1 of small');
        },
      );

      it('with the place of an error', async () => {
        const result = await session.query(root, { text: 'Check (* é *) missing.' });
        const error = prover.capabilities.errorPlaces === false ? {} : { span: { start: 14, end: 21 } };
        expect(result).toMatchObject({ status: 'failed', error });
      });
    });

    describe('stops what takes too long', () => {
      it('and only that: the session goes on from every state', async () => {
        const earlier = await run(root, 'Definition kept := 7.');
        const base = await run(earlier, 'Goal kept = 7.');
        for (const timeoutMs of [100, 1, 50]) {
          expect(await session.run(base, { text: ENDLESS }, { timeoutMs })).toMatchObject({
            status: 'unknown',
            reason: 'timeout',
          });
          expect(await conclusions(await run(base, 'idtac.'))).toEqual(['kept = 7']);
        }
        expect(await ask(earlier, 'Check kept.')).toBe('kept : nat');
        expect(
          await session.query(base, { text: 'Eval lazy in (Nat.pow 2 60).' }, { timeoutMs: 100 }),
        ).toMatchObject({
          status: 'unknown',
          reason: 'timeout',
        });
        expect(await ask(base, 'Check kept.')).toBe('kept : nat');
      });

      it('also when a thousand steps end near their timeout', async () => {
        const base = await run(root, 'Goal True.');
        for (let attempt = 0; attempt < 60; attempt += 1) {
          const result = await session.run(base, { text: `do ${attempt * 500} idtac.` }, { timeoutMs: 2 });
          expect(['done', 'unknown']).toContain(result.status);
        }
        expect(await session.goals(await run(base, 'exact I.', 'Qed.'))).toBeNull();
      });

      it('also when it was stopped while earlier steps were made again for it', async () => {
        const base = await run(root, 'Goal True.');
        // Gone back from, the first leaves behind what has to be made straight before the next command.
        await run(base, 'idtac.');
        const slow = await run(base, 'pose proof I.', 'do 300000 idtac.');
        const stopped = await session.run(slow, { text: 'Definition late := 1.' }, { timeoutMs: 5 });
        expect(['done', 'unknown']).toContain(stopped.status);
        expect(await conclusions(slow)).toEqual(['True']);
        expect(await conclusions(await run(base, 'pose proof I.'))).toEqual(['True']);
      });

      it('when the caller cancels, before or while it runs', async () => {
        const base = await run(root, 'Goal True.');
        const cancelled = { status: 'unknown', reason: 'interrupted' };
        expect(await session.run(base, { text: ENDLESS }, { signal: AbortSignal.abort() })).toMatchObject(
          cancelled,
        );
        const controller = new AbortController();
        const running = session.run(base, { text: ENDLESS }, { signal: controller.signal });
        const behind = session.run(base, { text: 'exact I.' });
        await delay(30);
        controller.abort();
        expect(await running).toMatchObject(cancelled);
        expect(await behind).toMatchObject({ status: 'done' });
      });
    });

    describe('keeps what a file can contain', () => {
      it('sections with variables, Let and Proof using', async () => {
        const inside = await run(
          root,
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
          root,
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
          root,
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
        const base = root;
        const noted = await run(
          base,
          'Notation "x ⊕ y" := (x + y) (at level 50).',
          'Ltac finish := reflexivity.',
        );
        const proved = await run(noted, 'Goal 1 ⊕ 1 = 2.', 'finish.', 'Qed.');
        expect(await session.goals(proved)).toBeNull();
        expect((await session.run(base, { text: 'Goal 1 ⊕ 1 = 2.' })).status).toBe('failed');
        const stated = await run(base, 'Set Default Goal Selector "!".', 'Goal True /\\ True.', 'split.');
        expect((await session.run(stated, { text: 'exact I.' })).status).toBe('failed');
        const free = await run(base, 'Goal True /\\ True.', 'split.');
        expect((await session.run(free, { text: 'exact I.' })).status).toBe('done');
      });
    });

    it('gives the same state by every way around', async () => {
      const statement =
        'Goal forall a b c d : bool, (a = b \\/ c = d) -> (b = a \\/ d = c) /\\ (True /\\ a = a).';
      const tactics = [
        'intros.',
        'intros a b c d H.',
        'split.',
        'repeat split.',
        'destruct H as [H|H].',
        'auto.',
        'left.',
        'right.',
        'symmetry.',
        'assumption.',
        'exact I.',
        '-',
        '{',
        '}',
        'shelve.',
        'admit.',
        'subst.',
        'all: intuition congruence.',
        'Qed.',
      ] as const;
      const base = await run(root, statement);
      const move = fc.record({ from: fc.nat(), tactic: fc.constantFrom(...tactics) });
      const shape = (state: ProofState | null): unknown =>
        state && {
          ...state,
          goals: state.goals.map(({ hypotheses, conclusion }) => ({ hypotheses, conclusion })),
        };
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 25 }), async (moves) => {
          const visited: { state: StateId; path: readonly string[]; seen: unknown }[] = [
            { state: base, path: [], seen: shape(await session.goals(base)) },
          ];
          for (const { from, tactic } of moves) {
            // Rather from what was reached last, so that walks get deep.
            const origin = visited[Math.max(visited.length - 1 - (from % 4), 0)];
            if (origin === undefined) continue;
            const result = await session.run(origin.state, { text: tactic }, { withGoals: true });
            if (result.status !== 'done') continue;
            visited.push({
              state: result.state,
              path: [...origin.path, tactic],
              seen: shape(result.proof ?? null),
            });
          }
          const fresh = await prover.openSession({ file: FILE });
          try {
            for (const { path, seen } of visited.slice(-3)) {
              let state = fresh.root;
              for (const sentence of [statement, ...path]) {
                const result = await fresh.run(state, { text: sentence });
                if (result.status !== 'done') throw new Error(`${sentence} ${result.status}`);
                state = result.state;
              }
              expect(shape(await fresh.goals(state))).toEqual(seen);
            }
          } finally {
            await fresh.close();
          }
        }),
        { numRuns: 6, ...(port.seed === undefined ? {} : { seed: port.seed }) },
      );
    });

    describe('ends', () => {
      it('at once, also in the middle of a step, and knows its states no more', async () => {
        const other = await prover.openSession({ file: FILE });
        const begun = await other.run(other.root, { text: 'Goal True.' });
        if (begun.status !== 'done') throw new Error('cannot state True');
        const running = other.run(begun.state, { text: ENDLESS });
        await delay(30);
        await Promise.all([other.close(), other.close()]);
        expect(await running).toMatchObject({ status: 'unknown', reason: 'interrupted' });
        await expect(other.run(begun.state, { text: 'exact I.' })).rejects.toMatchObject({
          reason: 'stale-state',
        });
        await expect(other.goals(begun.state)).rejects.toMatchObject({ reason: 'stale-state' });
        await other.close();
      });

      it('without disturbing other sessions, whose states are strangers', async () => {
        const other = await prover.openSession({ file: FILE });
        await expect(session.run(other.root, { text: 'Goal True.' })).rejects.toMatchObject({
          reason: 'stale-state',
        });
        await other.close();
        expect((await session.run(root, { text: 'Goal True.' })).status).toBe('done');
      });

      it('before it began, when the opening is cancelled', async () => {
        const cancelled = AbortSignal.abort();
        await expect(prover.openSession({ file: FILE, signal: cancelled })).rejects.toMatchObject({
          reason: 'interrupted',
        });
        const signal = AbortSignal.timeout(port.cancelOpeningAfterMs ?? 30);
        await expect(prover.openSession({ file: FILE, signal })).rejects.toMatchObject({
          reason: 'interrupted',
        });
      });
    });
  });
}
