/**
 * A conversation as the provider layer takes it, laid out so that a turn pays for what is new. A conversation only
 * grows: providers that cache by themselves (OpenAI, Google, DeepSeek) find the beginning of it again. Anthropic
 * caches up to the places that are marked, at most four, and looks back twenty blocks from each: the system message
 * (with the tools before it), the end of what was sent the last time, and the end of what is sent now.
 */
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { sentInput, type Message, type ProviderNotes } from './conversation.ts';

const CACHED: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

export function promptOf(messages: readonly Message[]): LanguageModelV4Prompt {
  const marked = markedPlaces(messages);
  return messages.map((message, index) => partOf(message, marked.has(index) ? CACHED : undefined));
}

/** The places behind which a cached beginning may end. */
function markedPlaces(messages: readonly Message[]): ReadonlySet<number> {
  const latestAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const system = messages.findIndex(({ role }) => role === 'system');
  return new Set([system, latestAnswer - 1, messages.length - 1].filter((index) => index >= 0));
}

function partOf(
  message: Message,
  options: SharedV4ProviderOptions | undefined,
): LanguageModelV4Prompt[number] {
  const cached = options === undefined ? {} : { providerOptions: options };
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text, ...cached };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }], ...cached };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.thoughts ?? []).map(({ text, notes }) => ({
            type: 'reasoning' as const,
            text,
            ...handedBack(notes),
          })),
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map(({ id, name, input, notes }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: sentInput(input),
            ...handedBack(notes),
          })),
        ],
        ...cached,
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
        ...cached,
      };
  }
}

function handedBack(notes: ProviderNotes | undefined): { providerOptions?: SharedV4ProviderOptions } {
  // What came as JSON goes back as it came.
  return notes === undefined ? {} : { providerOptions: notes as SharedV4ProviderOptions };
}
