/**
 * One running jsCoq: the thread, the requests to it and their replies, its interrupt vector and its memory.
 * Requests are made one at a time and never reject: a thread that is gone answers `lost`, for the reason that made
 * it go.
 */
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { QuodError, errorText } from '../../../core/errors.ts';
import type { Lost } from '../../../core/driver.ts';
import type { JscoqInstallation } from './installation.ts';
import { WorkMeter } from './work-meter.ts';
import type { ThreadMessage, ThreadOptions, ThreadReply, ThreadRequest } from './thread-protocol.ts';

const PAGE = 65_536;
/** What a thread uses besides Coq's memory: measured 60 to 90 MB with V8's heap, code and the bytecode image. */
const THREAD_BYTES = 80_000_000;
const MEMORY_CHECK_MS = 50;
/** How often it is asked what processor time the thread used: what ends sooner is never asked. */
const PROCESSOR_CHECK_MS = 200;
/** Coq that is going to react to an interrupt polls many times in this time, of the processor where Node tells it. */
const DEAF_MS = 400;
/** C functions of the OCaml runtime recurse over deep terms. */
const STACK_MB = 64;
/** Time that a start may take on a busy machine. */
const START_MS = 120_000;

/** WebAssembly compiled once per process and installation. */
const compiled = new Map<string, ReadonlyMap<string, object>>();

export class CoqThread {
  readonly fingerprint: string;
  readonly #worker: Worker;
  readonly #shared: Int32Array<SharedArrayBuffer>;
  readonly #memoryLimit: number;
  #lost: Lost | undefined;
  #pending: { readonly id: number; readonly resolve: (reply: ThreadReply | Lost) => void } | undefined;
  #requests = 0;
  #interrupts = 0;
  readonly #meter = new WorkMeter();

