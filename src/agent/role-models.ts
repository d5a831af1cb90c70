/**
 * The models of a run, one for each role. A question is asked once: a recorded answer is taken from the log, a failed
 * request is tried again, one that was too long is made shorter, every answer is paid from the budget and recorded.
 * Keys are in the members (role-members.ts) and in what is sent, and nowhere else.
 */
import { createHash } from 'node:crypto';
import { QuodError } from '../core/errors.ts';
import { leastOf } from '../core/lists/many.ts';
import type { Budget } from './budget.ts';
import type { Permissions } from './configuration/reach.ts';
import { type Member, openMembers, withoutKey } from './role-members.ts';
import { believedUsage } from './models/believed-usage.ts';
import type { Message, ToolDescription } from './models/conversation.ts';
import { modelFailureText } from './models/failures.ts';
import { FirstContact } from './models/first-contact.ts';
import { KeptLimits } from './models/kept-limits.ts';
import type { ModelAnswer } from './models/language-model.ts';
import { costOf, estimateTokens } from './models/prices.ts';
import type { Usage } from './models/prices.ts';
import { estimatedUsage, type Request, ModelRequests } from './model-requests.ts';
import type { EventLog } from './runs/event-log.ts';
import type { EventOf } from './runs/events.ts';
import { SentMessages } from './runs/sent-messages.ts';
import type { Role, Settings } from './settings.ts';
import { tokensOf } from './context/history.ts';

export interface Question {
  readonly role: Role;
  /** The place of the question in the workflow. */
  readonly key: string;
  /** What is said, in at most so many tokens; undefined: nobody knows how many there are. */
  readonly messages: (room: number | undefined) => readonly Message[];
  readonly tools?: readonly ToolDescription[];
  readonly temperature?: number | null;
  /** Aborted when nobody needs the answer any more. */
  readonly signal?: AbortSignal;
  /** Waited for before it is asked, also after others were waited for. */
  readonly ready?: () => Promise<void>;
}

/** Tokens that every model takes. */
const LITTLE = 4000;

/** The model takes less than what has to be said. The theorem is given up, not the run. */
export class ContextTooSmall extends QuodError {
  constructor(model: string, tokens: number, cause: unknown) {
    super(
      'too-large',
      `${model} refuses ${tokens} tokens, and less cannot be said: ${modelFailureText(cause)}`,
      {
        remedy:
          tokens < LITTLE
            ? 'That is little for any model: see whether its server means what it says.'
            : 'Take a model with a larger context, or offer fewer tools.',
        cause,
      },
    );
  }
}

/** What is left for the answer, of a context that is known. */
const ANSWER_SHARE = 0.15;
/** Estimates of tokens are rough. */
const CERTAIN_SHARE = 0.9;
/** After a refusal: this part of what was refused. */
const AFTER_REFUSAL = 0.6;
const SHORTENINGS = 6;

export class RoleModels {
  readonly #members: ReadonlyMap<Role, Member>;
  readonly #settings: Settings;
  readonly #eventLog: EventLog;
  readonly #budget: Budget;
  readonly #requests: ModelRequests;
  readonly #sent: SentMessages;
  /** What each model takes, as far as it is known. */
  readonly #limits = new Map<string, number>();
  readonly #kept = new KeptLimits();
  readonly #contact = new FirstContact();

  private constructor(
    members: ReadonlyMap<Role, Member>,
    settings: Settings,
    { eventLog, budget, signal }: Pick<Parts, 'eventLog' | 'budget' | 'signal'>,
  ) {
    this.#members = members;
    this.#settings = settings;
    this.#eventLog = eventLog;
    this.#budget = budget;
    this.#requests = new ModelRequests({ settings, eventLog, budget, signal });
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
    const members = await openMembers(settings.model, {
      ...{ settings, environment, permissions },
      eventLog: parts.eventLog,
    });
    return new RoleModels(members, settings, parts);
  }

  /**
   * @throws BudgetExhausted, ContextTooSmall, QuodError `interrupted` (also by the signal of the question), `protocol-error` when the model could not be
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
      // A statement, a goal or a task may hold a key: it goes to no model.
      const messages = this.#eventLog.withoutKeys(question.messages(room));
      const tokens = tokensOf(messages) + toolTokens;
      const answered = await this.#contact.through(
        member.provider,
        (onReached) => this.#answer(member, { ...question, messages, tools, onReached }, tokens),
        (failure) => failure instanceof QuodError && failure.reason === 'protocol-error',
      );
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
        message: withoutKey(modelFailureText(answered.tooLong), member.key),
      });
    }
  }

  /** Tokens of what is said and of the tools. */
  #limitOf({ name }: Member): number | undefined {
    const { contextTokens } = this.#settings;
    const learned = this.#limits.get(name);
    const set = contextTokens === 0 ? undefined : contextTokens * CERTAIN_SHARE * (1 - ANSWER_SHARE);
    const known = [learned, set].filter((limit) => limit !== undefined);
    return known.length === 0 ? undefined : leastOf(known);
  }

  async #answer(
    member: Member,
    request: Request & Pick<Question, 'ready'>,
    tokens: number,
  ): Promise<EventOf<'model-answered'> | { readonly tooLong: unknown }> {
    const { role, key, messages, tools } = request;
    return this.#budget.call(
      async () => {
        await request.ready?.();
        this.#requests.requireSignal(request);
      },
      () => this.#requests.mostCost(member, request, this.#kept.isSureOf(member.name)),
      async (payable) => {
        const sent = this.#sent.add(key, role, messages);
        this.#eventLog.append({
          ...{ kind: 'model-called', key, role, model: member.name },
          sent: { ...sent, tools: tools.map(({ name }) => name), tokens },
        });
        const persisted = await this.#kept.during(member.name, () =>
          this.#requests.send(member, { ...request, payable }, tokens),
        );
        if ('tooLong' in persisted) return persisted;
        const { answer, ms, tries, wasted, wastedUsage } = persisted;
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
          ...(wasted > 0 && { wasted }),
          ...(wastedUsage !== undefined && { wastedUsage }),
          ...{ finish: answer.finish, usage, cost: cost === null ? null : cost + wasted, ms, tries },
        });
      },
    );
  }

  #isKept({ outputTokens }: Usage, isEstimated: boolean): boolean {
    return !isEstimated && outputTokens <= orInfinite(this.#settings.maxOutputTokens);
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

/** In characters. */
function lengthOf({ text, calls, thoughts }: ModelAnswer): number {
  return [
    text,
    ...calls.flatMap(({ name, input }) => [name, input]),
    ...thoughts.map((one) => one.text),
  ].join('').length;
}

function orInfinite(limit: number | null): number {
  return limit ?? Number.POSITIVE_INFINITY;
}
