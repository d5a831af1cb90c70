/**
 * Carries a plan out: a model calls tools until the gate accepts a proof or the plan's tool calls are used up. After some
 * failed checks in a row a critic looks on, similar proofs are explained, and the plan is revised.
 */
import type { Message, ToolCall } from '../models/conversation.ts';
import { estimateTokens } from '../models/prices.ts';
import { textOf } from '../models/conversation.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { DeskUse } from './desk-use.ts';
import { withoutThoughts } from '../manners.ts';
import { historyText, judge, similarProofs } from './flow.ts';
import type { FlowWithModels } from './flow.ts';
import type { Plan } from './planning.ts';
import { REPEATED, Repetition } from './repetition.ts';

export type AttemptEnd =
  | { readonly kind: 'proved'; readonly judged: EventOf<'judged'> }
  /** `lesson` is what the next plan should know. */
  | { readonly kind: 'failed'; readonly reason: string; readonly lesson: string };

export interface Attempt {
  /** From 1, in the order in which plans are carried out. */
  readonly number: number;
  readonly plan: Plan;
  readonly goals: string;
  readonly similar: string;
  /** What earlier plans came to. */
  readonly lessons: readonly string[];
}

export async function carryOut(flow: FlowWithModels, target: Target, attempt: Attempt): Promise<AttemptEnd> {
  const desk = new DeskUse(flow, target);
  try {
    return await new Execution(flow, target, attempt, desk).run();
  } finally {
    await desk.close();
  }
}

class Execution {
  readonly #flow: FlowWithModels;
  readonly #target: Target;
  readonly #attempt: Attempt;
  readonly #desk: DeskUse;
  readonly #key: string;
  #messages: Message[];
  #plan: string;
  #calls = 0;
  #failures = 0;
  #revisions = 0;
  #summaries = 0;
  readonly #repetition = new Repetition();
  #goal: string | undefined;

