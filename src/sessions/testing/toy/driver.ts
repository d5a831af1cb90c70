/** The driver of the toy prover's process: all that a new prover needs besides its syntax. */
import { createInterface } from 'node:readline';
import type { AskAnswer, ExecuteAnswer, Interrupted, Lost, ProverDriver } from '../../../core/driver.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import type { Sentence } from '../../../core/prover.ts';
import type { GuardedChild } from '../../../process/guarded-child.ts';
import { ENDED, garbage, lossOf } from '../../../process/prover-loss.ts';

/** How many steps lead to it. */
type Depth = number;

type Answer =
  | { readonly status: 'done'; readonly proof?: ProofState | null; readonly said?: string }
  | { readonly status: 'failed'; readonly message: string; readonly start: number; readonly end: number }
  | Interrupted
  | Lost;

export class ToyDriver implements ProverDriver<Sentence, Depth> {
  readonly root = 0;
  readonly keepsStates = false;
  readonly readsAnywhere = true;
  readonly #child: GuardedChild;
  #lastId = 0;
  #running: { readonly id: number; readonly settle: (answer: Answer) => void } | undefined;
  #lost: Lost | undefined;

  constructor(child: GuardedChild) {
    this.#child = child;
    createInterface({ input: child.output }).on('line', (line) => this.#receive(line));
    void child.exited.then((exit) => this.#lose(lossOf(exit)));
  }

  async execute(
    base: Depth,
    { text }: Sentence,
    withGoals: boolean,
  ): Promise<ExecuteAnswer<Sentence, Depth>> {
    const answer = await this.#ask('run', base, text);
    switch (answer.status) {
      case 'done': {
        const messages = noticesOf(answer.said);
        const done = { status: 'done', place: base + 1, messages } as const;
        return withGoals ? { ...done, proof: answer.proof ?? null } : done;
      }
      case 'failed': {
        const { message, start, end } = answer;
        return {
          status: 'failed',
          error: { severity: 'error', message, span: { start, end } },
          messages: [],
        };
      }
      default:
        return answer;
    }
  }

  async goals(at: Depth): Promise<AskAnswer<ProofState | null>> {
    const answer = await this.#ask('goals', at, '');
    if (answer.status === 'failed')
      return { status: 'failed', error: { severity: 'error', message: answer.message } };
    return answer.status === 'done' ? { status: 'done', value: answer.proof ?? null } : answer;
  }

  async query(at: Depth, { text }: Sentence): Promise<AskAnswer<readonly Diagnostic[]>> {
    const answer = await this.#ask('number', at, text);
    if (answer.status === 'failed')
      return { status: 'failed', error: { severity: 'error', message: answer.message } };
    return answer.status === 'done' ? { status: 'done', value: noticesOf(answer.said) } : answer;
  }

  interrupt(): void {
    if (this.#running !== undefined) this.#child.interrupt();
  }

  async kill(): Promise<void> {
    this.#lose(ENDED);
    await this.#child.kill();
  }

  #ask(kind: 'run' | 'goals' | 'number', depth: Depth, text: string): Promise<Answer> {
    if (this.#lost !== undefined) return Promise.resolve(this.#lost);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#running = { id, settle: resolve };
      this.#child.input.write(`${JSON.stringify({ id, kind, depth, text })}\n`);
    });
  }

  #receive(line: string): void {
    const running = this.#running;
    if (running === undefined) return;
    const answer = readAnswer(line);
    if (answer?.id === running.id) this.#settle(answer);
    else {
      this.#lose(garbage(JSON.stringify(line.slice(0, 100))));
      void this.#child.kill();
    }
  }

  #settle(answer: Answer): void {
    const running = this.#running;
    this.#running = undefined;
    running?.settle(answer);
  }

  #lose(lost: Lost): void {
    this.#lost ??= lost;
    this.#settle(this.#lost);
  }
}

function readAnswer(line: string): (Answer & { readonly id: number }) | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isAnswer = typeof value === 'object' && value !== null && 'status' in value && 'id' in value;
    // The program writes nothing else; what is not its own has another number.
    return isAnswer ? (value as Answer & { readonly id: number }) : undefined;
  } catch {
    return undefined;
  }
}

function noticesOf(said: string | undefined): readonly Diagnostic[] {
  return said === undefined ? [] : [{ severity: 'notice', message: said }];
}
