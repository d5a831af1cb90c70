/**
 * Notices when a process and its descendants hold more memory than they were given. One timer serves all that are
 * watched; between two looks a process can overshoot its limit.
 */
import { residentBytes } from './process-table.ts';

const LOOK_EVERY_MS = 250;

interface Watched {
  readonly pid: number;
  readonly limitBytes: number;
  readonly onExceeded: (residentBytes: number) => void;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** Calls `onExceeded` once, the first time that the limit is passed. Returns how to stop watching. */
export function watchMemory(
  pid: number,
  limitBytes: number,
  onExceeded: (residentBytes: number) => void,
): () => void {
  const entry: Watched = { pid, limitBytes, onExceeded };
  watched.add(entry);
  // Unreferenced: watching alone must not keep Quod running.
  timer ??= setInterval(look, LOOK_EVERY_MS).unref();
  return () => forget(entry);
}

function forget(entry: Watched): void {
  watched.delete(entry);
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function look(): void {
  for (const entry of [...watched]) {
    const held = residentBytes(entry.pid);
    if (held <= entry.limitBytes) continue;
    forget(entry);
    entry.onExceeded(held);
  }
}
