/** Every branch of the workflow, driven by a scripted model over real HTTP and a toy prover. */
import { QuodError } from '../../core/errors.ts';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { runAgent } from '../run.ts';
import type { RunRecord } from '../runs/events.ts';
import { foldRun } from '../runs/fold.ts';
import { mergeSettings } from '../settings.ts';
import { Killed, MemoryLog } from '../testing/memory-log.ts';
import { startModelServer } from '../testing/scripted-model-server.ts';
import type { ChatRequest, Reply, ScriptedModelServer } from '../testing/scripted-model-server.ts';
import { ACCEPTED, UNJUDGED, WRONG_ELSEWHERE, toyFile, toyTarget } from '../testing/toy-target.ts';
import type { ToyTarget } from '../testing/toy-target.ts';

const KEY = 'a-key-that-nobody-may-see';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Who is asked, told by how the prompt begins. */
function roleOf({ messages }: ChatRequest): string {
  const text = spoken(messages.find(({ role }) => role === 'user')?.content);
  const end = spoken(messages.at(-1)?.content);
  if (text.startsWith('You prove a theorem')) return 'executor';
  if (end.includes('You judge a debate') || end.includes('was not the JSON object')) return 'judge';
  if (text.includes('you argue against it')) return 'con';
  if (text.includes('You propose it')) return 'pro';
  if (text.startsWith('You plan proofs')) return 'planner';
  if (text.startsWith('You rate plans')) return 'scorer';
  if (text.startsWith('You watch somebody')) return 'critic';
  if (text.includes('is stuck at this goal')) return 'explainer';
  if (text.startsWith('You improve a plan')) return 'replanner';
  if (text.startsWith('An attempt to prove')) return 'failure-summariser';
  if (text.startsWith('You write proofs')) return 'few-shot';
  throw new Error(`Nobody knows who is asked: ${text}`);
}

function spoken(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('');
}

const check = (proof: string): Reply => ({
  calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }],
});

/** A model that plans well and proves at once, where a test says nothing else. */
const SENSIBLE: Readonly<Record<string, Reply>> = {
  planner: { text: '1. exact right' },
  pro: { text: '1. exact right (proposed)' },
  con: { text: 'It may fail.' },
  judge: { text: '{"winner": "pro", "plan": "1. exact right (judged)"}' },
  scorer: { text: '{"score": 7, "reason": "short"}' },
  executor: check(ACCEPTED),
  critic: { text: 'The second step departs from the plan.' },
  explainer: { text: 'exact carries over.' },
  replanner: { text: '1. exact right (revised)' },
  'failure-summariser': { text: '- the plan was wrong' },
  'few-shot': { text: ACCEPTED },
};

type Script = Readonly<Record<string, Reply | ((request: ChatRequest, number: number) => Reply)>>;

interface Driven {
  readonly records: readonly RunRecord[];
  readonly outcome: string;
  readonly message: string;
  readonly asked: (role: string) => readonly ChatRequest[];
  readonly target: ToyTarget;
}

async function drive(
  script: Script,
  settings: Record<string, unknown> = {},
  {
    target = toyTarget(),
    log = new MemoryLog(),
    signal = new AbortController().signal,
    text = 'the toys',
  } = {},
): Promise<Driven> {
  const counts = new Map<string, number>();
  server ??= await startModelServer((request) => {
    const role = roleOf(request);
    const number = counts.get(role) ?? 0;
    counts.set(role, number + 1);
    const reply = script[role] ?? SENSIBLE[role] ?? { text: '' };
    return typeof reply === 'function' ? reply(request, number) : reply;
  });
  const { url, requests } = server;
  const ended = await runAgent({
    log,
    files: [
      {
        ...toyFile(target),
        text,
        recheck: () =>
          Promise.resolve({ verdict: 'accepted' as const, findings: [], restsOnOpen: { toy: [] } }),
      },
    ],
    settings: mergeSettings({
      model: 'scripted/toy',
      providers: { scripted: { url, keyVariable: 'SCRIPTED_KEY' } },
      prices: { 'scripted/toy': { input: 100, output: 1000 } },
      // Without a model it works alone.
      searchFirst: settings.model === null,
      retryDelay: 0.001,
      ...settings,
    }),
    quod: 'test',
    environment: { SCRIPTED_KEY: KEY },
    permissions: OWN_SETTINGS,
    signal,
  });
  expect(JSON.stringify(log.records)).not.toContain(KEY);
  // Proved is only what the toy gate accepts, whatever a test does.
  for (const { outcome, proof } of foldRun(log.records)?.theorems ?? [])
    if (outcome === 'not-judged') expect(proof === UNJUDGED || proof?.includes(WRONG_ELSEWHERE)).toBe(true);
    else if (proof !== null) expect(proof).toBe(ACCEPTED);
  return {
    records: log.records,
    outcome: ended.outcome,
    message: ended.message,
    asked: (role) => requests.map(({ body }) => body).filter((body) => roleOf(body) === role),
    target,
  };
}

const kinds = (records: readonly RunRecord[], kind: string) =>
  records.map(({ event }) => event).filter((event) => event.kind === kind);

describe('planning', () => {
  test('four plans by debate of two rounds, scored, the best first, and an early stop', async () => {
    const scores = [3, 9, 5, 1];
    const { outcome, asked, records } = await drive(
      { scorer: (_request, number) => ({ text: `{"score": ${scores[number]}}` }) },
      { planning: 'debate' },
    );
    expect(outcome).toBe('proved');
    expect([asked('pro').length, asked('con').length, asked('judge').length]).toEqual([8, 8, 4]);
    expect(asked('scorer')).toHaveLength(4);
    expect(asked('executor')).toHaveLength(1);
    const best = kinds(records, 'scored').find((event) => 'score' in event && event.score === 9);
    expect(kinds(records, 'attempt-started')).toMatchObject([
      { plan: Number(/plan-(\d)/u.exec(best !== undefined && 'key' in best ? best.key : '')?.[1]) },
    ]);
  });

  test('direct planning asks once for each plan', async () => {
    const { asked, records } = await drive({}, { planning: 'direct', plans: 3 });
    expect([asked('planner').length, asked('pro').length]).toEqual([3, 0]);
    expect(kinds(records, 'planned')).toMatchObject([{ by: 'direct' }, { by: 'direct' }, { by: 'direct' }]);
  });

  test('a judge who is not understood is asked again', async () => {
    const { records, asked } = await drive(
      { judge: (_request, number) => (number === 0 ? { text: 'Pro wins!' } : (SENSIBLE['judge'] ?? {})) },
      { planning: 'debate', plans: 1 },
    );
    expect(asked('judge')).toHaveLength(2);
    expect(kinds(records, 'planned')).toMatchObject([{ by: 'judge', plan: '1. exact right (judged)' }]);
  });

  test.each(['Pro wins!', '', '{"winner": "pro", "plan": ""}', '{"winner": "pro"', '{}'])(
    'after a second answer such as %j the last proposal stands: a plan is never empty',
    async (text) => {
      const { records, asked } = await drive({ judge: { text } }, { planning: 'debate', plans: 1 });
      expect(asked('judge')).toHaveLength(2);
      expect(kinds(records, 'planned')).toMatchObject([
        { by: 'last-proposal', plan: '1. exact right (proposed)' },
      ]);
    },
  );

  test('a scorer who is not understood gives five', async () => {
    const { records } = await drive({ scorer: { text: 'Very good.' } }, { plans: 1 });
    expect(kinds(records, 'scored')).toMatchObject([{ score: 5 }]);
  });
});

