import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readMessages } from './read-messages.ts';

test('messages are handed on, and a line that is none is told', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  const input = new PassThrough();
  const messages = readMessages(input);
  const said: string[] = [];
  messages.tell((text) => said.push(text));
  input.write('{"say":"one"}\nnot json\n{"say":5}\n{"say":"two"}\n');
  await vi.waitFor(() => expect(said).toEqual(['one', 'two']));
  expect(told.mock.calls.flat()).toEqual(
    ['not json', '{"say":5}'].map(
      (line) => `A line of the input is no message to the model ({"say": "…"}): ${line}`,
    ),
  );
  messages.close();
});
