/**
 * Notices when a process and its descendants hold more memory than they were given. Between two looks a process can
 * overshoot its limit.
 */
import { residentBytes } from './process-table.ts';

const LOOK_EVERY_MS = 250;

/** Calls `onExceeded` once, the first time that the limit is passed. Returns how to stop watching. */
export function watchMemory(
  pid: number,
  limitBytes: number,
  onExceeded: (residentBytes: number) => void,
): () => void {
  const timer = setInterval(() => {
    const held = residentBytes(pid);
    if (held <= limitBytes) return;
    clearInterval(timer);
    onExceeded(held);
  }, LOOK_EVERY_MS);
  // Unreferenced: watching alone must not keep Quod running.
  timer.unref();
  return () => clearInterval(timer);
}
