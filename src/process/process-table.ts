/**
 * What Linux tells about running processes through /proc. On a system without /proc every answer is empty, so callers
 * must not take "none" for a proof.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { entryAt, orNothing } from '../core/entry.ts';
import { appendAll } from '../core/lists/many.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** One letter: R running, S sleeping, T stopped, Z dead but not yet collected. */
  readonly state: string;
}

/** One line of /proc/PID/stat; the command in parentheses may itself contain blanks and parentheses. */
export function parseStat(line: string): ProcessEntry | undefined {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const pid = Number.parseInt(line.slice(0, open), 10);
  const [state, parent, group, session] = line.slice(close + 2).split(' ');
  if (state === undefined || session === undefined || !Number.isInteger(pid)) return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), state };
}

export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The numbers of all processes. */
export function processNumbers(): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Every process of a session (the kernel's word: what `setsid` starts), dead ones that nobody collected left out. */
export function processesOfSession(session: number): readonly ProcessEntry[] {
  return processNumbers()
    .map(readProcess)
    .filter((entry) => entry !== undefined)
    .filter((entry) => entry.session === session && entry.state !== 'Z');
}

/** Resident bytes of a process and all its descendants; zero when it is gone. */
export function residentBytes(pid: number): number {
  let total = 0;
  const pending = [pid];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    total += residentBytesOf(next);
    appendAll(pending, childrenOf(next));
  }
  return total;
}

/** The unit in which Linux tells processor time to programs, the same on all its machines. */
const TICK_MS = 10;

/** Processor time of a process, its threads together; undefined when it is gone or the system does not tell. */
export function processorMs(pid: number): number | undefined {
  const fields = statFields(pid);
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
}

/** Of the kernel's flags for a process: it takes it down, and no program runs in it any more. */
const ENDING = 0x4;

/** Whether a process has ended and the kernel is about to take it down; false when it is gone or the system does not tell. */
export function isEnding(pid: number): boolean {
  return (Number(statFields(pid)?.[6]) & ENDING) !== 0;
}

/** What /proc/PID/stat has behind the command, the state first; undefined when there is none. */
function statFields(pid: number): readonly string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** How many processes descend from this one. */
export function countDescendants(pid: number): number {
  return descendantsOf(pid).length;
}

/** The numbers of all processes that descend from this one, dead ones that nobody collected among them. */
export function descendantsOf(pid: number): readonly number[] {
  const pending = [...childrenOf(pid)];
  const found: number[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    found.push(next);
    appendAll(pending, childrenOf(next));
  }
  return found;
}

/** User and system time of a process and of its children that ended, in the system's ticks; zero when it is gone. */
export function processorTicks(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

const PAGE_BYTES = 4096;

function residentBytesOf(pid: number): number {
  try {
    return (
      Number(entryAt(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' '), 1, 'number of statm')) *
      PAGE_BYTES
    );
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((child) => child !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** When a process began, in the system's ticks since it started; empty when it is gone or the system does not tell. */
export function startOfProcess(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return orNothing(line.slice(line.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return '';
  }
}

/** The same for processes that see each other: since the machine was started, in one container. Empty where Linux does not tell. */
export function placeOfSeen(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** Sends a signal to a process, or to a group where the number is negative; what ended in the meantime is no error. */
export function signalQuietly(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It ended in the meantime, which is what was wanted.
  }
}

/** Whether a process with this number runs, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
