/**
 * OpenAI's responses protocol (`/v1/responses`), as values: what is asked, and what an answer or one event of its stream
 * says. Nothing is stored with the vendor: all of the conversation is sent each time, with what a reasoning model thought
 * in its encrypted form, which it wants back before the calls that it led to.
 */
import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { z } from 'zod';

/** Under which notes of this protocol stand. */
const NOTES = 'responses';

const text = z.object({ text: z.string() });
const reasoningItem = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(text).default([]),
  encrypted_content: z.string().nullish(),
});
const messageItem = z.object({
  type: z.literal('message'),
  content: z.array(z.union([text, z.object({ refusal: z.string() })])),
});
const callItem = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
/** Items of other kinds belong to tools of the vendor's, which nobody asked for. */
const item = z.union([reasoningItem, messageItem, callItem, z.object({ type: z.string() })]);

const failure = z.object({ code: z.string().nullish(), message: z.string() });
const usage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  input_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  output_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
});
export const responseSchema = z.object({
  status: z.string().nullish(),
  output: z.array(item),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: failure.nullish(),
  usage: usage.nullish(),
});

export type ResponseItem = z.output<typeof item>;
export type Response = z.output<typeof responseSchema>;

/** What is sent. @param isEncrypted Thoughts are asked for in the form in which they can be handed back. */
export function requestBody(
  model: string,
  { prompt, tools, maxOutputTokens, temperature, reasoning }: LanguageModelV4CallOptions,
  { stream, isEncrypted }: { readonly stream: boolean; readonly isEncrypted: boolean },
): Record<string, unknown> {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  return {
    model,
    ...(system.length > 0 && { instructions: system.join('\n\n') }),
    input: prompt.flatMap(itemsOf),
    ...(tools !== undefined && {
      tools: tools.flatMap((tool) =>
        tool.type === 'function'
          ? [
              {
                type: 'function',
                ...{ name: tool.name, description: tool.description, parameters: tool.inputSchema },
                // Otherwise every property would have to be required.
                strict: false,
              },
            ]
          : [],
      ),
      tool_choice: 'auto',
    }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(reasoning !== undefined && reasoning !== 'provider-default' && { reasoning: { effort: reasoning } }),
    store: false,
    ...(isEncrypted && { include: ['reasoning.encrypted_content'] }),
    ...(stream && { stream }),
  };
}

type Sent = Readonly<Record<string, unknown>>;

function itemsOf(message: LanguageModelV4Prompt[number]): readonly Sent[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [
        {
          role: 'user',
          content: message.content.flatMap((part) =>
            part.type === 'text' ? [{ type: 'input_text', text: part.text }] : [],
          ),
        },
      ];
    case 'assistant':
      return inPlaces(message.content.flatMap(answeredItem));
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result' && part.output.type === 'text'
          ? [{ type: 'function_call_output', call_id: part.toolCallId, output: part.output.value }]
          : [],
      );
  }
}

interface Placed {
  readonly item: Sent;
  /** Where it stood in the answer; undefined for what carries no notes. */
  readonly place: number | undefined;
}

type AnsweredPart = Extract<LanguageModelV4Prompt[number], { role: 'assistant' }>['content'][number];

const notesSchema = z.object({
  place: z.number(),
  id: z.string().optional(),
  encrypted: z.string().optional(),
});

function answeredItem(part: AnsweredPart): readonly Placed[] {
  const { data: notes } = notesSchema.safeParse(part.providerOptions?.[NOTES]);
  const place = notes?.place;
  switch (part.type) {
    case 'text':
      return [
        { place, item: { role: 'assistant', content: [{ type: 'output_text', text: part.text }] } },
      ];
    case 'reasoning': {
      // What is not stored with the vendor is worth nothing without its encrypted form.
      if (notes?.id === undefined || notes.encrypted === undefined) return [];
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
      const { id, encrypted } = notes;
      return [{ place, item: { type: 'reasoning', id, summary, encrypted_content: encrypted } }];
    }
    case 'tool-call': {
      const { toolCallId, toolName, input } = part;
      const call = { type: 'function_call', call_id: toolCallId, name: toolName };
      return [{ place, item: { ...call, arguments: JSON.stringify(input) } }];
    }
    default:
      return [];
  }
}

