/**
 * The server's clock, by which jobs begin: that of the browser's machine may be set otherwise, also while the page is
 * open. What has passed since the server last said its time is told by a clock that nobody sets.
 */
let ahead: number | undefined;
/** What it was when the server was there last; undefined while it is. */
let held: number | undefined;

/** The server says its time with every answer, in seconds. */
export function noteServerTime(headers: Headers): void {
  const date = headers.get('date');
  if (date === null) return;
  const said = Date.parse(date);
  if (Number.isNaN(said)) return;
  ahead = said - performance.now();
  held = undefined;
}

/** The server is away: whether anything of its goes on nobody knows, and nothing counts on before it says its time again. */
export function holdServerTime(): void {
  held ??= serverNow();
}

/** Milliseconds since 1970, as the server counts them. */
export function serverNow(): number {
  if (held !== undefined) return held;
  return ahead === undefined ? Date.now() : ahead + performance.now();
}
