/**
 * The contract of the prover port (src/core/prover.ts) as tests: the same cases for every prover, each of which
 * brings its sentences and what it answers to them, and cases of its own for what the others do not have.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Goal, ProofState } from '../../core/proof-state.ts';
import type { Prover, ProverIdentity, ProverSession, StateId } from '../../core/prover.ts';
import { sessionCalls } from './session-calls.ts';

type Session = Omit<ProverSession, 'identity' | 'generation'>;
type Sentences = readonly string[];
/** A question, and what its answer contains. */
type Asked = readonly [question: string, answer: string];
type Texts<Names extends string> = Readonly<Record<Names, string>>;
type Lists<Names extends string> = Readonly<Record<Names, Sentences>>;

export interface EndingFacts extends Texts<'endless' | 'next' | 'elsewhere'> {
  /** From the root of a session to where the endless sentence can be run; the one `elsewhere` runs meanwhile. */
  readonly begun: readonly [string, ...Sentences];
}

export interface PortFacts {
  readonly prover: ProverIdentity['prover'];
  readonly version: RegExp;
  /** What every text begins with. */
  readonly header: Sentences;
  /** Only an interrupt ends it. */
  readonly endless: string;
  /** The easiest theorem, also as one with a name that can be asked for. */
  readonly trivial: Texts<'statement' | 'named' | 'conclusion' | 'solving' | 'closing'> & {
    readonly asked: Asked;
  };
  /** A whole proof in all ways in which sentences can be written. */
  readonly writing: Sentences;
  /** Two ways on from one state, told apart by the first goal; `deeper` closes the left one. */
  readonly ways: Texts<'base' | 'left' | 'right'> &
    Lists<'deeper'> &
    Readonly<Record<'leftGoal' | 'rightGoal', Partial<Goal>>> & { readonly asked: Asked };
  /** A proof that is closed in two ways; `gone` asks for what only follows the first. */
  readonly closedTwice: Lists<'inside' | 'after' | 'again'> &
    Texts<'gone'> &
    Readonly<Record<'askedAfter' | 'askedAgain', readonly Asked[]>>;
  /** What is run again and again from an inner state, and once in ten rounds from the outer one. */
  readonly rounds: Texts<'outer' | 'wrong'> &
    Lists<'inner' | 'conclusions' | 'fromOuter' | 'finish'> & {
      readonly fromInner: (round: number) => Sentences;
    };
  readonly focus: Lists<'nested' | 'finish'> & {
    readonly unfocused: readonly number[];
    readonly refused: Asked;
  };
  /** None of them is right at the trivial statement. */
  readonly wrong: Sentences;
  /** Sentences with a name that nobody knows, in a proof and at the root. */
  readonly unknownNames: readonly {
    readonly text: string;
    readonly name: string;
    readonly isAtRoot?: true;
  }[];
  readonly messages: Texts<'telling' | 'silent'> & { readonly told: readonly Partial<Diagnostic>[] };
  /** The late state answers what the early one cannot; `question` is for what `sneaking` and `anew` define. */
  readonly queries: Lists<'early' | 'late'> &
    Texts<'sneaking' | 'question' | 'anew'> &
    Readonly<Record<'askedEarly' | 'askedLate', Asked>>;
  /** `slow` takes longer with its number: at 60 longer than two milliseconds. */
  readonly stops: Texts<'earlier' | 'statement' | 'conclusion' | 'idle' | 'endlessQuestion'> & {
    readonly asked: Asked;
    readonly slow: (number: number) => string;
  };
  /** Tactics that are tried at random, in whatever order. */
  readonly walk: Texts<'statement'> & Lists<'tactics'> & Readonly<Record<'maxLength' | 'numRuns', number>>;
}

export interface PortSubject extends PortFacts {
  readonly open: () => Promise<Pick<Prover, 'openSession' | 'capabilities'>>;
  readonly file: () => string;
  /** Sentences that stand before everything that is tested: backends may treat long documents in another way. */
  readonly before?: Sentences;
  /** Fixes what is drawn by chance, for a backend that answers from a recording. */
  readonly seed?: number;
  readonly ownCases: (port: PortUnderTest) => void;
}

