/** Starts the HOL processes of one session, and keeps the folder for their heaps. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverSource, ProverDriver, SavedPlace } from '../../core/driver.ts';
import type { Sentence } from '../../core/prover.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { HolProcess, type HolStart } from '../../provers/hol4/session/process.ts';

export class HolSource<
  Step extends Sentence,
  Place,
  Driver extends ProverDriver<Step, Place>,
> implements DriverSource<Step, Place, Driver> {
  readonly #start: HolStart;
  readonly #driverOf: (process: HolProcess, heapFile: () => string) => Driver;
  #folder: string | undefined;
  #heaps = 0;
  #latest: Driver | undefined;

  constructor(start: HolStart, driverOf: (process: HolProcess, heapFile: () => string) => Driver) {
    this.#start = start;
    this.#driverOf = driverOf;
  }

  /** The driver that was started last. */
  get latest(): Driver | undefined {
    return this.#latest;
  }

  async start({
    signal,
    saved,
  }: {
    readonly signal?: AbortSignal;
    readonly saved?: SavedPlace;
  }): Promise<Driver> {
    const process = await HolProcess.start({
      ...this.#start,
      ...(signal !== undefined && { signal }),
      ...(saved !== undefined && { heap: saved }),
    });
    this.#latest = this.#driverOf(process, () => this.#heapFile());
    return this.#latest;
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
