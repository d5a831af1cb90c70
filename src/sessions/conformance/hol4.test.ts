/**
 * The contract of the prover port (src/core/prover.ts) as tests over HOL4. The suite over Rocq tests the same
 * promises in the same order; statements, tactics and what is known of goals out of focus differ, so its text does
 * not fit here.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProofState } from '../../core/proof-state.ts';
import type { SessionContext, StateId } from '../../core/prover.ts';
import { findHol4, requireHol4 } from '../../provers/hol4/discovery.ts';
import { type HolSession, openHolSession } from '../hol4/hol-session.ts';
import { sessionCalls } from './session-calls.ts';

/** A tactic that only an interrupt ends. */
const ENDLESS = '(fn g => let fun loop () : goal list * validation = loop () in loop () end)';

async function openSession({ file, signal }: SessionContext): Promise<HolSession> {
  const { hol } = requireHol4();
  return await openHolSession({ executable: hol, folder: dirname(file), ...(signal && { signal }) });
}

describe.skipIf(findHol4() === undefined)(
  'the prover port over HOL4 (skipped without a HOL4: set QUOD_HOL4)',
  () => {
    let session: HolSession;
    let root: StateId;
    let folder: string;
    let file: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quod-hol4-'));
      file = join(folder, 'conformanceScript.sml');
      session = await openSession({ file });
      root = await run(session.root, 'Theory conformance\nAncestors arithmetic');
    });
    afterAll(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    const { step, run, fail, ask, proof, conclusions } = sessionCalls(() => session);

    it('says who it is, with a version that HOL has', () => {
      expect(session.identity.prover).toBe('hol4');
      expect(session.identity.version).toMatch(/^[A-Z]\w+/);
    });

    describe('runs sentences', () => {
      it('from the root, outside and inside of proofs, to QED', async () => {
        const stated = await step(root, 'Theorem one: T\nProof', { withGoals: true });
        expect(stated.proof?.goals).toMatchObject([{ hypotheses: [], conclusion: 'T' }]);
        const solved = await step(stated.state, 'ACCEPT_TAC TRUTH', { withGoals: true });
        expect(solved.proof).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 0 });
        const closed = await step(solved.state, 'QED', { withGoals: true });
        expect(closed.proof).toBeNull();
        expect(await ask(closed.state, 'one')).toContain('⊢ T');
      });

      it('without goals unless they are asked for', async () => {
        expect(await step(root, 'Theorem x: T\nProof')).not.toHaveProperty('proof');
      });

      it('with leading blanks and comments, combinators and parentheses; together they are the text of the proof', async () => {
        const end = await run(
          root,
          '\n (* "a comment" *)\nTheorem several: ((!x. P x) ==> P 3n) /\\ (q \\/ ~q)\nProof',
          ' (* first *) rpt strip_tac',
          '\n  >- (',
          'ALL_TAC',
          '>> first_assum MATCH_ACCEPT_TAC',
          ')',
          '\\\\ Cases_on ‘q’',
          '>> simp[]',
          'QED',
        );
        expect(await session.goals(end)).toBeNull();
      });

      it('one at a time: a second sentence is refused, not dropped', async () => {
        expect((await fail(root, 'val a = 1; val b = 2;')).error.span).toEqual({ start: 11, end: 21 });
        const before = await run(root, 'Theorem x: T\nProof');
        expect((await fail(before, 'ALL_TAC\nQED')).error.message).toContain('One sentence');
        expect((await fail(await run(before, 'ALL_TAC'), 'simp[]')).error.message).toContain('needs >>');
      });

      it('from any earlier state, with ids that are never used twice', async () => {
        const base = await run(root, 'Theorem refl: !n:num. n = n\nProof');
        const one = await run(base, 'Q.X_GEN_TAC ‘a’');
        const other = await run(base, 'Q.X_GEN_TAC ‘b’');
        const deeper = await run(one, '>> simp[]', 'QED', 'val later = 1');
        expect(new Set([root, base, one, other, deeper]).size).toBe(5);
        expect(await conclusions(other)).toEqual(['b = b']);
        expect(await conclusions(one)).toEqual(['a = a']);
        expect(await ask(deeper, 'later')).toContain('1: int');
      });

      it('from inside of a proof that was closed, without touching what came after', async () => {
        const inside = await run(root, 'Theorem two: 1 = 1n\nProof', 'ALL_TAC');
        const after = await run(inside, '>> simp[]', 'QED', 'val user = two');
        const again = await run(inside, '>> REFL_TAC', 'QED');
        expect((await session.query(again, { text: 'user' })).status).toBe('failed');
        expect(await ask(after, 'user')).toContain('⊢ 1 = 1');
      });

      it('from the same few states, hundreds of times', async () => {
        const outer = await run(root, 'Theorem many: !n:num. n = n /\\ T\nProof');
        const inner = await run(outer, 'strip_tac', '>> conj_tac');
        for (let round = 0; round < 120; round += 1) {
          expect((await session.run(inner, { text: '>> no_such_tactic' })).status).toBe('failed');
          await run(inner, `>- (K ALL_TAC ${round} >> simp[])`);
        }
        await run(inner, '>> simp[]', 'QED', 'val after = 1');
        expect(await conclusions(inner)).toEqual(['n = n', 'T']);
      });

      it('from inside of a nested focus', async () => {
        const nested = await run(
          root,
          'Theorem nested: (p ==> p) /\\ (q ==> q) /\\ T\nProof',
          'conj_tac',
          '>- (',
          'simp[]',
          ')',
          '>> conj_tac',
          '>- (',
        );
        expect((await proof(nested)).unfocused).toEqual([1]);
        const done = await run(nested, 'simp[]', ')', '>> simp[]', 'QED');
        expect((await fail(nested, 'QED')).error.message).toContain('parenthesis');
        expect(await session.goals(done)).toBeNull();
      });
    });

    describe('shows goals', () => {
      it('with hypotheses by number, oldest first, on one line however long', async () => {
        const sum = Array.from({ length: 60 }, (_, index) => `(x + ${index})`).join(' + ');
        const state = await run(
          root,
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
        const split = await run(root, 'Theorem gu: F /\\ T\nProof', 'conj_tac', '>- cheat');
        expect(await proof(split)).toMatchObject({ givenUp: 1 });
        const solved = await run(split, '>> simp[]');
        expect(await proof(solved)).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 1 });
        const closed = await step(solved, 'QED');
        expect(closed.messages).toContainEqual({
          severity: 'warning',
          message: 'The theorem rests on oracles: cheat.',
        });
        const hidden = await run(root, 'val my_tactic = cheat', 'Theorem hid: F\nProof', 'my_tactic');
        expect(await proof(hidden)).toMatchObject({ goals: [], givenUp: 1 });
      });

      it('or null where no proof is open', async () => {
        expect(await session.goals(root)).toBeNull();
        expect(await session.background(root)).toBeNull();
      });
    });

    describe('reports errors', () => {
      it('of parsing, typing and tactics, and goes on from the same state', async () => {
        const base = await run(root, 'Theorem err: T\nProof');
        for (const wrong of [
          'simp[',
          'simp 3',
          'no_such_tactic',
          'FAIL_TAC "x"',
          'ACCEPT_TAC TRUTHS',
          'exists_tac “1 : bool”',
        ]) {
          const { error } = await fail(base, wrong);
          expect(error.severity).toBe('error');
          expect(error.message).not.toBe('');
        }
        expect(await conclusions(base)).toEqual(['T']);
        expect((await fail(base, 'QED')).error.message).not.toBe('');
        expect(await session.goals(await run(base, 'simp[]', 'QED'))).toBeNull();
      });

      it('with spans of unknown names in UTF-16 units', async () => {
        const base = await run(root, 'Theorem span: T\nProof');
        for (const prefix of ['', '(* é *) ', '  (* ∀ 𝔸 *)\n ']) {
          const { error } = await fail(base, `${prefix}missing_name`);
          expect(error.span).toEqual({ start: prefix.length, end: prefix.length + 12 });
        }
      });

      it('of declarations, of which nothing stays', async () => {
        expect((await fail(root, 'val x = missing_value')).error.span).toEqual({ start: 8, end: 21 });
        expect((await fail(root, 'Theorem noq: T\nProof\n simp[]')).error.message).not.toBe('');
        expect((await session.query(root, { text: 'noq' })).status).toBe('failed');
        expect((await fail(root, 'Definition d: d x = ~(d (x:num))')).error.message).not.toBe('');
        expect((await fail(root, 'Theory other\nAncestors no_such')).error.message).toContain('no_such');
      });
    });

    describe('hands messages on', () => {
      it('of the step alone', async () => {
        const base = await run(root, 'Theorem msg: T\nProof');
        const told = await step(base, '(print "one\\n"; ALL_TAC)');
        expect(told.messages).toEqual([{ severity: 'info', message: 'one' }]);
        expect((await step(base, 'ALL_TAC')).messages).toEqual([]);
        const invented = await step(root, 'val t = “f x = y”');
        expect(invented.messages[0]).toMatchObject({
          severity: 'notice',
          message: expect.stringContaining('type variable') as string,
        });
      });
    });

    describe('answers queries', () => {
      it('at any state, and nothing they do is visible', async () => {
        const early = await run(root, 'Definition early_def: early = 1n\nEnd');
        const late = await run(early, 'Definition late_def: late = 2n\nEnd');
        expect(await ask(late, 'late_def')).toContain('late = 2');
        expect((await session.query(early, { text: 'late_def' })).status).toBe('failed');
        expect(await ask(early, 'early_def')).toContain('early = 1');
        await session.query(late, { text: 'val sneaked = 3' });
        expect((await session.query(late, { text: 'sneaked' })).status).toBe('failed');
        expect(await ask(late, 'DB.find "early_def"')).toContain('early');
      });
    });

    describe('stops what takes too long', () => {
      it('and only that: the session goes on from every state', async () => {
        const earlier = await run(root, 'val kept = 7');
        const base = await run(earlier, 'Theorem slow: x = x\nProof');
        for (const timeoutMs of [100, 1, 50]) {
          expect(await session.run(base, { text: ENDLESS }, { timeoutMs })).toMatchObject({
            status: 'unknown',
            reason: 'timeout',
          });
          expect(await conclusions(await run(base, 'ALL_TAC'))).toEqual(['x = x']);
        }
        expect(await ask(earlier, 'kept')).toContain('7: int');
        const forever = 'let fun loop () : int = loop () in loop () end';
        expect(await session.query(base, { text: forever }, { timeoutMs: 100 })).toMatchObject({
          status: 'unknown',
          reason: 'timeout',
        });
        expect(await ask(base, 'kept')).toContain('7: int');
      });

      it('also when many steps end near their timeout', async () => {
        const base = await run(root, 'Theorem near: T\nProof');
        for (let attempt = 0; attempt < 60; attempt += 1) {
          const result = await session.run(
            base,
            { text: `(List.tabulate (${attempt * 20000}, I); ALL_TAC)` },
            {
              timeoutMs: 3,
            },
          );
          expect(['done', 'unknown']).toContain(result.status);
        }
        expect(await session.goals(await run(base, 'simp[]', 'QED'))).toBeNull();
      });

      it('when the caller cancels, before or while it runs', async () => {
        const base = await run(root, 'Theorem cancel: T\nProof');
        const cancelled = { status: 'unknown', reason: 'interrupted' };
        expect(await session.run(base, { text: ENDLESS }, { signal: AbortSignal.abort() })).toMatchObject(
          cancelled,
        );
        const controller = new AbortController();
        const running = session.run(base, { text: ENDLESS }, { signal: controller.signal });
        const behind = session.run(base, { text: 'simp[]' });
        await delay(30);
        controller.abort();
        expect(await running).toMatchObject(cancelled);
        expect((await behind).status).toBe('done');
      });
    });

    it('gives the same state by every way around', async () => {
      const statement =
        'Theorem ways: !a b c d. (a = b \\/ (c:bool = d)) ==> (b = a \\/ d = c) /\\ (T /\\ (a:bool = a))\nProof';
      const tactics = [
        'rpt strip_tac',
        '>> simp[]',
        '>> Cases_on ‘a’',
        '>- simp[]',
        '>- (',
        ')',
        '>> metis_tac[]',
        'gvs[]',
        '>> cheat',
        'QED',
      ];
      const base = await run(root, statement);
      const shape = (state: ProofState | null): unknown =>
        state && {
          ...state,
          goals: state.goals.map(({ hypotheses, conclusion }) => ({ hypotheses, conclusion })),
        };
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ from: fc.nat(), tactic: fc.constantFrom(...tactics) }), {
            minLength: 10,
            maxLength: 20,
          }),
          async (moves) => {
            const visited = [
              { state: base, path: [] as readonly string[], seen: shape(await session.goals(base)) },
            ];
            for (const { from, tactic } of moves) {
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
            const fresh = await openSession({ file });
            try {
              for (const { path, seen } of visited.slice(-3)) {
                let state = fresh.root;
                for (const sentence of ['Theory conformance\nAncestors arithmetic', statement, ...path]) {
                  const result = await fresh.run(state, { text: sentence });
                  if (result.status !== 'done') throw new Error(`${sentence} ${result.status}`);
                  state = result.state;
                }
                expect(shape(await fresh.goals(state))).toEqual(seen);
              }
            } finally {
              await fresh.close();
            }
          },
        ),
        { numRuns: 3 },
      );
    });

    describe('ends', () => {
      it('at once, also in the middle of a step, and knows its states no more', async () => {
        const other = await openSession({ file });
        const begun = await other.run(other.root, { text: 'Theorem x: T\nProof' });
        if (begun.status !== 'done') throw new Error('cannot state T');
        const running = other.run(begun.state, { text: ENDLESS });
        await delay(30);
        await Promise.all([other.close(), other.close()]);
        expect(await running).toMatchObject({ status: 'unknown', reason: 'interrupted' });
        await expect(other.run(begun.state, { text: 'simp[]' })).rejects.toMatchObject({
          reason: 'stale-state',
        });
        await expect(other.goals(begun.state)).rejects.toMatchObject({ reason: 'stale-state' });
        await other.close();
      });

      it('without disturbing other sessions, whose states are strangers', async () => {
        const other = await openSession({ file });
        await expect(session.run(other.root, { text: 'val x = 1' })).rejects.toMatchObject({
          reason: 'stale-state',
        });
        await other.close();
        expect((await session.run(root, { text: 'Theorem x: T\nProof' })).status).toBe('done');
      });

      it('before it began, when the opening is cancelled', async () => {
        await expect(openSession({ file, signal: AbortSignal.abort() })).rejects.toMatchObject({
          reason: 'interrupted',
        });
        await expect(openSession({ file, signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
          reason: 'interrupted',
        });
      });
    });
  },
);
