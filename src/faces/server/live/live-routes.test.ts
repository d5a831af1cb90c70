/** The stream of live events: what a reader is told who comes while something happens. */
import { expect, onTestFinished, test } from 'vitest';
import { openHost } from '../../host.ts';
import { LiveFeed, type Following } from './live-feed.ts';
import { liveRoutes } from './live-routes.ts';

/** Something happens right after a reader was told what is kept. */
class BusyFeed extends LiveFeed {
  override after(last: string | undefined): Following {
    const following = super.after(last);
    queueMicrotask(() => this.publish({ kind: 'file', path: 'b.v', change: 'written' }));
    return following;
  }
}

test.each([
  ['begins', undefined],
  ['missed something', 'abc-7'],
])('a reader who %s misses nothing of what happens while that is told', async (_, last) => {
  const host = await openHost({ folder: process.cwd(), confined: true, operations: [] });
  onTestFinished(() => host.services.close());
  const headers = last === undefined ? {} : { 'last-event-id': last };
  const stop = new AbortController();
  const response = await liveRoutes(host, new BusyFeed()).request('/api/live', {
    headers,
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('b.v')) {
    const read = await reader?.read();
    if (read?.value === undefined) break;
    text += read.value;
  }
  expect(text).toMatch(/^event: (?:begin|renew)\n.*\nevent: file\ndata: .*b\.v/su);
  stop.abort();
  await reader?.cancel();
});
