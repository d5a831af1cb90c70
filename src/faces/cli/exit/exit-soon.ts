/** Ends a process in which everything was closed, also when a handle that somebody forgot would keep it alive. */
const LAST_RESORT_MS = 2000;

export function exitSoon(): void {
  setTimeout(() => process.exit(), LAST_RESORT_MS).unref();
}
