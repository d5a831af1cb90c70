import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extended, rowsOf, secondsText, shareOf, stateText, stateTone, type RunEvent } from './timeline.ts';
import { writtenInput } from './written-input.ts';

const event = (seq: number, part: Partial<RunEvent>): RunEvent => ({
  ...{ seq, at: '2026-01-01T00:00:00.000Z', kind: 'planned', key: null, line: '', role: null, model: null },
  ...{ tool: null, outcome: null, text: null, input: null, goal: null, calls: [], findings: [], cost: null },
  ...{ seconds: null, input_tokens: null, output_tokens: null },
  ...part,
});

it('pieces that overlap or come twice make one log without a gap', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.array(fc.tuple(fc.nat(40), fc.nat(40))), (length, pieces) => {
      const all = Array.from({ length }, (_, seq) => event(seq, {}));
      let known: readonly RunEvent[] = [];
      for (const [from, to] of pieces) {
        // A page asks from where it is, or from before it after a reload.
        const after = Math.min(from, known.length);
        known = extended(known, all.slice(after, Math.max(after, to)));
        expect(known.map(({ seq }) => seq)).toEqual(known.map((_, index) => index));
      }
      expect(extended(known, all)).toHaveLength(length);
    }),
  );
});

it('a question is shown until its answer is there', () => {
  const asked = event(0, { kind: 'model-called', key: 't/executor-1', role: 'executor' });
  const answered = event(1, { kind: 'model-answered', key: 't/executor-1', role: 'executor' });
  expect(rowsOf([asked])).toMatchObject([{ tone: 'live', label: 'executor', depth: 1 }]);
  expect(rowsOf([asked, answered]).map(({ event: { kind } }) => kind)).toEqual(['model-answered']);
});

it.each([
  ['judged', 'accepted', 'good'],
  ['judged', 'rejected', 'bad'],
  ['judged', 'unknown', 'open'],
  ['tool-answered', 'proved', 'good'],
  ['tool-answered', 'timeout', 'bad'],
  ['tool-answered', null, 'plain'],
  ['theorem-ended', 'proved-but', 'open'],
  ['theorem-ended', 'not-proved', 'bad'],
  ['model-failed', 'failed', 'bad'],
  ['model-failed', 'interrupted', 'open'],
  ['tool-answered', 'interrupted', 'open'],
  ['run-ended', 'interrupted', 'open'],
  ['run-ended', 'budget-exhausted', 'open'],
  ['run-ended', 'failed', 'bad'],
])('%s with %s is %s', (kind, outcome, tone) => {
  expect(rowsOf([event(0, { kind, outcome })])[0]?.tone).toBe(tone);
});

it('figures are said as people say them', () => {
  expect([0.42, 12.7, 75, 7300].map(secondsText)).toEqual(['0.4 s', '13 s', '1 min 15 s', '2 h 1 min']);
  // No part of it is rounded up to a whole of the next.
  expect([9.97, 59.6, 119.6, 3599.7].map(secondsText)).toEqual([
    '10 s',
    '1 min 0 s',
    '2 min 0 s',
    '1 h 0 min',
  ]);
  expect(shareOf(1, null)).toBeUndefined();
  expect(shareOf(3, 2)).toBe(1);
});

it('the input of a tool is read as its fields, and anything else as it stands', () => {
  expect(writtenInput('{"proof": "intros.\\nauto.", "n": 2}')).toBe('proof: intros.\nauto.\nn: 2');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(typeof writtenInput(text)).toBe('string');
    }),
  );
  expect(writtenInput('not json')).toBe('not json');
});

it('what only a log calls proved is said to be recorded so, and is not green', () => {
  expect([stateText(false, 'proved'), stateTone(false, 'proved')]).toEqual(['recorded as proved', 'plain']);
  expect([stateText(true, 'proved'), stateText(false, 'not-proved')]).toEqual(['at work', 'not-proved']);
});
