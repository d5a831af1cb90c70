/** What is said to a model and what it answers, apart from any provider. Plain values: they are what a run records. */

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it: JSON, or what it took for JSON. */
  readonly input: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly text: string };

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** All that is said, for counting. */
export function textOf(messages: readonly Message[]): string {
  return messages
    .map((message) =>
      message.role === 'assistant'
        ? message.text + message.calls.map(({ name, input }) => name + input).join('')
        : message.text,
    )
    .join('\n');
}
