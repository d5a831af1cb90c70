/** Sessions of HOL4 whose states are those of a script: the session engine over {@link HolDriver}. */
import { randomUUID } from 'node:crypto';
import { HolDriver, type HolStep } from '../../provers/hol4/session/driver.ts';
import type { HolPlace } from '../../provers/hol4/session/place.ts';
import type { HolStart } from '../../provers/hol4/session/process.ts';
import { identityOfHol } from '../../provers/hol4/session/version.ts';
import { ReplayedSession } from '../replayed-session.ts';
import { HolSource } from './hol-source.ts';

export interface HolSessionStart extends Omit<HolStart, 'heap'> {
  /** Milliseconds of declarations after which the heap is saved. Default a second; infinite for recordings. */
  readonly checkpointMs?: number;
}

export type HolSession = ReplayedSession<HolStep, HolPlace, HolDriver>;

/** @throws QuodError as {@link HolProcess.start} does. */
export async function openHolSession(options: HolSessionStart): Promise<HolSession> {
  const { checkpointMs, signal, ...program } = options;
  const start = { ...program, secret: program.secret ?? randomUUID().replaceAll('-', '') };
  const source = new HolSource<HolStep, HolPlace, HolDriver>(
    start,
    (process, heapFile) => new HolDriver(process, heapFile),
  );
  const identity = ({ banner }: HolDriver) => identityOfHol(program.executable, banner);
  const tuning = checkpointMs === undefined ? {} : { checkpointMs };
  return await ReplayedSession.open(identity, source, signal, tuning);
}
