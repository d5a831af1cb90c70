/**
 * One request to one model, through the provider layer of Vercel's AI SDK. Streamed or not, the answer is the same value;
 * a stream that ends before the model said that it had finished is an error, not a short answer.
 */
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4Usage } from '@ai-sdk/provider';
import { orZero } from '../../core/entry.ts';
import type { Message, ToolCall, ToolDescription } from './conversation.ts';
import type { Usage } from './prices.ts';
import type { ModelName } from './providers.ts';

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly maxOutputTokens: number | null;
  readonly temperature: number | null;
  readonly reasoning: 'provider-default' | 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
  readonly stream: boolean;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string;
  /** Undefined where the provider did not count. */
  readonly usage: Usage | undefined;
}

/** The server closed the connection in the middle of an answer. */
export class CutStream extends Error {
  override readonly name = 'CutStream';
  /** What had arrived. */
  readonly received: string;

  constructor(received: string) {
    super('The answer was cut off before the model had finished.');
    this.received = received;
  }
}

/** The packages of the providers are loaded when one of their models is asked for. */
export async function openModel(name: ModelName, key: string | undefined): Promise<LanguageModelV4> {
  const { provider, model } = name;
  const apiKey = key === undefined ? {} : { apiKey: key };
  switch (provider.protocol) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(apiKey)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(apiKey)(model);
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider.name, baseURL: provider.url, includeUsage: true };
      return createOpenAICompatible({ ...settings, ...apiKey }).chatModel(model);
    }
  }
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
  if (!request.stream) {
    const { content, usage, finishReason } = await model.doGenerate(options);
    let text = '';
    const calls: ToolCall[] = [];
    for (const part of content) {
      if (part.type === 'text') text += part.text;
      else if (part.type === 'tool-call') {
        calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
      }
    }
    return { text, calls, usage: usageOf(usage), finish: finishReason.unified };
  }
  const { stream } = await model.doStream(options);
  let text = '';
  const calls: ToolCall[] = [];
  let started = '';
  let usage: Usage | undefined;
  let finish: string | undefined;
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        text += part.delta;
        break;
      case 'tool-input-delta':
      case 'reasoning-delta':
        started += part.delta;
        break;
      case 'tool-call':
        calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
        break;
      case 'finish':
        usage = usageOf(part.usage);
        // Without a reason of the provider's own the stream just ended.
        finish = part.finishReason.raw === undefined ? undefined : part.finishReason.unified;
        break;
      case 'error':
        throw part.error instanceof Error ? part.error : new CutStream(text + started);
      default:
        break;
    }
  }
  if (finish === undefined) throw new CutStream(text + started);
  return { text, calls, usage, finish };
}

/** Caches what is said before the latest message, where the provider caches on demand. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function promptOf(messages: readonly Message[]): LanguageModelV4Prompt {
  return messages.map((message): LanguageModelV4Prompt[number] => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.text, providerOptions: CACHED };
      case 'user':
        return { role: 'user', content: [{ type: 'text', text: message.text }] };
      case 'assistant':
        return {
          role: 'assistant',
          content: [
            ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
            ...message.calls.map(({ id, name, input }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: name,
              input: parsed(input),
            })),
          ],
        };
      case 'tool':
        return {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: message.call.id,
              toolName: message.call.name,
              output: { type: 'text', value: message.text },
            },
          ],
        };
    }
  });
}

/** Providers want an object back, also where the model did not write one. */
function parsed(input: string): unknown {
  try {
    const value = JSON.parse(input) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The model is told beside it that this was no JSON.
  }
  return { unparsed: input };
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    inputTokens: orZero(inputTokens.total),
    cachedTokens: orZero(inputTokens.cacheRead),
    outputTokens: orZero(outputTokens.total),
  };
}