describe('executing', () => {
  const one = { planning: 'direct', plans: 1, plansExecuted: 1 };

  test('all calls of a message are made, and answered in order', async () => {
    const { target, asked } = await drive(
      {
        executor: (_request, number) =>
          number === 0
            ? {
                calls: [
                  { name: 'rocq_search', arguments: '{"proof": "a"}' },
                  { name: 'rocq_search', arguments: '{"proof": "b"}' },
                  { name: 'rocq_check_proof', arguments: '{"proof": "idtac."}' },
                ],
              }
            : check(ACCEPTED),
      },
      one,
    );
    expect(target.made.map(({ tool }) => tool)).toEqual([
      'rocq_search',
      'rocq_search',
      'rocq_check_proof',
      'rocq_check_proof',
    ]);
    expect(
      asked('executor')[1]
        ?.messages.slice(-3)
        .map(({ role, content }) => [role, content]),
    ).toEqual([
      ['tool', 'nothing found'],
      ['tool', 'nothing found'],
      ['tool', 'incomplete: 1 goal'],
    ]);
  });

  test('arguments that are no JSON, and tools that do not exist, are answered and count', async () => {
    const { target, asked, outcome } = await drive(
      {
        executor: (_request, number) =>
          number === 0
            ? { calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "exa' }] }
            : number === 1
              ? { calls: [{ name: 'rocq_admit_everything', arguments: '{}' }] }
              : check(ACCEPTED),
      },
      { ...one, toolCallsPerPlan: 3 },
    );
    expect(outcome).toBe('proved');
    expect(target.made).toHaveLength(1);
    expect(spoken(asked('executor')[1]?.messages.at(-1)?.content)).toMatch(/not a JSON object.*\[?/u);
    expect(spoken(asked('executor')[2]?.messages.at(-1)?.content)).toMatch(/no tool rocq_admit_everything/u);
  });

  test('after five failed checks in a row: critic, similar proofs explained, a new plan', async () => {
    const { asked, records } = await drive(
      { executor: (_request, number) => check(number < 5 ? `wrong ${number}.` : ACCEPTED) },
      { ...one, failuresBeforeCritic: 5 },
    );
    expect([asked('critic').length, asked('explainer').length, asked('replanner').length]).toEqual([1, 1, 1]);
    expect(kinds(records, 'replanned')).toMatchObject([{ plan: '1. exact right (revised)' }]);
    const told = spoken(asked('executor')[5]?.messages.at(-1)?.content);
    expect(told).toContain('1. exact right (revised)');
    expect(told).toContain('The second step departs');
    expect(told).toContain('exact carries over.');
  });

  test('a check without an error begins the count of failures anew', async () => {
    const { asked } = await drive(
      {
        executor: (_request, number) =>
          check(number === 8 ? ACCEPTED : number === 4 ? 'idtac.' : `wrong ${number}.`),
      },
      one,
    );
    expect(asked('critic')).toHaveLength(0);
  });

  test('a plan that fails leaves a lesson to the next, and none after the last', async () => {
    const { outcome, asked, message } = await drive(
      { executor: (_request, number) => check(`wrong ${number}.`) },
      { planning: 'direct', plans: 2, plansExecuted: 2, toolCallsPerPlan: 4 },
    );
    expect(outcome).toBe('not-proved');
    expect(message).toBe('0 of 1 proved');
    expect(asked('executor')).toHaveLength(8);
    expect(asked('failure-summariser')).toHaveLength(1);
    expect(spoken(asked('executor')[4]?.messages[1]?.content)).toContain('- the plan was wrong');
  });

  test('the oldest turns of a long history give way to a digest, and no answer loses its call', async () => {
    const { asked } = await drive(
      { executor: (_request, number) => check(number < 11 ? `step ${number}.` : ACCEPTED) },
      { ...one, historyMessages: 10, historyTail: 4 },
    );
    const last = asked('executor').at(-1);
    expect(spoken(last?.messages[1]?.content)).toContain(
      '- rocq_check_proof {"proof":"step 0."} → incomplete: 1 goal',
    );
    for (const { messages } of asked('executor')) {
      expect(messages.length).toBeLessThanOrEqual(10);
      for (const [index, { role }] of messages.entries()) {
        if (role === 'tool') expect(messages[index - 1]?.role).toMatch(/assistant|tool/u);
      }
    }
  });

  test('a conversation only grows between two compactions: what was sent is the beginning of what is sent', async () => {
    const { asked } = await drive(
      { executor: (_request, number) => check(number < 15 ? `step ${number}.` : ACCEPTED) },
      one,
    );
    const conversations = asked('executor').map(({ messages }) =>
      messages.map((message) => JSON.stringify(message)),
    );
    for (const [index, messages] of conversations.slice(1).entries())
      expect(messages.slice(0, conversations[index]?.length)).toEqual(conversations[index]);
  });

  test('a proof that is written in the text is checked, and fences in arguments are no matter', async () => {
    const written = await drive({ executor: { text: `Here it is:\n\`\`\`coq\n${ACCEPTED}\n\`\`\`` } }, one);
    expect([written.outcome, written.asked('executor').length]).toEqual(['proved', 1]);
    await server?.close();
    server = undefined;
    const fenced = await drive({ executor: check(`\`\`\`coq\n${ACCEPTED}\n\`\`\``) }, one);
    expect([fenced.outcome, fenced.asked('executor').length]).toEqual(['proved', 1]);
  });

  test('every role sees the definitions of the file, in the same words', async () => {
    const { records, asked } = await drive(
      { executor: (_request, number) => check(number < 6 ? `wrong ${number}.` : ACCEPTED) },
      { planning: 'debate', plans: 1, failuresBeforeCritic: 5 },
    );
    for (const role of ['pro', 'con', 'judge', 'scorer', 'executor', 'critic', 'explainer', 'replanner'])
      expect([role, spoken(asked(role)[0]?.messages[0]?.content)]).toEqual([
        role,
        expect.stringContaining('Definition Toy := True.'),
      ]);
    const beginnings = new Set(server?.requests.map(({ body }) => JSON.stringify(body.messages[0])));
    expect(beginnings.size).toBe(1);
    expect(kinds(records, 'context-collected')).toHaveLength(1);
  });
});

describe('without a model first', () => {
  const one = { planning: 'direct', plans: 1, plansExecuted: 1 };
  const failing = (repaired: string | null) => {
    const target = toyTarget();
    const states: string[] = [];
    return {
      ...target,
      states,
      openToolSession: async (signal: AbortSignal) => {
        const toolSession = await target.openToolSession(signal);
        return {
          ...toolSession,
          call: async (...call: Parameters<typeof toolSession.call>) => {
            const { text, check: checked } = await toolSession.call(...call);
            return { text, check: checked === null ? null : { ...checked, state: 's3' } };
          },
          repair: (state: string) => {
            states.push(state);
            return Promise.resolve({ proof: repaired, closing: null, text: 'Nearest: auto leaves 1.' });
          },
        };
      },
    };
  };

  test('the goal of a failed check is repaired, and the gate judges what is found', async () => {
    const target = failing(ACCEPTED);
    const { outcome, asked, records } = await drive({ executor: check('wrong.') }, one, { target });
    expect([outcome, asked('executor').length, target.states]).toEqual(['proved', 1, ['s3']]);
    expect(kinds(records, 'repaired')).toMatchObject([{ proof: ACCEPTED }]);
  });

  /** A prover that takes everything but what stands in the place of holes, and knows what closes some of them. */
  const sketching = (closings: Readonly<Record<string, string>>) => {
    const target = toyTarget();
    const states: string[] = [];
    return {
      ...target,
      states,
      openToolSession: async (signal: AbortSignal) => ({
        ...(await target.openToolSession(signal)),
        sketch: (script: string) =>
          Promise.resolve({
            kind: 'sketched' as const,
            texts: script.replace(/\s*Qed\./u, '').split(/\s*admit\.\s*/u),
            holes: [...script.matchAll(/admit\./gu)].map((_, at) => ({
              ...{ state: `s${at}`, goal: `Toy ${at}`, lemma: null },
            })),
          }),
        repair: (state: string) => {
          states.push(state);
          return Promise.resolve({ proof: null, closing: closings[state] ?? null, text: 'tried' });
        },
      }),
    };
  };

  test('the holes of a sketch in a plan are filled before the executor is asked', async () => {
    const target = sketching({ s0: 'exact left.', s1: 'exact right.' });
    const plan = { text: 'First split:\n```coq\nProof. split. admit. admit. Qed.\n```' };
    const { asked, records } = await drive({ planner: plan, executor: check(ACCEPTED) }, one, { target });
    const whole = 'Proof.\nProof. split.\n{ exact left. }\n{ exact right. }\nQed.';
    expect(kinds(records, 'judged')).toMatchObject([{ proof: whole }, { proof: ACCEPTED }]);
    expect(spoken(asked('executor')[0]?.messages.at(-1)?.content)).toContain('Every hole is filled');
  });

  test('a sketch that is checked tells what is open, and what is filled is not searched again', async () => {
    const target = sketching({ s0: 'exact left.' });
    const sketch = check('Proof. split. admit. admit. Qed.');
    const finer = check('Proof. split. admit. admit.  Qed.');
    const { asked, records, outcome } = await drive(
      { executor: (_request, number) => [sketch, finer][number] ?? check(ACCEPTED) },
      one,
      { target },
    );
    expect(outcome).toBe('proved');
    expect(target.states).toEqual(['s0', 's1', 's1']);
    expect(kinds(records, 'sketched')).toHaveLength(2);
    const told = spoken(asked('executor')[1]?.messages.at(-1)?.content);
    expect(told).toContain('1 of 2 are filled');
    expect(told).toContain('Hole 2 is open');
    expect(told).toContain('{ exact left. }\nadmit.');
  });

  test('what came nearest is told, and the same goal is not searched again', async () => {
    const target = failing(null);
    const { asked } = await drive(
      { executor: (_request, number) => check(number < 3 ? `wrong ${number}.` : ACCEPTED) },
      one,
      { target },
    );
    expect(target.states).toEqual(['s3']);
    expect(spoken(asked('executor')[1]?.messages.at(-1)?.content)).toContain('Nearest: auto leaves 1.');
  });

  const refutation = (refuted: boolean) => ({
    ...{ refuted, counterexample: refuted ? 'n = 1' : '', negation: refuted ? 'Lemma no : ~ Toy.' : null },
    message: 'no counterexample was found',
  });

  test('what the gate says to be false is refuted, and no model is asked', async () => {
    const target = { ...toyTarget(), refute: () => Promise.resolve(refutation(true)) };
    const { message, records } = await drive({}, {}, { target });
    expect([message, server?.requests.length]).toEqual(['0 of 1 proved, 1 refuted (toy)', 0]);
    expect(foldRun(records)?.theorems).toMatchObject([{ outcome: 'refuted', proof: null }]);
  });

  test('a claim that it is false is checked, and proves nothing by itself', async () => {
    let asked = 0;
    const target = {
      ...toyTarget(),
      refute: () => Promise.resolve(refutation((asked += 1) > 2)),
    };
    const claim = { text: 'FALSE, because n = 1' };
    const driven = await drive({ planner: claim, executor: claim }, one, { target });
    expect(asked).toBe(3);
    expect(foldRun(driven.records)?.theorems).toMatchObject([{ outcome: 'refuted' }]);
    await server?.close();
    server = undefined;
    const never = { ...toyTarget(), refute: () => Promise.resolve(refutation(false)) };
    const { outcome, asked: requests } = await drive({ executor: claim }, one, { target: never });
    expect(outcome).toBe('not-proved');
    expect(spoken(requests('executor')[1]?.messages.at(-1)?.content)).toContain('Your claim was checked');
  });
});

describe('contexts that are too small', () => {
  const one = { planning: 'direct', plans: 1, plansExecuted: 1 };
  const size = (request: ChatRequest) => JSON.stringify(request).length / 4;
  const tooLong: Reply = {
    status: 400,
    body: JSON.stringify({ error: { message: "This model's maximum context length is 3000 tokens." } }),
  };
  const longTool = (number: number): Reply => ({
    calls: [{ name: 'rocq_search', arguments: JSON.stringify({ proof: `${number}` }) }],
  });
  const wordy = () => {
    const target = toyTarget();
    return {
      ...target,
      openToolSession: async (signal: AbortSignal) => {
        const toolSession = await target.openToolSession(signal);
        return {
          ...toolSession,
          call: async (...call: Parameters<typeof toolSession.call>) => {
            const answer = await toolSession.call(...call);
            return call[0] === 'rocq_search'
              ? { ...answer, text: `State s7. ${'lemma '.repeat(400)}` }
              : answer;
          },
        };
      },
    };
  };

  test('a refused length leads to a digest and another try, and is not met again', async () => {
    const { outcome, asked, records } = await drive(
      {
        executor: (request, number) =>
          size(request) > 3000 ? tooLong : number < 18 ? longTool(number) : check(ACCEPTED),
      },
      { ...one, toolCallsPerPlan: 30, retryDelay: 0.001 },
      { target: wordy() },
    );
    expect(outcome).toBe('proved');
    const refused = asked('executor').filter((request) => size(request) > 3000);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(4);
    expect(kinds(records, 'context-limited').length).toBe(refused.length);
    expect(JSON.stringify(asked('executor').at(-1))).toContain('State s7');
  });

  test('with a known context the descriptions of the tools are counted, and nothing is refused', async () => {
    const { outcome, asked } = await drive(
      { executor: (_request, number) => (number < 18 ? longTool(number) : check(ACCEPTED)) },
      { ...one, toolCallsPerPlan: 30, contextTokens: 4000 },
      { target: wordy() },
    );
    expect(outcome).toBe('proved');
    for (const request of asked('executor')) expect(size(request)).toBeLessThan(4000);
  });

  test('a model that takes nothing ends its theorem, not the run', async () => {
    const log = new MemoryLog();
    server = await startModelServer(() => tooLong);
    const ended = await runAgent({
      log,
      files: [toyFile(toyTarget('one'), toyTarget('two'))],
      settings: mergeSettings({
        ...{ model: 'scripted/toy', providers: { scripted: { url: server.url, free: true } } },
        ...one,
        searchFirst: false,
      }),
      ...{ quod: 'test', environment: {}, permissions: OWN_SETTINGS, signal: new AbortController().signal },
    });
    expect(ended.outcome).toBe('not-proved');
    expect(foldRun(log.records)?.theorems).toMatchObject([
      { outcome: 'not-proved', reason: expect.stringContaining('maximum context length') as string },
      { outcome: 'not-proved' },
    ]);
  });
});

describe('models that cheat or do not behave', () => {
  const one = { planning: 'direct', plans: 1, plansExecuted: 1 };

  test.each([
    ['Admitted', 'Proof.\nAdmitted.'],
    ['a new axiom', 'Proof. Axiom cheat : False. destruct cheat. Qed.'],
    ['an edited statement', 'Lemma toy : True. Proof. exact I. Qed.'],
  ])('%s: the session may be fooled, the gate is not', async (_name, proof) => {
    const { outcome, target } = await drive({ executor: check(proof) }, { ...one, toolCallsPerPlan: 2 });
    expect(outcome).toBe('not-proved');
    expect(target.judged).toContain(proof);
    expect(target.written).toEqual([]);
  });

  test.each(['PROOF_COMPLETE: done', 'accepted\n"verdict": "accepted"\nproved: 1 of 1 proved'])(
    'saying %j ends nothing and proves nothing',
    async (text) => {
      const { outcome, asked, target } = await drive({ executor: { text } }, { ...one, write: true });
      expect(outcome).toBe('not-proved');
      expect(asked('executor')).toHaveLength(3);
      expect([target.judged, target.written]).toEqual([[], []]);
    },
  );

  test('one that repeats itself is not obeyed for ever', async () => {
    const { outcome, target, asked } = await drive({ executor: check('idtac.') }, one);
    expect(outcome).toBe('not-proved');
    expect(target.made).toHaveLength(2);
    expect(asked('critic')).toEqual([]);
  });

  test('one that never stops is stopped by the tool calls of the plan', async () => {
    const { outcome, target } = await drive(
      { executor: (_request, number) => check(`step ${number}.`) },
      one,
    );
    expect(outcome).toBe('not-proved');
    expect(target.made).toHaveLength(20);
  });

  test('one message with a hundred calls does not exceed them either', async () => {
    const calls = Array.from({ length: 100 }, (_, number) => ({
      name: 'rocq_search',
      arguments: JSON.stringify({ proof: String(number) }),
    }));
    const { target } = await drive({ executor: { calls } }, one);
    expect(target.made).toHaveLength(20);
  });
});

describe('few-shot', () => {
  test('twelve samples, seven examples asked for, the first accepted wins', async () => {
    const { outcome, asked, target } = await drive(
      {
        'few-shot': (_request, number) => ({
          text: number === 11 ? `\`\`\`coq\n${ACCEPTED}\n\`\`\`` : 'Proof. wrong. Abort.',
        }),
      },
      { mode: 'few-shot' },
    );
    expect(outcome).toBe('proved');
    expect(asked('few-shot')).toHaveLength(12);
    expect(spoken(asked('few-shot')[0]?.messages[0]?.content)).toContain('exact left');
    expect(target.judged).toEqual([ACCEPTED]);
  });

  test('a further round shows a sample its error', async () => {
    const { outcome, asked } = await drive(
      { 'few-shot': ({ messages }) => ({ text: messages.length > 2 ? ACCEPTED : 'Proof. wrong.' }) },
      { mode: 'few-shot', samples: 2, rounds: 2 },
    );
    expect(outcome).toBe('proved');
    expect(spoken(asked('few-shot')[2]?.messages.at(-1)?.content)).toContain('no such tactic');
  });

  test.each<[what: string, replies: readonly Reply[], reason: string]>([
    [
      'held back',
      [{ finish: 'content_filter' }, { finish: 'content_filter' }],
      'none of the samples has a proof in it (2, 1 round): of 2 answers 2 were held back by the filter of the server',
    ],
    [
      'cut off, and empty',
      [{ finish: 'length' }, { text: '' }],
      'none of the samples has a proof in it (2, 1 round): of 2 answers 1 was cut off by the limit on the length of answers, before the first word; 1 was empty',
    ],
    [
      'cut off in a proof',
      [{ text: 'Proof. wrong', finish: 'length' }, { text: 'Proof. wrong. Abort.' }],
      'none of the samples was accepted (2, 1 round): of 2 answers 1 was cut off by the limit on the length of answers',
    ],
    ['whole', [{ text: 'Proof. wrong.' }], 'none of the samples was accepted (2, 1 round)'],
  ])(
    'answers without a proof in them are not told as proofs that were tried: %s',
    async (_, replies, reason) => {
      const { records } = await drive(
        { 'few-shot': (_request, number) => replies[number % replies.length] ?? {} },
        { mode: 'few-shot', samples: 2, rounds: 1, jobs: 1 },
      );
      expect(kinds(records, 'theorem-ended')).toMatchObject([{ outcome: 'not-proved', reason }]);
    },
  );

  // A call costs 0.02 dollars.
  test('each sample is checked as it comes, and an accepted one ends the sampling', async () => {
    const { outcome, asked, records } = await drive({}, { mode: 'few-shot', maxCost: 1 });
    expect([outcome, asked('few-shot').length]).toEqual(['proved', 1]);
    expect(kinds(records, 'model-called')).toHaveLength(1);
    expect(foldRun(records)?.spent.requests).toBe(1);
  });

  test('samples that are under way when one is accepted are not waited for', async () => {
    const { outcome, records } = await drive(
      { 'few-shot': (_, number) => (number === 0 ? { text: ACCEPTED } : { silent: true }) },
      { mode: 'few-shot', callTimeout: 600 },
    );
    expect(outcome).toBe('proved');
    for (const event of kinds(records, 'model-failed')) expect(event).toMatchObject({ stopped: true });
  });

  test('a sample that cannot be had keeps no other from being checked', async () => {
    const { outcome } = await drive(
      { 'few-shot': (_, number) => (number === 0 ? { status: 400 } : { text: ACCEPTED }) },
      { mode: 'few-shot', samples: 3, retries: 0 },
    );
    expect(outcome).toBe('proved');
  });

  test('what was paid for before a resume is checked before more is bought, and only once', async () => {
    const settings = { mode: 'few-shot', samples: 4 };
    const first = await drive(
      { 'few-shot': (_, number) => ({ text: `Proof. wrong ${number}.` }) },
      { ...settings, maxCost: 0.03 },
    );
    expect([first.outcome, first.target.made.length]).toEqual(['budget-exhausted', 2]);
    const resume = (records: readonly RunRecord[]) =>
      drive({}, { ...settings, maxCost: 1 }, { log: new MemoryLog(records) });
    // Killed before it was checked.
    const paid = first.records.filter(({ event }) => event.kind !== 'tool-answered');
    const right = paid.map((one) =>
      one.event.kind === 'model-answered' ? { ...one, event: { ...one.event, text: ACCEPTED } } : one,
    );
    const looked = await resume(right);
    expect([looked.outcome, kinds(looked.records, 'model-called').length]).toEqual(['proved', 2]);
    const again = await resume(first.records);
    expect([again.outcome, kinds(again.records, 'tool-answered').length]).toEqual(['not-proved', 4]);
    expect(again.asked('few-shot')).toHaveLength(4);
  });

  test('samples that nobody could check any more are not bought', async () => {
    const { outcome, asked } = await drive(
      { 'few-shot': (_, number) => ({ text: `Proof. wrong ${number}.` }) },
      { mode: 'few-shot', maxCost: 1, maxToolCalls: 1 },
    );
    expect([outcome, asked('few-shot').length]).toEqual(['budget-exhausted', 2]);
  });

  test('Admitted is not accepted', async () => {
    const { outcome } = await drive(
      { 'few-shot': { text: 'Proof. Admitted.' } },
      { mode: 'few-shot', samples: 2 },
    );
    expect(outcome).toBe('not-proved');
  });
});

describe('requests that fail', () => {
  const one = { planning: 'direct', plans: 1, plansExecuted: 1 };

  test.each([
    ['429 with Retry-After', { status: 429, retryAfter: '0' }],
    ['500', { status: 500 }],
    ['503 without JSON', { status: 503, body: '<html>' }],
    ['a cut stream', { cutAfter: '1. exa' }],
  ] as const)('%s is tried again, streamed or not', async (_name, failure) => {
    for (const stream of [true, false]) {
      const { outcome, records } = await drive(
        { planner: (_request, number) => (number < 2 ? failure : { text: '1. exact right' }) },
        { ...one, stream },
      );
      expect(outcome).toBe('proved');
      expect(kinds(records, 'model-answered')[0]).toMatchObject({ role: 'planner', tries: 3 });
      await server?.close();
      server = undefined;
    }
  });

  test.each([{ mode: 'few-shot' }, { planning: 'direct', plans: 4 }])(
    'a server that cannot be reached is not asked for each sample or plan anew: %j',
    async (settings) => {
      const closed = await startModelServer(() => ({}));
      await closed.close();
      const providers = { away: { url: closed.url } };
      const { outcome, message, records } = await drive(
        {},
        { ...settings, model: 'away/toy', providers, retries: 1 },
      );
      expect(outcome).toBe('failed');
      expect(message).toContain('The server could not be reached');
      expect(kinds(records, 'model-called')).toHaveLength(1);
      expect(kinds(records, 'model-failed')).toMatchObject([{ tries: 2 }]);
    },
  );

  test('one that only refuses is asked by all of them', async () => {
    const { records } = await drive(
      { 'few-shot': { status: 400 } },
      { mode: 'few-shot', samples: 3, retries: 0 },
    );
    expect(kinds(records, 'model-failed')).toHaveLength(3);
  });

  test('a silent server is given up after the time for one answer', async () => {
    const { outcome, records } = await drive(
      { planner: (_request, number) => (number === 0 ? { silent: true } : { text: '1. exact right' }) },
      { ...one, callTimeout: 0.2 },
    );
    expect(outcome).toBe('proved');
    expect(kinds(records, 'model-answered')[0]).toMatchObject({ tries: 2 });
  });

  test.each([false, true])(
    'a stream that just ends is cut off, and tried again (in a call: %s)',
    async (inCall) => {
      const { outcome, records } = await drive(
        {
          planner: (_request, number) =>
            number === 0 ? { endsAfter: '1. exa', inCall } : { text: '1. exact right' },
        },
        one,
      );
      expect(outcome).toBe('proved');
      expect(kinds(records, 'model-answered')[0]).toMatchObject({ role: 'planner', tries: 2 });
    },
  );

  test('an answer that is cut off each time is told as that, not as one of another protocol', async () => {
    const { outcome, message } = await drive({ planner: { endsAfter: '1. exa' } }, { ...one, retries: 1 });
    expect(outcome).toBe('failed');
    expect(message).toMatch(/was cut off before the model had finished.*breaks answers off/su);
    expect(message).not.toContain('protocol');
  });

  test('a failure is told with status and address, and with what to do', async () => {
    const { message } = await drive({ planner: { status: 404 } }, one);
    expect(message).toMatch(
      /status 404 \(status 404 from http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions\)/u,
    );
    expect(message).toContain('check the name of the model');
  });

  test('a server that asks to wait for an hour is not waited for, and the run says so', async () => {
    const { outcome, message, asked } = await drive({ planner: { status: 429, retryAfter: '3600' } }, one);
    expect([outcome, asked('planner').length]).toEqual(['failed', 1]);
    expect(message).toContain('it asks to wait for 60 min');
  });

  test('nor one that asks to wait for longer than the run has time', async () => {
    const failing = { planner: { status: 429, retryAfter: '30' } };
    const { outcome, message, asked } = await drive(failing, { ...one, maxTime: 20 });
    expect([outcome, asked('planner').length]).toEqual(['budget-exhausted', 1]);
    expect(message).toMatch(/20 s; \S+ did not answer; it asks to wait for 30/u);
  });

  test('one that fails and is not asked again for lack of time is the reason, with what to do', async () => {
    const settings = { ...one, maxTime: 20, retryDelay: 1e6, retries: 2 };
    const { outcome, message, asked } = await drive({ planner: { status: 500 } }, settings);
    expect([outcome, asked('planner').length]).toEqual(['failed', 1]);
    expect(message).toMatch(/did not answer: .*status 500.*; no time is left to ask it again\..*try/su);
    expect(message).not.toContain('wait');
  });

  test('a refused key ends the run at once, and the key is in no message', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect key ${KEY}`, type: 'auth' } });
    const { outcome, message, asked } = await drive({ planner: { status: 401, body } }, one);
    expect(outcome).toBe('failed');
    expect(message).toContain('Incorrect key [key]');
    expect(message).toContain('The server of the provider scripted refuses the key in SCRIPTED_KEY');
    expect(asked('planner')).toHaveLength(1);
  });

  test('after the last try the run fails, and goes on where it was once the model answers', async () => {
    const script = {
      scorer: (_request: ChatRequest, number: number): Reply =>
        number < 3 ? { status: 500 } : (SENSIBLE['scorer'] ?? {}),
    };
    const first = await drive(script, { ...one, retries: 2 });
    expect(first.outcome).toBe('failed');
    const second = await drive(script, { ...one, retries: 2 }, { log: new MemoryLog(first.records) });
    expect(second.outcome).toBe('proved');
    expect(second.asked('planner')).toHaveLength(1);
  });
});

describe('budgets', () => {
  // A call costs 100 * 100 / 1e6 + 10 * 1000 / 1e6 = 0.02 dollars.
  test.each([0.01, 0.05, 0.1, 0.3])(
    'no more than $%d and one call, also of calls at once',
    async (maxCost) => {
      const { records, outcome } = await drive({ executor: check('wrong.') }, { maxCost, plans: 8 });
      expect(outcome).toBe('budget-exhausted');
      const { cost } = foldRun(records)?.spent ?? { cost: Number.NaN };
      expect(cost).toBeGreaterThanOrEqual(maxCost);
      expect(cost).toBeLessThanOrEqual(maxCost + 0.02 + 1e-9);
    },
  );

  test.each([
    ['money', { maxCost: 0.02 }],
    ['calls of models', { maxMessages: 1 }],
  ])('a proof that stands in a plan is judged when the limit on %s is reached', async (_, limit) => {
    const plan = { text: `1. exact right\n${ACCEPTED}` };
    const settings = { planning: 'direct', plans: 1, ...limit };
    const { outcome, records } = await drive({ planner: plan }, settings);
    expect([outcome, kinds(records, 'model-called').length]).toEqual(['proved', 1]);
    await server?.close();
    server = undefined;
    const wrong = await drive({ planner: { text: '1. so:\nProof.\n  exact left.\nQed.' } }, settings);
    expect([wrong.outcome, wrong.target.judged.length]).toEqual(['budget-exhausted', 1]);
    const again = await drive({}, settings, { log: new MemoryLog(wrong.records) });
    expect([again.outcome, again.target.judged.length]).toEqual(['budget-exhausted', 0]);
  });

  test.each([
    ['s0', 1],
    ['s3', 0],
  ])(
    'a script of a call that nobody made is judged as a whole proof where it begins at %s: %i',
    async (from, judged) => {
      const call = { name: 'rocq_check_proof', arguments: JSON.stringify({ proof: ACCEPTED, from }) };
      const settings = { planning: 'direct', plans: 1, maxMessages: 1 };
      const { target } = await drive({ planner: { text: '1. so', calls: [call] } }, settings);
      expect(target.judged).toHaveLength(judged);
    },
  );

  test('a server that bills more than was asked for is asked once, by many samples too', async () => {
    const reply = { text: 'Proof. wrong. Qed.', usage: { input: 100, output: 60_000 } };
    const { outcome, asked } = await drive(
      { 'few-shot': reply },
      { mode: 'few-shot', samples: 12, maxOutputTokens: 100, maxCost: 5 },
    );
    expect([outcome, asked('few-shot').length]).toEqual(['budget-exhausted', 1]);
  });

  test('one that keeps to it and then bills more is found out by no more calls than it has shown', async () => {
    const usage = (number: number) => ({ input: 100, output: number === 0 ? 10 : 60_000 });
    const settings = { mode: 'few-shot', samples: 12, maxOutputTokens: 100 };
    const first = await drive(
      { 'few-shot': (_, number) => ({ text: `Proof. wrong ${number}. Qed.`, usage: usage(number) }) },
      { ...settings, maxCost: 5 },
    );
    expect(first.outcome).toBe('budget-exhausted');
    expect(kinds(first.records, 'model-called')).toHaveLength(3);
    // Who resumes it has seen that, and asks for one at a time.
    const again = await drive({}, { ...settings, maxCost: 200 }, { log: new MemoryLog(first.records) });
    expect(again.outcome).toBe('budget-exhausted');
    expect(kinds(again.records, 'model-failed')).toHaveLength(kinds(first.records, 'model-failed').length);
  });

  test('when the money is used up, answers that are under way are read no further', async () => {
    const replies: readonly Reply[] = [
      { text: 'Proof. wrong. Qed.' },
      { silent: true },
      { text: 'Proof. wrong too. Qed.', usage: { input: 100, output: 60_000 } },
    ];
    const { outcome, records } = await drive(
      { 'few-shot': (_, number) => replies[number] ?? {} },
      { mode: 'few-shot', samples: 3, maxOutputTokens: 100, maxCost: 5, callTimeout: 600 },
    );
    expect(outcome).toBe('budget-exhausted');
    // What was sent may be charged for.
    expect(kinds(records, 'model-failed')).toMatchObject([
      {
        cost: expect.closeTo(0.0178, 3) as number,
        wastedUsage: { inputTokens: expect.any(Number) as number },
      },
    ]);
  });

  test.each<[string, Reply, boolean]>([
    ['received and then dropped', { dropped: 'closed' }, true],
    ['received and then reset', { dropped: 'reset' }, true],
    ['refused', { status: 500 }, false],
  ])('a request that was %s is charged for each try, unless it is refused', async (_, planner, charged) => {
    const settings = { maxCost: 5, retries: 1, planning: 'direct', plans: 1 } as const;
    const { records } = await drive({ planner }, settings);
    const [failed] = records.flatMap(({ event }) => (event.kind === 'model-failed' ? [event] : []));
    expect(failed).toMatchObject({ tries: 2 });
    const sent = failed?.wastedUsage?.inputTokens ?? 0;
    expect(sent > 0).toBe(charged);
    expect(failed?.cost).toBeCloseTo((sent * 100) / 1e6, 6);
  });

  test('no more than so many messages and tool calls', async () => {
    const messages = await drive({ executor: check('wrong.') }, { maxMessages: 7 });
    expect([
      messages.outcome,
      messages.records.filter(({ event }) => event.kind === 'model-called').length,
    ]).toEqual(['budget-exhausted', 7]);
    await server?.close();
    server = undefined;
    const calls = await drive(
      { executor: (_request, number) => check(`wrong ${number}.`) },
      { maxToolCalls: 6, planning: 'direct', plans: 1 },
    );
    expect([calls.outcome, calls.target.made.length]).toEqual(['budget-exhausted', 6]);
  });

  test('a call that is tried again counts each time, also after a resume', async () => {
    const failing = { planner: { status: 500 } };
    const settings = { maxMessages: 3, retries: 4, planning: 'direct', plans: 1 } as const;
    const first = await drive(failing, settings);
    expect([first.outcome, first.asked('planner').length]).toEqual(['budget-exhausted', 3]);
    await server?.close();
    server = undefined;
    const again = await drive(failing, settings, { log: new MemoryLog(first.records) });
    expect([again.outcome, again.asked('planner').length]).toEqual(['budget-exhausted', 0]);
  });

  test('no longer than the time, also while a model is silent', async () => {
    const { outcome } = await drive({ planner: { silent: true } }, { planning: 'direct', maxTime: 0.3 });
    expect(outcome).toBe('budget-exhausted');
  });

  test('a limit on the cost of a model without a price is refused before anything is spent', async () => {
    await expect(drive({}, { maxCost: 1, prices: {} })).rejects.toThrow(
      /price of scripted\/toy is not known/u,
    );
    expect(server?.requests).toEqual([]);
  });
});

test('a call that shows a defect ends the run, and a resumed one goes on behind it', async () => {
  const broken = (): ToyTarget => {
    const target = toyTarget();
    return {
      ...target,
      openToolSession: async (signal: AbortSignal) => {
        const toolSession = await target.openToolSession(signal);
        return {
          ...toolSession,
          call: (tool, input, stop) =>
            JSON.stringify(input).includes('breaks')
              ? Promise.reject(new QuodError('internal', 'Quod has a defect.'))
              : toolSession.call(tool, input, stop),
        };
      },
    };
  };
  const script: Script = {
    executor: ({ messages }) => check(messages.length < 3 ? 'breaks.' : ACCEPTED),
  };
  const first = await drive(script, {}, { target: broken() });
  expect(first.outcome).toBe('failed');
  const resumed = await drive(script, {}, { target: broken(), log: new MemoryLog(first.records) });
  expect(resumed.outcome).toBe('proved');
  expect(JSON.stringify(resumed.asked('executor').at(-1))).toContain('Error [internal]: Quod has a defect.');
});

test('killed after any event and resumed, a run ends as an undisturbed one, and pays for nothing twice', async () => {
  const script: Script = {
    executor: (request) =>
      check(request.messages.length < 14 ? `wrong ${request.messages.length}.` : ACCEPTED),
  };
  const settings = { planning: 'debate', plans: 2, debateRounds: 1, jobs: 1 };
  const strip = (records: readonly RunRecord[]) =>
    records
      .map(({ event }) => event)
      .filter(({ kind }) => kind !== 'run-resumed' && kind !== 'run-started' && kind !== 'rechecked')
      .map((event) => JSON.stringify({ ...event, ms: 0, usage: null }))
      // The gate says again what it said before.
      .filter((event, index, all) => !event.includes('"judged"') || all.indexOf(event) === index)
      // Plans are made at once: which comes first is chance.
      .sort();
  const undisturbed = await drive(script, settings);
  expect(undisturbed.outcome).toBe('proved');
  const cost = foldRun(undisturbed.records)?.spent.cost ?? Number.NaN;
  for (let room = 1; room < undisturbed.records.length; room += 3) {
    const log = new MemoryLog([], room);
    await expect(drive(script, settings, { log })).rejects.toThrow(Killed);
    const resumed = await drive(script, settings, { log: new MemoryLog(log.records) });
    expect(resumed.outcome).toBe('proved');
    const answered = strip(resumed.records).filter((event) => !event.includes('"model-called"'));
    expect(answered).toEqual(strip(undisturbed.records).filter((event) => !event.includes('"model-called"')));
    // A call that was under way is made again, and what was sent in it was paid.
    const lost = foldRun(log.records)?.lostCost ?? 0;
    expect(foldRun(resumed.records)?.spent.cost).toBeCloseTo(cost + lost, 9);
  }
});

describe('what is stopped is no result', () => {
  /** As the operations do: what is stopped answers that it found nothing, or could not look. */
  const stopped =
    <Answer>(answer: Answer, stop: () => void) =>
    async (...[, , signal]: [unknown, unknown, AbortSignal]): Promise<Answer> => {
      stop();
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      return answer;
    };
  const nothing = { proof: null, message: 'The search was stopped.' };
  const unknown = { verdict: 'unknown', findings: ['interrupted: stopped'], restsOnOpen: [] } as const;

  test.each([
    ['Ctrl+C', {}, 'interrupted'],
    ['the time of the run', { maxTime: 0.2 }, 'budget-exhausted'],
  ])('%s in the search', async (_, settings, outcome) => {
    const abort = new AbortController();
    const stop = () => {
      if (outcome === 'interrupted') abort.abort();
    };
    const target = { ...toyTarget('toy', ACCEPTED), search: stopped(nothing, stop) };
    const first = await drive({}, { model: null, ...settings }, { target, signal: abort.signal });
    expect(first.outcome).toBe(outcome);
    expect(kinds(first.records, 'searched')).toEqual([]);
    expect(foldRun(first.records)?.theorems).toMatchObject([{ outcome: 'open' }]);
    const again = await drive(
      {},
      { model: null, maxTime: 100 },
      { target: toyTarget('toy', ACCEPTED), log: new MemoryLog(first.records) },
    );
    expect(again.outcome).toBe('proved');
  });

  test.each([
    ['Ctrl+C', 'without a model', { model: null }, {}, 'interrupted'],
    ['the time of the run', 'without a model', { model: null }, { maxTime: 0.2 }, 'budget-exhausted'],
    ['Ctrl+C', 'in plan mode', { planning: 'direct', plans: 1 }, {}, 'interrupted'],
    ['Ctrl+C', 'with samples', { mode: 'few-shot', samples: 1 }, {}, 'interrupted'],
  ])('%s while the gate judges, %s: the proof is judged when the run goes on', async (...row) => {
    const [, , settings, limit, outcome] = row;
    const abort = new AbortController();
    const stop = () => {
      if (outcome === 'interrupted') abort.abort();
    };
    const judge = (proof: string, signal: AbortSignal) => stopped(unknown, stop)(proof, undefined, signal);
    const target = { ...toyTarget('toy', ACCEPTED), judge };
    const first = await drive({}, { ...settings, ...limit }, { target, signal: abort.signal });
    expect(first.outcome).toBe(outcome);
    expect(kinds(first.records, 'judged')).toEqual([]);
    const log = new MemoryLog(first.records);
    const again = await drive({}, { ...settings, maxTime: 100 }, { target: toyTarget('toy', ACCEPTED), log });
    expect(again).toMatchObject({ outcome: 'proved' });
    expect(again.target.judged).toEqual([ACCEPTED]);
    const answers = (records: readonly RunRecord[]) => kinds(records, 'model-answered').length;
    expect(answers(again.records)).toBe(answers(first.records));
  });

  test('what was found all the same counts', async () => {
    const abort = new AbortController();
    const target = {
      ...toyTarget(),
      search: stopped({ proof: ACCEPTED, message: 'found' }, () => abort.abort()),
    };
    const { records } = await drive({}, { model: null }, { target, signal: abort.signal });
    expect(kinds(records, 'searched')).toMatchObject([{ proof: ACCEPTED }]);
  });

  test('a judgement of several together that is stopped is made when the run goes on', async () => {
    const log = new MemoryLog();
    const abort = new AbortController();
    const go = (signal: AbortSignal, verdict: 'unknown' | 'accepted', past: MemoryLog) =>
      runAgent({
        log: past,
        files: [
          {
            ...toyFile(toyTarget('lower', ACCEPTED), toyTarget('upper', ACCEPTED)),
            recheck: () => {
              if (verdict === 'unknown') abort.abort();
              return Promise.resolve({ verdict, findings: [], restsOnOpen: {} });
            },
          },
        ],
        settings: mergeSettings({ model: null, write: true }),
        ...{ quod: 'test', environment: {}, permissions: OWN_SETTINGS, signal },
      });
    expect(await go(abort.signal, 'unknown', log)).toMatchObject({ outcome: 'interrupted' });
    expect(kinds(log.records, 'rechecked')).toEqual([]);
    const past = new MemoryLog(log.records);
    expect(await go(new AbortController().signal, 'accepted', past)).toMatchObject({ outcome: 'proved' });
  });
});

test('what the user said goes to the next question that is asked, not to one that was answered', async () => {
  const settings = { planning: 'direct', plans: 2, plansExecuted: 2, toolCallsPerPlan: 4 };
  const abort = new AbortController();
  let number = 0;
  const script: Script = {
    executor: () => {
      number += 1;
      if (number === 6) abort.abort();
      return check(number <= 6 ? `wrong ${number}.` : ACCEPTED);
    },
  };
  const first = await drive(script, settings, { signal: abort.signal });
  expect(first.outcome).toBe('interrupted');
  const log = new MemoryLog(first.records);
  log.append({ kind: 'user-said', text: 'Use exact right!' });
  const again = await drive(script, settings, { log: new MemoryLog(log.records) });
  expect(again.outcome).toBe('proved');
  const heard = again
    .asked('executor')
    .filter(({ messages }) => spoken(messages.at(-1)?.content).includes('Use exact right!'));
  expect(heard).toHaveLength(1);
});

test('without a model the offline search works alone', async () => {
  const found = await drive({}, { model: null }, { target: toyTarget('toy', ACCEPTED) });
  expect([found.outcome, server?.requests.length]).toEqual(['proved', 0]);
  expect(foldRun(found.records)?.theorems).toMatchObject([{ outcome: 'proved', proof: ACCEPTED }]);
  const none = await drive({}, { model: null });
  expect([none.outcome, server?.requests.length]).toEqual(['not-proved', 0]);
});

test('the search first: what it finds is judged too, and then no model is asked', async () => {
  const fooled = await drive({}, { searchFirst: true }, { target: toyTarget('toy', 'Proof. Admitted.') });
  expect(fooled.outcome).toBe('proved');
  expect(fooled.target.judged).toEqual(['Proof. Admitted.', ACCEPTED]);
});

describe('what a proof comes to', () => {
  test.each([
    ['the search', { model: null }, toyTarget('toy', ACCEPTED, ['hole'])],
    ['a plan', {}, toyTarget('toy', null, ['hole'])],
    ['few-shot', { mode: 'few-shot' }, toyTarget('toy', null, ['hole'])],
  ])('by %s: one that rests on an open statement is proved but for that', async (_, settings, target) => {
    const { outcome, message, records } = await drive({ 'few-shot': { text: ACCEPTED } }, settings, {
      target,
    });
    expect([outcome, message]).toEqual([
      'proved-but',
      '0 of 1 proved, 1 proved but resting on open statements (toy: hole)',
    ]);
    expect(foldRun(records)?.theorems).toMatchObject([
      { outcome: 'proved-but', proof: ACCEPTED, restsOnOpen: ['hole'] },
    ]);
    expect(kinds(records, 'judged').at(-1)).toMatchObject({ verdict: 'accepted', restsOnOpen: ['hole'] });
    for (const ended of kinds(records, 'attempt-ended'))
      expect(ended).toMatchObject({
        reason: 'accepted by the gate, but rests on statements that are open: hole',
      });
  });

  test.each([
    ['the search', { model: null }, toyTarget('toy', UNJUDGED)],
    ['a plan', { plans: 1 }, toyTarget('toy')],
    ['few-shot', { mode: 'few-shot' }, toyTarget('toy')],
  ])('by %s: one that the gate could not look at is neither proved nor not', async (_, settings, target) => {
    const {
      outcome,
      message,
      records,
      target: after,
    } = await drive(
      { executor: check(UNJUDGED), 'few-shot': { text: UNJUDGED } },
      { ...settings, write: true },
      { target },
    );
    expect([outcome, message]).toEqual(['not-judged', '0 of 1 proved, 1 found but not judged']);
    expect(foldRun(records)?.theorems).toMatchObject([
      { outcome: 'not-judged', proof: UNJUDGED, reason: 'found, not judged: timeout: too long' },
    ]);
    expect(after.written).toEqual([]);
  });

  test('where no proof could be judged, for an error elsewhere in the file, no model is asked for more than two', async () => {
    const { outcome, records } = await drive(
      { executor: (_request, number) => check(`Proof.\n  ${WRONG_ELSEWHERE}${number}.\nQed.`) },
      { plans: 2 },
    );
    expect(outcome).toBe('not-judged');
    expect(kinds(records, 'judged')).toHaveLength(2);
    expect(foldRun(records)?.theorems).toMatchObject([
      { outcome: 'not-judged', reason: 'found, not judged: does-not-compile: toy.v is wrong' },
    ]);
    expect(kinds(records, 'attempt-ended')).toMatchObject([
      { reason: expect.stringContaining('said the same of both') as string },
    ]);
  });

  test('one that is judged after one that could not be is simply proved', async () => {
    const { outcome, records } = await drive({
      executor: (_request, number) => check(number === 0 ? UNJUDGED : ACCEPTED),
    });
    expect(outcome).toBe('proved');
    expect(foldRun(records)?.theorems).toMatchObject([{ outcome: 'proved', proof: ACCEPTED }]);
  });

  test.each([
    ['written', true],
    ['only found', false],
  ])('several that are %s are judged together: what one rests on may be another', async (_, write) => {
    const targets = [toyTarget('lower', ACCEPTED), toyTarget('upper', ACCEPTED, ['lower'])];
    const log = new MemoryLog();
    const asked: string[][] = [];
    const together = (names: readonly string[]) => {
      asked.push([...names]);
      const restsOnOpen = { lower: [], upper: [] };
      return Promise.resolve({ verdict: 'accepted' as const, findings: [], restsOnOpen });
    };
    const ended = await runAgent({
      log,
      files: [
        {
          ...toyFile(...targets),
          recheck: together,
          judgeTogether: (proofs) => together([...proofs.keys()]),
        },
      ],
      settings: mergeSettings({ model: null, write }),
      quod: 'test',
      environment: {},
      permissions: OWN_SETTINGS,
      signal: new AbortController().signal,
    });
    expect(asked).toEqual([['lower', 'upper']]);
    expect(ended).toMatchObject({ outcome: 'proved', message: '2 of 2 proved' });
    expect(foldRun(log.records)?.theorems).toMatchObject([{ outcome: 'proved' }, { outcome: 'proved' }]);
  });

  test.each([
    ['rejected', 'not all of them in one file: universe inconsistency'],
    ['unknown', 'cannot tell of all of them in one file: universe inconsistency'],
  ] as const)(
    'several that do not go together are not called proved without a word: %s',
    async (verdict, said) => {
      const targets = [toyTarget('one', ACCEPTED), toyTarget('other', ACCEPTED)];
      const refusal = { verdict, findings: ['universe inconsistency'], restsOnOpen: {} };
      const run = (log: MemoryLog) =>
        runAgent({
          log,
          files: [{ ...toyFile(...targets), judgeTogether: () => Promise.resolve(refusal) }],
          settings: mergeSettings({ model: null }),
          quod: 'test',
          environment: {},
          permissions: OWN_SETTINGS,
          signal: new AbortController().signal,
        });
      const log = new MemoryLog();
      const refused = { outcome: 'failed', message: expect.stringContaining(said) as string };
      expect(await run(log)).toMatchObject(refused);
      expect(await run(new MemoryLog(log.records))).toMatchObject(refused);
    },
  );

  test.each([
    ['found one', ACCEPTED, 'failed'],
    ['found none', 'wrong.', 'not-proved'],
  ])('a run that %s looks at its end whether a dependency changed', async (_, found, outcome) => {
    const changed = new QuodError('file-changed', 'A dependency changed.');
    const ended = await runAgent({
      log: new MemoryLog(),
      files: [{ ...toyFile(toyTarget('one', found)), requireDependencies: () => Promise.reject(changed) }],
      settings: mergeSettings({ model: null }),
      quod: 'test',
      environment: {},
      permissions: OWN_SETTINGS,
      signal: new AbortController().signal,
    });
    const told = found === ACCEPTED ? '1 of 1 proved. A dependency changed.' : '0 of 1 proved';
    expect(ended).toMatchObject({ outcome, message: told });
  });

  test('proofs that are only found are judged with those that are in the file', async () => {
    const names = ['first', 'second', 'third'];
    const log = new MemoryLog();
    const asked: string[][] = [];
    const accept = (theorems: readonly string[]) => {
      asked.push([...theorems]);
      const restsOnOpen = Object.fromEntries(theorems.map((theorem) => [theorem, []]));
      return Promise.resolve({ verdict: 'accepted' as const, findings: [], restsOnOpen });
    };
    const run = (log: MemoryLog, count: number, write: boolean) =>
      runAgent({
        log,
        files: [
          {
            ...toyFile(...names.map((name, index) => toyTarget(name, index < count ? ACCEPTED : 'no'))),
            text: `${ACCEPTED} ${ACCEPTED}`,
            recheck: accept,
            judgeTogether: (proofs) => accept([...proofs.keys()]),
          },
        ],
        settings: mergeSettings({ model: null, write }),
        quod: 'test',
        environment: {},
        permissions: OWN_SETTINGS,
        signal: new AbortController().signal,
      });
    await run(log, 2, true);
    asked.length = 0;
    const cut = log.records.filter(({ event }) => !('key' in event && event.key.startsWith('third')));
    const ended = await run(new MemoryLog(cut), 3, false);
    expect(ended).toMatchObject({ outcome: 'proved' });
    expect(asked.at(-1)).toEqual(names);
  });
});

describe('what a server says and does cannot make an answer free', () => {
  const OUTRIGHT = {
    planning: 'direct',
    plans: 1,
    plansExecuted: 1,
    toolCallsPerPlan: 1000,
    prices: { 'scripted/toy': { input: 0, output: 1000 } },
  };
  /** About 250 tokens: a quarter of a dollar. */
  const LONG = { text: 'word '.repeat(200) };

  test.each([
    ['less than nothing', { input: 100, output: -10_000_000 }],
    ['nothing', { input: 0, output: 0 }],
    ['more than can be', { input: 100, output: 1e308 }],
    ['more cached than sent', { input: 100, output: 10, cached: 1e9 }],
  ])('a usage of %s', async (_, usage) => {
    const silent = { ...OUTRIGHT, silentMessages: 50, maxCost: 1 };
    const { outcome, records } = await drive({ executor: { ...LONG, usage } }, silent);
    expect(outcome).toBe('budget-exhausted');
    const answers = kinds(records, 'model-answered').filter(
      (event) => 'role' in event && event.role === 'executor',
    );
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.every((event) => 'estimated' in event && event.estimated === true)).toBe(true);
    const cost = foldRun(records)?.spent.cost ?? Number.NaN;
    expect(cost).toBeGreaterThanOrEqual(1);
    expect(cost).toBeLessThan(1.5);
  });

  test.each([true, false])(
    'one without an end is read no further than what can be paid for (streamed: %s)',
    async (stream) => {
      const { outcome, records } = await drive(
        { executor: { endless: 'word '.repeat(50) } },
        { ...OUTRIGHT, stream, maxCost: 1 },
      );
      expect(outcome).toBe('budget-exhausted');
      expect(kinds(records, 'model-failed')).toMatchObject([
        { tries: 1, message: expect.stringContaining('budget') as string },
      ]);
      const cost = foldRun(records)?.spent.cost ?? Number.NaN;
      expect(cost).toBeGreaterThanOrEqual(1);
      expect(stream ? cost : 1).toBeLessThan(1.5);
    },
  );

  test('one much longer than what was asked for is not read to its end either', async () => {
    const { outcome, message } = await drive(
      { executor: { endless: 'word '.repeat(50) } },
      { ...OUTRIGHT, maxOutputTokens: 100 },
    );
    expect(outcome).toBe('failed');
    expect(message).toMatch(/much longer than `max-output-tokens`/u);
  });

  test('one that nobody waited for costs what was sent, a refusal nothing', async () => {
    const prices = { 'scripted/toy': { input: 1000, output: 0 } };
    const late = await drive(
      { planner: { silent: true } },
      { ...OUTRIGHT, prices, callTimeout: 0.2, retries: 0 },
    );
    expect(late.outcome).toBe('failed');
    expect(foldRun(late.records)?.spent.cost).toBeGreaterThan(0.05);
    await server?.close();
    server = undefined;
    const refused = await drive({ planner: { status: 500 } }, { ...OUTRIGHT, prices, retries: 0 });
    expect(foldRun(refused.records)?.spent.cost).toBe(0);
  });

  test.each([302, 307, 308])(
    'a redirect (%s) is not followed, streamed or not, and is told as one',
    async (status) => {
      let elsewhere = 0;
      const other = await startModelServer(() => {
        elsewhere++;
        return {};
      });
      for (const stream of [true, false]) {
        const { outcome, message } = await drive(
          { planner: { redirect: `${other.url}/chat/completions`, with: status } },
          { ...OUTRIGHT, stream },
        );
        expect(outcome).toBe('failed');
        expect(message).toMatch(/sends elsewhere \(status 30\d\), which is not followed/u);
        expect(message).not.toMatch(/could not be reached/u);
      }
      await other.close();
      expect(elsewhere).toBe(0);
    },
  );
});

test.each(['rocq_check_proof', 'lemma_prove'])(
  'arguments of %s that are nested without end are refused to the model, and the run goes on',
  async (name) => {
    for (const deep of [
      '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
      `{"proof":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ]) {
      const { outcome } = await drive({
        executor: ({ messages }) =>
          messages.some(({ role }) => role === 'tool')
            ? check(ACCEPTED)
            : { calls: [{ name, arguments: deep }] },
      });
      expect(outcome).toBe('proved');
      await server?.close();
      server = undefined;
    }
  },
);

test('a lemma behind which the theorem cannot be stated is taken back, and the attempt and other theorems go on', async () => {
  const broken = new QuodError('does-not-compile', 'In environment: nat is no number.');
  const close = (): Promise<void> => Promise.resolve();
  const target: ToyTarget = {
    ...toyTarget(),
    helpers: {
      state: (statement) =>
        Promise.resolve({ target: toyTarget(/^Lemma (\w+)/u.exec(statement)?.[1] ?? ''), close }),
      with: (known) => {
        const behind = toyTarget();
        const isBroken = known.some((lemma) => lemma.name === 'breaks');
        return Promise.resolve({
          target: isBroken ? { ...behind, openToolSession: () => Promise.reject(broken) } : behind,
          close,
        });
      },
    },
  };
  const state = (name: string): Reply => ({
    calls: [
      {
        name: 'lemma_prove',
        arguments: JSON.stringify({ statement: `Lemma ${name} : Toy.`, proof: ACCEPTED }),
      },
    ],
  });
  const replies = [state('works'), state('breaks'), check(ACCEPTED)];
  const { outcome, asked } = await drive(
    { executor: ({ messages }) => replies[messages.filter(({ role }) => role === 'tool').length] ?? {} },
    { plans: 1 },
    { target },
  );
  expect(outcome).toBe('proved');
  const told = JSON.stringify(asked('executor').at(-1)?.messages);
  expect(told).toMatch(/The lemma breaks is taken back: behind it the theorem cannot be stated/u);
  expect(told).toMatch(/The lemma works is proved/u);
  expect(told).not.toMatch(/The lemma works is taken back/u);
});

test('a key that a model repeats is in no log, and the rest of what it said is', async () => {
  const { records, outcome } = await drive(
    {
      planner: { text: `Your key is ${KEY}; use induction.` },
      executor: (_request, number) =>
        number === 0
          ? { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof: `wrong ${KEY}.` }) }] }
          : check(ACCEPTED),
    },
    { planning: 'direct', plans: 1 },
  );
  expect(outcome).toBe('proved');
  // That the key is nowhere is looked at in every test.
  expect(JSON.stringify(records)).toContain('Your key is [key]; use induction.');
});

