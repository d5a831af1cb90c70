/** A server that speaks OpenAI's responses protocol over real HTTP, streamed or not, and answers what a test says. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ResponsesRequest {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly { readonly name: string }[];
  readonly include?: readonly string[];
  readonly store?: boolean;
  readonly stream?: boolean;
}

export type ResponsesReply =
  | {
      /** Items as the vendor has them. */
      readonly output: readonly Readonly<Record<string, unknown>>[];
      readonly usage?: Readonly<Record<string, unknown>>;
      readonly status?: 'completed' | 'incomplete' | 'failed';
      readonly incompleteFor?: string;
      readonly error?: { readonly code: string; readonly message: string };
      /** The stream ends without its last event. */
      readonly isCut?: boolean;
    }
  | { readonly refusal: number; readonly message: string }
  /** Said in another form than the protocol has. */
  | { readonly refusal: number; readonly body: string };

export interface ScriptedResponsesServer {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: readonly ResponsesRequest[];
  close(): Promise<void>;
}

export async function startResponsesServer(
  answer: (request: ResponsesRequest, number: number) => ResponsesReply,
): Promise<ScriptedResponsesServer> {
  const requests: ResponsesRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.url !== '/v1/responses') {
        response.writeHead(404).end();
        return;
      }
      const asked = JSON.parse(body) as ResponsesRequest;
      requests.push(asked);
      send(response, asked, answer(asked, requests.length - 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function send(response: ServerResponse, { stream, model }: ResponsesRequest, reply: ResponsesReply): void {
  if ('refusal' in reply) {
    response.writeHead(reply.refusal, { 'content-type': 'application/json' });
    const type = 'invalid_request_error';
    response.end('body' in reply ? reply.body : JSON.stringify({ error: { message: reply.message, type } }));
    return;
  }
  const { output, usage = { input_tokens: 100, output_tokens: 10 }, status = 'completed' } = reply;
  const { incompleteFor, error = null, isCut = false } = reply;
  const details = incompleteFor === undefined ? null : { reason: incompleteFor };
  const whole = {
    id: 'resp',
    object: 'response',
    model,
    status,
    output,
    usage,
    error,
    incomplete_details: details,
  };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(whole));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let number = 0;
  const event = (type: string, value: object): void => {
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...value })}\n\n`,
    );
  };
  event('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } });
  for (const [index, item] of output.entries()) {
    event('response.output_item.added', { output_index: index, item });
    for (const [type, delta, more] of deltasOf(item)) event(type, { output_index: index, delta, ...more });
    event('response.output_item.done', { output_index: index, item });
  }
  if (!isCut) event(`response.${status}`, { response: whole });
  response.end();
}

/** Each text in two parts, as it would come. */
function deltasOf(item: Readonly<Record<string, unknown>>): readonly (readonly [string, string, object])[] {
  const halves = (type: string, text: string, more: object = {}) => {
    const half = Math.ceil(text.length / 2);
    return [text.slice(0, half), text.slice(half)].map((delta) => [type, delta, more] as const);
  };
  const texts = (list: unknown): readonly string[] =>
    (list as readonly { readonly text?: string }[]).flatMap(({ text }) => text ?? []);
  const refusals = (list: unknown): readonly string[] =>
    (list as readonly { readonly refusal?: string }[]).flatMap(({ refusal }) => refusal ?? []);
  switch (item['type']) {
    case 'message':
      return [
        ...texts(item['content']).flatMap((text) => halves('response.output_text.delta', text)),
        ...refusals(item['content']).flatMap((text) => halves('response.refusal.delta', text)),
      ];
    case 'reasoning':
      return texts(item['summary']).flatMap((text, summary) =>
        halves('response.reasoning_summary_text.delta', text, { summary_index: summary }),
      );
    case 'function_call':
      return halves('response.function_call_arguments.delta', String(item['arguments']));
    default:
      return [];
  }
}
