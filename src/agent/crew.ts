/**
 * The models of a run, one for each role. A question is asked once: a recorded answer is taken from the journal, a failed
 * request is tried again, every answer is paid from the budget and recorded. Keys never leave this file.
 */
import { createHash } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { orZero } from '../core/entry.ts';
import { QuodError, errorText } from '../core/errors.ts';
import type { Budget } from './budget.ts';
import { textOf } from './models/conversation.ts';
import type { Message, ToolDescription } from './models/conversation.ts';
import { keyOf } from './models/key-store.ts';
import { CutStream, openModel, requestAnswer } from './models/language-model.ts';
import type { ModelAnswer } from './models/language-model.ts';
import { costOf, estimateTokens, priceOf } from './models/prices.ts';
import type { Price, Usage } from './models/prices.ts';
import { parseModelName } from './models/providers.ts';
import { isWorthRetrying, pause, waitBefore } from './models/retry.ts';
import type { EventOf } from './runs/events.ts';
import type { Journal } from './runs/journal.ts';
import { ROLES } from './settings.ts';
import type { Role, Settings } from './settings.ts';

interface Member {
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly price: Price | undefined;
  readonly key: string | undefined;
}

export interface Question {
  readonly role: Role;
  /** The place of the question in the flow. */
  readonly key: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDescription[];
  readonly temperature?: number | null;
}

export class Crew {
  readonly #members: ReadonlyMap<Role, Member>;
  readonly #settings: Settings;
  readonly #journal: Journal;
  readonly #budget: Budget;
  readonly #signal: AbortSignal;

  private constructor(
    members: ReadonlyMap<Role, Member>,
    settings: Settings,
    { journal, budget, signal }: Pick<CrewParts, 'journal' | 'budget' | 'signal'>,
  ) {
    this.#members = members;
    this.#settings = settings;
    this.#journal = journal;
    this.#budget = budget;
    this.#signal = signal;
  }

  /** @returns undefined without a model. @throws QuodError `invalid-input`: a name, a key or a price is missing. */
  static async assemble({ settings, environment, ...parts }: CrewParts): Promise<Crew | undefined> {
    if (settings.model === null) return undefined;
    const opened = new Map<string, Member>();
    const members = new Map<Role, Member>();
    for (const role of ROLES) {
      const full = settings.models[role] ?? settings.model;
      let member = opened.get(full);
      if (member === undefined) {
        const name = parseModelName(full, settings);
        const key = await keyOf(name, environment);
        const price = priceOf(name, settings);
        if (price === undefined && settings.maxCost !== null) {
          throw new QuodError(
            'invalid-input',
            `The price of ${full} is not known, so its cost cannot be limited.`,
            {
              remedy: `Set it: --set 'prices={"${full}":{"input":1,"output":5}}' (US dollars for a million tokens).`,
            },
          );
        }
        member = { name: full, model: await openModel(name, key), price, key };
        opened.set(full, member);
      }
      members.set(role, member);
    }
    return new Crew(members, settings, parts);
  }

