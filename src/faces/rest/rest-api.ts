/** The operations over HTTP: routes, errors as problem details, progress and events as server-sent events. */
import { Hono } from 'hono';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { QuodError } from '../../core/errors.ts';
import { utf8Body } from '../access/utf8-body.ts';
import { askedJson } from '../../core/json.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import type { Workspace } from '../../operations/definition/workspace.ts';
import type { Host } from '../host.ts';
import { UNNAMED_CLIENT, namedClient } from '../access/client-name.ts';
import { problemOf, problemResponse } from '../problem.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { PROGRESS_INTERVAL_MS, paceProgress } from '../paced-progress.ts';
import { FOLDER_HEADER, hasGet, inputOfQuery, pathMeant, routePath } from './routes.ts';

export function restApi(host: Host): Hono {
  const api = new Hono();
  for (const operation of host.operations) {
    const path = routePath(operation);
    api.post(path, (context) => answerPost(host, operation, context));
    if (hasGet(operation)) {
      api.get(path, async (context) => {
        const input = inputOfQuery(operation, new URL(context.req.url).searchParams);
        const caller = { ...(await callerOf(host, context)), progress: () => {} };
        return context.json((await host.calls.answer(operation, input, caller)).value);
      });
    }
    api.all(path, ({ req }) =>
      problemResponse(
        new QuodError('invalid-input', `${path} does not take ${req.method}.`, {
          remedy: hasGet(operation) ? 'Use POST or GET.' : 'Use POST with a JSON body.',
        }),
        { status: 405, headers: { allow: hasGet(operation) ? 'GET, HEAD, POST' : 'POST' } },
      ),
    );
  }

  api.get('/api/server', (context) =>
    context.json({ quod: readPackageVersion(), workspace: host.workspace.root, client: clientOf(context) }),
  );
  api.get('/api/events', (context) => watchCalls(host, context));
  api.delete('/api/client', async (context) => {
    await host.services.clientGone(clientOf(context));
    return context.body(null, 204);
  });
  api.all('/api/*', ({ req }) => {
    const nearest = pathMeant(req.path, host.operations);
    return problemResponse(
      new QuodError('not-found', `There is no ${req.method} ${req.path}.`, {
        remedy: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}/api/openapi.json lists everything, and /docs shows it.`,
      }),
    );
  });
  return api;
}

async function answerPost(host: Host, operation: AnyOperation, context: Context): Promise<Response> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') {
    return problemResponse(
      new QuodError('invalid-input', `The body is ${type}.`, { remedy: 'Send JSON, as application/json.' }),
      { status: 415, headers: { accept: 'application/json' } },
    );
  }
  const input = jsonOf(utf8Body(await context.req.arrayBuffer()));
  const caller = await callerOf(host, context);
  const wantsEvents = context.req.header('accept')?.includes('text/event-stream') === true;
  if (!wantsEvents) {
    const answer = await host.calls.answer(operation, input, { ...caller, progress: () => {} });
    return context.json(answer.value);
  }
  return streamSSE(context, async (stream) => {
    const send = (event: string, value: unknown): Promise<void> =>
      stream.writeSSE({ event, data: JSON.stringify(value) });
    const progress = paceProgress((news, elapsedMs) => {
      send('progress', { ...news, elapsed_ms: Math.round(elapsedMs) }).catch(() => undefined);
    });
    try {
      const answer = await host.calls.answer(operation, input, { ...caller, progress: progress.report });
      progress.stop();
      await send('result', answer.value);
    } catch (error) {
      progress.stop();
      await send('error', problemOf(error, host.calls.ending.aborted ? 503 : undefined));
    }
  });
}

/**
 * Every call of the client, as it begins, gets on and ends. The stream lasts as long as the client listens and the
 * server lives.
 */
function watchCalls(host: Host, context: Context): Response {
  const client = clientOf(context);
  return streamSSE(context, async (stream) => {
    const stop = host.calls.watch(client, (event) => {
      const { kind, ...rest } = event;
      stream.writeSSE({ event: kind, data: JSON.stringify(rest) }).catch(() => undefined);
    });
    const heartbeat = setInterval(() => void stream.write(': still here\n\n'), PROGRESS_INTERVAL_MS);
    await new Promise<void>((resolve) => {
      stream.onAbort(resolve);
      whenAborted(host.calls.ending, resolve);
    });
    clearInterval(heartbeat);
    stop();
  });
}

function whenAborted(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

async function callerOf(
  host: Host,
  context: Context,
): Promise<{ client: string; signal: AbortSignal; workspace: Workspace }> {
  const folder = context.req.header(FOLDER_HEADER);
  return {
    client: clientOf(context),
    signal: context.req.raw.signal,
    workspace:
      folder === undefined ? host.workspace : await host.workspace.startingAt(decodeURIComponent(folder)),
  };
}

function clientOf({ req }: Context): string {
  return namedClient(req.raw.headers) ?? UNNAMED_CLIENT;
}

/** An absent body is an empty input. */
function jsonOf(text: string): unknown {
  return text.trim() === '' ? {} : askedJson(text, 'The body');
}
