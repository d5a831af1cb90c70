/** A server that speaks Anthropic's messages protocol over real HTTP, streamed, and answers what a test says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnthropicRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly system?: unknown;
}

export interface AnthropicReply {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: object };
}

export interface ScriptedAnthropicServer {
  /** With `/v1`. */
  readonly url: string;
  readonly keys: readonly (string | string[] | undefined)[];
  close(): Promise<void>;
}

export async function startAnthropicServer(
  answer: (request: AnthropicRequest) => AnthropicReply,
): Promise<ScriptedAnthropicServer> {
  const keys: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      keys.push(request.headers['x-api-key']);
      const body = JSON.parse(text) as AnthropicRequest;
      const { text: said = '', call } = answer(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, value: object): void => {
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
      };
      const usage = { input_tokens: 100, output_tokens: 1 };
      const message = { id: `m${keys.length}`, type: 'message', role: 'assistant', model: body.model };
      send('message_start', {
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
      });
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: said } });
      send('content_block_stop', { index: 0 });
      if (call !== undefined) {
        const block = { type: 'tool_use', id: `call-${keys.length}`, name: call.name, input: {} };
        send('content_block_start', { index: 1, content_block: block });
        const delta = { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
        send('content_block_delta', { index: 1, delta });
        send('content_block_stop', { index: 1 });
      }
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
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
