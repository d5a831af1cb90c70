/**
 * One question to one model, asked until there is an answer or no try is left: what fails is tried again where that is worth
 * it, what is cut off is paid, and what arrives is bounded by what can be paid.
 */
import { formatDuration, timerDelay } from '../core/duration.ts';
import { orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { clause } from '../core/sentence.ts';
import { BudgetExhausted, type Budget } from './budget.ts';
import { type Member, withoutKey } from './role-members.ts';
import type { Message, ToolDescription } from './models/conversation.ts';
import {
  ToldFailure,
  isAnswered,
  isDropped,
  isRefusedAtAll,
  modelFailureText,
  tooLong,
  remedyOf,
} from './models/failures.ts';
import { requestAnswer } from './models/language-model.ts';
import type { ModelAnswer } from './models/language-model.ts';
import { costOf, estimateTokens, plusUsage, tokensOfLength } from './models/prices.ts';
import type { Usage } from './models/prices.ts';
import { Received } from './models/received.ts';
import { LONGEST_WAIT_MS, isWorthRetrying, pauseUntilAborted, waitBefore } from './models/retry.ts';
import { UnreadAnswer } from './models/unread-answer.ts';
import type { EventLog } from './runs/event-log.ts';
import type { EventOf } from './runs/events.ts';
import type { Role, Settings } from './settings.ts';
import { tokensOf } from './context/history.ts';

export interface Request {
  readonly role: Role;
  /** The place of the question in the workflow. */
  readonly key: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly temperature?: number | null;
  /** Aborted when nobody needs the answer any more. */
  readonly signal?: AbortSignal;
  /** Called when the server has begun to answer, if only with a refusal of this question. */
  readonly onReached: () => void;
}

/** What an answer may cost at most, in US dollars; undefined: there is no limit. */
interface Payable {
  readonly payable: number | undefined;
}

/** Times as many tokens as were asked for: estimates are rough. */
const CLEARLY_MORE = 3;
/** Tokens that are read of any answer: what was sent may have cost less than it is thought to. */
const SHORT_ANSWER = 1000;
/** A wait that somebody at the terminal wants to know of. */
const NOTABLE_WAIT_MS = 2000;

export interface Answered {
  readonly answer: ModelAnswer;
  readonly ms: number;
  readonly tries: number;
  /** What answers cost that were cut off, in US dollars. */
  readonly wasted: number;
  /** What those tries used, by the same estimate. */
  readonly wastedUsage: Usage | undefined;
}

export interface Sending {
  readonly settings: Settings;
  readonly eventLog: EventLog;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

export class ModelRequests {
  readonly #settings: Settings;
  readonly #eventLog: EventLog;
  readonly #budget: Budget;
  readonly #signal: AbortSignal;
  /** Questions that were made shorter. */
  readonly #shortened = new Set<string>();

  constructor({ settings, eventLog, budget, signal }: Sending) {
    this.#settings = settings;
    this.#eventLog = eventLog;
    this.#budget = budget;
    this.#signal = signal;
  }

  /** Asks until there is an answer or no try is left. What cut answers cost is paid here and told as `wasted`. */
  async send(
    member: Member,
    request: Request & Payable,
    tokens: number,
  ): Promise<Answered | { readonly tooLong: unknown }> {
    const { retries, retryDelay } = this.#settings;
    const { key, role, signal } = request;
    // When the run is stopped, or nobody needs the answer any more.
    const stop = signal === undefined ? this.#signal : AbortSignal.any([this.#signal, signal]);
    const begunAt = performance.now();
    let wasted = 0;
    let wastedUsage: Usage | undefined;
    for (let tries = 1; ; tries++) {
      const received = this.#receiving(member, request, wasted);
      try {
        const answer = await this.#request(member, request, received, stop);
        return { answer, ms: Math.round(performance.now() - begunAt), tries, wasted, wastedUsage };
      } catch (error) {
        // What is refused to one call is refused to those that wait for it.
        if (isAnswered(error) && !isRefusedAtAll(error)) request.onReached();
        // A provider charges for what it read and wrote, also when the answer is cut off or nobody waits for it.
        const isRefused =
          (error instanceof ToldFailure && error.isWhole) || (error instanceof UnreadAnswer && !error.isPaid);
        if ((received.hasBegun && !isRefused) || isDropped(error) || isStopped(error) || stop.aborted) {
          const estimated = estimatedUsage(request, received.payable);
          const cost = orZero(costOf(member.price, estimated));
          wastedUsage = plusUsage(wastedUsage, estimated);
          this.#budget.spend(cost);
          wasted += cost;
        }
        const message = withoutKey(modelFailureText(error), member.key);
        const failed = {
          ...{ kind: 'model-failed' as const, key, role, model: member.name, message },
          ...(stop.aborted && { stopped: true }),
          cost: member.price === undefined ? null : wasted,
          ...(wastedUsage !== undefined && { wastedUsage }),
          ms: Math.round(performance.now() - begunAt),
          tries,
        };
        const stopped = stop.aborted || this.#budget.timeLeft === 0 || this.#budget.isCostUsed;
        const length = stopped ? 'no' : tooLong(error, tokens);
        if (length === 'said' || (length === 'perhaps' && !this.#shortened.has(key))) {
          this.#shortened.add(key);
          this.#eventLog.append(failed);
          return { tooLong: error };
        }
        let noMore = '';
        let isOver = false;
        let isCounted = true;
        if (!stopped && tries <= retries && isWorthRetrying(error)) {
          const wait = waitBefore(tries, error, retryDelay * 1000);
          const isTooLate = wait.ms >= (this.#budget.timeLeft ?? Number.POSITIVE_INFINITY);
          isOver = isTooLate && wait.isAsked;
          if (isOver || wait.ms > LONGEST_WAIT_MS)
            noMore = `; it asks to wait for ${formatDuration(wait.ms)}`;
          else if (isTooLate) noMore = '; no time is left to ask it again';
          else {
            isCounted = this.#budget.takeRetry();
            if (
              isCounted &&
              (await this.#wait(wait.ms, stop, { key, model: member.name, message })) &&
              this.#budget.timeLeft !== 0
            )
              continue;
          }
        }
        this.#eventLog.append({ ...failed, message: `${message}${noMore}` });
        this.requireSignal(request);
        if (isOver) throw this.#budget.timeOver(`; ${member.name} did not answer${noMore}`);
        this.#budget.requireTime();
        this.#budget.requireCost();
        if (!isCounted) this.#budget.requireMessage();
        throw new QuodError('protocol-error', `${member.name} did not answer: ${clause(message)}${noMore}.`, {
          remedy: remedyOf(error, member, received.hasBegun),
        });
      }
    }
  }

  #wait(
    wait: number,
    stop: AbortSignal,
    why: Pick<EventOf<'model-waits'>, 'key' | 'model' | 'message'>,
  ): Promise<boolean> {
    if (wait >= NOTABLE_WAIT_MS) this.#eventLog.append({ kind: 'model-waits', ...why, ms: Math.round(wait) });
    return pauseUntilAborted(wait, stop);
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
      ? new Received(payable * 4, 'it would cost more than what is left of the budget', request.onReached)
      : new Received(wanted * 4, 'it is much longer than `max-output-tokens`', request.onReached);
  }

  async #request(
    { model }: Member,
    request: Request,
    received: Received,
    stop: AbortSignal,
  ): Promise<ModelAnswer> {
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
        signal: AbortSignal.any([stop, clock.signal, this.#budget.costUsed]),
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

  /** @param keepsLimits whether the model has never answered with more than it was asked for. */
  mostCost({ price }: Member, { messages, tools }: Request, keepsLimits: boolean): number {
    const { maxOutputTokens } = this.#settings;
    if (price === undefined || maxOutputTokens === null) {
      return price?.input === 0 && price.output === 0 ? 0 : Number.POSITIVE_INFINITY;
    }
    if (!keepsLimits) return Number.POSITIVE_INFINITY;
    // Two characters a token is far more than any tokenizer makes of scripts; all of it may be written into a cache.
    const inputTokens = (tokensOf(messages) + estimateTokens(JSON.stringify(tools))) * 2;
    const usage = { inputTokens, cachedTokens: 0, cacheWriteTokens: inputTokens };
    return orZero(costOf(price, { ...usage, outputTokens: maxOutputTokens }));
  }

  /** @throws QuodError `interrupted`. */
  requireSignal(request: Request): void {
    if (this.#signal.aborted) throw new QuodError('interrupted', 'The run was stopped.');
    if (request.signal?.aborted === true)
      throw new QuodError('interrupted', 'The answer is not needed any more.');
  }
}

/** Nobody waits for the answer any more, and the provider may charge for it all the same. */
function isStopped(error: unknown): boolean {
  return (error instanceof DOMException && error.name === 'TimeoutError') || error instanceof BudgetExhausted;
}

/** @param received Characters of the answer. */
export function estimatedUsage(
  { messages, tools }: Pick<Request, 'messages' | 'tools'>,
  received: number,
): Usage {
  return {
    inputTokens: tokensOf(messages) + estimateTokens(JSON.stringify(tools)),
    cachedTokens: 0,
    outputTokens: tokensOfLength(received),
  };
}
