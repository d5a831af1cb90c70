/**
 * A HOL session that people and models type into. It remembers what was executed, so that a HOL that died is started again
 * and told everything once more; what it cannot tell again it says.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import type { HolInstallation } from '../../provers/hol4/discovery.ts';
import { type HolAnswer, type HolLost, HolProcess } from '../../provers/hol4/session/process.ts';
import { mlString } from '../../provers/hol4/session/step-code.ts';
import { type ManagedProof, readManagedProof } from '../../provers/hol4/session/values.ts';
import type { Limits } from '../../process/interrupt-ladder.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';

export interface WorkbenchOptions {
  readonly installation: HolInstallation;
  readonly folder: string;
  readonly memoryLimit?: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly extraArguments?: readonly string[];
}

/** What became of the session when HOL was lost. */
export interface Recovery {
  readonly why: string;
  /** Commands executed again. */
  readonly replayed: number;
  /** The first command that could not be executed again; those after it were not tried. */
  readonly failedAt: string | undefined;
}

export type WorkbenchAnswer =
  (HolAnswer & { readonly recovery: undefined }) | (HolLost & { readonly recovery: Recovery });

interface Told {
  readonly text: string;
  readonly elapsedMs: number;
}

/** Each heap holds only what came after the one before it, and stands on it: none is dropped alone. */
interface Checkpoint {
  /** How many commands the heap holds. */
  readonly told: number;
  readonly heap: string;
}

const REPLAY_LEAST_MS = 60_000;
const REPLAY_SLOWNESS = 20;
const ASK_LIMIT_MS = 30_000;
/** Milliseconds of commands after which the heap is saved. */
const CHECKPOINT_MS = 1000;

export class HolWorkbench {
  readonly folder: string;
  readonly startedAt = new Date();
  readonly #options: WorkbenchOptions;
  #process: HolProcess;
  #told: Told[] = [];
  #checkpoints: Checkpoint[] = [];
  #heapFolder: string | undefined;
  #unsavedMs = 0;
  #generation = 1;
  #closed = false;

  /** @throws QuodError as {@link HolProcess.start} does. */
  static async start(options: WorkbenchOptions): Promise<HolWorkbench> {
    return new HolWorkbench(options, await startProcess(options));
  }

  private constructor(options: WorkbenchOptions, process: HolProcess) {
    this.#options = options;
    this.folder = options.folder;
    this.#process = process;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get banner(): string {
    return this.#process.banner;
  }

  get generation(): number {
    return this.#generation;
  }

  get busy(): boolean {
    return this.#process.busy;
  }

  /** Commands that would be executed again. */
  get told(): number {
    return this.#told.length;
  }

