/** The live part of the server, for pages that stay open: one stream of events that can be resumed, and the jobs. */
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { QuodError } from '../../../core/errors.ts';
import { UNNAMED_CLIENT, namedClient } from '../../access/client-name.ts';
import type { Host } from '../../host.ts';
import { jobChange, jobRequest } from '../../rest/live-paths.ts';
import { Jobs } from './jobs.ts';
import { sentInput } from './sent-input.ts';
import { sourceRoutes } from './source-routes.ts';
import type { BufferedEvent, LiveFeed } from './live-feed.ts';

/** Proxies and browsers give a silent stream up. */
const HEARTBEAT_MS = 10_000;

export function liveRoutes(host: Host, feed: LiveFeed): Hono {
  const jobs = new Jobs(host, feed);
  const routes = new Hono();
  routes.route('/', sourceRoutes(host));
  routes.get('/api/live', (context) =>
    streamSSE(context, async (stream) => {
      const last = context.req.header('last-event-id');
      const { missed, events } = feed.after(last);
      // Whoever begins learns where; whoever missed something asks anew. What happens while that is written is not missed.
      let sending: Promise<unknown> =
        last === undefined || missed
          ? stream.writeSSE({ id: feed.latest, event: missed ? 'renew' : 'begin', data: '{}' })
          : Promise.resolve();
      const send = ({ id, event }: BufferedEvent): void => {
        sending = sending
          .then(() => stream.writeSSE({ id, event: event.kind, data: JSON.stringify(event) }))
          .catch(() => undefined);
      };
      events.forEach(send);
      const stop = feed.listen(send);
      const heartbeat = setInterval(() => void stream.write(': still here\n\n'), HEARTBEAT_MS);
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
        if (host.calls.ending.aborted) resolve();
        else host.calls.ending.addEventListener('abort', () => resolve(), { once: true });
      });
      clearInterval(heartbeat);
      stop();
    }),
  );
  routes.get('/api/jobs', (context) => context.json(jobs.list()));
  routes.post('/api/jobs', async (context) => {
    const request = await sentInput(jobRequest, context.req);
    const operation = host.operations.find(({ name }) => name === request.operation);
    if (operation === undefined)
      throw new QuodError('not-found', `There is no operation ${request.operation}.`, {
        remedy: '/api/openapi.json lists everything.',
      });
    const client = namedClient(context.req.raw.headers) ?? UNNAMED_CLIENT;
    return context.json(jobs.start({ ...request, operation, client, workspace: host.workspace }), 202);
  });
  routes.delete('/api/jobs', ({ json }) => {
    jobs.forgetEnded();
    return json(jobs.list());
  });
  routes.get('/api/jobs/:id/outcome', ({ req, json }) =>
    json(jobs.outcome(req.param('id')) as object | null),
  );
  routes.get('/api/jobs/:id/details', ({ req, json }) =>
    json(jobs.details(req.param('id'), askedNumber('from', req.query('from')))),
  );
  routes.patch('/api/jobs/:id', async ({ req, json }) => {
    const { input } = await sentInput(jobChange, req);
    return json(jobs.change(req.param('id'), input));
  });
  routes.delete('/api/jobs/:id', ({ req, json }) => json(jobs.stop(req.param('id'))));
  return routes;
}

/** What an address asks for; it may leave it out. @throws QuodError `invalid-input`. */
function askedNumber(name: string, asked: string | undefined): number {
  if (asked === undefined) return 0;
  const number = Number(asked);
  if (/^\d+$/u.test(asked) && Number.isSafeInteger(number)) return number;
  throw new QuodError('invalid-input', `\`${name}\` is no number of what to begin with.`, {
    remedy: 'Ask with a whole number from 0 on.',
  });
}
