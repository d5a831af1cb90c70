/**
 * What every operation has besides what it does: defaults, limits, one parse at the border, and what its answer
 * says.
 */
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { CATALOGUE, operations, typedOperation } from '../catalogue.ts';
import { openCaller } from '../testing/caller.ts';
import { defineOperation } from './operation.ts';

const caller = await openCaller();
afterAll(() => caller.close());
const context = caller.context();

/** What the last run was given. */
let given: unknown;

const repeat = defineOperation({
  name: 'proof_repeat',
  area: 'proof',
  title: 'Repeat',
  summary: 'Says a word several times.',
  input: z.object({
    word: z.string().regex(/^\w+$/u),
    times: z.int().positive().default(2),
    loud: z.boolean().optional(),
  }),
  output: z.object({ verdict: z.enum(['accepted', 'rejected', 'unknown']), words: z.array(z.string()) }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 10,
  longestTimeout: 20,
  render: ({ words }) => words.join(' '),
  conclude: ({ words }) => `${words.length} words`,
  run: (input) => {
    given = input;
    const verdict = input.word === 'no' ? 'rejected' : input.word === 'perhaps' ? 'unknown' : 'accepted';
    const answer = {
      verdict,
      words: Array.from({ length: input.times }, () => input.word),
      secret: 1,
    } as const;
    return Promise.resolve({ ...answer, words: [...answer.words] });
  },
});

const conclusion = z.object({
  verdict: z.string().nullable(),
  rests_on_open: z.array(z.string()).optional(),
  open_statements: z.array(z.string()).optional(),
  statements: z.union([z.int(), z.array(z.object({ open_statements: z.array(z.string()) }))]).optional(),
});

const conclude = defineOperation({
  name: 'gate_conclude',
  area: 'gate',
  title: 'Conclude',
  summary: 'Answers what it is given.',
  input: conclusion,
  output: conclusion,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 10,
  run: (said) => Promise.resolve(said),
});

it.each([
  [{ verdict: 'accepted' }, true],
  [{ verdict: 'accepted', rests_on_open: [], open_statements: [], statements: 2 }, true],
  [{ verdict: 'accepted', statements: [{ open_statements: [] }] }, true],
  [{ verdict: 'accepted', rests_on_open: ['u'] }, false],
  [{ verdict: 'accepted', open_statements: ['u'], statements: 2 }, false],
  [{ verdict: 'accepted', statements: [{ open_statements: [] }, { open_statements: ['u'] }] }, false],
  [{ verdict: 'rejected' }, false],
  [{ verdict: null }, false],
  [{ verdict: 'unknown', rests_on_open: ['u'] }, undefined],
  [{ verdict: 'not-asked' }, true],
])('what is accepted holds when it rests on nothing open: %j', async (said, holds) => {
  expect((await conclude.answer(said, context)).holds()).toBe(holds);
});

describe('a call from this process', () => {
  it('knows its types, and has the defaults of what is left out', async () => {
    const { words } = await repeat.call({ word: 'so', loud: true }, context);
    expectTypeOf(words).toEqualTypeOf<string[]>();
    expect(words).toEqual(['so', 'so']);
    expect(given).toEqual({ word: 'so', times: 2, loud: true, timeout: 10 });
  });

  it('is not parsed: the compiler looked at it', async () => {
    await repeat.call({ word: 'two words', timeout: 5 }, context);
    expect(given).toEqual({ word: 'two words', times: 2, timeout: 5 });
  });

  it('finds an operation by its name', () => {
    const step = typedOperation('rocq_step');
    expect(step.name).toBe('rocq_step');
    expectTypeOf<Parameters<typeof step.call>[0]['script']>().toEqualTypeOf<string>();
    for (const operation of CATALOGUE)
      expect(Object.entries(operations).find(([name]) => name === operation.name)?.[1]).toBe(operation);
    expect(Object.keys(operations)).toHaveLength(CATALOGUE.length);
  });
});

describe('at the border', () => {
  it('what is promised goes out, and nothing else', async () => {
    const { value } = await repeat.answer({ word: 'so', times: 1 }, context);
    expect(value).toEqual({ verdict: 'accepted', words: ['so'] });
  });

  it.each([
    [{ word: 'two words' }, /`word`: /u],
    [{ word: 'so', tmies: 3 }, /There is no parameter `tmies` \(did you mean `times`\?\)/u],
    [{ word: 'so', timeout: 21 }, /`timeout`: /u],
    [{ word: 'so', timeout: 'soon' }, /`timeout`: /u],
    [null, /^`word` is missing\.$/u],
    [{}, /^`word` is missing\.$/u],
    ['so', /The input: /u],
    [['so'], /The input: /u],
  ])('%j is refused', async (input, message) => {
    await expect(repeat.answer(input, context)).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('half of a character is refused, wherever in the input it stands', async () => {
    const files = { file: 'a.v', theorem: 't', proof: 'idtac "\ud83d".', unjudged: true };
    const refused = await caller.failure('rocq_fill', files);
    expect(refused).toMatchObject({ reason: 'invalid-input' });
    expect(refused.text).toMatch(/^`proof`: there is half of a character/u);
    const tried = { session_id: 's', alternatives: ['split.', '\udc00'] };
    expect((await caller.failure('rocq_try', tried)).text).toMatch(/^`alternatives\.1`: there is half/u);
    // Both halves are one character.
    const whole = { ...files, proof: 'idtac "\ud83d\ude00".' };
    expect((await caller.failure('rocq_fill', whole)).text).not.toContain('half');
  });

  it.each([
    ['so', true],
    ['no', false],
    ['perhaps', undefined],
  ])('says whether what was asked for holds: %s', async (word, holds) => {
    const answer = await repeat.answer({ word }, context);
    expect(answer.holds()).toBe(holds);
    expect(answer.body()).toBe(`${word} ${word}`);
    expect(answer.conclusion()).toBe('2 words');
    expect(answer.text()).toBe(`${word} ${word}\n2 words`);
    expect(repeat.readAnswer(answer.value).text()).toBe(answer.text());
  });
});

it.each([
  ['{"word": "yes", "__proto__": {"loud": true}}', 'There is no parameter `__proto__`'],
  ['{"word": 5, "__proto__": 1}', 'no parameter `__proto__`'],
  ['{"words": "x", "__proto__": {}}', 'no parameter `__proto__`'],
])(
  'a parameter that schemas pass over is refused like every other that there is not: %s',
  async (text, told) => {
    given = undefined;
    await expect(repeat.answer(JSON.parse(text), context)).rejects.toMatchObject({
      ...{ reason: 'invalid-input', message: expect.stringContaining(told) as unknown },
    });
    expect(given).toBeUndefined();
  },
);

it('and so is one inside of a value', async () => {
  const input: unknown = JSON.parse(
    '{"verdict": null, "statements": [{"open_statements": [], "__proto__": 1}]}',
  );
  await expect(conclude.answer(input, context)).rejects.toMatchObject({
    message: 'There is no parameter `statements.0.__proto__`.',
  });
});