/** What the cases share; `session` and `root` are there when a test runs. */
export interface PortUnderTest extends ReturnType<typeof sessionCalls> {
  readonly session: ProverSession;
  readonly root: StateId;
}

export function describePort(name: string, subject: PortSubject): void {
  describe(`the prover port over ${name}`, () => {
    let prover: Pick<Prover, 'openSession' | 'capabilities'>;
    let session: ProverSession;
    let root: StateId;

    beforeAll(async () => {
      prover = await subject.open();
      session = await open();
      root = await run(session.root, ...subject.header, ...(subject.before ?? []));
    });
    afterAll(() => session.close());

    const open = (signal?: AbortSignal): Promise<ProverSession> =>
      prover.openSession({ file: subject.file(), ...(signal && { signal }) });
    const calls = sessionCalls(() => session);
    const { step, run, fail, ask, proof, conclusions } = calls;
    const { endless, trivial } = subject;

    async function expectAnswers(at: StateId, asked: readonly Asked[]): Promise<void> {
      for (const [question, answer] of asked) expect(await ask(at, question)).toContain(answer);
    }

    it('says who it is, with a version that the prover has', () => {
      expect(session.identity.prover).toBe(subject.prover);
      expect(session.identity.version).toMatch(subject.version);
    });

    describe('runs sentences', () => {
      it('from the root, outside and inside of proofs, to the end of the proof', async () => {
        const stated = await step(root, trivial.named, { withGoals: true });
        expect(stated.proof?.goals).toMatchObject([{ hypotheses: [], conclusion: trivial.conclusion }]);
        const solved = await step(stated.state, trivial.solving, { withGoals: true });
        expect(solved.proof).toEqual({ goals: [], unfocused: [], shelved: 0, givenUp: 0 });
        const closed = await step(solved.state, trivial.closing, { withGoals: true });
        expect(closed.proof).toBeNull();
        await expectAnswers(closed.state, [trivial.asked]);
      });

      it('without goals unless they are asked for', async () => {
        expect(await step(root, trivial.statement)).not.toHaveProperty('proof');
      });

      it('in whatever way they are written', async () => {
        expect(await session.goals(await run(root, ...subject.writing))).toBeNull();
      });

      it('from any earlier state, with ids that are never used twice', async () => {
        const { ways } = subject;
        const base = await run(root, ways.base);
        const left = await run(base, ways.left);
        const right = await run(base, ways.right);
        const deeper = await run(left, ...ways.deeper);
        expect(new Set([root, base, left, right, deeper]).size).toBe(5);
        expect((await proof(right)).goals[0]).toMatchObject(ways.rightGoal);
        expect((await proof(left)).goals[0]).toMatchObject(ways.leftGoal);
        await expectAnswers(deeper, [ways.asked]);
      });

      it('from inside of a proof that was closed, without touching what came after', async () => {
        const { closedTwice } = subject;
        const inside = await run(root, ...closedTwice.inside);
        const after = await run(inside, ...closedTwice.after);
        const again = await run(inside, ...closedTwice.again);
        expect((await session.query(again, { text: closedTwice.gone })).status).toBe('failed');
        await expectAnswers(again, closedTwice.askedAgain);
        await expectAnswers(after, closedTwice.askedAfter);
      });

      it('from the same few states, hundreds of times', async () => {
        const { rounds } = subject;
        const outer = await run(root, rounds.outer);
        const inner = await run(outer, ...rounds.inner);
        for (let round = 0; round < 120; round += 1) {
          expect((await session.run(inner, { text: rounds.wrong })).status).toBe('failed');
          await run(inner, ...rounds.fromInner(round));
          if (round % 10 === 0) await run(outer, ...rounds.fromOuter);
        }
        expect(await session.goals(await run(inner, ...rounds.finish))).toBeNull();
        expect(await conclusions(inner)).toEqual(rounds.conclusions);
      });

      it('from inside of a nested focus', async () => {
        const { focus } = subject;
        const nested = await run(root, ...focus.nested);
        const done = await run(nested, ...focus.finish);
        expect((await proof(nested)).unfocused).toEqual(focus.unfocused);
        const [refused, message] = focus.refused;
        expect((await fail(nested, refused)).error.message).toContain(message);
        expect(await session.goals(done)).toBeNull();
      });
    });

    it('shows no goals where no proof is open', async () => {
      expect(await session.goals(root)).toBeNull();
    });

    describe('reports errors', () => {
      it('of parsing, typing and tactics, and goes on from the same state', async () => {
        const base = await run(root, trivial.statement);
        for (const wrong of subject.wrong) {
          const { error, messages } = await fail(base, wrong);
          expect(error.severity).toBe('error');
          expect(error.message).not.toBe('');
          expect(messages.filter(({ message }) => message === error.message)).toEqual([]);
        }
        expect(await conclusions(base)).toEqual([trivial.conclusion]);
        expect(await session.goals(await run(base, trivial.solving, trivial.closing))).toBeNull();
      });

      it('with spans in UTF-16 units, whatever stands before', async (context) => {
        if (prover.capabilities.errorPlaces === false)
          context.skip('the backend declares no places of errors');
        const base = await run(root, trivial.statement);
        for (const { text, name: unknown, isAtRoot } of subject.unknownNames) {
          const start = text.indexOf(unknown);
          const { error } = await fail(isAtRoot ? root : base, text);
          expect(error.span).toEqual({ start, end: start + unknown.length });
        }
      });
    });

    it('hands the messages of the step alone on', async () => {
      const base = await run(root, trivial.statement);
      const told = await step(base, subject.messages.telling);
      expect(told.messages).toMatchObject(subject.messages.told);
      expect((await step(base, subject.messages.silent)).messages).toEqual([]);
    });

    it('answers queries at any state, and nothing they do is visible', async () => {
      const { queries } = subject;
      const early = await run(root, ...queries.early);
      const late = await run(early, ...queries.late);
      await expectAnswers(late, [queries.askedLate]);
      expect((await session.query(early, { text: queries.askedLate[0] })).status).toBe('failed');
      await expectAnswers(early, [queries.askedEarly]);
      await session.query(late, { text: queries.sneaking });
      expect((await session.query(late, { text: queries.question })).status).toBe('failed');
      expect(await run(late, queries.anew)).toBeTruthy();
    });

    describe('stops what takes too long', () => {
      it('and only that: the session goes on from every state', async () => {
        const { stops } = subject;
        const timeout = { status: 'unknown', reason: 'timeout' };
        const earlier = await run(root, stops.earlier);
        const base = await run(earlier, stops.statement);
        for (const timeoutMs of [100, 1, 50]) {
          expect(await session.run(base, { text: endless }, { timeoutMs })).toMatchObject(timeout);
          expect(await conclusions(await run(base, stops.idle))).toEqual([stops.conclusion]);
        }
        await expectAnswers(earlier, [stops.asked]);
        const question = { text: stops.endlessQuestion };
        expect(await session.query(base, question, { timeoutMs: 100 })).toMatchObject(timeout);
        await expectAnswers(base, [stops.asked]);
      });

      it('also when many steps end near their timeout', async () => {
        const base = await run(root, trivial.statement);
        for (let attempt = 0; attempt < 60; attempt += 1) {
          const text = subject.stops.slow(attempt);
          const result = await session.run(base, { text }, { timeoutMs: 2 });
          expect(['done', 'unknown']).toContain(result.status);
        }
        expect(await session.goals(await run(base, trivial.solving, trivial.closing))).toBeNull();
      });

      it('when the caller cancels, before or while it runs', async () => {
        const base = await run(root, trivial.statement);
        const cancelled = { status: 'unknown', reason: 'interrupted' };
        const signal = AbortSignal.abort();
        expect(await session.run(base, { text: endless }, { signal })).toMatchObject(cancelled);
        const controller = new AbortController();
        const running = session.run(base, { text: endless }, { signal: controller.signal });
        const behind = session.run(base, { text: trivial.solving });
        await delay(30);
        controller.abort();
        expect(await running).toMatchObject(cancelled);
        expect(await behind).toMatchObject({ status: 'done' });
      });
    });

    it('gives the same state by every way around', async () => {
      const { walk, seed } = subject;
      const base = await run(root, walk.statement);
      const move = fc.record({ from: fc.nat(), tactic: fc.constantFrom(...walk.tactics) });
      const moves = fc.array(move, { minLength: 10, maxLength: walk.maxLength });
      await fc.assert(
        fc.asyncProperty(moves, async (made) => {
          const visited: { state: StateId; path: Sentences; seen: unknown }[] = [
            { state: base, path: [], seen: withoutIds(await session.goals(base)) },
          ];
          for (const { from, tactic } of made) {
            // Rather from what was reached last, so that walks get deep.
            const origin = visited[Math.max(visited.length - 1 - (from % 4), 0)];
            if (origin === undefined) continue;
            const result = await session.run(origin.state, { text: tactic }, { withGoals: true });
            if (result.status !== 'done') continue;
            visited.push({
              state: result.state,
              path: [...origin.path, tactic],
              seen: withoutIds(result.proof ?? null),
            });
          }
          const fresh = await open();
          const again = sessionCalls(() => fresh);
          try {
            for (const { path, seen } of visited.slice(-3)) {
              const state = await again.run(fresh.root, ...subject.header, walk.statement, ...path);
              expect(withoutIds(await fresh.goals(state))).toEqual(seen);
            }
          } finally {
            await fresh.close();
          }
        }),
        { numRuns: walk.numRuns, ...(seed !== undefined && { seed }) },
      );
    });

    describeEndings(
      {
        begun: [trivial.statement],
        endless,
        next: trivial.solving,
        elsewhere: trivial.statement,
      },
      { open, session: () => session, root: () => root },
    );

    subject.ownCases({
      ...calls,
      get session() {
        return session;
      },
      get root() {
        return root;
      },
    });
  });
}

