/**
 * The models of a run, one for each role. A question is asked once: a recorded answer is taken from the log, a failed
 * request is tried again, one that was too long is made shorter, every answer is paid from the budget and recorded.
 * Keys never leave this file.
 */
import { createHash } from 'node:crypto';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { formatDuration, timerDelay } from '../core/duration.ts';
import { orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { BudgetExhausted, type Budget } from './budget.ts';
import { reachOfProvider, requirePermission } from './configuration/reach.ts';
import type { Permissions } from './configuration/reach.ts';
import type { Message, ToolDescription } from './models/conversation.ts';
import { failureText, tooLong, remedyOf } from './models/failures.ts';
import { keyOf } from './models/key-store.ts';
import { KeptLimits } from './models/kept-limits.ts';
import { openModel, requestAnswer } from './models/language-model.ts';
import type { ModelAnswer } from './models/language-model.ts';
import { believedUsage } from './models/believed-usage.ts';
import { costOf, estimateTokens, priceOf } from './models/prices.ts';
import type { Price, Usage } from './models/prices.ts';
import { parseModelName } from './models/providers.ts';
import { Received } from './models/received.ts';
import { LONGEST_WAIT_MS, isWorthRetrying, pause, waitBefore } from './models/retry.ts';
import { tokensOf } from './workflow/history.ts';
import type { EventOf } from './runs/events.ts';
import type { EventLog } from './runs/event-log.ts';
import { SentMessages } from './runs/sent-messages.ts';
import { ROLES } from './settings.ts';
import type { Role, Settings } from './settings.ts';

interface Member {
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly price: Price | undefined;
  readonly key: string | undefined;
  readonly keyVariable: string | null;
}

export interface Question {
  readonly role: Role;
  /** The place of the question in the workflow. */
  readonly key: string;
  /** What is said, in at most so many tokens; undefined: nobody knows how many there are. */
  readonly messages: (room: number | undefined) => readonly Message[];
  readonly tools?: readonly ToolDescription[];
  readonly temperature?: number | null;
}

interface Request extends Omit<Question, 'messages'> {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
}

/** What an answer may cost at most, in US dollars; undefined: there is no limit. */
interface Payable {
  readonly payable: number | undefined;
}

/** Tokens that every model takes. */
const LITTLE = 4000;

/** The model takes less than what has to be said. The theorem is given up, not the run. */
export class ContextTooSmall extends QuodError {
  constructor(model: string, tokens: number, cause: unknown) {
    super('too-large', `${model} refuses ${tokens} tokens, and less cannot be said: ${failureText(cause)}`, {
      remedy:
        tokens < LITTLE
          ? 'That is little for any model: see whether its server means what it says.'
          : 'Take a model with a larger context, or offer fewer tools.',
      cause,
    });
  }
}

/** What is left for the answer, of a context that is known. */
const ANSWER_SHARE = 0.15;
/** Estimates of tokens are rough. */
const CERTAIN_SHARE = 0.9;
/** After a refusal: this part of what was refused. */
const AFTER_REFUSAL = 0.6;
const SHORTENINGS = 6;
/** Times as many tokens as were asked for: estimates are rough. */
const CLEARLY_MORE = 3;
/** Tokens that are read of any answer: what was sent may have cost less than it is thought to. */
const SHORT_ANSWER = 1000;
/** A wait that somebody at the terminal wants to know of. */
const NOTABLE_WAIT_MS = 2000;

export class RoleModels {
  readonly #members: ReadonlyMap<Role, Member>;
  readonly #settings: Settings;
  readonly #eventLog: EventLog;
  readonly #budget: Budget;
  readonly #signal: AbortSignal;
  readonly #sent: SentMessages;
  /** What each model takes, as far as it is known. */
  readonly #limits = new Map<string, number>();
  readonly #kept = new KeptLimits();
  /** Questions that were made shorter. */
  readonly #shortened = new Set<string>();

  private constructor(
    members: ReadonlyMap<Role, Member>,
    settings: Settings,
    { eventLog, budget, signal }: Pick<Parts, 'eventLog' | 'budget' | 'signal'>,
  ) {
    this.#members = members;
    this.#settings = settings;
    this.#eventLog = eventLog;
    this.#budget = budget;
    this.#signal = signal;
    this.#sent = new SentMessages(eventLog.past);
    for (const { event } of eventLog.past)
      if (event.kind === 'context-limited') this.#limits.set(event.model, event.tokens);
      // A log can take trust away; it gives none.
      else if (event.kind === 'model-answered' && !this.#isKept(event.usage, event.estimated === true))
        this.#kept.note(event.model, false);
  }

  /**
   * @returns undefined without a model.
   * @throws QuodError `invalid-input`: a name, a key or a price is missing; `not-allowed`: the user did not allow
   * the address.
   */
  static async open({
    settings,
    environment,
    permissions,
    ...parts
  }: Parts): Promise<RoleModels | undefined> {
    if (settings.model === null) return undefined;
    const opened = new Map<string, Member>();
    const members = new Map<Role, Member>();
    for (const role of ROLES) {
      const full = settings.models[role] ?? settings.model;
      let member = opened.get(full);
      if (member === undefined) {
        const name = parseModelName(full, settings);
        const reach = reachOfProvider(name.provider);
        if (reach !== undefined) requirePermission(reach, permissions);
        const key = await keyOf(name, environment);
        if (key !== undefined) parts.eventLog.keepOut(key);
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
        const { keyVariable } = name.provider;
        member = { name: full, model: await openModel(name, key), price, key, keyVariable };
        opened.set(full, member);
      }
      members.set(role, member);
    }
    return new RoleModels(members, settings, parts);
  }

  /**
   * @throws BudgetExhausted, ContextTooSmall, QuodError `interrupted`, `protocol-error` when the model could not be
   * brought to answer.
   */
  async ask(question: Question): Promise<EventOf<'model-answered'>> {
    const { role, key, tools = [] } = question;
    const known = this.#eventLog.recorded('model-answered', key);
    if (known !== undefined) return known;
    const member = this.#members.get(role);
    if (member === undefined) throw new QuodError('internal', `Nobody has the role ${role}.`);
    const toolTokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
    for (let shortenings = 0; ; shortenings++) {
      const limit = this.#limitOf(member);
      const room = limit === undefined ? undefined : Math.max(200, Math.floor(limit - toolTokens));
      const request = { ...question, messages: question.messages(room), tools };
      const tokens = tokensOf(request.messages) + toolTokens;
      const answered = await this.#answer(member, request, tokens);
      if (!('tooLong' in answered)) return answered;
      const next = Math.floor(tokens * AFTER_REFUSAL);
      if (shortenings >= SHORTENINGS || next < toolTokens)
        throw new ContextTooSmall(member.name, tokens, answered.tooLong);
      this.#limits.set(member.name, next);
      this.#eventLog.append({
        kind: 'context-limited',
        key,
        model: member.name,
        tokens: next,
        message: withoutKey(failureText(answered.tooLong), member.key),
      });
    }
  }

  /** Tokens of what is said and of the tools. */
  #limitOf({ name }: Member): number | undefined {
    const { contextTokens } = this.#settings;
    const learned = this.#limits.get(name);
    const set = contextTokens === 0 ? undefined : contextTokens * CERTAIN_SHARE * (1 - ANSWER_SHARE);
    const known = [learned, set].filter((limit) => limit !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  async #answer(
    member: Member,
    request: Request,
    tokens: number,
  ): Promise<EventOf<'model-answered'> | { readonly tooLong: unknown }> {
    const { role, key, messages, tools } = request;
    return this.#budget.call(
      () => this.#mostCost(member, request),
      async (payable) => {
        this.#requireSignal();
        const sent = this.#sent.add(key, role, messages);
        this.#eventLog.append({
          ...{ kind: 'model-called', key, role, model: member.name },
          sent: { ...sent, tools: tools.map(({ name }) => name), tokens },
        });
        const persisted = await this.#kept.during(member.name, () =>
          this.#persist(member, { ...request, payable }, tokens),
        );
        if ('tooLong' in persisted) return persisted;
        const { answer, ms, tries, wasted } = persisted;
        const { usage, isEstimated } = believedUsage(answer.usage, estimatedUsage(request, lengthOf(answer)));
        const cost = costOf(member.price, usage);
        this.#kept.note(member.name, this.#isKept(usage, isEstimated));
        this.#budget.spend(cost);
        return this.#eventLog.note({
          ...{ kind: 'model-answered', key, role, model: member.name },
          request: createHash('sha256')
            .update(JSON.stringify([messages, tools]))
            .digest('hex'),
          text: answer.text,
          calls: [...answer.calls],
          ...(answer.thoughts.length > 0 && { thoughts: [...answer.thoughts] }),
          ...(isEstimated && { estimated: true }),
          ...{ finish: answer.finish, usage, cost: cost === null ? null : cost + wasted, ms, tries },
        });
      },
    );
  }

  /** Asks until there is an answer or no try is left. What cut answers cost is paid here and told as `wasted`. */
  async #persist(
    member: Member,
    request: Request & Payable,
    tokens: number,
  ): Promise<
    { answer: ModelAnswer; ms: number; tries: number; wasted: number } | { readonly tooLong: unknown }
  > {
    const { retries, retryDelay } = this.#settings;
    const { key, role } = request;
    const begunAt = performance.now();
    let wasted = 0;
    for (let tries = 1; ; tries++) {
      const received = this.#receiving(member, request, wasted);
      try {
        const answer = await this.#request(member, request, received);
        return { answer, ms: Math.round(performance.now() - begunAt), tries, wasted };
      } catch (error) {
        // A provider charges for what it read and wrote, also when the answer is cut off or nobody waits for it.
        if (received.hasBegun || isStopped(error) || this.#signal.aborted) {
          const cost = orZero(costOf(member.price, estimatedUsage(request, received.characters)));
          this.#budget.spend(cost);
          wasted += cost;
        }
        const message = withoutKey(failureText(error), member.key);
        const failed = {
          ...{ kind: 'model-failed' as const, key, role, model: member.name, message },
          cost: member.price === undefined ? null : wasted,
          ms: Math.round(performance.now() - begunAt),
          tries,
        };
        const stopped = this.#signal.aborted || this.#budget.timeLeft === 0 || this.#budget.isCostUsed;
        const length = stopped ? 'no' : tooLong(error, tokens);
        if (length === 'said' || (length === 'perhaps' && !this.#shortened.has(key))) {
          this.#shortened.add(key);
          this.#eventLog.append(failed);
          return { tooLong: error };
        }
        let asksFor = '';
        let isOver = false;
        let isCounted = true;
        if (!stopped && tries <= retries && isWorthRetrying(error)) {
          const wait = waitBefore(tries, error, retryDelay * 1000);
          isOver = wait >= (this.#budget.timeLeft ?? Number.POSITIVE_INFINITY);
          if (isOver || wait > LONGEST_WAIT_MS) asksFor = `; it asks to wait for ${formatDuration(wait)}`;
          else {
            isCounted = this.#budget.takeRetry();
            if (isCounted && (await this.#wait(member, key, message, wait)) && this.#budget.timeLeft !== 0)
              continue;
          }
        }
        this.#eventLog.append({ ...failed, message: `${message}${asksFor}` });
        this.#requireSignal();
        if (isOver) throw this.#budget.timeOver();
        this.#budget.requireTime();
        this.#budget.requireCost();
        if (!isCounted) this.#budget.requireMessage();
        throw new QuodError('protocol-error', `${member.name} did not answer: ${message}${asksFor}.`, {
          remedy: remedyOf(error, member.keyVariable, received.hasBegun),
        });
      }
    }
  }

  #wait({ name }: Member, key: string, message: string, wait: number): Promise<boolean> {
    if (wait >= NOTABLE_WAIT_MS)
      this.#eventLog.append({ kind: 'model-waits', key, model: name, message, ms: Math.round(wait) });
    return pause(wait, this.#signal);
  }

  /** What may arrive: no more than can be paid for, nor much more than was asked for. */
  #receiving({ price }: Member, request: Request & Payable, wasted: number): Received {
    const { maxOutputTokens } = this.#settings;
    const wanted =
      maxOutputTokens === null ? Number.POSITIVE_INFINITY : maxOutputTokens * CLEARLY_MORE + 1000;
    const left = request.payable === undefined ? undefined : request.payable - wasted;
    const sent = orZero(price === undefined ? 0 : costOf(price, estimatedUsage(request, 0)));
    const payable =
      left === undefined || price === undefined || price.output === 0
        ? Number.POSITIVE_INFINITY
        : Math.max(SHORT_ANSWER, ((left - sent) / price.output) * 1e6);
    return payable < wanted
      ? new Received(payable * 4, 'it would cost more than what is left of the budget')
      : new Received(wanted * 4, 'it is much longer than `max-output-tokens`');
  }

  async #request({ model }: Member, request: Request, received: Received): Promise<ModelAnswer> {
    const { callTimeout, maxOutputTokens, reasoning, stream, temperature } = this.#settings;
    const clock = new AbortController();
    const left = this.#budget.timeLeft ?? Number.POSITIVE_INFINITY;
    const timer = setTimeout(
      () => {
        const why =
          left < callTimeout * 1000 ? 'The time of the run is over.' : `No answer after ${callTimeout} s.`;
        clock.abort(new DOMException(why, 'TimeoutError'));
      },
      timerDelay(Math.min(callTimeout * 1000, left)),
    );
    try {
      return await requestAnswer(model, {
        messages: request.messages,
        tools: request.tools,
        maxOutputTokens,
        temperature: request.temperature === undefined ? temperature : request.temperature,
        reasoning,
        stream,
        signal: AbortSignal.any([this.#signal, clock.signal, this.#budget.costUsed]),
        received,
      });
    } catch (error) {
      received.requireRoom();
      // Providers wrap or rename what aborted them.
      throw [clock.signal, this.#budget.costUsed].find(({ aborted }) => aborted)?.reason ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  #mostCost({ name, price }: Member, { messages, tools }: Request): number {
    const { maxOutputTokens } = this.#settings;
    if (price === undefined || maxOutputTokens === null) {
      return price?.input === 0 && price.output === 0 ? 0 : Number.POSITIVE_INFINITY;
    }
    if (!this.#kept.isSureOf(name)) return Number.POSITIVE_INFINITY;
    // Two characters a token is far more than any tokenizer makes of scripts; all of it may be written into a cache.
    const inputTokens = (tokensOf(messages) + estimateTokens(JSON.stringify(tools))) * 2;
    const usage = { inputTokens, cachedTokens: 0, cacheWriteTokens: inputTokens };
    return orZero(costOf(price, { ...usage, outputTokens: maxOutputTokens }));
  }

  #isKept({ outputTokens }: Usage, isEstimated: boolean): boolean {
    return !isEstimated && outputTokens <= orInfinite(this.#settings.maxOutputTokens);
  }

  #requireSignal(): void {
    if (this.#signal.aborted) throw new QuodError('interrupted', 'The run was stopped.');
  }
}

interface Parts {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly permissions: Permissions;
  readonly eventLog: EventLog;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Nobody waits for the answer any more, and the provider may charge for it all the same. */
function isStopped(error: unknown): boolean {
  return (error instanceof DOMException && error.name === 'TimeoutError') || error instanceof BudgetExhausted;
}

function orInfinite(limit: number | null): number {
  return limit ?? Number.POSITIVE_INFINITY;
}

/** In characters. */
function lengthOf({ text, calls, thoughts }: ModelAnswer): number {
  return [
    text,
    ...calls.flatMap(({ name, input }) => [name, input]),
    ...thoughts.map((one) => one.text),
  ].join('').length;
}

/** @param received Characters of the answer. */
function estimatedUsage({ messages, tools }: Request, received: number): Usage {
  return {
    inputTokens: tokensOf(messages) + estimateTokens(JSON.stringify(tools)),
    cachedTokens: 0,
    outputTokens: Math.ceil(received / 4),
  };
}

/** Some servers repeat the key that they refuse. */
function withoutKey(text: string, key: string | undefined): string {
  const safe = key === undefined ? text : text.replaceAll(key, '[key]');
  return safe.length > 2000 ? `${safe.slice(0, 2000)}…` : safe;
}
