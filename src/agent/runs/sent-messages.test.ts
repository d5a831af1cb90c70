import fc from 'fast-check';
import { sentInput, textAsSent } from '../models/conversation.ts';
import { expect, test } from 'vitest';
import type { Message } from '../models/conversation.ts';
import type { RunRecord } from './events.ts';
import { SentMessages } from './sent-messages.ts';

const said = (text: string): { role: 'user'; text: string } => ({ role: 'user', text });

function recordOf(seq: number, key: string, sent: ReturnType<SentMessages['add']>): RunRecord {
  const event = { kind: 'model-called', key, role: 'executor', model: 'a/b' } as const;
  return { seq, at: '', event: { ...event, sent: { ...sent, tools: [], tokens: 0 } } };
}

test('what a log kept of questions is what they are compared with when the run goes on', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), texts, (asked, next) => {
      const questions = asked.map((one) => one.map(said));
      const live = new SentMessages();
      const log = questions.map((one, at) => recordOf(at, `q${at}`, live.add(`q${at}`, 'executor', one)));
      const resumed = new SentMessages(log).add('next', 'executor', next.map(said));
      expect(resumed).toEqual(live.add('next', 'executor', next.map(said)));
      const last: readonly Message[] = questions.at(-1) ?? [];
      expect(next.map(said)).toEqual([...last.slice(0, resumed.kept), ...resumed.messages]);
    }),
  );
});

/** How many elements are read out of lists, by copying and by going through them, while it works. */
function elementsRead(work: () => unknown): number {
  let count = 0;
  const restore = (['slice', 'concat', 'flat', Symbol.iterator] as const).map((name) => {
    const own = Object.getOwnPropertyDescriptor(Array.prototype, name) ?? {};
    const method: unknown = own.value;
    if (typeof method !== 'function') throw new Error(`Lists have no ${String(name)}.`);
    const counting = function (this: unknown[], ...given: unknown[]): unknown {
      const answer: unknown = Reflect.apply(method, this, given);
      count += Array.isArray(answer) ? answer.length : this.length;
      return answer;
    };
    Object.defineProperty(Array.prototype, name, { ...own, value: counting });
    return (): void => void Object.defineProperty(Array.prototype, name, own);
  });
  try {
    work();
    return count;
  } finally {
    for (let at = 0; at < restore.length; at++) restore[at]?.();
  }
}

/** A conversation of so many turns, and one that somebody made: each question repeats all of the one before. */
const logOf = (turns: number, kept: (turn: number) => number): RunRecord[] =>
  Array.from({ length: turns }, (_, turn) =>
    recordOf(turn, `q${turn}`, {
      like: turn === 0 ? null : `q${turn - 1}`,
      kept: kept(turn),
      messages: [said(`${turn}`)],
    }),
  );

test.each([
  ['a long run', (turn: number) => turn],
  ['a log that claims more than there is', () => Number.MAX_SAFE_INTEGER],
  ['a log that claims less than nothing', () => -5],
])('%s of twice the turns takes twice the work', (_, kept) => {
  const work = (turns: number): number => {
    const log = logOf(turns, kept);
    return elementsRead(() => new SentMessages(log).add('next', 'executor', [said('0'), said('other')]));
  };
  const once = work(1000);
  expect(once).toBeGreaterThan(999);
  expect(work(2000)).toBeLessThan(2.1 * once);
});

test('arguments that are no object are shown as they are sent', () => {
  const calls = [{ id: '1', name: 'rocq_goals', input: 'not json' }];
  expect(textAsSent({ role: 'assistant', text: '', calls })).toBe('rocq_goals{"unparsed":"not json"}');
  expect(sentInput('{"a": 1}')).toEqual({ a: 1 });
  expect(['null', '[]', '5'].map(sentInput)).toEqual(['null', '[]', '5'].map((unparsed) => ({ unparsed })));
});