  constructor(flow: FlowWithModels, target: Target, attempt: Attempt, desk: DeskUse) {
    this.#flow = flow;
    this.#target = target;
    this.#attempt = attempt;
    this.#desk = desk;
    this.#key = `${target.theorem}/attempt-${attempt.number}`;
    this.#plan = attempt.plan.text;
    const { goals, similar, lessons } = attempt;
    this.#messages = [
      {
        role: 'system',
        text: flow.prompts.fill('execute', {
          file: target.file,
          statement: target.statement,
          goals,
          plan: this.#plan,
          failures: lessons.join('\n\n'),
          similar,
          calls: String(flow.settings.toolCallsPerPlan),
        }),
      },
      { role: 'user', text: 'Prove it.' },
    ];
  }

  async run(): Promise<AttemptEnd> {
    const { crew, journal, settings } = this.#flow;
    journal.note({ kind: 'attempt-started', key: this.#key, plan: this.#attempt.plan.number });
    let silent = 0;
    for (let step = 1; this.#calls < settings.toolCallsPerPlan; step++) {
      const key = `${this.#key}/executor-${step}`;
      const heard = journal.userMessage(key);
      if (heard !== undefined) this.#messages.push({ role: 'user', text: heard });
      const answer = await crew.ask({
        role: 'executor',
        key,
        messages: this.#messages,
        tools: this.#target.tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
        })),
      });
      this.#messages.push({ role: 'assistant', text: withoutThoughts(answer.text), calls: answer.calls });
      if (answer.calls.length === 0) {
        silent++;
        if (silent >= settings.silentMessages) {
          return this.#fail(`${silent} messages in a row without a tool call`);
        }
        this.#messages.push({ role: 'user', text: this.#flow.prompts.fill('nothing-called', {}) });
        continue;
      }
      silent = 0;
      for (const call of answer.calls) {
        const judged = await this.#call(call);
        if (judged !== undefined) {
          journal.note({
            kind: 'attempt-ended',
            key: this.#key,
            outcome: 'proved',
            reason: 'accepted by the gate',
          });
          return { kind: 'proved', judged };
        }
      }
      if (this.#failures >= settings.failuresBeforeCritic && this.#calls < settings.toolCallsPerPlan) {
        await this.#revise();
      }
      await this.#shorten();
    }
    return this.#fail(`${settings.toolCallsPerPlan} tool calls were used up`);
  }

  /** @returns a proof that the gate accepted. */
  async #call(call: ToolCall): Promise<EventOf<'judged'> | undefined> {
    if (this.#calls >= this.#flow.settings.toolCallsPerPlan) {
      this.#answer(call, 'Not called: the tool calls of this plan are used up.');
      return undefined;
    }
    const number = ++this.#calls;
    if (this.#repetition.notes(call)) {
      this.#failures++;
      this.#answer(call, REPEATED);
      return undefined;
    }
    const answer = await this.#desk.call(`${this.#key}/tool-${number}`, call);
    if (answer.outcome === null) {
      this.#answer(call, answer.text);
      return undefined;
    }
    this.#goal = answer.goal ?? this.#goal;
    if (answer.proof !== null) {
      const judged = await judge(this.#flow, this.#target, `${this.#key}/judged-${number}`, answer.proof);
      if (judged.verdict === 'accepted') return judged;
      this.#failures++;
      this.#answer(call, `${answer.text}\n\n${verdictText(judged)}`);
      return undefined;
    }
    const wrong = answer.outcome !== 'incomplete' && answer.outcome !== 'branch-closed';
    this.#failures = wrong ? this.#failures + 1 : 0;
    this.#answer(call, answer.text);
    return undefined;
  }

  #answer(call: ToolCall, text: string): void {
    this.#messages.push({ role: 'tool', call, text });
  }

  async #revise(): Promise<void> {
    const { crew, prompts, journal, settings } = this.#flow;
    const { statement } = this.#target;
    const key = `${this.#key}/revision-${++this.#revisions}`;
    const goal = this.#goal ?? statement;
    const plan = this.#plan;
    const ask = async (role: 'critic' | 'explainer' | 'replanner', text: string): Promise<string> =>
      withoutThoughts(
        (await crew.ask({ role, key: `${key}/${role}`, messages: [{ role: 'user', text }] })).text,
      );
    const criticism = await ask(
      'critic',
      prompts.fill('criticise', {
        failures: String(this.#failures),
        statement,
        plan,
        history: historyText(this.#messages),
      }),
    );
    const similar = await similarProofs(this.#flow, this.#target, {
      key,
      goal: this.#goal,
      limit: settings.similarProofs,
    });
    const explanation =
      similar === '' ? '' : await ask('explainer', prompts.fill('explain-similar', { goal, similar }));
    const revised = await ask(
      'replanner',
      prompts.fill('replan', { statement, plan, criticism, goal, explanation }),
    );
    this.#plan = journal.note({ kind: 'replanned', key, plan: revised || plan }).plan;
    this.#messages.push({
      role: 'user',
      text: prompts.fill('new-plan', { plan: this.#plan, criticism, explanation }),
    });
    this.#failures = 0;
  }

  /** Replaces the middle of a history that is too long by a summary; answers stay with the calls that they answer. */
  async #shorten(): Promise<void> {
    const { crew, prompts, settings } = this.#flow;
    const { historyMessages, historyTail, contextTokens } = settings;
    const tooLarge =
      contextTokens > 0 &&
      estimateTokens(textOf(this.#messages)) > contextTokens * 0.75 &&
      this.#messages.length > 6;
    if (this.#messages.length <= historyMessages && !tooLarge) return;
    const tail = tooLarge ? Math.min(historyTail, Math.floor(this.#messages.length / 3)) : historyTail;
    let from = this.#messages.length - tail;
    while (from > 2 && this.#messages[from]?.role === 'tool') from--;
    if (from <= 2) return;
    const { text } = await crew.ask({
      role: 'summariser',
      key: `${this.#key}/summary-${++this.#summaries}`,
      messages: [
        {
          role: 'user',
          text: prompts.fill('summarise', {
            statement: this.#target.statement,
            history: historyText(this.#messages.slice(2, from)),
          }),
        },
      ],
    });
    this.#messages = [
      ...this.#messages.slice(0, 1),
      { role: 'user', text: `Prove it. What happened until now, in short:\n${withoutThoughts(text)}` },
      ...this.#messages.slice(from),
    ];
  }

  async #fail(reason: string): Promise<AttemptEnd> {
    const { crew, prompts, journal, settings } = this.#flow;
    journal.note({ kind: 'attempt-ended', key: this.#key, outcome: 'failed', reason });
    // Nobody reads the lesson of the last plan.
    if (this.#attempt.number >= settings.plansExecuted) return { kind: 'failed', reason, lesson: '' };
    const { text } = await crew.ask({
      role: 'failure-summariser',
      key: `${this.#key}/lesson`,
      messages: [
        {
          role: 'user',
          text: prompts.fill('summarise-failure', {
            reason,
            statement: this.#target.statement,
            plan: this.#plan,
            history: historyText(this.#messages),
          }),
        },
      ],
    });
    return { kind: 'failed', reason, lesson: `Plan ${this.#attempt.number}: ${withoutThoughts(text)}` };
  }
}

export function verdictText({ verdict, findings }: EventOf<'judged'>): string {
  return [
    verdict === 'rejected' ? 'The judge rejects this proof:' : 'The judge could not judge this proof:',
    ...findings,
  ].join('\n');
}
