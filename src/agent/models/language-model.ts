/**
 * One request to one model, through the provider layer of Vercel's AI SDK. Streamed or not, the answer is the same
 * value; a stream that ends before the model said that it had finished is an error, not a short answer.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4Content,
  type LanguageModelV4Usage,
  type SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { AsyncLocalStorage } from 'node:async_hooks';
import { orZero } from '../../core/entry.ts';
import { isRecord } from '../../core/json.ts';
import { answerFault, isJustOver } from './answer-fault.ts';
import { argumentsOf } from './conversation.ts';
import type { Message, ProviderNotes, Thought, ToolCall, ToolDescription } from './conversation.ts';
import { CutStream, Redirected, ToldFailure, WebPage, isBroken } from './failures.ts';
import type { Usage } from './prices.ts';
import { promptOf } from './prompt-parts.ts';
import type { ModelName, Provider } from './providers.ts';
import { countedAnswer, eventStream, firstBytes } from './received-bytes.ts';
import { Received } from './received.ts';
import { readableUsage } from './told-usage.ts';
import { Beginning, UnreadAnswer } from './unread-answer.ts';

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly reasoning: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
  readonly stream: boolean;
  readonly signal: AbortSignal;
  /** Counts what arrives. */
  readonly received?: Received;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Empty where the model does not tell them. */
  readonly thoughts: readonly Thought[];
  readonly finish: string;
  /** Undefined where the provider did not count. */
  readonly usage: Usage | undefined;
}

/** Of what a server says when it refuses: enough for people to read. */
const MOST_OF_A_REFUSAL = 64 * 1024;

/** A server that was asked for a stream sent the whole answer at once. */
class WholeAnswer extends Error {
  override readonly name = 'WholeAnswer';
  readonly response: Response;

  constructor(response: Response) {
    super('The server sent a whole answer, not a stream.');
    this.response = response;
  }
}

/** A server that is asked with a key sends nobody elsewhere: packages put keys into headers that redirects keep. */
const guardedFetch: typeof fetch = async (input, init) => {
  const exchange = exchanges.getStore();
  if (exchange?.sent !== undefined) return exchange.sent;
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    await body?.cancel();
    throw new Redirected(status);
  }
  if (body === null) {
    if (response.ok) throw UnreadAnswer.without(response);
    return response;
  }
  const whole = (read: ReadableStream<Uint8Array>): Response =>
    new Response(read, { status, statusText: response.statusText, headers });
  if (!response.ok) return whole(body.pipeThrough(firstBytes(MOST_OF_A_REFUSAL)));
  const type = headers.get('content-type');
  if (type?.includes('text/html') === true) {
    await body.cancel();
    throw new WebPage(status);
  }
  if (exchange === undefined) return response;
  const { received, beginning } = exchange;
  received.begin();
  const read = (counted: ReturnType<typeof countedAnswer>): Response =>
    whole(body.pipeThrough(counted).pipeThrough(beginning.of(response)).pipeThrough(readableUsage()));
  if (type?.includes('event-stream') === true) return read(eventStream(received));
  const counted = read(countedAnswer(received));
  if (!exchange.isStreamed || type?.includes('json') !== true) return counted;
  const text = await counted.text();
  const answer = new Response(text, { status, statusText: response.statusText, headers });
  // Events may come under a wrong name.
  if (text.trimStart().startsWith('{')) throw new WholeAnswer(answer);
  return answer;
};

interface Exchange {
  readonly received: Received;
  readonly beginning: Beginning;
  readonly isStreamed: boolean;
  /** What the server answered already: it is read, and the server is not asked again. */
  readonly sent: Response | undefined;
}

/** The request that is being made: the packages of the providers hand nothing else through to what fetches. */
const exchanges = new AsyncLocalStorage<Exchange>();

/** The packages of the providers are loaded when one of their models is asked for. */
export async function openModel(name: ModelName, key: string | undefined): Promise<LanguageModelV4> {
  const { provider, model } = name;
  const asked = { fetch: guardedFetch, ...(key !== undefined && { apiKey: key }) };
  switch (provider.protocol) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(ofVendor(provider, key))(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(ofVendor(provider, key))(model);
    case 'responses': {
      const { ResponsesModel } = await import('./responses/responses-model.ts');
      return new ResponsesModel({ name: provider.name, url: provider.url, ...asked }, model);
    }
    case 'chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider.name, baseURL: provider.url, includeUsage: true };
      return createOpenAICompatible({ ...settings, ...asked }).chatModel(model);
    }
  }
}

/** Without any key the vendor's package would take that in the environment, and send it to whatever address is named. */
function ofVendor(provider: Provider, key = '') {
  return {
    ...{ fetch: guardedFetch, apiKey: key },
    ...(provider.origin === 'settings' && { baseURL: provider.url }),
  };
}