  /** @throws BudgetExhausted, QuodError `interrupted`, `protocol-error` when the model could not be brought to answer. */
  async ask(question: Question): Promise<EventOf<'model-answered'>> {
    const { role, key, messages, tools = [] } = question;
    const known = this.#journal.recorded('model-answered', key);
    if (known !== undefined) return known;
    const member = this.#members.get(role);
    if (member === undefined) throw new QuodError('internal', `Nobody has the role ${role}.`);
    return this.#budget.call(this.#mostCost(member, question), async () => {
      this.#requireSignal();
      this.#journal.append({ kind: 'model-called', key, role, model: member.name });
      const request = createHash('sha256')
        .update(JSON.stringify([messages, tools]))
        .digest('hex');
      const { answer, ms, tries, wasted } = await this.#persist(member, question);
      const usage = answer.usage ?? estimatedUsage(question, answer);
      const cost = costOf(member.price, usage);
      this.#budget.spend(cost);
      return this.#journal.note({
        kind: 'model-answered',
        key,
        role,
        model: member.name,
        request,
        text: answer.text,
        calls: [...answer.calls],
        finish: answer.finish,
        usage,
        cost: cost === null ? null : cost + wasted,
        ms,
        tries,
      });
    });
  }

  /** Asks until there is an answer or no try is left. What cut answers cost is paid here and told as `wasted`. */
  async #persist(
    member: Member,
    question: Question,
  ): Promise<{ answer: ModelAnswer; ms: number; tries: number; wasted: number }> {
    const { retries, retryDelay } = this.#settings;
    const begunAt = performance.now();
    let wasted = 0;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#request(member, question);
        return { answer, ms: Math.round(performance.now() - begunAt), tries, wasted };
      } catch (error) {
        // A provider charges for what it read, also when the answer is cut off.
        if (error instanceof CutStream) {
          const cost = orZero(
            costOf(member.price, estimatedUsage(question, { text: error.received, calls: [] })),
          );
          this.#budget.spend(cost);
          wasted += cost;
        }
        const stopped = this.#signal.aborted || this.#budget.timeLeft === 0;
        if (!stopped && tries <= retries && isWorthRetrying(error)) {
          if (await pause(waitBefore(tries, error, retryDelay * 1000), this.#signal)) continue;
        }
        const message = withoutKey(errorText(error), member.key);
        this.#journal.append({
          kind: 'model-failed',
          key: question.key,
          role: question.role,
          model: member.name,
          message,
          cost: member.price === undefined ? null : wasted,
          ms: Math.round(performance.now() - begunAt),
          tries,
        });
        this.#requireSignal();
        this.#budget.requireTime();
        throw new QuodError('protocol-error', `${member.name} did not answer: ${message}`, {
          remedy:
            'Nothing that was paid for is lost: go on with `quod resume` when the model can be reached.',
        });
      }
    }
  }

  async #request({ model }: Member, question: Question): Promise<ModelAnswer> {
    const { callTimeout, maxOutputTokens, reasoning, stream, temperature } = this.#settings;
    const clock = new AbortController();
    const left = this.#budget.timeLeft ?? Number.POSITIVE_INFINITY;
    const timer = setTimeout(
      () => {
        clock.abort(new DOMException(`No answer after ${callTimeout} s.`, 'TimeoutError'));
      },
      Math.min(callTimeout * 1000, left),
    );
    try {
      return await requestAnswer(model, {
        messages: question.messages,
        tools: question.tools ?? [],
        maxOutputTokens,
        temperature: question.temperature === undefined ? temperature : question.temperature,
        reasoning,
        stream,
        signal: AbortSignal.any([this.#signal, clock.signal]),
      });
    } catch (error) {
      // Providers wrap or rename what aborted them.
      throw clock.signal.aborted ? clock.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #mostCost({ price }: Member, { messages, tools = [] }: Question): number {
    const { maxOutputTokens } = this.#settings;
    if (price === undefined || maxOutputTokens === null) {
      return price?.input === 0 && price.output === 0 ? 0 : Number.POSITIVE_INFINITY;
    }
    // Two characters a token is far more than any tokenizer makes of scripts.
    const inputTokens = (textOf(messages).length + JSON.stringify(tools).length) / 2;
    return orZero(costOf(price, { inputTokens, cachedTokens: 0, outputTokens: maxOutputTokens }));
  }

  #requireSignal(): void {
    if (this.#signal.aborted) throw new QuodError('interrupted', 'The run was stopped.');
  }
}

interface CrewParts {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly journal: Journal;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

function estimatedUsage(
  { messages, tools = [] }: Question,
  answer: Pick<ModelAnswer, 'text' | 'calls'>,
): Usage {
  const written = answer.text + answer.calls.map(({ name, input }) => name + input).join('');
  return {
    inputTokens: estimateTokens(textOf(messages) + JSON.stringify(tools)),
    cachedTokens: 0,
    outputTokens: estimateTokens(written),
  };
}

/** Some servers repeat the key that they refuse. */
function withoutKey(text: string, key: string | undefined): string {
  const short = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  return key === undefined ? short : short.replaceAll(key, '[key]');
}
