/**
 * What stands below the events of a run at a terminal: for each theorem in work its plan, goal and attempts, and
 * what is left of each budget. A fold over the run's records, as everything else that is shown of a run.
 */
import { costSumText, type CostSum } from '../../../agent/models/cost-sum.ts';
import { costOfEvent } from '../../../agent/runs/event-cost.ts';
import { onOneLine } from '../../../core/sentence.ts';
import { counted } from '../../../core/counted.ts';
import type { RunRecord } from '../../../agent/runs/events.ts';
import type { Settings } from '../../../agent/settings.ts';
import { inert } from '../../../core/foreign-text.ts';
import { formatDuration } from '../../../core/duration.ts';
import { orNothing } from '../../../core/entry.ts';

type Limits = Pick<Settings, 'maxCost' | 'maxTime' | 'maxToolCalls' | 'maxMessages'>;

interface TheoremInWork {
  plan: string;
  goal: string;
  attempts: number;
  checks: number;
  failed: number;
}

export class LiveView {
  readonly #limits: Limits;
  readonly #inWork = new Map<string, TheoremInWork>();
  #spent: CostSum = { cost: 0, uncosted: 0 };
  #messages = 0;
  #toolCalls = 0;
  #elapsedBefore = 0;
  #stretchBegan: number | undefined;
  #last = 0;
  /** The theorem of the latest event; a task's own keys name none. */
  #current: string | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add({ event, at }: RunRecord): void {
    const time = Date.parse(at);
    if (event.kind === 'run-started' || event.kind === 'run-resumed') {
      this.#elapsedBefore += this.#last - (this.#stretchBegan ?? this.#last);
      this.#stretchBegan = time;
    }
    this.#last = time;
    switch (event.kind) {
      case 'theorem-started':
        this.#inWork.set(event.theorem, { plan: '', goal: '', attempts: 0, checks: 0, failed: 0 });
        break;
      case 'theorem-ended':
        this.#inWork.delete(event.theorem);
        break;
      case 'attempt-started':
        this.#of(event.key).attempts++;
        break;
      case 'planned':
      case 'replanned':
        this.#of(event.key).plan = event.plan;
        break;
      case 'session-opened':
        this.#current = event.key.replace(/^task\//u, '');
        break;
      case 'tool-answered': {
        const work = this.#of(event.key);
        this.#toolCalls++;
        if (event.outcome !== null) work.checks++;
        if (event.outcome !== null && !['proved', 'incomplete', 'branch-closed'].includes(event.outcome)) {
          work.failed++;
        }
        work.goal = event.goal ?? work.goal;
        break;
      }
      case 'model-answered':
      case 'model-failed':
        this.#spend(costOfEvent(event));
        break;
      case 'model-called':
        this.#messages++;
        break;
      case 'driver-ended':
        this.#spend(costOfEvent(event));
        this.#messages += event.calls;
        this.#toolCalls += event.toolCalls;
        break;
      default:
        break;
    }
  }

  lines(now: number): readonly string[] {
    const elapsed = this.#elapsedBefore + now - (this.#stretchBegan ?? now);
    return [
      ...[...this.#inWork].flatMap(([theorem, { plan, goal, attempts, checks, failed }]) => [
        `  … ${inert(theorem)}${attempts === 0 ? '' : `, plan ${attempts}`}${checks === 0 ? '' : `, ${counted(checks, 'check')}, ${failed} failed`}`,
        ...(plan === '' ? [] : [`      plan  ${liveLine(plan)}`]),
        ...(goal === '' ? [] : [`      goal  ${liveLine(goal)}`]),
      ]),
      `  ${this.#budget(elapsed)}`,
    ];
  }

  #spend({ cost, uncosted }: CostSum): void {
    this.#spent = { cost: this.#spent.cost + cost, uncosted: this.#spent.uncosted + uncosted };
  }

  #budget(elapsedMs: number): string {
    const { maxCost, maxTime, maxToolCalls, maxMessages } = this.#limits;
    const of = (spent: string, most: string | undefined): string =>
      most === undefined ? spent : `${spent} of ${most}`;
    const ofCounted = (spent: number, most: number | null, noun: string): string =>
      most === null ? counted(spent, noun) : `${spent} of ${counted(most, noun)}`;
    return [
      of(formatDuration(elapsedMs), maxTime === null ? undefined : formatDuration(maxTime * 1000)),
      of(costSumText(this.#spent), maxCost === null ? undefined : `$${maxCost}`),
      ofCounted(this.#messages, maxMessages, 'message'),
      ofCounted(this.#toolCalls, maxToolCalls, 'tool call'),
    ].join(' · ');
  }

  /** Of the theorem that a key names, or that is being worked on. */
  #of(key: string): TheoremInWork {
    const [first = ''] = key.split('/');
    const known = this.#inWork.get(first) ?? this.#inWork.get(orNothing(this.#current));
    return known ?? { plan: '', goal: '', attempts: 0, checks: 0, failed: 0 };
  }
}

function liveLine(text: string): string {
  const line = onOneLine(inert(text));
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
