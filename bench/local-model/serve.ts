/**
 * Trains the n-gram model on the proofs of Rocq sources and serves it as OpenAI-compatible servers do.
 *   npx node bench/local-model/serve.ts PORT FOLDER...
 */
import { createServer } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { orNothing } from '../../src/core/entry.ts';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { Ngrams, tokensOf, writeScript } from './ngram.ts';

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const LONGEST_PROOF = 1500;
const PROOF = /\bProof\b[^]*?\b(?:Qed|Defined)\s*\./gu;

const [port = '9009', ...folders] = process.argv.slice(2);
const model = new Ngrams();
let proofs = 0;
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.v')) continue;
    const outline = outlineOf(readFileSync(join(folder, name), 'utf8'));
    for (const { proofSentence, body, closing, hole } of outline.statements) {
      const first = outline.sentences[proofSentence ?? body.first];
      const last = closing === undefined ? undefined : outline.sentences[closing];
      if (first === undefined || last === undefined || hole !== undefined) continue;
      const script = outline.text.slice(first.span.start, last.span.end);
      if (script.length > LONGEST_PROOF) continue;
      model.learn(script.startsWith('Proof') ? script : `Proof. ${script}`);
      proofs++;
    }
  }
}
console.log(`${proofs} proofs, ${model.tokens} tokens`);

// The same questions in the same order get the same answers.
let state = 1;
const random = (): number => {
  state = (state * 48271) % 2147483647;
  return state / 2147483647;
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part: { readonly text?: string }) => orNothing(part.text)).join('')
    : '';
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "There is only POST /v1/chat/completions."}}');
      return;
    }
    const asked = JSON.parse(body) as ChatRequest;
    const prompt = asked.messages.map(({ content }) => textOf(content)).join('\n');
    const text = writeScript(model, prompt.match(PROOF)?.slice(1) ?? [], {
      temperature: asked.temperature ?? 0.7,
      maxTokens: asked.max_tokens ?? 200,
      random,
    });
    const usage = { prompt_tokens: tokensOf(prompt).length, completion_tokens: tokensOf(text).length };
    const head = { id: 'ngram', created: 0, model: asked.model };
    const counted = { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
    if (asked.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (value: object): string =>
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...value })}\n\n`;
      response.write(
        event({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] }),
      );
      response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end(`${event({ choices: [], usage: counted })}data: [DONE]\n\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: text };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage: counted }));
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/v1`));
