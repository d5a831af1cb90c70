/**
 * A running `hol --zero`. Commands are executed one at a time; each is over when its own last mark has come, so
 * neither a null byte that a command prints, nor the empty frame that HOL sends for a signal while it is idle, nor
 * an answer that an interrupt cut short can be taken for the answer of another command.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { QuodError } from '../../../core/errors.ts';
import { InOrder } from '../../../core/concurrency/in-order.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { GuardedChild, exitText } from '../../../process/guarded-child.ts';
import { proverEnvironment } from '../../../process/rights/child-environment.ts';
import { type Limits, type StopReason, underLimits } from '../../../process/interrupt-ladder.ts';
import { type Frame, FrameReader, encodeCommand } from './frames.ts';
import { Marks } from './prelude.ts';
import { type HolReply, readReply } from './reply.ts';

export interface HolProgram {
  readonly executable: string;
  /** Put before Quod's own arguments; `--bare` for instance. */
  readonly extraArguments?: readonly string[];
}

export interface HolStart extends HolProgram {
  /** Where it runs: theories and libraries of that folder are found. */
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly memoryLimit?: number;
  /** A saved heap to go on from, which holds Quod's prelude already. */
  readonly heap?: string;
  readonly signal?: AbortSignal;
  /** The secret of the marks; for recordings, which must be the same each time. */
  readonly secret?: string;
}

export interface HolAnswer {
  readonly status: 'answered';
  readonly reply: HolReply;
  /** What Quod's own functions told. */
  readonly values: readonly unknown[];
  readonly reached: boolean;
  /** Why the command was interrupted, if it was; its reply may look like any other. */
  readonly stopped: StopReason | undefined;
  readonly droppedBytes: number;
  readonly elapsedMs: number;
}

export interface HolLost {
  readonly status: 'lost';
  readonly reason: ReasonCode;
  readonly message: string;
  readonly stopped: StopReason | undefined;
}

interface Running {
  readonly number: number;
  readonly frames: Frame[];
  readonly settle: (frames: readonly Frame[] | undefined) => void;
}

export class HolProcess {
  readonly banner: string;
  readonly #child: GuardedChild;
  readonly #marks: Marks;
  readonly #reader: FrameReader;
  #running: Running | undefined;
  #number = 0;
  #isStopAsked = false;
  #markTimer: NodeJS.Timeout | undefined;
  readonly #commands = new InOrder();

