/** What every part of the workflow works with, and the few things that all of them do. */
import type { z } from 'zod';
import { timerDelay } from '../../core/duration.ts';
import { QuodError, tooDeep } from '../../core/errors.ts';
import type { Budget } from '../budget.ts';
import { Briefing } from '../context/briefing.ts';
import type { RoleModels } from '../role-models.ts';
import { withoutThoughts } from '../prover-conventions.ts';
import type { ContextPiece } from '../context/pack.ts';
import type { Message } from '../models/conversation.ts';
import type { Prompts } from '../prompt-files.ts';
import type { EventOf } from '../runs/events.ts';
import type { EventLog } from '../runs/event-log.ts';
import type { Settings } from '../settings.ts';
import type { SimilarProof, Target } from '../target.ts';
import type { JudgedFiles } from './judged-files.ts';

export interface RunContext {
  readonly settings: Settings;
  readonly eventLog: EventLog;
  readonly budget: Budget;
  readonly prompts: Prompts;
  readonly judgedFiles: JudgedFiles;
  readonly signal: AbortSignal;
}

export interface RunContextWithModels extends RunContext {
  readonly roleModels: RoleModels;
}

/**
 * Runs what uses a prover: stopped with the run, and when the time of the run is over. What is stopped often
 * answers as if it had looked and found nothing: such an answer is no result, and is never recorded as one.
 * @param isConclusive Whether an answer counts although it came after the stop: what was found is not lost.
 * @throws BudgetExhausted, QuodError `interrupted`.
 */
export async function timed<Result>(
  { budget, signal }: Pick<RunContext, 'budget' | 'signal'>,
  perform: (signal: AbortSignal) => Promise<Result>,
  isConclusive: (result: Result) => boolean = () => false,
): Promise<{ result: Result; ms: number }> {
  requireGoing(signal);
  budget.requireTime();
  const { timeLeft } = budget;
  const begunAt = performance.now();
  const stop =
    timeLeft === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(timerDelay(timeLeft + 1))]);
  try {
    const result = await stoppable(stop, perform, isConclusive);
    return { result, ms: Math.round(performance.now() - begunAt) };
  } catch (error) {
    requireGoing(signal, error);
    budget.requireTime();
    throw error;
  }
}

/** The same without a limit on the time. @throws QuodError `interrupted`. */
export async function stoppable<Result>(
  signal: AbortSignal,
  perform: (signal: AbortSignal) => Promise<Result>,
  isConclusive: (result: Result) => boolean,
): Promise<Result> {
  requireGoing(signal);
  try {
    const result = await perform(signal);
    if (!isConclusive(result)) requireGoing(signal);
    return result;
  } catch (error) {
    requireGoing(signal, error);
    throw tooDeep(error) ?? error;
  }
}

function requireGoing(signal: AbortSignal, cause?: unknown): void {
  if (signal.aborted) throw new QuodError('interrupted', 'The run was stopped.', { cause });
}

/**
 * Whether the place of a theorem can be reached, before anybody is paid for it: what a resumed run has recorded of its
 * session was said of the file and the libraries as they were. @throws QuodError `does-not-compile` and others.
 */
export async function requireReachable(run: RunContext, target: Target): Promise<void> {
  await timed(run, async (signal) => (await target.openToolSession(signal)).close());
}

/** The gate's word on a proof. Nothing else makes a theorem proved. */
export async function judge(
  run: RunContext,
  target: Target,
  key: string,
  proof: string,
): Promise<EventOf<'judged'>> {
  const again = run.eventLog.judgedAgain(target.theorem, key, proof);
  if (again !== undefined) return again;
  return run.eventLog.once('judged', key, async () => {
    const { result, ms } = await timed(
      run,
      (signal) => target.judge(proof, signal),
      ({ verdict }) => verdict === 'accepted',
    );
    return {
      proof,
      ...(result.before !== undefined && { before: result.before }),
      verdict: result.verdict,
      findings: [...result.findings],
      restsOnOpen: [...result.restsOnOpen],
      ...(result.grounds !== undefined && { grounds: result.grounds }),
      ms,
    };
  });
}

export function judgedText({ verdict, findings }: EventOf<'judged'>): string {
  return [
    verdict === 'rejected' ? 'The judge rejects this proof:' : 'The judge could not judge this proof:',
    ...findings,
  ].join('\n');
}