/** The cases that need no goals between two sentences. */
export function describeEndings(
  { begun, endless, next, elsewhere }: EndingFacts,
  port: {
    readonly open: (signal?: AbortSignal) => Promise<Session>;
    readonly session: () => Session;
    readonly root: () => StateId;
  },
): void {
  const stale = { reason: 'stale-state' };

  describe('ends', () => {
    it('at once, also in the middle of a step, and knows its states no more', async () => {
      const other = await port.open();
      const state = await sessionCalls(() => other).run(other.root, ...begun);
      const running = other.run(state, { text: endless });
      await delay(100);
      expect((await port.session().run(port.root(), { text: elsewhere })).status).toBe('done');
      await Promise.all([other.close(), other.close()]);
      expect(await running).toMatchObject({ status: 'unknown', reason: 'interrupted' });
      await expect(other.run(state, { text: next })).rejects.toMatchObject(stale);
      await expect(other.goals(state)).rejects.toMatchObject(stale);
      await other.close();
    });

    it('without disturbing other sessions, whose states are strangers', async () => {
      const other = await port.open();
      await expect(port.session().run(other.root, { text: begun[0] })).rejects.toMatchObject(stale);
      await other.close();
      expect((await port.session().run(port.root(), { text: elsewhere })).status).toBe('done');
    });

    it('before it began, when the opening is cancelled', async () => {
      for (const signal of [AbortSignal.abort(), AbortSignal.timeout(30)])
        await expect(port.open(signal)).rejects.toMatchObject({ reason: 'interrupted' });
    });
  });
}

/** Two sessions count their goals apart. */
function withoutIds(state: ProofState | null): unknown {
  return (
    state && {
      ...state,
      goals: state.goals.map(({ hypotheses, conclusion }) => ({ hypotheses, conclusion })),
    }
  );
}