  /** @throws QuodError `prover-missing`, `prover-crashed`, `interrupted`. */
  static async start(options: HolStart): Promise<HolProcess> {
    const programArguments = [
      ...(options.extraArguments ?? []),
      '--zero',
      '--noconfig',
      ...(options.heap === undefined ? [] : [`--holstate=${options.heap}`]),
    ];
    const child = await GuardedChild.start(options.executable, programArguments, {
      ...(options.folder !== undefined && { folder: options.folder }),
      ...(options.memoryLimit !== undefined && { memoryLimit: options.memoryLimit }),
      environment: holEnvironment(options.environment),
    });
    const cancel = (): void => void child.kill();
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      if (options.signal?.aborted === true) cancel();
      const reader = new FrameReader();
      const banner = await firstFrame(child, reader);
      const marks = new Marks(options.secret ?? randomBytes(12).toString('hex'));
      const process = new HolProcess(child, reader, marks, banner);
      const prepared = await process.execute(marks.prelude, { signal: options.signal });
      if (prepared.status === 'lost') throw new QuodError(prepared.reason, prepared.message);
      if (prepared.stopped !== undefined || !prepared.reached) {
        await process.kill();
        if (options.signal?.aborted === true)
          throw new QuodError('interrupted', 'The opening was cancelled.');
        throw new QuodError(
          'prover-crashed',
          `HOL does not take Quod's functions: ${shorten(prepared.reply)}`,
          {
            remedy: 'Quod needs HOL4 of 2025 or later (Trindemossen 2), with bossLib.',
          },
        );
      }
      return process;
    } catch (error) {
      await child.kill();
      if (options.signal?.aborted === true) throw new QuodError('interrupted', 'The opening was cancelled.');
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  private constructor(child: GuardedChild, reader: FrameReader, marks: Marks, banner: string) {
    this.#child = child;
    this.#reader = reader;
    this.#marks = marks;
    this.banner = banner;
    child.output.removeAllListeners('data');
    child.output.on('data', (bytes: Buffer) => {
      for (const frame of this.#reader.push(bytes)) this.#take(frame);
    });
    void child.exited.then(() => this.#running?.settle(undefined));
  }

  get pid(): number {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#child.ended;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** @throws QuodError `invalid-input` for a text with a null character. */
  execute(text: string, limits: Limits = {}): Promise<HolAnswer | HolLost> {
    if (text.includes('\0')) {
      throw new QuodError('invalid-input', 'The command has a null character in it, which would end it.', {
        remedy: 'Write "\\000" in an ML string.',
      });
    }
    return this.#commands.run(() => this.#execute(text, limits));
  }

  /** Stops the running command for whoever waits for it: its answer then says that it was stopped. */
  stop(): void {
    if (this.#running === undefined) return;
    this.#isStopAsked = true;
    this.interrupt();
  }

  /** Asks the running command to stop. An idle HOL is left alone. */
  interrupt(): void {
    if (this.#running === undefined) return;
    this.#child.interrupt();
    this.#markAgain(RESYNCHRONISE_MS);
  }

  async kill(): Promise<void> {
    await this.#child.kill();
  }

  async #execute(text: string, limits: Limits): Promise<HolAnswer | HolLost> {
    const started = performance.now();
    this.#isStopAsked = false;
    const bounded = await underLimits(this.#target, limits, () => this.#exchange(text));
    const elapsedMs = performance.now() - started;
    const { answer } = bounded;
    const stopped = bounded.stopped ?? (this.#wasStopAsked() ? 'interrupted' : undefined);
    if (answer === undefined || (stopped !== undefined && !(await this.#settle())))
      return await this.#lost(stopped);
    const told = this.#marks.read(answer.frames.map((frame) => frame.text).join('\0'), answer.number);
    return {
      status: 'answered',
      reply: readReply(told.text, told.reached),
      values: told.values,
      reached: told.reached,
      stopped,
      droppedBytes: answer.frames.reduce((sum, frame) => sum + frame.droppedBytes, 0),
      elapsedMs,
    };
  }

  /** A method, since the compiler cannot know that `stop` sets the field while a command runs. */
  #wasStopAsked(): boolean {
    return this.#isStopAsked;
  }

  get #target(): { interrupt: () => void; kill: () => Promise<void> } {
    return { interrupt: () => this.interrupt(), kill: () => this.kill() };
  }

  /** The frames of a command; undefined when the process ended. */
  async #exchange(
    text: string,
  ): Promise<{ readonly number: number; readonly frames: readonly Frame[] } | undefined> {
    if (this.#child.ended) return undefined;
    this.#number += 1;
    const number = this.#number;
    const frames = await new Promise<readonly Frame[] | undefined>((resolve) => {
      this.#running = { number, frames: [], settle: resolve };
      this.#write(`${text}\n${this.#marks.reached(number)}`);
      this.#write(this.#marks.finished(number));
    });
    this.#running = undefined;
    return frames && { number, frames };
  }

  /** After an interrupt the signal may still be on its way, and would hit the next command: empty ones take it. */
  async #settle(): Promise<boolean> {
    const settled = await underLimits(this.#target, { timeoutMs: SETTLE_MS }, async () => {
      for (let quiet = 0; quiet < 2;) {
        await delay(SETTLE_PAUSE_MS);
        const answer = await this.#exchange('');
        if (answer === undefined) return false;
        const text = answer.frames.map((frame) => frame.text).join('');
        quiet = this.#marks.read(text, answer.number).reached ? quiet + 1 : 0;
      }
      return true;
    });
    return settled.answer;
  }

  async #lost(stopped: StopReason | undefined): Promise<HolLost> {
    const exit = await this.#child.exited;
    const { errorOutput, memoryExceeded } = exit;
    const lost = (reason: ReasonCode, message: string): HolLost => ({
      ...{ status: 'lost', reason, message, stopped },
    });
    if (memoryExceeded) return lost('memory-exceeded', 'HOL used more memory than it was given.');
    if (stopped !== undefined) return lost(stopped, 'HOL did not obey the interrupt and was killed.');
    const how = exitText(exit);
    const why = errorOutput.trim().split('\n').at(-1);
    return lost('prover-crashed', `HOL ${how}${why ? `: ${why}` : '.'}`);
  }

  #take(frame: Frame): void {
    const running = this.#running;
    if (running === undefined) return;
    if (this.#marks.isFinished(frame.text, running.number)) {
      running.settle(running.frames);
      return;
    }
    // No mark follows the frame at once when a signal hit HOL while it read the mark.
    this.#markAgain(LATE_MARK_MS);
    // An idle HOL answers a signal with an empty frame; a mark of an older command was sent twice.
    if (frame.text === '' || this.#marks.isOnlyFinished(frame.text)) return;
    running.frames.push(frame);
    // A command that prints null bytes for ever must not fill the memory.
    if (running.frames.length > MOST_FRAMES) running.frames.splice(MOST_FRAMES / 2, 1);
  }

  /** Sends the last mark of the running command once more, unless the command is over by then. */
  #markAgain(afterMs: number): void {
    const number = this.#running?.number;
    clearTimeout(this.#markTimer);
    this.#markTimer = setTimeout(() => {
      if (number !== undefined && this.#running?.number === number) this.#write(this.#marks.finished(number));
    }, afterMs);
    this.#markTimer.unref();
  }

  #write(text: string): void {
    this.#child.input.write(encodeCommand(text));
  }
}

const RESYNCHRONISE_MS = 150;
const LATE_MARK_MS = 500;
const SETTLE_MS = 3000;
const SETTLE_PAUSE_MS = 5;
const MOST_FRAMES = 2000;

/** Colours would be part of the terms; a user's own start-up files and options would make sessions differ. */
function holEnvironment(environment: NodeJS.ProcessEnv | undefined): NodeJS.ProcessEnv {
  return { ...proverEnvironment(environment), TERM: 'dumb' };
}

async function firstFrame(child: GuardedChild, reader: FrameReader): Promise<string> {
  const frame = await new Promise<Frame | undefined>((resolve) => {
    child.output.on('data', (bytes: Buffer) => {
      const [first] = reader.push(bytes);
      if (first !== undefined) resolve(first);
    });
    void child.exited.then(() => resolve(undefined));
  });
  if (frame !== undefined) return frame.text;
  const exit = await child.exited;
  throw new QuodError(
    'prover-crashed',
    `HOL ${exitText(exit)} before it greeted: ${exit.errorOutput.trim()}`,
    {
      remedy: 'Try `hol --zero` by hand; Quod needs HOL4 of 2025 or later.',
    },
  );
}

function shorten({ output }: HolReply): string {
  return output.trim().slice(-500);
}
