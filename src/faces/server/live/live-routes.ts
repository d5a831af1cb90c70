/** The live part of the server, for pages that stay open: one stream of events that can be resumed, and the jobs. */
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { QuodError } from '../../../core/errors.ts';
import { clause } from '../../../core/sentence.ts';
import { UNNAMED_CLIENT, namedClient } from '../../access/client-name.ts';
import type { Host } from '../../host.ts';
import { Jobs } from './jobs.ts';
import { sourceRoutes } from './source-routes.ts';
import type { BufferedEvent, LiveFeed } from './live-feed.ts';

const jobSchema = z.strictObject({
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  title: z.string().min(1).max(200),
});

const changeSchema = z.strictObject({ input: z.record(z.string(), z.unknown()) });

/** Proxies and browsers give a silent stream up. */
const HEARTBEAT_MS = 10_000;

export function liveRoutes(host: Host, feed: LiveFeed): Hono {
  const jobs = new Jobs(host, feed);
  const routes = new Hono();
  routes.route('/', sourceRoutes(host));
  routes.get('/api/live', (context) =>
    streamSSE(context, async (stream) => {
      let sending: Promise<unknown> = Promise.resolve();
      const send = ({ id, event }: BufferedEvent): void => {
        sending = sending
          .then(() => stream.writeSSE({ id, event: event.kind, data: JSON.stringify(event) }))
          .catch(() => undefined);
      };
      const last = context.req.header('last-event-id');
      const { missed, events } = feed.after(last);
      // Whoever begins learns where; whoever missed something asks anew.
      if (last === undefined || missed)
        await stream.writeSSE({ id: feed.latest, event: missed ? 'renew' : 'begin', data: '{}' });
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
    const request = jobSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success)
      throw new QuodError('invalid-input', `The job is not one: ${clause(z.prettifyError(request.error))}.`, {
        remedy: 'Send `operation`, `input` and `title`, as JSON.',
      });
    const operation = host.operations.find(({ name }) => name === request.data.operation);
    if (operation === undefined)
      throw new QuodError('not-found', `There is no operation ${request.data.operation}.`, {
        remedy: '/api/openapi.json lists everything.',
      });
    const client = namedClient(context.req.raw.headers) ?? UNNAMED_CLIENT;
    return context.json(jobs.start({ ...request.data, operation, client, workspace: host.workspace }), 202);
  });
  routes.delete('/api/jobs', ({ json }) => {
    jobs.forgetEnded();
    return json(jobs.list());
  });
  routes.get('/api/jobs/:id/outcome', ({ req, json }) =>
    json(jobs.outcome(req.param('id')) as object | null),
  );
  routes.get('/api/jobs/:id/details', ({ req, json }) =>
    json(jobs.details(req.param('id'), Number(req.query('from') ?? '0') || 0)),
  );
  routes.patch('/api/jobs/:id', async ({ req, json }) => {
    const change = changeSchema.safeParse(await req.json().catch(() => undefined));
    if (!change.success)
      throw new QuodError('invalid-input', `That changes no job: ${clause(z.prettifyError(change.error))}.`, {
        remedy: 'Send `input` with the new values, as JSON.',
      });
    return json(jobs.change(req.param('id'), change.data.input));
  });
  routes.delete('/api/jobs/:id', ({ req, json }) => json(jobs.stop(req.param('id'))));
  return routes;
}
