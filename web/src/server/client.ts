/**
 * Calls of operations, with the types of the catalogue: what goes in and what comes out is inferred from the
 * definitions, of which nothing but types reaches the page.
 */
import type { InputOf, OperationName, OutputOf } from '../../../src/operations/catalogue.ts';
import type { Problem } from '../../../src/faces/problem.ts';
import { noteAnswer, noteSilence, noteStranger, noteUnauthorized } from './connection.ts';
import { readTextEvents } from './event-text.ts';
import { noteServerTime } from './server-clock.ts';
import { ServerUnproved, provedHeaders } from './server-proof.ts';

export type { InputOf, OperationName, OutputOf };

export interface CallProgress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
  readonly elapsed_ms: number;
}

export interface CallOptions {
  /** Aborting it ends the call at the server too. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

/** What the server refused, with its reason code. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.remedy === undefined ? problem.detail : `${problem.detail} ${problem.remedy}`);
    this.problem = problem;
  }
}

/** Nobody answered: the server is gone, or the page may not speak to it any more. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';
}

/** `rocq_check_proof` is at `/api/rocq/check-proof`; names that do not begin with their area stay whole. */
export function operationPath(name: OperationName): string {
  const area = name === 'holmake' ? 'hol' : name.slice(0, name.indexOf('_'));
  const verb = name.startsWith(`${area}_`) ? name.slice(area.length + 1) : name;
  return `/api/${area}/${verb.replaceAll('_', '-')}`;
}

/** @throws CallError what the operation refused; ServerSilent; the signal's reason when the caller gave up. */
export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  const response = await send(operationPath(name), {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    ...(options.signal !== undefined && { signal: options.signal }),
  });
  if (response.body === null) throw new ServerSilent(`The server answered ${name} with nothing.`);
  try {
    for await (const { event, text } of readTextEvents(response.body)) {
      const value: unknown = JSON.parse(text);
      // The server wrote these by the same definitions from which the types come.
      if (event === 'result') return value as OutputOf<Name>;
      if (event === 'error') throw new CallError(value as Problem);
      if (event === 'progress') options.onProgress?.(value as CallProgress);
    }
  } catch (error) {
    if (error instanceof CallError || options.signal?.aborted === true) throw error;
    noteSilence();
    throw new ServerSilent(`The connection broke while ${name} ran.`, { cause: error });
  }
  noteSilence();
  throw new ServerSilent(`The server ended before it answered ${name}.`);
}

export interface Asking extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request with what admits this page, to the server that has proved itself. @throws CallError, ServerSilent. */
export async function send(path: string, request: Asking = {}): Promise<Response> {
  const proved = await serverProof();
  let response: Response;
  try {
    response = await fetch(path, { ...request, headers: { ...proved, ...request.headers } });
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    noteSilence();
    throw new ServerSilent('Nobody answers at this address.', { cause: error });
  }
  noteServerTime(response.headers);
  if (response.status === 401) noteUnauthorized();
  else noteAnswer();
  if (response.ok) return response;
  throw new CallError((await response.json()) as Problem);
}

/** Resolves when the server of this page is known to answer, to the headers that it takes. @throws ServerSilent. */
export async function serverProof(): Promise<Record<string, string>> {
  try {
    return await provedHeaders();
  } catch (error) {
    if (error instanceof ServerUnproved) noteStranger();
    else noteSilence();
    throw new ServerSilent('The server of this page does not answer.', { cause: error });
  }
}

/**
 * JSON from a route that is asked for what may well be refused, as for a file that may be gone: the refusal comes as an answer,
 * since browsers write other statuses into their console. @throws CallError, ServerSilent.
 */
export async function toldJson<Value extends object>(path: string, request: Asking = {}): Promise<Value> {
  const response = await send(`${path}${path.includes('?') ? '&' : '?'}refusal=told`, request);
  const answer = (await response.json()) as Value | { readonly refused: Problem };
  if ('refused' in answer) throw new CallError(answer.refused);
  return answer;
}

/** JSON from one of the few routes that are no operation. */
export async function getJson<Value>(path: string, signal?: AbortSignal): Promise<Value> {
  const response = await send(path, signal === undefined ? {} : { signal });
  // Each caller names the type that the route's own file on the server declares.
  return (await response.json()) as Value;
}
