import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDriverLine } from './driver-stream.ts';
import { TurnUsage } from './turn-usage.ts';

/** A message as Claude Code tells it: a line for each block, the tokens of the answer growing to what they are. */
const message = fc.record({
  input: fc.nat(1000),
  kept: fc.nat(1000),
  read: fc.nat(1000),
  output: fc.array(fc.nat(100), { minLength: 1, maxLength: 5 }),
  isCalling: fc.boolean(),
});

function countedIn(lines: readonly unknown[]): TurnUsage {
  const counted = new TurnUsage();
  for (const line of lines)
    for (const event of readDriverLine('claude-code', JSON.stringify(line)))
      if (event.kind === 'said') counted.add(event);
  return counted;
}

test('a message counts once, in however many parts it is told', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      const lines = messages.flatMap(({ input, kept, read, output, isCalling }, index) => {
        const ends = output.map((_, at) => output.slice(0, at + 1).reduce((sum, more) => sum + more));
        return ends.flatMap((tokens) => [
          {
            type: 'assistant',
            message: {
              id: `m${index}`,
              content: [{ type: 'text', text: 'So.' }],
              usage: {
                ...{ input_tokens: input, cache_creation_input_tokens: kept },
                ...{ cache_read_input_tokens: read, output_tokens: tokens },
              },
            },
          },
          // The tool is called as soon as its block is there.
          ...(isCalling
            ? [{ type: 'user', message: { content: [{ type: 'tool_result', content: 'ok' }] } }]
            : []),
        ]);
      });
      const { messages: counted, total } = countedIn(lines);
      const sum = (numbers: readonly number[]): number => numbers.reduce((so, more) => so + more, 0);
      expect(counted.count).toBe(messages.length);
      expect(total).toEqual({
        inputTokens: sum(messages.map(({ input, kept, read }) => input + kept + read)),
        cachedTokens: sum(messages.map(({ read }) => read)),
        outputTokens: sum(messages.flatMap(({ output }) => output)),
      });
    }),
  );
});

test('messages without a name are each one of their own', () => {
  const line = { type: 'assistant', message: { content: [], usage: { input_tokens: 2, output_tokens: 1 } } };
  const { messages, total } = countedIn([line, line]);
  expect(messages.count).toBe(2);
  expect(total).toEqual({ inputTokens: 4, cachedTokens: 0, outputTokens: 2 });
});
