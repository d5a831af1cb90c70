import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../models/conversation.ts';
import { History, tokensOf } from './history.ts';

const turn = fc.record({
  said: fc.string({ maxLength: 400 }),
  results: fc.array(fc.string({ maxLength: 8000 }), { maxLength: 3 }),
  told: fc.option(fc.string({ maxLength: 200 })),
});

test('whatever is said, it fits, the beginning and the latest turn stay, and no answer loses its call', () => {
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 40 }),
      fc.integer({ min: 2500, max: 20_000 }),
      (turns, tokens) => {
        const history = new History(() => [
          { role: 'system', text: 'the theorem' },
          { role: 'user', text: 'prove it' },
        ]);
        for (const { said, results, told } of turns) {
          const calls = results.map((_, index) => ({ id: `c${index}`, name: 'tool', input: '{}' }));
          history.push({ role: 'assistant', text: said, calls });
          for (const [index, text] of results.entries()) {
            const call = calls[index];
            if (call !== undefined) history.push({ role: 'tool', call, text });
          }
          if (told !== null) history.push({ role: 'user', text: told });
          const sent = history.messages({ tokens, messages: 30, tail: 10 });
          expect(tokensOf(sent)).toBeLessThanOrEqual(tokens);
          expect(sent[0]).toEqual({ role: 'system', text: 'the theorem' });
          expect(sent[1]?.role === 'user' && sent[1].text.startsWith('prove it')).toBe(true);
          expect(sent.some((message) => message.role === 'assistant' && message.text === said)).toBe(true);
          const known = new Set<unknown>();
          for (const message of sent) {
            if (message.role === 'assistant') for (const call of message.calls) known.add(call);
            if (message.role === 'tool') expect(known.has(message.call)).toBe(true);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a digest names the states that were reached', () => {
  const history = new History(() => [{ role: 'user', text: 'prove it' }]);
  for (let number = 0; number < 20; number++) {
    const call = { id: `${number}`, name: 'rocq_step', input: '{"script":"intros."}' };
    history.push({ role: 'assistant', text: '', calls: [call] });
    history.push({
      role: 'tool',
      call,
      text: `failed: no such thing\n\nState: s${number}\n${'goal '.repeat(300)}`,
    });
  }
  const sent: readonly Message[] = history.messages({ tokens: 3000, messages: 100, tail: 100 });
  expect(sent[0]).toMatchObject({
    text: expect.stringMatching(/failed: no such thing State: s3/u) as string,
  });
});