  private constructor(
    worker: Worker,
    shared: Int32Array<SharedArrayBuffer>,
    fingerprint: string,
    memoryLimit: number,
  ) {
    this.#worker = worker;
    this.#shared = shared;
    this.#memoryLimit = memoryLimit;
    this.fingerprint = fingerprint;
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'reply' && this.#pending?.id === message.to) this.#settle(message.reply);
    });
    worker.on('error', (error: unknown) => this.#lose(crash(error)));
    worker.on('exit', (code) => this.#lose(crash(`its thread ended with exit code ${code}`)));
    worker.unref();
  }

  /** @throws QuodError `prover-crashed` when jsCoq does not start, `interrupted` when `signal` says so. */
  static async start(
    installation: JscoqInstallation,
    options: { readonly signal?: AbortSignal; readonly memoryLimit?: number } = {},
  ): Promise<CoqThread> {
    const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadOptions = {
      root: installation.root,
      script: installation.script,
      shared,
      modules: compiled.get(installation.root) ?? new Map(),
    };
    const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
      workerData,
      // What the program prints must not reach Quod's own output.
      stdout: true,
      stderr: true,
      // Flags of the process (`--eval`, a debugger) are not for it.
      execArgv: [],
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    try {
      const { fingerprint, modules } = await started(worker, options.signal);
      compiled.set(installation.root, modules);
      return new CoqThread(worker, shared, fingerprint, options.memoryLimit ?? Infinity);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** Bytes that the thread uses, as of the last time that Coq looked up from its work. */
  get memoryInUse(): number {
    return THREAD_BYTES + Atomics.load(this.#shared, 1) * PAGE;
  }

  /** How often Coq has looked whether it was interrupted. */
  get #polls(): number {
    return Atomics.load(this.#shared, 2);
  }

  /** Milliseconds of a machine that has nothing else to do (see work-meter.ts). */
  get workDone(): number {
    return this.#meter.until(this.#polls);
  }

  async ask(request: ThreadRequest): Promise<ThreadReply | Lost> {
    const gone = this.#gone();
    if (gone) return gone;
    if (this.#pending) return { status: 'crashed', message: 'Two requests at a time.' };
    this.#requests += 1;
    const id = this.#requests;
    Atomics.store(this.#shared, 0, 0);
    this.#worker.ref();
    const watch =
      this.#memoryLimit < Infinity ? setInterval(() => this.#checkMemory(), MEMORY_CHECK_MS) : undefined;
    this.#meter.begin(this.#polls);
    const processorWatch = setInterval(() => void this.#readProcessor(id), PROCESSOR_CHECK_MS);
    try {
      const reply = await new Promise<ThreadReply | Lost>((resolve) => {
        this.#pending = { id, resolve };
        this.#worker.postMessage({ id, request });
      });
      if (reply.status !== 'lost') this.#checkMemory();
      return this.#gone() ?? reply;
    } finally {
      clearInterval(watch);
      clearInterval(processorWatch);
      this.#meter.end(this.#polls);
      this.#worker.unref();
    }
  }

  /** Coq polls the vector for a number larger than the last that it saw. */
  interrupt(): void {
    if (!this.#pending) return;
    this.#interrupts += 1;
    Atomics.store(this.#shared, 0, this.#interrupts);
    void this.#endUnlessListening(this.#pending.id);
  }

  /**
   * There are loops in which Coq never polls; waiting for those is waiting for ever. On a busy machine a thread that
   * did not poll may have had no turn.
   */
  async #endUnlessListening(request: number): Promise<void> {
    const polls = this.#polls;
    const before = await this.#processorMs();
    for (;;) {
      await sleep(DEAF_MS, undefined, { ref: false });
      const now = await this.#processorMs();
      if (this.#pending?.id !== request || this.#polls !== polls) return;
      if (before === undefined || now === undefined || now - before >= DEAF_MS) break;
    }
    await this.end({
      status: 'lost',
      reason: 'interrupted',
      message: 'Coq did not listen to an interrupt.',
    });
  }

  async end(reason: Lost): Promise<void> {
    this.#lose(reason);
    await this.#worker.terminate();
  }

  async #readProcessor(request: number): Promise<void> {
    const milliseconds = await this.#processorMs();
    if (milliseconds !== undefined && this.#pending?.id === request) this.#meter.told(milliseconds);
  }

  /** What the thread has used; Node tells it since 22.20 and 24.6, but not of a thread that has just ended. */
  async #processorMs(): Promise<number | undefined> {
    const worker: Partial<Pick<Worker, 'cpuUsage'>> = this.#worker;
    const usage = await worker.cpuUsage?.call(this.#worker).catch(() => undefined);
    return usage && (usage.user + usage.system) / 1000;
  }

  #checkMemory(): void {
    if (this.memoryInUse <= this.#memoryLimit) return;
    void this.end({
      status: 'lost',
      reason: 'memory-exceeded',
      message: `Coq used more than ${Math.round(this.#memoryLimit / 1e6)} MB.`,
    });
  }

  #gone(): Lost | undefined {
    return this.#lost;
  }

  #settle(reply: ThreadReply | Lost): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(reply);
  }

  #lose(reason: Lost): void {
    this.#lost ??= reason;
    this.#settle(this.#lost);
  }
}

function crash(cause: unknown): Lost {
  return {
    status: 'lost',
    reason: 'prover-crashed',
    message: `The embedded Rocq stopped: ${errorText(cause)}`,
  };
}

async function started(
  worker: Worker,
  signal: AbortSignal | undefined,
): Promise<Extract<ThreadMessage, { kind: 'booted' }>> {
  const settled = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const failed = (cause: unknown): void =>
        reject(
          new QuodError('prover-crashed', `The embedded Rocq did not start: ${errorText(cause)}`, {
            cause,
            remedy: 'Install jscoq again (npm install jscoq), or install Rocq itself.',
          }),
        );
      const aborted = (): void =>
        reject(new QuodError('interrupted', 'The start of the embedded Rocq was cancelled.'));
      const timer = setTimeout(() => failed('no answer'), START_MS);
      const onMessage = (message: ThreadMessage): void => {
        if (message.kind === 'booted') resolve(message);
      };
      const onExit = (code: number): void => failed(`exit code ${code}`);
      worker.on('message', onMessage).on('error', failed).on('exit', onExit);
      signal?.addEventListener('abort', aborted);
      if (signal?.aborted) aborted();
      settled.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        worker.off('message', onMessage).off('exit', onExit).off('error', failed);
      });
    });
  } finally {
    settled.abort();
  }
}
