/**
 * The server's clock, by which jobs begin: that of the browser's machine may be set otherwise, also while the page is
 * open. What has passed since the server last said its time is told by a clock that nobody sets.
 */
let ahead: number | undefined;

/** The server says its time with every answer, in seconds. */
export function noteServerTime(headers: Headers): void {
  const date = headers.get('date');
  if (date === null) return;
  const said = Date.parse(date);
  if (!Number.isNaN(said)) ahead = said - performance.now();
}

/** Milliseconds since 1970, as the server counts them. */
export function serverNow(): number {
  return ahead === undefined ? Date.now() : ahead + performance.now();
}
