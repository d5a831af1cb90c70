/**
 * Calls an operation of a running server as if it ran here: the same answer, the same errors, progress,
 * cancellation.
 */
import { readServerEvents } from './event-stream.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { REASON_CODES } from '../../core/reason.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { clause } from '../../core/sentence.ts';
import { z } from 'zod';
import type { Answer, AnyOperation, Progress } from '../../operations/definition/operation.ts';
import { FOLDER_HEADER, routePath } from './routes.ts';
import { CLIENT_HEADER } from '../access/client-name.ts';

export interface RemoteServer {
  readonly url: string;
  readonly token: string | null;
}

export interface RemoteCaller {
  /** The name under which sessions are kept. */
  readonly client: string;
  /** Where relative paths start; absolute. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** Thrown when nobody listens at the address: then the call did not begin. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

const reasonSchema = z.enum(Object.keys(REASON_CODES) as [ReasonCode, ...ReasonCode[]]);

const problemSchema = z.object({
  reason: reasonSchema.catch('internal'),
  message: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  remedy: z.string().optional(),
});

const progressSchema = z.object({
  message: z.string(),
  done: z.number().optional(),
  total: z.number().optional(),
});

/** @throws QuodError as the operation did there; ServerGone. */
export async function callRemotely(
  server: RemoteServer,
  operation: AnyOperation,
  input: unknown,
  caller: RemoteCaller,
): Promise<Answer> {
  const response = await send(server, operation, input, caller);
  if (!response.ok || response.body === null) throw quodErrorOf(await response.json().catch(() => undefined));
  for await (const { event, text } of eventsOf(response.body, caller.signal)) {
    const value: unknown = JSON.parse(text);
    if (event === 'result') return operation.readAnswer(value);
    if (event === 'error') throw quodErrorOf(value);
    const { message, done, total } = progressSchema.parse(value);
    caller.progress({
      message,
      ...(done !== undefined && { done }),
      ...(total !== undefined && { total }),
    });
  }
  throw serverEnded();
}

/** @throws QuodError `interrupted` when the call was cancelled, `protocol-error` when the stream breaks or cannot be read. */
async function* eventsOf(
  body: NonNullable<Response['body']>,
  signal: AbortSignal,
): ReturnType<typeof readServerEvents> {
  try {
    yield* readServerEvents(body);
  } catch (error) {
    if (signal.aborted) throw cancelled(error);
    if (error instanceof Error && isBrokenConnection(error)) throw serverEnded(error);
    throw new QuodError(
      'protocol-error',
      `The answer of the server cannot be read: ${clause(errorText(error))}.`,
      {
        cause: error,
      },
    );
  }
}

function cancelled(cause: unknown): QuodError {
  return new QuodError('interrupted', 'The call was cancelled.', { cause });
}

function serverEnded(cause?: unknown): QuodError {
  return new QuodError('protocol-error', 'The server ended before it answered.', {
    remedy: 'Start it again with `quod serve`, or call with --local.',
    cause,
  });
}

/** How a connection fails that there was: the call may have begun, and is not made a second time. */
const BROKEN_CONNECTIONS: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

function isBrokenConnection({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && BROKEN_CONNECTIONS.includes(cause.code);
}

async function send(
  { url, token }: RemoteServer,
  operation: AnyOperation,
  input: unknown,
  { client, folder, signal }: RemoteCaller,
): Promise<Response> {
  try {
    return await fetch(new URL(routePath(operation), url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        [CLIENT_HEADER]: client,
        [FOLDER_HEADER]: encodeURIComponent(folder),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(input),
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cancelled(cause);
    if (cause instanceof Error && isBrokenConnection(cause)) throw serverEnded(cause);
    throw new ServerGone(`Nobody answers at ${url}: ${clause(errorText(cause))}.`, { cause });
  }
}

function quodErrorOf(value: unknown): QuodError {
  const problem = problemSchema.safeParse(value);
  if (!problem.success) {
    return new QuodError('protocol-error', 'The server answered with something that is not Quod.', {
      remedy: 'Check the address of --server.',
    });
  }
  const { reason, message, file, line, column, remedy } = problem.data;
  return new QuodError(reason, message, {
    place: {
      ...(file !== undefined && { file }),
      ...(line !== undefined && column !== undefined && { position: { line, column } }),
    },
    ...(remedy !== undefined && { remedy }),
  });
}