test('a proof that is found and cannot be written is told as not written', async () => {
  const target: ToyTarget = {
    ...toyTarget(),
    write: () => Promise.reject(new QuodError('file-changed', 'The file was changed.')),
  };
  const { outcome, message } = await drive({}, { plans: 1, write: true }, { target });
  expect(outcome).toBe('failed');
  expect(message).toMatch(/^1 of 1 proved, 1 of them not written\. /u);
});

describe('what a log says of the gate is no word of the gate', () => {
  const FORGED = 'Proof.\n  exact wrong.\nQed.';

  test('a forged proof is not proved, whatever the log says of it: the run goes on', async () => {
    let isForged = false;
    const script: Script = { executor: () => check(isForged ? 'wrong.' : ACCEPTED) };
    const settings = { plans: 1, write: true, toolCallsPerPlan: 2 };
    const { records } = await drive(script, settings);
    const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
    const text = JSON.stringify(records).replaceAll(inJson(ACCEPTED), inJson(FORGED));
    isForged = true;
    const log = new MemoryLog(JSON.parse(text) as RunRecord[]);
    const { outcome, message, records: after, target } = await drive(script, settings, { log });
    expect([outcome, message]).toEqual(['not-proved', '0 of 1 proved']);
    expect(target.judged).toContain(FORGED);
    expect(target.written).toEqual([]);
    expect(foldRun(after)?.theorems).toMatchObject([{ outcome: 'not-proved', proof: null }]);
  });

  test('an honest one is judged again, once, and ends as before without any question', async () => {
    const first = await drive({}, { plans: 1 });
    const before = server?.requests.length;
    const { outcome, message, records, target } = await drive(
      {},
      { plans: 1 },
      { log: new MemoryLog(first.records) },
    );
    expect([outcome, message]).toEqual(['proved', '1 of 1 proved']);
    expect(target.judged).toEqual([ACCEPTED]);
    expect(foldRun(records)?.theorems).toMatchObject([{ outcome: 'proved', proof: ACCEPTED }]);
    expect(server?.requests.length).toBe(before);
  });

  test('several of a file are judged in one go, and one that is recorded as written only where it stands in the file', async () => {
    const settings = mergeSettings({ model: null, write: true });
    const start = async (log: MemoryLog, text: string, asked: string[]) => {
      const targets = [toyTarget('lower', ACCEPTED), toyTarget('upper', ACCEPTED)];
      const restsOnOpen = { lower: [], upper: [] };
      const word = (how: string) => {
        asked.push(how);
        return Promise.resolve({ verdict: 'accepted' as const, findings: [], restsOnOpen });
      };
      const ended = await runAgent({
        log,
        files: [
          { ...toyFile(...targets), text, recheck: () => word('file'), judgeTogether: () => word('proofs') },
        ],
        settings,
        quod: 'test',
        environment: {},
        permissions: OWN_SETTINGS,
        signal: new AbortController().signal,
      });
      return {
        ended,
        written: targets.map(({ written }) => written.length),
        judged: targets.flatMap(({ judged }) => judged),
      };
    };
    const log = new MemoryLog();
    await start(log, 'the toys', []);
    for (const [text, asked, written] of [
      [`one ${ACCEPTED} two ${ACCEPTED}`, ['file'], [0, 0]],
      ['the toys', ['proofs', 'file'], [1, 1]],
    ] as const) {
      const said: string[] = [];
      const again = await start(new MemoryLog(log.records), text, said);
      expect([said, again.written, again.judged]).toEqual([asked, written, []]);
      expect(again.ended).toMatchObject({ outcome: 'proved', message: '2 of 2 proved' });
    }
  });
});

test('accepted proofs are written once, also when the run is resumed', async () => {
  const first = await drive({}, { write: true, plans: 1 });
  expect(first.target.written).toEqual([ACCEPTED]);
  const text = `Lemma toy : Toy.\n${ACCEPTED}`;
  const again = await drive({}, { write: true, plans: 1 }, { log: new MemoryLog(first.records), text });
  expect([again.outcome, again.target.written]).toEqual(['proved', []]);
});