export async function requestAnswer(model: LanguageModelV4, request: ModelRequest): Promise<ModelAnswer> {
  const { messages, tools, maxOutputTokens, temperature, reasoning, signal } = request;
  const options = {
    prompt: promptOf(messages),
    abortSignal: signal,
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(reasoning !== 'provider-default' && { reasoning }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
      })),
      toolChoice: { type: 'auto' as const },
    }),
  };
  const received = request.received ?? new Received();
  const beginning = new Beginning();
  const isStreamed = request.stream;
  const ask = async (sent?: Response): Promise<ModelAnswer> => {
    const exchange = { received, beginning, isStreamed: isStreamed && sent === undefined, sent };
    return await exchanges.run(exchange, async () =>
      exchange.isStreamed ? await streamed(model, options, exchange) : await whole(model, options, beginning),
    );
  };
  try {
    return await ask().catch((error: unknown) => {
      if (error instanceof WholeAnswer) return ask(error.response);
      throw error;
    });
  } catch (error) {
    throw whyUnread(error, beginning);
  }
}

/** What ended an answer: the connection, its end before the model's, or what was sent in its place. */
function whyUnread(error: unknown, beginning: Beginning): unknown {
  if (isBroken(error)) return new CutStream(error);
  const cut = isJustOver(error) ? new CutStream(error) : error;
  if (!(cut instanceof CutStream) && answerFault(error) === undefined) return error;
  return UnreadAnswer.of(cut, beginning) ?? cut;
}

type CallOptions = Parameters<LanguageModelV4['doGenerate']>[0];

async function whole(
  model: LanguageModelV4,
  options: CallOptions,
  beginning: Beginning,
): Promise<ModelAnswer> {
  const answer = await Promise.resolve(model.doGenerate(options)).catch((error: unknown) => {
    const isAnswer = APICallError.isInstance(error) && error.statusCode === 200;
    throw (isAnswer ? ToldFailure.inPlaceOf(error.responseBody) : undefined) ?? error;
  });
  const { content, usage, finishReason, response } = answer;
  // Some packages take an error for an answer without a word.
  const failure = content.length === 0 ? ToldFailure.inPlaceOf(response?.body) : undefined;
  if (failure !== undefined) throw failure;
  if (content.length === 0) beginning.requireAnswer();
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [callOf(part)] : []));
  const thoughts = content.flatMap((part): Thought[] =>
    part.type === 'reasoning' ? [{ text: part.text, ...notesOf(part.providerMetadata) }] : [],
  );
  return { text, calls, thoughts, usage: usageOf(usage), finish: finishReason.unified };
}

async function streamed(
  model: LanguageModelV4,
  options: CallOptions,
  { received, beginning }: Pick<Exchange, 'received' | 'beginning'>,
): Promise<ModelAnswer> {
  const { stream } = await model.doStream(options);
  let text = '';
  const calls: ToolCall[] = [];
  const thoughts = new Map<string, Thought>();
  const think = (id: string, said: string, metadata: SharedV4ProviderMetadata | undefined): void => {
    const before = thoughts.get(id) ?? { text: '' };
    thoughts.set(id, { text: before.text + said, ...mergedNotes(before.notes, metadata) });
  };
  let usage: Usage | undefined;
  let finish: string | undefined;
  for await (const part of stream) {
    if ('delta' in part) {
      received.add(part.delta.length);
      beginning.isRead = true;
    }
    switch (part.type) {
      case 'text-delta':
        text += part.delta;
        break;
      case 'reasoning-start':
      case 'reasoning-end':
        think(part.id, '', part.providerMetadata);
        break;
      case 'reasoning-delta':
        think(part.id, part.delta, part.providerMetadata);
        break;
      case 'tool-call':
        calls.push(callOf(part));
        break;
      case 'finish':
        usage = usageOf(part.usage);
        // Without a reason of the provider's own the stream just ended.
        finish = part.finishReason.raw === undefined ? undefined : part.finishReason.unified;
        break;
      case 'error':
        throw part.error instanceof Error
          ? part.error
          : (ToldFailure.of(part.error) ?? new CutStream());
      default:
        break;
    }
  }
  if (finish === undefined) throw new CutStream();
  return { text, calls, thoughts: [...thoughts.values()], usage, finish };
}

function callOf(part: Extract<LanguageModelV4Content, { type: 'tool-call' }>): ToolCall {
  const { toolCallId: id, toolName: name, input, providerMetadata } = part;
  return { id, name, input: argumentsOf(input), ...notesOf(providerMetadata) };
}

function notesOf(metadata: SharedV4ProviderMetadata | undefined): { notes?: ProviderNotes } {
  return metadata === undefined ? {} : { notes: metadata };
}

function mergedNotes(
  before: ProviderNotes | undefined,
  metadata: SharedV4ProviderMetadata | undefined,
): { notes?: ProviderNotes } {
  if (metadata === undefined) return before === undefined ? {} : { notes: before };
  const names = [...Object.keys(before ?? {}), ...Object.keys(metadata)];
  return { notes: Object.fromEntries(names.map((name) => [name, { ...before?.[name], ...metadata[name] }])) };
}

function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    inputTokens: orZero(inputTokens.total),
    cachedTokens: orZero(inputTokens.cacheRead),
    ...(inputTokens.cacheWrite !== undefined && {
      cacheWriteTokens: inputTokens.cacheWrite,
      cacheWriteHourTokens: keptForAnHour(raw),
    }),
    outputTokens: orZero(outputTokens.total),
  };
}

/** As Anthropic's protocol tells it. */
function keptForAnHour(raw: unknown): number {
  const created = isRecord(raw) ? raw['cache_creation'] : undefined;
  const tokens = isRecord(created) ? created['ephemeral_1h_input_tokens'] : undefined;
  return typeof tokens === 'number' ? tokens : 0;
}
