/**
 * A server that speaks OpenAI's chat protocol over real HTTP, streamed or not, and answers what a test says. It records
 * what it was asked, so that a test can count what would have been paid.
 */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: readonly {
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export type Reply =
  | {
      readonly text?: string;
      /** Arguments are sent as they stand: they need not be JSON. */
      readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
      readonly usage?: {
        readonly input: number | string | null;
        readonly output: number | string | null;
        readonly cached?: number;
      };
      /** Why it ended; default: as what it has in it. */
      readonly finish?: string;
    }
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  /** Closes the connection in the middle of the answer. */
  | { readonly cutAfter: string }
  /** Ends a stream in its middle as if it were over: in text, or in the arguments of a call. */
  | { readonly endsAfter: string; readonly inCall?: boolean }
  /** Goes on without an end, until nobody reads any more. */
  | { readonly endless: string }
  /** Sends elsewhere. */
  | { readonly redirect: string; readonly with: number }
  /** Reads the request, and closes the connection. */
  | { readonly dropped: 'closed' | 'reset' }
  /** Never answers. */
  | { readonly silent: true };

export interface ScriptedModelServer {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: readonly { readonly body: ChatRequest; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** @param answer Called with each request and its number, from 0. */
export async function startModelServer(
  answer: (request: ChatRequest, number: number) => Reply | Promise<Reply>,
): Promise<ScriptedModelServer> {
  const requests: { body: ChatRequest; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body = JSON.parse(text) as ChatRequest;
      requests.push({ body, authorization: request.headers.authorization });
      void Promise.resolve(answer(body, requests.length - 1)).then((reply) => {
        send(response, body, reply, requests.length);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function send(
  response: ServerResponse,
  { model, stream, messages }: ChatRequest,
  reply: Reply,
  number: number,
): void {
  if ('silent' in reply) return;
  if ('dropped' in reply) {
    if (reply.dropped === 'reset') response.socket?.resetAndDestroy();
    else response.socket?.destroy();
    return;
  }
  if ('redirect' in reply) {
    response.writeHead(reply.with, { location: reply.redirect }).end();
    return;
  }
  if ('status' in reply) {
    const headers = reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter };
    response.writeHead(reply.status, { 'content-type': 'application/json', ...headers });
    response.end(
      reply.body ?? JSON.stringify({ error: { message: `status ${reply.status}`, type: 'scripted' } }),
    );
    return;
  }
  const head = { id: `answer-${number}`, created: 0, model };
  const chunk = (value: object): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...value })}\n\n`;
  const delta = (content: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
  if ('endless' in reply) {
    response.writeHead(200, { 'content-type': stream === true ? 'text/event-stream' : 'application/json' });
    if (stream !== true) response.write('{"choices":[{"message":{"content":"');
    const part = stream === true ? delta({ role: 'assistant', content: reply.endless }) : reply.endless;
    const more = (): void => {
      if (!response.destroyed) response.write(part, () => setImmediate(more));
    };
    more();
    return;
  }
  if ('endsAfter' in reply) {
    const called = { name: 'rocq_check_proof', arguments: `{"proof": "${reply.endsAfter}` };
    const content =
      reply.inCall === true
        ? { tool_calls: [{ index: 0, id: 'call-cut', type: 'function', function: called }] }
        : { content: reply.endsAfter };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(delta({ role: 'assistant', ...content }));
    return;
  }
  if ('cutAfter' in reply) {
    if (stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta({ role: 'assistant', content: reply.cutAfter }), () => response.destroy());
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
      response.write(`{"choices":[{"message":{"content":${JSON.stringify(reply.cutAfter)}`, () =>
        response.destroy(),
      );
    }
    return;
  }
  const { text = '', calls = [], usage = { input: 100, output: 10 } } = reply;
  const { finish = calls.length > 0 ? 'tool_calls' : 'stop' } = reply;
  const toolCalls = calls.map(({ name, arguments: input }, index) => ({
    index,
    // The same answer to the same question, whatever was asked before it.
    id: `call-${messages.length}-${index}`,
    type: 'function',
    function: { name, arguments: input },
  }));
  const used = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: Number(usage.input) + Number(usage.output),
    ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
  };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: toolCalls }) };
    response.end(
      JSON.stringify({
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage: used,
      }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = Math.ceil(text.length / 2);
  response.write(delta({ role: 'assistant', content: text.slice(0, half) }));
  response.write(delta({ content: text.slice(half) }));
  for (const call of toolCalls) response.write(delta({ tool_calls: [call] }));
  response.write(delta({}, finish));
  response.write(chunk({ choices: [], usage: used }));
  response.end('data: [DONE]\n\n');
}
