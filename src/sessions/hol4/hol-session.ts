/** Sessions of HOL4: the session engine over the driver of a HOL process, with a folder for its heaps. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { DriverSource } from '../../core/driver.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { HolDriver, type HolStep } from '../../provers/hol4/session/driver.ts';
import type { HolPlace } from '../../provers/hol4/session/place.ts';
import { HolProcess, type HolStart } from '../../provers/hol4/session/process.ts';
import { identityOfHol } from '../../provers/hol4/session/version.ts';
import { ReplayedSession } from '../replayed-session.ts';

export interface HolSessionStart extends Omit<HolStart, 'heap'> {
  /** Milliseconds of declarations after which the heap is saved. Default a second; infinite for recordings. */
  readonly checkpointMs?: number;
}

export type HolSession = ReplayedSession<HolStep, HolPlace, HolDriver>;

/** @throws QuodError as {@link HolProcess.start} does. */
export async function openHolSession(options: HolSessionStart): Promise<HolSession> {
  const { checkpointMs, signal, ...start } = options;
  const source = new HolSource({ ...start, secret: options.secret ?? randomUUID().replaceAll('-', '') });
  const identity = ({ banner }: HolDriver) => identityOfHol(options.executable, banner);
  const tuning = checkpointMs === undefined ? {} : { checkpointMs };
  return await ReplayedSession.open(identity, source, signal, tuning);
}

class HolSource implements DriverSource<HolStep, HolPlace, HolDriver> {
  readonly #start: HolStart;
  #folder: string | undefined;
  #heaps = 0;

  constructor(start: HolStart) {
    this.#start = start;
  }

  async start({
    signal,
    saved,
  }: {
    readonly signal?: AbortSignal;
    readonly saved?: string;
  }): Promise<HolDriver> {
    const process = await HolProcess.start({
      ...this.#start,
      ...(signal !== undefined && { signal }),
      ...(saved !== undefined && { heap: saved }),
    });
    return new HolDriver(process, () => this.#heapFile());
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #heapFile(): string {
    this.#folder ??= makeScratchFolder('hol4');
    this.#heaps += 1;
    return join(this.#folder, `${this.#heaps}.heap`);
  }
}