/** As they stood in the answer; what does not know its place (the text of all messages together) takes the first free one. */
function inPlaces(items: readonly Placed[]): readonly Sent[] {
  const taken = new Set(items.flatMap(({ place }) => place ?? []));
  let free = 0;
  const placed = items.map(({ item: one, place }) => {
    if (place !== undefined) return { one, at: place };
    while (taken.has(free)) free += 1;
    taken.add(free);
    return { one, at: free };
  });
  return placed.toSorted((left, right) => left.at - right.at).map(({ one }) => one);
}

/** One item of an answer, as the provider layer has it. @param place Among all items. */
export function contentOf(read: ResponseItem, place: number): readonly LanguageModelV4Content[] {
  const reasoning = reasoningItem.safeParse(read);
  if (reasoning.success) {
    const { id, summary, encrypted_content: encrypted } = reasoning.data;
    const said = summary.map((part) => part.text).join('\n\n');
    const notes = notesOf({ place, id, ...(encrypted != null && { encrypted }) });
    return [{ type: 'reasoning', text: said, providerMetadata: notes }];
  }
  const call = callItem.safeParse(read);
  if (call.success) {
    const { call_id: toolCallId, name: toolName, arguments: input } = call.data;
    return [{ type: 'tool-call', toolCallId, toolName, input, providerMetadata: notesOf({ place }) }];
  }
  const message = messageItem.safeParse(read);
  if (!message.success) return [];
  return message.data.content.map((part) => ({
    type: 'text',
    text: 'text' in part ? part.text : part.refusal,
  }));
}

function notesOf(notes: Readonly<Record<string, JSONValue>>): SharedV4ProviderMetadata {
  return { [NOTES]: notes };
}

export function finishOf({ status, incomplete_details: cut, output }: Response): LanguageModelV4FinishReason {
  const raw = cut?.reason ?? status ?? undefined;
  if (cut?.reason === 'max_output_tokens') return { unified: 'length', raw };
  if (cut?.reason === 'content_filter') return { unified: 'content-filter', raw };
  if (status === 'incomplete') return { unified: 'other', raw };
  return { unified: output.some(({ type }) => type === 'function_call') ? 'tool-calls' : 'stop', raw };
}

/** Cached tokens are among the tokens that were sent, thoughts among those that were received. */
export function usageOf(used: Response['usage']): LanguageModelV4Usage {
  const input = used?.input_tokens ?? undefined;
  const output = used?.output_tokens ?? undefined;
  const cached = used?.input_tokens_details?.cached_tokens ?? undefined;
  const reasoning = used?.output_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: {
      total: input,
      noCache: input !== undefined && cached !== undefined ? input - cached : undefined,
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output,
      text: output !== undefined && reasoning !== undefined ? output - reasoning : undefined,
      reasoning,
    },
  };
}

/** What a server says instead of an answer. */
export function failureOf(said: z.output<typeof failure> | null | undefined): {
  readonly code: string | undefined;
  readonly message: string;
} {
  return { code: said?.code ?? undefined, message: said?.message ?? 'The server gives no reason.' };
}

/** Events that matter; of the others there are many, and there will be more. */
export const streamEventSchema = z.union([
  z.object({
    type: z.enum(['response.output_text.delta', 'response.refusal.delta']),
    delta: z.string(),
    output_index: z.int(),
  }),
  z.object({
    type: z.literal('response.reasoning_summary_text.delta'),
    delta: z.string(),
    output_index: z.int(),
    summary_index: z.int(),
  }),
  z.object({ type: z.literal('response.function_call_arguments.delta'), delta: z.string() }),
  z.object({ type: z.literal('response.output_item.done'), output_index: z.int(), item }),
  z.object({
    type: z.enum(['response.completed', 'response.incomplete', 'response.failed']),
    response: responseSchema.extend({ output: responseSchema.shape.output.default([]) }),
  }),
  // Either form is met.
  z.object({ type: z.literal('error'), error: failure }),
  z.object({ type: z.literal('error'), ...failure.shape }),
]);