  /** Executes a command; remembers it when it may have changed something. */
  async send(text: string, limits: Limits = {}): Promise<WorkbenchAnswer> {
    const answer = await this.#process.execute(text, limits);
    if (answer.status === 'lost') return { ...answer, recovery: await this.#recover(answer.message) };
    const { reply, stopped } = answer;
    // What failed or was stopped may have declared something first; telling it again would fail in the same way.
    if (reply.status === 'ok' && stopped === undefined) this.#remember(text, answer.elapsedMs);
    return { ...answer, recovery: undefined };
  }

  /** Asks one of Quod's functions; nothing is remembered. @throws QuodError when HOL cannot answer. */
  async ask(code: string, limits: Limits = {}): Promise<unknown> {
    const answer = await this.#process.execute(`val () = ${code}`, { timeoutMs: ASK_LIMIT_MS, ...limits });
    if (answer.status === 'lost') {
      const { failedAt } = await this.#recover(answer.message);
      const then = failedAt === undefined ? 'It was started again.' : 'It could not be brought back.';
      throw new QuodError(answer.reason, `${answer.message} ${then}`);
    }
    if (answer.stopped !== undefined) throw new QuodError(answer.stopped, 'HOL did not answer in time.');
    if (answer.reply.status === 'ok') return answer.values[0];
    const { error, output } = answer.reply;
    throw new QuodError('invalid-input', error === undefined ? output.slice(-500) : saidBy(error));
  }

  /** Executes code that belongs to no history: trying tactics, loading what can be loaded again. */
  async run(code: string, limits: Limits = {}): Promise<HolAnswer> {
    const answer = await this.#process.execute(code, limits);
    if (answer.status === 'answered') return answer;
    const { failedAt } = await this.#recover(answer.message);
    const then = failedAt === undefined ? 'It was started again.' : 'It could not be brought back.';
    throw new QuodError(answer.reason, `${answer.message} ${then}`);
  }

  async proof(limits: Limits = {}): Promise<ManagedProof> {
    const proof = readManagedProof(await this.ask('Quod_Port.tell (Quod_Port.manager ())', limits));
    if (proof === undefined)
      throw new QuodError('protocol-error', 'HOL does not tell the state of its proof.');
    return proof;
  }

  /** Asks what runs to stop; false when nothing runs. */
  interrupt(): boolean {
    const { busy } = this.#process;
    this.#process.interrupt();
    return busy;
  }

  /** Starts afresh, with nothing executed. */
  async reset(signal?: AbortSignal): Promise<void> {
    await this.#process.kill();
    this.#told = [];
    await this.#dropCheckpoints();
    this.#process = await startProcess({ ...this.#options, ...(signal !== undefined && { signal }) });
    this.#generation += 1;
  }

  /** Saves the heap when much was executed since the last time, so that a restart is quick. */
  async checkpoint(): Promise<void> {
    if (this.#unsavedMs < CHECKPOINT_MS) return;
    this.#unsavedMs = 0;
    this.#heapFolder ??= makeScratchFolder('hol4');
    const heap = join(this.#heapFolder, `${this.#told.length}.heap`);
    const answer = await this.#process.execute(
      `val () = PolyML.SaveState.saveChild (${mlString(heap)}, length (PolyML.SaveState.showHierarchy ()))`,
      { timeoutMs: REPLAY_LEAST_MS },
    );
    if (answer.status === 'lost' || answer.reply.status !== 'ok') return;
    this.#checkpoints.push({ told: this.#told.length, heap });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#process.kill();
    await this.#dropCheckpoints();
    if (this.#heapFolder !== undefined) await rm(this.#heapFolder, { recursive: true, force: true });
  }

  #remember(text: string, elapsedMs: number): void {
    this.#told.push({ text, elapsedMs });
    this.#unsavedMs += elapsedMs;
  }

  async #recover(why: string): Promise<Recovery> {
    if (this.#closed) return { why: 'The session was closed.', replayed: 0, failedAt: undefined };
    const saved = this.#checkpoints.at(-1);
    this.#process = await startProcess({ ...this.#options, heap: saved?.heap });
    this.#generation += 1;
    const start = saved?.told ?? 0;
    for (const [index, { text, elapsedMs }] of this.#told.slice(start).entries()) {
      const timeoutMs = Math.max(REPLAY_LEAST_MS, elapsedMs * REPLAY_SLOWNESS);
      const answer = await this.#process.execute(text, { timeoutMs });
      if (answer.status === 'answered' && answer.reply.status === 'ok') continue;
      this.#told.length = start + index;
      if (answer.status === 'lost')
        this.#process = await startProcess({ ...this.#options, heap: saved?.heap });
      return { why, replayed: index, failedAt: text };
    }
    return { why, replayed: this.#told.length - start, failedAt: undefined };
  }

  async #dropCheckpoints(): Promise<void> {
    for (const { heap } of this.#checkpoints.splice(0)) await rm(heap, { force: true });
    this.#unsavedMs = 0;
  }
}

export function saidBy(error: { readonly origin: string; readonly message: string }): string {
  return error.origin === '' ? error.message : `${error.origin}: ${error.message}`.replace(/: $/, '');
}

async function startProcess(
  options: WorkbenchOptions & { readonly heap?: string | undefined },
): Promise<HolProcess> {
  const { installation, folder, memoryLimit, environment, signal, heap, extraArguments } = options;
  return await HolProcess.start({
    executable: installation.hol,
    folder,
    ...(extraArguments !== undefined && { extraArguments }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(environment !== undefined && { environment }),
    ...(signal !== undefined && { signal }),
    ...(heap !== undefined && { heap }),
  });
}
