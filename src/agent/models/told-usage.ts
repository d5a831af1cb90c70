/**
 * What a server says of its tokens, before a package of a provider reads it. A package throws an answer away in which one
 * count is no number, and a proof that is in it would be asked and paid for once more. What cannot be read is replaced
 * here by counts that nobody believes, in a whole answer as in the events of a stream: then an estimate is charged.
 */
import { z } from 'zod';
import { isRecord, parsedJson } from '../../core/json.ts';

const count = z.number().nullish();
const cached = z.object({ cached_tokens: count }).nullish();
const reasoning = z.object({ reasoning_tokens: count }).nullish();

/** All that is read of it, of all protocols; whatever else is told is left out. */
const toldUsage = z.object({
  ...{ prompt_tokens: count, completion_tokens: count },
  ...{ prompt_tokens_details: cached, completion_tokens_details: reasoning },
  ...{ input_tokens: count, output_tokens: count },
  ...{ input_tokens_details: cached, output_tokens_details: reasoning },
  ...{ cache_creation_input_tokens: count, cache_read_input_tokens: count },
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).nullish(),
  ...{ promptTokenCount: count, candidatesTokenCount: count, toolUsePromptTokenCount: count },
  ...{ cachedContentTokenCount: count, thoughtsTokenCount: count },
});

/** Less than nothing, whatever is added to it. */
const NEVER = Number.MIN_SAFE_INTEGER;
const UNREADABLE = {
  ...{ prompt_tokens: NEVER, completion_tokens: NEVER },
  ...{ input_tokens: NEVER, output_tokens: NEVER },
  ...{ promptTokenCount: NEVER, candidatesTokenCount: NEVER },
};

type CountName = 'input_tokens' | 'output_tokens';

/** Counts that Anthropic's package requires, by what has them; all else may be without. */
const REQUIRED = new Map<unknown, readonly CountName[]>([
  ['message', ['input_tokens', 'output_tokens']],
  ['message_start', ['input_tokens']],
  ['message_delta', ['output_tokens']],
]);

/** What a line has in it that may tell tokens: most lines of a stream have neither. */
const MAY_TELL = /"usage|"message_(?:start|delta)"/u;

/** The bytes of an answer, or of a stream of events, with counts that can be read. */
export function readableUsage(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let isWhole: boolean | undefined;
  // It is not looked at before it is complete: it may come in many parts.
  let pending = '';
  return new TransformStream({
    transform: (chunk, controller) => {
      const text = decoder.decode(chunk, { stream: true });
      const first = /\S/u.exec(text)?.[0];
      if (first !== undefined) isWhole ??= first === '{';
      const end = isWhole === true ? 0 : text.lastIndexOf('\n') + 1;
      if (end > 0) controller.enqueue(encoder.encode(readableEvents(pending + text.slice(0, end))));
      pending = end > 0 ? text.slice(end) : pending + text;
    },
    flush: (controller) => {
      const rest = pending + decoder.decode();
      controller.enqueue(encoder.encode(isWhole === true ? readableAnswer(rest) : readableEvents(rest)));
    },
  });
}

function readableEvents(lines: string): string {
  return lines.replace(/^(data: ?)(\{[^\r\n]*)/gmu, (line, name: string, value: string) =>
    MAY_TELL.test(value) ? `${name}${readableAnswer(value)}` : line,
  );
}

function readableAnswer(text: string): string {
  const answer = parsedJson(text);
  if (!isRecord(answer)) return text;
  const { type, message, response } = answer;
  const required = REQUIRED.get(type) ?? [];
  // The first event of a stream has them one level further in, as has the last of another protocol.
  const isInside = type === 'message_start';
  return JSON.stringify({
    ...withReadable(answer, isInside ? [] : required),
    ...(isRecord(message) && { message: withReadable(message, isInside ? required : []) }),
    ...(isRecord(response) && { response: withReadable(response) }),
  });
}

type Told = Readonly<Record<string, unknown>>;

function withReadable(answer: Told, required: readonly CountName[] = []): Told {
  const { usage, usageMetadata } = answer;
  return {
    ...answer,
    ...((isTold(usage) || required.length > 0) && { usage: readable(usage, required) }),
    ...(isTold(usageMetadata) && { usageMetadata: readable(usageMetadata) }),
  };
}

function readable(usage: unknown, required: readonly CountName[] = []): Told {
  const { data } = toldUsage.safeParse(usage);
  return data === undefined || required.some((name) => !isTold(data[name])) ? UNREADABLE : data;
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}
