/** A server that speaks Anthropic's messages protocol over real HTTP, streamed, and answers what a test says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnthropicRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly system?: unknown;
  readonly tools?: unknown;
}

export interface AnthropicReply {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: object };
  /** What it thought before; it has to come back as it was. */
  readonly thought?: { readonly text: string; readonly signature: string };
  /** An error that is sent instead of the end. */
  readonly failure?: { readonly type: string; readonly message: string };
}

export interface ScriptedAnthropicServer {
  /** With `/v1`. */
  readonly url: string;
  readonly keys: readonly (string | string[] | undefined)[];
  readonly requests: readonly AnthropicRequest[];
  close(): Promise<void>;
}

export async function startAnthropicServer(
  answer: (request: AnthropicRequest) => AnthropicReply,
): Promise<ScriptedAnthropicServer> {
  const keys: (string | string[] | undefined)[] = [];
  const requests: AnthropicRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      keys.push(request.headers['x-api-key']);
      const body = JSON.parse(text) as AnthropicRequest;
      requests.push(body);
      const { text: said = '', call, thought, failure } = answer(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, value: object): void => {
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
      };
      const usage = { input_tokens: 100, output_tokens: 1 };
      const message = { id: `m${keys.length}`, type: 'message', role: 'assistant', model: body.model };
      send('message_start', {
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
      });
      if (failure !== undefined) {
        send('error', { error: failure });
        response.end();
        return;
      }
      let index = 0;
      const block = (content: object, ...deltas: readonly object[]): void => {
        send('content_block_start', { index, content_block: content });
        for (const delta of deltas) send('content_block_delta', { index, delta });
        send('content_block_stop', { index });
        index += 1;
      };
      if (thought !== undefined)
        block(
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: thought.text },
          { type: 'signature_delta', signature: thought.signature },
        );
      block({ type: 'text', text: '' }, { type: 'text_delta', text: said });
      if (call !== undefined)
        block(
          { type: 'tool_use', id: `call-${keys.length}`, name: call.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
        );
      const reason = call === undefined ? 'end_turn' : 'tool_use';
      send('message_delta', {
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: 20 },
      });
      send('message_stop', {});
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    keys,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
