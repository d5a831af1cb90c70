/** What a log adds up to: where the run stands, what it cost and who spent it. */
import { orZero, underName } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { CostSum } from '../models/cost-sum.ts';
import { BEYOND_COUNTING, addedCost, costOf, countedUp, plusUsage, priceOf } from '../models/prices.ts';
import type { Price } from '../models/prices.ts';
import { parseModelName } from '../models/providers.ts';
import type { Role, Settings } from '../settings.ts';
import type { Grounds, LeftOutFile } from '../target.ts';
import { costOfEvent } from './event-cost.ts';
import type { EventOf, RunRecord } from './events.ts';
import type { Task } from './task-schema.ts';
import { TurnMessages } from './turn-messages.ts';
import { isOfUsersOwn } from './rechecked-keys.ts';

export interface Spent extends CostSum {
  readonly calls: number;
  /** Those of calls that were tried again with each try. */
  readonly requests: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly ms: number;
}

export interface TheoremState {
  readonly theorem: string;
  readonly statement: string;
  readonly outcome: 'open' | EventOf<'theorem-ended'>['outcome'];
  readonly proof: string | null;
  /** Helper lemmas that the proof uses. */
  readonly before?: string | undefined;
  /** With `proved-but`: the statements of the file that the proof uses and that are open. */
  readonly restsOnOpen: readonly string[];
  /** Of an accepted proof, or of that of the negation where it is refuted; undefined where the log does not tell. */
  readonly grounds?: Grounds | undefined;
  readonly reason: string;
}

export interface RunState {
  readonly file: string;
  readonly fileHash: string;
  /** Each with its hash at the start. */
  readonly files: EventOf<'run-started'>['files'];
  /** Files in which nothing can be worked on, with why, as sentences. */
  readonly leftOut: readonly LeftOutFile[];
  /** The rest of the project when it began, where another program works in it. */
  readonly beside: EventOf<'run-started'>['beside'];
  readonly task: Task | null;
  readonly settings: Settings;
  readonly theorems: readonly TheoremState[];
  readonly outcome: EventOf<'run-ended'>['outcome'] | 'open';
  readonly message: string;
  readonly startedAt: string;
  /** Milliseconds during which the run ran: what lies between an end and a resume does not count. */
  readonly elapsedMs: number;
  readonly spent: Spent;
  readonly byRole: ReadonlyMap<Role, Spent>;
  readonly toolCalls: number;
  /** Calls whose answers never came: the process had died meanwhile, and the run was resumed. */
  readonly lostCalls: number;
  /** Calls whose answers have not come: the process waits for them, or died meanwhile. */
  readonly openCalls: number;
  /** US dollars: what the open ones cost at least, that is, what was sent; of earlier ones it is in `spent`. */
  readonly lostCost: number;
}

const NOTHING_SPENT: Spent = {
  calls: 0,
  requests: 0,
  failed: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0,
  uncosted: 0,
  ms: 0,
};

