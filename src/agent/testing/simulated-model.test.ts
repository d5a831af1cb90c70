import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../core/random.ts';
import type { ChatRequest } from './scripted-model-server.ts';
import { simulatedAnswer, spoiled, wholeScript } from './simulated-model.ts';
import type { KnownProof } from './simulated-model.ts';

const PROOF: KnownProof = {
  statement: ': forall n m, n + m = m + n.',
  sentences: [
    'intros n m.',
    'induction n.',
    '- simpl.',
    'now rewrite add_0_r.',
    '- simpl.',
    'now rewrite IHn.',
  ],
};
const isSeen = (): boolean => false;

test('the share of scripts that stay whole is the quality to the power of the sentences', () => {
  const random = randomNumbers(3);
  const trials = 3000;
  for (const quality of [0.5, 0.8, 0.95]) {
    let whole = 0;
    for (let trial = 0; trial < trials; trial++) {
      const script = spoiled(PROOF.sentences, { chance: 1 - quality, random, isSeen });
      if (script.join('\n') === PROOF.sentences.join('\n')) whole++;
    }
    expect(whole / trials).toBeCloseTo(quality ** PROOF.sentences.length, 1);
  }
});

test('a spoiled sentence is missing, left open, out of order, beside a fact too many, or names what is not there', () => {
  const sentence = fc.constantFrom(...PROOF.sentences);
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 8 }), fc.nat(1e6), (sentences, seed) => {
      const random = randomNumbers(seed);
      expect(spoiled(sentences, { chance: 0, random, isSeen })).toEqual(sentences);
      for (const said of spoiled(sentences, { chance: 0.5, random, isSeen })) {
        const isOwn = sentences.includes(said);
        expect(isOwn || /^admit\.$|one_too_many|_r|_iff|_0_l/u.test(said)).toBe(true);
      }
      // A name that was shown is never wrong.
      for (const said of spoiled(sentences, { chance: 1, random, isSeen: () => true }))
        expect([...sentences, 'admit.', 'assert (one_too_many : True) by exact I.']).toContain(said);
    }),
  );
});

const ask = (content: string, more: Partial<ChatRequest> = {}, quality = 1) =>
  simulatedAnswer(
    { model: 'x', messages: [{ role: 'user', content }], ...more },
    [PROOF, { statement: ': True.', sentences: ['exact I.'] }],
    quality,
    0,
  );
const tools = [{ function: { name: 'rocq_check_proof' } }];
const scriptOf = (reply: object): string => {
  const [call] = (reply as { calls: { arguments: string }[] }).calls;
  return (JSON.parse(call?.arguments ?? '{}') as { proof: string }).proof;
};

test('a perfect model carries out its plan, sees what is wrong in another, and mends what failed', () => {
  const theorem = 'Lemma goal_to_prove  : forall n m,\n n + m = m + n.\n';
  const whole = PROOF.sentences.join('\n');
  const plan = ask(`${theorem}You plan proofs.`) as { text: string };
  expect(plan.text).toContain(whole);
  expect(scriptOf(ask(`${theorem}${plan.text}`, { tools }))).toBe(whole);
  const wrong = plan.text.replace('induction n.', 'induction m.');
  expect(ask(`${theorem}${wrong}\nyou argue against it`)).toMatchObject({ text: 'I object to sentence 1.' });
  expect(ask(`${theorem}${wrong}\nI object to sentence 1.`)).toMatchObject({ text: plan.text });
  const checked = ask('', {
    tools,
    messages: [
      { role: 'system', content: `${theorem}${wrong}` },
      { role: 'tool', content: 'failed: No.\n\nAccepted:\nintros n m.\n\nerror' },
    ],
  });
  expect(scriptOf(checked)).toBe(whole);
});

test('the same request gets the same answer, and another theorem none', () => {
  const request = `Lemma a ${PROOF.statement} You plan proofs.`;
  expect(ask(request, {}, 0.5)).toEqual(ask(request, {}, 0.5));
  expect(ask('Lemma b : False.')).toMatchObject({ text: 'I do not know this theorem.' });
});

const LEMMA = {
  name: 'plus_zero',
  sentence: 'Lemma plus_zero n : n + 0 = n.',
  claim: 'forall n, n + 0 = n',
  sentences: ['induction n.', '- reflexivity.', '- simpl. now rewrite IHn.'],
};
const lemmaTools = [...tools, { function: { name: 'lemma_prove' } }];
const callOf = (content: string, more: Partial<ChatRequest> = {}) => {
  const proofs = [{ ...PROOF, lemma: LEMMA }];
  const request = { model: 'x', messages: [{ role: 'user', content }], ...more };
  const { calls } = simulatedAnswer(request, proofs, 1, 0) as {
    calls: { name: string; arguments: string }[];
  };
  return calls[0];
};

test('what the file lacks is stated as a lemma or inside of the proof, and used by its name once it is proved', () => {
  const theorem = `Theorem:\nLemma goal_to_prove ${PROOF.statement}\n\nGoals at its start:`;
  const ways = Array.from({ length: 30 }, (_, n) => callOf(`${theorem} ${n}`, { tools: lemmaTools }));
  expect(new Set(ways.map((call) => call?.name))).toEqual(new Set(['lemma_prove', 'rocq_check_proof']));
  const inside = JSON.stringify({ proof: wholeScript({ ...PROOF, lemma: LEMMA }).join('\n') });
  const asLemma = JSON.stringify({ statement: LEMMA.sentence, proof: LEMMA.sentences.join('\n') });
  for (const call of ways) expect(call?.arguments).toBe(call?.name === 'lemma_prove' ? asLemma : inside);
  expect(callOf(theorem, { tools })?.arguments).toBe(inside);
  const proved = callOf(`${theorem} The lemma plus_zero is proved (script):`, { tools: lemmaTools });
  expect(proved?.arguments).toBe(JSON.stringify({ proof: PROOF.sentences.join('\n') }));
  const hole = 'Theorem:\nLemma goal_to_prove_part_1 : forall x, x + 0 = x.\n\nGoals at its start:';
  const ofHole = callOf(`${hole} Lemma goal_to_prove ${PROOF.statement}`, { tools: lemmaTools });
  expect(ofHole?.arguments).toBe(JSON.stringify({ proof: LEMMA.sentences.join('\n') }));
});
