/**
 * A HOL session that people and models type into: a session of the engine whose steps are lines. A HOL that died is
 * started again and told every line once more; what it does not take again is dropped, and said.
 */
import { QuodError } from '../../core/errors.ts';
import type { Limits } from '../../process/interrupt-ladder.ts';
import type { HolInstallation } from '../../provers/hol4/discovery.ts';
import { type HolLine, HolLineDriver } from '../../provers/hol4/session/line-driver.ts';
import type { HolAnswer, HolLost } from '../../provers/hol4/session/process.ts';
import { type ManagedProof, readManagedProof } from '../../provers/hol4/session/values.ts';
import { identityOfHol } from '../../provers/hol4/session/version.ts';
import type { StateId } from '../../core/prover.ts';
import { ReplayedSession } from '../replayed-session.ts';
import type { ReplayFailure } from '../way-to-state.ts';
import { HolSource } from './hol-source.ts';

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

interface Console {
  readonly session: ReplayedSession<HolLine, number, HolLineDriver>;
  readonly source: HolSource<HolLine, number, HolLineDriver>;
}

interface Answered {
  readonly text: string;
  /** The state behind it. */
  readonly state: StateId;
}

const ASK_LIMIT_MS = 30_000;

export class HolWorkbench {
  readonly folder: string;
  readonly startedAt = new Date();
  readonly #options: WorkbenchOptions;
  #console: Console;
  #told: Answered[] = [];
  /** Of the sessions before a reset. */
  #earlierGenerations = 0;

  /** @throws QuodError as {@link HolProcess.start} does. */
  static async start(options: WorkbenchOptions): Promise<HolWorkbench> {
    return new HolWorkbench(options, await openConsole(options));
  }

  private constructor(options: WorkbenchOptions, console: Console) {
    this.#options = options;
    this.folder = options.folder;
    this.#console = console;
  }

  get pid(): number {
    return this.#driver.pid;
  }

  get banner(): string {
    return this.#driver.banner;
  }

  get generation(): number {
    return this.#earlierGenerations + this.#console.session.generation;
  }

  get busy(): boolean {
    return this.#driver.busy;
  }

  /** Commands that would be executed again. */
  get told(): number {
    return this.#told.length;
  }

  /** Executes a command; remembers it when it may have changed something. */
  async send(text: string, limits: Limits = {}): Promise<WorkbenchAnswer> {
    let heard: HolAnswer | undefined;
    const line = { text, onAnswer: (answer: HolAnswer) => (heard = answer) };
    const result = await this.#console.session.run(this.#tip, line, given(limits));
    if (result.status === 'done') this.#told.push({ text, state: result.state });
    if (result.status !== 'unknown') return { ...answered(heard), recovery: undefined };
    const stopped = stopOf(result);
    if (heard !== undefined) return { ...heard, stopped, recovery: undefined };
    const { reason, message } = result;
    return { status: 'lost', reason, message, stopped, recovery: await this.#recover(message) };
  }

  /** Asks one of Quod's functions; nothing is remembered. @throws QuodError when HOL cannot answer. */
  async ask(code: string, limits: Limits = {}): Promise<unknown> {
    const answer = await this.run(`val () = ${code}`, { timeoutMs: ASK_LIMIT_MS, ...limits });
    if (answer.stopped !== undefined) throw new QuodError(answer.stopped, 'HOL did not answer in time.');
    if (answer.reply.status === 'ok') return answer.values[0];
    const { error, output } = answer.reply;
    throw new QuodError('invalid-input', error === undefined ? output.slice(-500) : saidBy(error));
  }

  /** Executes code that belongs to no history: trying tactics, loading what can be loaded again. */
  async run(code: string, limits: Limits = {}): Promise<HolAnswer> {
    const { answer, stopped } = await this.#console.session.at(this.#tip, given(limits), (driver) =>
      driver.tell(code),
    );
    if (answer.status === 'answered') return { ...answer, stopped };
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
    const { busy } = this.#driver;
    this.#driver.interruptLine();
    return busy;
  }

  /** Starts afresh, with nothing executed. */
  async reset(signal?: AbortSignal): Promise<void> {
    await this.#console.session.close();
    this.#earlierGenerations = this.generation;
    this.#told = [];
    this.#console = await openConsole({ ...this.#options, ...(signal !== undefined && { signal }) });
  }

  async close(): Promise<void> {
    await this.#console.session.close();
  }

  get #driver(): HolLineDriver {
    const { latest } = this.#console.source;
    if (latest === undefined) throw new QuodError('internal', 'A HOL session has no HOL.');
    return latest;
  }

  get #tip(): StateId {
    return this.#told.at(-1)?.state ?? this.#console.session.root;
  }

  /** Brings HOL back with every line that it takes again. @throws QuodError when HOL does not start. */
  async #recover(why: string): Promise<Recovery> {
    let failedAt: string | undefined;
    for (;;) {
      const { answer } = await this.#console.session.at(this.#tip, {}, () =>
        Promise.resolve({ status: 'back' } as const),
      );
      if (answer.status === 'back') return { why, replayed: this.#driver.repeated, failedAt };
      const stuck = this.#told.findIndex(({ state }) => state === answer.stuckAt);
      if (stuck < 0) throw new QuodError(answer.reason, answer.message);
      failedAt = this.#told[stuck]?.text;
      this.#told.length = stuck;
    }
  }
}

export function saidBy(error: { readonly origin: string; readonly message: string }): string {
  return error.origin === '' ? error.message : `${error.origin}: ${error.message}`.replace(/: $/, '');
}

function answered(heard: HolAnswer | undefined): HolAnswer {
  if (heard === undefined) throw new QuodError('internal', 'HOL answered and nobody heard it.');
  return heard;
}

function stopOf({ reason }: ReplayFailure): 'timeout' | 'interrupted' | undefined {
  return reason === 'timeout' || reason === 'interrupted' ? reason : undefined;
}

function given({ timeoutMs, signal }: Limits): { timeoutMs?: number; signal?: AbortSignal } {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal !== undefined && { signal }) };
}

async function openConsole(options: WorkbenchOptions): Promise<Console> {
  const { installation, folder, memoryLimit, environment, signal, extraArguments } = options;
  const start = {
    executable: installation.hol,
    folder,
    ...(extraArguments !== undefined && { extraArguments }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(environment !== undefined && { environment }),
  };
  const source = new HolSource<HolLine, number, HolLineDriver>(
    start,
    (process, heapFile) => new HolLineDriver(process, heapFile),
  );
  const identity = ({ banner }: HolLineDriver) => identityOfHol(installation.hol, banner);
  // Nobody knows whether a line that HOL died of may be executed twice.
  const session = await ReplayedSession.open<HolLine, number, HolLineDriver>(identity, source, signal, {
    once: true,
  });
  return { session, source };
}