/** Looks for a counterexample; undefined where that cannot be done. `refuted` is said only after the gate's word. */
export async function refute(
  run: RunContext,
  target: Target,
  key: string,
): Promise<EventOf<'refuted'> | undefined> {
  const { refuteSeconds } = run.settings;
  const ask = target.refute?.bind(target);
  if (ask === undefined || refuteSeconds === 0) return undefined;
  return run.eventLog.once('refuted', key, async () => {
    const { result, ms } = await timed(
      run,
      (signal) => ask(refuteSeconds, signal),
      ({ refuted }) => refuted,
    );
    return { ...result, ms };
  });
}

/** Whether a model says that the theorem is false. */
export function claimsFalsehood(text: string): boolean {
  return /^[\s*_#>"']*FALSE\b[\s*_]*,?\s*because\b/iu.test(withoutThoughts(text));
}

/** Similar proofs as a model sees them. @param goal The theorem itself when undefined. */
export async function similarProofs(
  run: RunContext,
  target: Target,
  { key, goal, limit }: { readonly key: string; readonly goal?: string | undefined; readonly limit: number },
): Promise<string> {
  if (limit === 0) return '';
  const { text } = await run.eventLog.once('retrieved', key, async () => {
    const { result, ms } = await timed(run, (signal) =>
      target.similarProofs(goal, { limit, ranker: run.settings.ranker }, signal),
    );
    return { text: similarText(result), ms };
  });
  return text;
}

function similarText(proofs: readonly SimilarProof[]): string {
  return proofs.map(({ statement, proof }) => `${statement}\n${proof}`).join('\n\n');
}

/** The value of a similar proof for the theorem, the nearest first. */
const VALUE_OF_SIMILAR = 58;

/** What every role is told of a theorem first. @param goals At its start. */
export async function brief(
  run: RunContextWithModels,
  target: Target,
  goals: string,
  key = target.theorem,
): Promise<Briefing> {
  const { limit, ranker } = { limit: run.settings.similarProofs, ranker: run.settings.ranker };
  const { pieces } = await run.eventLog.once('context-collected', key, async () => {
    const { result, ms } = await timed(run, async (signal) => {
      const collected = await target.context(signal);
      const similar = limit === 0 ? [] : await target.similarProofs(undefined, { limit, ranker }, signal);
      return [...collected, ...similar.map(similarPiece)];
    });
    return { pieces: result.map((piece) => ({ ...piece })), ms };
  });
  return new Briefing(run, target, goals, pieces);
}

function similarPiece({ name, statement, proof }: SimilarProof, index: number): ContextPiece {
  const section = 'Proofs whose statements are most like it';
  return {
    section,
    name,
    text: `${statement}\n${proof}`,
    shorter: statement,
    value: VALUE_OF_SIMILAR - index,
  };
}

/** What the user said that no question took with it, for the question of a key, as a part of a prompt. */
export function userWords({ eventLog }: RunContext, key: string): string {
  const text = eventLog.userMessage(key);
  return text === undefined ? '' : `The user says:\n${text}`;
}

/** What the user said to questions whose keys begin so, as a part of a prompt. */
export function earlierWords({ eventLog }: RunContext, beginnings: readonly string[]): string {
  const words = beginnings.flatMap((one) => eventLog.recordedUnder('heard', one).map(({ text }) => text));
  return words.length === 0 ? '' : `The user said:\n${[...new Set(words)].join('\n\n')}`;
}

/** The first JSON object in a model's answer that a schema accepts, or what is wrong. */
export function objectIn<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { readonly value: z.output<Schema> } | { readonly fault: string } {
  const spoken = withoutThoughts(text);
  let fault = 'there is no JSON object in it';
  for (let at = spoken.indexOf('{'); at !== -1; at = spoken.indexOf('{', at + 1)) {
    for (let end = spoken.lastIndexOf('}'); end > at; end = spoken.lastIndexOf('}', end - 1)) {
      let value: unknown;
      try {
        value = JSON.parse(spoken.slice(at, end + 1));
      } catch {
        continue;
      }
      const result = schema.safeParse(value);
      if (result.success) return { value: result.data };
      fault = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    }
    // Quadratic in the number of braces; an answer full of them is not what was asked for.
    if (at > 20_000) break;
  }
  return { fault };
}

/** A conversation as text for somebody who looks at it from outside. */
export function historyText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role !== 'system')
    .map((message) => {
      switch (message.role) {
        case 'assistant':
          return [message.text, ...message.calls.map(({ name, input }) => `> ${name} ${input}`)].join('\n');
        case 'tool':
          return `< ${message.text}`;
        case 'user':
        case 'system':
          return `(${message.text})`;
      }
    })
    .join('\n\n');
}

/** All results, or the first failure once every one has ended: nothing of a call that was paid for is lost. */
export async function together<Result>(tasks: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const ends = await Promise.allSettled(tasks.map((task) => task()));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
