/** What a prover is asked about a file that it has run: commands that change nothing of the file. */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { ProverSession, StateId, StepResult } from '../../../core/prover.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';

const TIMEOUT_MS = 60_000;

function textOf(messages: readonly Diagnostic[]): string {
  return messages
    .map(({ message }) => message)
    .join('\n')
    .trim();
}

/** What a prover says against a command that was run. */
export function refusalIn(result: StepResult, command: string): string {
  if (result.status === 'failed') return result.error.message.trim();
  throw new Error(result.status === 'done' ? `${command} was not refused.` : result.message);
}

/** Questions to a session at the places of a file that it has run. A prover that does not answer them is an error: nothing may be concluded then. */
export class Asked {
  readonly #session: ProverSession;
  readonly #limits: { readonly timeoutMs: number; readonly signal: AbortSignal };

  constructor(session: ProverSession, signal: AbortSignal) {
    this.#session = session;
    this.#limits = { timeoutMs: TIMEOUT_MS, signal };
  }

  async answer(at: StateId, command: string): Promise<string> {
    const result = await this.#session.query(at, asSentence(command), this.#limits);
    if (result.status === 'done') return textOf(result.messages);
    throw new Error(result.status === 'failed' ? result.error.message : result.message);
  }

  /** Nothing where a plugin that would bring the command, and what it asks about, is not loaded (`-noinit`). */
  async answerIfKnown(at: StateId, command: string): Promise<string> {
    const result = await this.#session.query(at, asSentence(command), this.#limits);
    if (result.status === 'unknown') throw new Error(result.message);
    return result.status === 'failed' ? '' : textOf(result.messages);
  }

  async next(at: StateId, command: string): Promise<StateId> {
    const result = await this.outcome(at, command);
    if (result.status === 'done') return result.state;
    throw new Error(result.status === 'failed' ? result.error.message : result.message);
  }

  /** What the prover says against a command. */
  async refusal(at: StateId, command: string): Promise<string> {
    return refusalIn(await this.outcome(at, command), command);
  }

  outcome(at: StateId, command: string): Promise<StepResult> {
    return this.#session.run(at, asSentence(command), this.#limits);
  }
}
