/** A model behind OpenAI's responses protocol, as the provider layer has models. */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { orNothing, orZero, present } from '../../../core/entry.ts';
import { ToldFailure } from '../failures.ts';
import {
  contentOf,
  streamEventSchema,
  failureOf,
  finishOf,
  requestBody,
  responseSchema,
  usageOf,
  type Response as Answer,
} from './responses-codec.ts';

export interface ResponsesServer {
  readonly name: string;
  /** With its `/v1`. */
  readonly url: string;
  readonly apiKey?: string;
  readonly fetch: typeof fetch;
}

export class ResponsesModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly #server: ResponsesServer;
  /** Models that do not think refuse to be asked for thoughts. */
  #isEncrypted = true;

  constructor(server: ResponsesServer, model: string) {
    this.provider = server.name;
    this.modelId = model;
    this.#server = server;
  }

  async doGenerate(options: LanguageModelV4CallOptions) {
    const response = await this.#post(options, false);
    const answer: unknown = await response.json();
    const read = responseSchema.safeParse(answer);
    if (!read.success) throw ToldFailure.inPlaceOf(answer) ?? read.error;
    const { data } = read;
    if (data.status === 'failed') throw failed(data, data.output.length === 0);
    return {
      content: data.output.flatMap((item, place) => [...contentOf(item, place)]),
      finishReason: finishOf(data),
      usage: usageOf(data.usage),
      warnings: [],
    };
  }

  async doStream(options: LanguageModelV4CallOptions) {
    const response = await this.#post(options, true);
    const events = present(response.body ?? undefined, 'body')
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(eventLines())
      .pipeThrough(partsOfEvents());
    return { stream: events };
  }

  async #post(options: LanguageModelV4CallOptions, stream: boolean): Promise<Response> {
    try {
      return await this.#send(options, stream);
    } catch (error) {
      const isRefused =
        APICallError.isInstance(error) &&
        error.statusCode === 400 &&
        /encrypted/iu.test(`${error.message} ${orNothing(error.responseBody)}`);
      if (!this.#isEncrypted || !isRefused) throw error;
      this.#isEncrypted = false;
      return this.#send(options, stream);
    }
  }

  async #send(options: LanguageModelV4CallOptions, stream: boolean): Promise<Response> {
    const { url: base, apiKey } = this.#server;
    const url = `${base.replace(/\/$/u, '')}/responses`;
    const body = requestBody(this.modelId, options, { stream, isEncrypted: this.#isEncrypted });
    const response = await this.#server.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      ...(options.abortSignal !== undefined && { signal: options.abortSignal }),
    });
    if (response.ok) return response;
    const responseBody = await response.text();
    throw new APICallError({
      ...{ message: response.statusText, url, requestBodyValues: body, responseBody },
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
    });
  }
}

function failed({ error }: Answer, isWhole = false): ToldFailure {
  const { code, message } = failureOf(error);
  return new ToldFailure({ code }, message, isWhole);
}

/** The values that stand behind `data:`, one for each event. */
export function eventLines(): TransformStream<string, unknown> {
  /** Of the line that has not ended: a long one comes in many pieces, which are put together once. */
  let pieces: string[] = [];
  let data: string[] = [];
  return new TransformStream({
    transform: (chunk, controller) => {
      const lines = chunk.split('\n');
      pieces.push(orNothing(lines[0]));
      for (const next of lines.slice(1)) {
        const line = pieces.join('').replace(/\r$/u, '');
        pieces = [next];
        if (line.startsWith('data:')) data.push(line.slice('data:'.length));
        else if (line === '' && data.length > 0) {
          const text = data.join('');
          data = [];
          if (text.trim() !== '[DONE]') controller.enqueue(JSON.parse(text));
        }
      }
    },
  });
}

/** Thoughts and calls are told when they are whole; a stream without its last event has no `finish`. */
function partsOfEvents(): TransformStream<unknown, LanguageModelV4StreamPart> {
  /** Items of which parts were told as they came, and how many summaries of a thought. */
  const told = new Map<number, number>();
  return new TransformStream({
    transform: (value, controller) => {
      const read = streamEventSchema.safeParse(value);
      if (!read.success) return;
      const event = read.data;
      switch (event.type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          told.set(event.output_index, 0);
          controller.enqueue({ type: 'text-delta', id: 'text', delta: event.delta });
          return;
        case 'response.reasoning_summary_text.delta': {
          const { output_index: place, summary_index: summary, delta } = event;
          const isNext = summary > orZero(told.get(place));
          told.set(place, summary);
          controller.enqueue({ type: 'reasoning-delta', id: thought(place), delta: isNext ? `\n\n${delta}` : delta });
          return;
        }
        case 'response.function_call_arguments.delta':
          // A call is told when it is whole; it is paid for already.
          controller.enqueue({ type: 'tool-input-delta', id: 'arriving', delta: event.delta });
          return;
        case 'response.output_item.done': {
          const { item, output_index: place } = event;
          for (const content of contentOf(item, place))
            for (const part of partsOf(content, place, told.has(place))) controller.enqueue(part);
          return;
        }
        case 'response.completed':
        case 'response.incomplete': {
          const { response } = event;
          controller.enqueue({ type: 'finish', finishReason: finishOf(response), usage: usageOf(response.usage) });
          // Nothing follows, also where the server keeps the connection.
          controller.terminate();
          return;
        }
        case 'response.failed':
          controller.enqueue({ type: 'error', error: failed(event.response) });
          return;
        case 'error': {
          const { code, message } = failureOf('error' in event ? event.error : event);
          controller.enqueue({ type: 'error', error: new ToldFailure({ code }, message) });
        }
      }
    },
  });
}

function thought(place: number): string {
  return `thought-${place}`;
}

function partsOf(
  content: LanguageModelV4Content,
  place: number,
  isTold: boolean,
): readonly LanguageModelV4StreamPart[] {
  switch (content.type) {
    case 'reasoning': {
      const { text, providerMetadata } = content;
      const id = thought(place);
      const notes = providerMetadata === undefined ? {} : { providerMetadata };
      return [
        { type: 'reasoning-start', id, ...notes },
        ...(isTold || text === '' ? [] : [{ type: 'reasoning-delta' as const, id, delta: text }]),
        { type: 'reasoning-end', id },
      ];
    }
    case 'tool-call':
      return [content];
    case 'text':
      return isTold ? [] : [{ type: 'text-delta', id: 'text', delta: content.text }];
    default:
      return [];
  }
}