/** Undefined for a log without a beginning. */
export function foldRun(records: readonly RunRecord[]): RunState | undefined {
  const [first] = records;
  if (first?.event.kind !== 'run-started') return undefined;
  let { settings } = first.event;
  let spent = NOTHING_SPENT;
  const byRole = new Map<Role, Spent>();
  const theorems = new Map<string, TheoremState>(
    first.event.theorems.map((theorem) => [
      theorem,
      { theorem, statement: '', outcome: 'open', proof: null, restsOnOpen: [], reason: '' },
    ]),
  );
  const unconfirmed = new Map<string, TheoremState>();
  let outcome: RunState['outcome'] = 'open';
  let message = '';
  let toolCalls = 0;
  let elapsedMs = 0;
  let last = Date.parse(first.at);
  const inFlight = new Map<string, EventOf<'model-called'>>();
  const lostCost = (): number =>
    [...inFlight.values()].reduce((sum, called) => addedCost(sum, costOfSent(called, settings)), 0);
  let lostCalls = 0;
  // What another agent has told of a turn that has not ended.
  let turn: { readonly messages: TurnMessages; readonly toolCalls: number } | undefined;
  const openCalls = (): number => inFlight.size + orZero(turn?.messages.calls);
  for (const { event, at } of records) {
    const time = Date.parse(at);
    // A clock may be set back, and a log is text: neither gives time back that was used.
    if (event.kind !== 'run-resumed') elapsedMs += Math.max(0, time - last);
    last = time;
    switch (event.kind) {
      case 'run-resumed':
        spent = { ...spent, cost: addedCost(spent.cost, lostCost()) };
        ({ settings } = event);
        outcome = 'open';
        message = '';
        // What was recorded as proved is no more than recorded until the gate says it again.
        for (const [theorem, state] of theorems) {
          if (state.outcome === 'open' || state.outcome === 'not-proved') continue;
          // Quod's own agent takes over what the gate could not look at, and looks no more.
          if (state.outcome === 'not-judged' && settings.driver === 'quod') continue;
          if (state.proof !== null) unconfirmed.set(theorem, state);
          update(theorem, {
            ...{ outcome: 'open', proof: null, before: undefined },
            ...{ restsOnOpen: [], grounds: undefined, reason: '' },
          });
        }
        lostCalls += openCalls();
        inFlight.clear();
        toolCalls += orZero(turn?.toolCalls);
        turn = undefined;
        break;
      case 'theorem-started':
        update(event.theorem, { statement: event.statement });
        break;
      case 'theorem-ended':
        unconfirmed.delete(event.theorem);
        update(event.theorem, {
          outcome: event.outcome,
          proof: event.proof,
          before: event.before,
          restsOnOpen: event.restsOnOpen,
          grounds: event.grounds,
          reason: event.reason,
        });
        break;
      case 'model-called':
        inFlight.set(event.key, event);
        break;
      case 'model-answered':
      case 'model-failed': {
        inFlight.delete(event.key);
        // Where a cost is limited the price of each model is known: a cost that is not was no number.
        const cost = event.cost ?? (settings.maxCost === null ? null : BEYOND_COUNTING);
        spent = plus(spent, { ...event, cost });
        byRole.set(event.role, plus(byRole.get(event.role) ?? NOTHING_SPENT, { ...event, cost }));
        break;
      }
      case 'tool-answered':
      case 'sketched':
        toolCalls++;
        break;
      case 'driver-started':
        turn ??= { messages: new TurnMessages(), toolCalls: 0 };
        break;
      case 'driver-said': {
        const { messages, toolCalls: before } = turn ?? { messages: new TurnMessages(), toolCalls: 0 };
        const { id, calls, message: isMessage = event.text !== '' || calls.length > 0 } = event;
        messages.add({ id, message: isMessage });
        turn = { messages, toolCalls: before + calls.length };
        break;
      }
      case 'driver-ended': {
        turn = undefined;
        spent = plusDriver(spent, event);
        byRole.set('executor', plusDriver(byRole.get('executor') ?? NOTHING_SPENT, event));
        toolCalls = countedUp(toolCalls, event.toolCalls);
        break;
      }
      case 'rechecked':
        for (const [theorem, restsOnOpen] of Object.entries(event.restsOnOpen))
          update(theorem, {
            // What the run had found for it is not what stands there.
            ...(!isOfUsersOwn(event.key) && unconfirmed.get(theorem)),
            outcome: restsOnOpen.length === 0 ? 'proved' : 'proved-but',
            restsOnOpen,
            grounds: underName(event.grounds ?? {}, theorem),
          });
        break;
      case 'run-ended':
        ({ outcome, message } = event);
        break;
      case 'run-started':
      case 'searched':
      case 'retrieved':
      case 'context-collected':
      case 'model-waits':
      case 'context-limited':
      case 'planned':
      case 'scored':
      case 'attempt-started':
      case 'session-opened':
      case 'repaired':
      case 'replanned':
      case 'judged':
      case 'refuted':
      case 'lemma-ended':
      case 'written':
      case 'attempt-ended':
      case 'user-said':
      case 'heard':
      case 'handed-off':
      case 'committed':
      case 'compared':
        break;
    }
  }
  const { file, fileHash, files, leftOut = [], beside, task } = first.event;
  return {
    file,
    fileHash,
    files: files.length > 0 ? files : [{ file, fileHash, theorems: first.event.theorems, text: '' }],
    leftOut,
    beside,
    task,
    settings,
    theorems: [...theorems.values()],
    outcome,
    message,
    startedAt: first.at,
    elapsedMs,
    spent,
    byRole,
    toolCalls: toolCalls + orZero(turn?.toolCalls),
    lostCalls,
    openCalls: openCalls(),
    lostCost: lostCost(),
  };

  function update(theorem: string, change: Partial<TheoremState>): void {
    const known = theorems.get(theorem);
    if (known !== undefined) theorems.set(theorem, { ...known, ...change });
  }
}

/** What a process that has died waited for is lost as well. @param running Whether the process is alive. */
export function lostCalls({ lostCalls: left, openCalls }: RunState, running: boolean): number {
  return left + (running ? 0 : openCalls);
}

/** The cost so far, with that of calls whose process has died: they cost at least what was sent. */
export function costSoFar({ spent, lostCost }: RunState, running: boolean): CostSum {
  return { cost: addedCost(spent.cost, running ? 0 : lostCost), uncosted: spent.uncosted };
}

/** US dollars, by the estimate that the log has; nothing where it has none, or nobody knows the price. */
function costOfSent({ model, sent }: EventOf<'model-called'>, settings: Settings): number {
  if (sent === undefined) return 0;
  const usage = { inputTokens: Math.max(0, sent.tokens), cachedTokens: 0, outputTokens: 0 };
  return orZero(costOf(recordedPrice(model, settings), usage));
}

/** A log is text: its model may be of no provider that there is. */
function recordedPrice(model: string, settings: Settings): Price | undefined {
  try {
    return priceOf(parseModelName(model, settings), settings);
  } catch (error) {
    if (error instanceof QuodError) return undefined;
    throw error;
  }
}

function plusDriver(sum: Spent, event: EventOf<'driver-ended'>): Spent {
  const { usage, calls, ms } = event;
  return {
    ...plusCost(sum, event),
    calls: countedUp(sum.calls, calls),
    requests: countedUp(sum.requests, calls),
    ...plusUsage(sum, usage),
    ms: sum.ms + ms,
  };
}

function plus(sum: Spent, event: EventOf<'model-answered'> | EventOf<'model-failed'>): Spent {
  const usage = event.kind === 'model-answered' ? event.usage : undefined;
  return {
    ...plusCost(sum, event),
    calls: sum.calls + 1,
    requests: countedUp(sum.requests, Math.max(1, event.tries)),
    failed: sum.failed + (event.kind === 'model-failed' ? 1 : 0),
    ...plusUsage(plusUsage(sum, usage), event.wastedUsage),
    ms: sum.ms + event.ms,
  };
}

function plusCost(sum: Spent, event: Parameters<typeof costOfEvent>[0]): Spent {
  const { cost, uncosted } = costOfEvent(event);
  return { ...sum, cost: addedCost(sum.cost, cost), uncosted: countedUp(sum.uncosted, uncosted) };
}
