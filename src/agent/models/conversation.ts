/** What is said to a model and what it answers, apart from any provider. Plain values: they are what a run records. */

/** What a provider wants to have handed back beside a part of an answer: signatures of thoughts, mostly. */
export type ProviderNotes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as `argumentsOf` writes it, or what the model took for JSON. */
  readonly input: string;
  readonly notes?: ProviderNotes | undefined;
}

/** What a reasoning model thought before it answered. It goes back to the model as it came. */
export interface Thought {
  readonly text: string;
  readonly notes?: ProviderNotes | undefined;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly thoughts?: readonly Thought[] | undefined;
    }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly text: string };

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** All that is said in one message, for counting. */
export function textOfMessage(message: Message): string {
  if (message.role !== 'assistant') return message.text;
  const thoughts = (message.thoughts ?? []).map(({ text }) => text).join('');
  return thoughts + message.text + message.calls.map(({ name, input }) => name + input).join('');
}

/** Arguments as they are sent: providers want an object back, also where the model did not write one. */
export function sentInput(input: string): unknown {
  const value = jsonOf(input);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  // The model is told beside it that this was no JSON.
  return { unparsed: input };
}

/** The text of a message with the arguments as they are sent. */
export function textAsSent(message: Message): string {
  if (message.role !== 'assistant') return message.text;
  const calls = message.calls.map((call) => ({ ...call, input: JSON.stringify(sentInput(call.input)) }));
  return textOfMessage({ ...message, calls });
}

/** Arguments of tools are nested two or three deep; what reads and writes JSON gives up at some thousand. */
const DEEPEST = 100;

/** Whether brackets in JSON are nested deeper than arguments of tools are. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const [bracket] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gsu)) {
    if (bracket === '[' || bracket === '{') depth++;
    else if (bracket === ']' || bracket === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/**
 * What a model wrote as the arguments of a tool, in the one form in which they are recorded, read and sent again: no letter
 * is escaped that need not be, and no name stands twice. What is no JSON stays as it is.
 */
export function argumentsOf(written: string): string {
  const value = jsonOf(written);
  return value === undefined ? written : JSON.stringify(value);
}

/** What a model wrote as the arguments of a tool; undefined where it is no JSON that can be worked with. */
export function jsonOf(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
