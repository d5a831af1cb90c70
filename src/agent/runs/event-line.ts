/** The events of a run as lines for people, and a run as a text. */
import { restsOnOpenText } from '../../core/rests-on.ts';
import { counted } from '../../core/counted.ts';
import { costText } from '../models/cost-sum.ts';
import { answerLack } from './answer-lack.ts';
import { estimatedCost } from './event-cost.ts';
import type { EventOf, RunRecord } from './events.ts';
import { formatDuration } from '../../core/duration.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { entryAt, orNothing } from '../../core/entry.ts';
import { isOfUsersOwn } from './rechecked-keys.ts';

/**
 * Undefined for events that say nothing to a reader. What models, servers and provers said may be part of it, so only
 * its first line begins where lines of Quod's own do.
 */
export function eventLine(record: RunRecord): string | undefined {
  const said = wordsOf(record);
  return said === undefined ? undefined : foreignText(said);
}

function wordsOf({ event }: RunRecord): string | undefined {
  const first = (text: string): string => {
    const line = entryAt(text.trim().split(/\r?\n/u), 0, 'line');
    return line.length > 100 ? `${line.slice(0, 99)}…` : line;
  };
  switch (event.kind) {
    case 'run-started':
      return `${counted(event.theorems.length, 'theorem')} of ${foreignName(event.file)}`;
    case 'run-resumed':
      return 'Resumed';
    case 'theorem-started':
      return `${event.theorem}: ${first(event.statement)}`;
    case 'searched':
      return `${event.key}: the offline search ${event.proof === null ? `found nothing (${first(event.message)})` : 'found a proof'}`;
    case 'model-failed': {
      const cost = estimatedCost(event) === 0 ? '' : `, ${costText(event.cost)} (estimated)`;
      // Whoever stops a run knows it; only what it cost is news.
      if (event.stopped === true)
        return cost === '' ? undefined : `${event.key}: ${event.model} was stopped${cost}`;
      return `${event.key}: ${event.model} failed: ${first(event.message)}${cost}`;
    }
    case 'model-waits':
      return `${event.key}: waits ${formatDuration(event.ms)} for ${event.model}: ${first(event.message)}`;
    case 'context-limited':
      return `${event.key}: ${event.model} takes no more; from now on ${event.tokens} tokens are sent at most`;
    case 'context-collected':
      return `${event.key}: read ${counted(event.pieces.length, 'piece')} of the file and its project`;
    case 'model-answered': {
      const lack = answerLack(event);
      return `${event.key}: ${event.role} answered${lack === undefined ? '' : ` (${lack})`} in ${formatDuration(event.ms)}, ${costText(event.cost)}${event.estimated === true && event.cost !== 0 ? ' (estimated: the server gave no count that can be believed)' : wastedText(estimatedCost(event))}`;
    }
    case 'planned':
      return `${event.key}: plan (${event.by}): ${first(event.plan)}`;
    case 'scored':
      return `${event.key}: score ${event.score}`;
    case 'attempt-started':
      return `${event.key}: carries out plan ${event.plan}`;
    case 'tool-answered':
      return `${event.key}: ${event.tool} ${outcomeText(event, first)}`;
    case 'repaired':
      return `${event.key}: ${event.proof === null ? first(event.text) : 'the goal is closed without a model'}`;
    case 'sketched':
      return `${event.key}: ${event.texts.length === 0 ? `sketch refused: ${first(event.text)}` : `sketch with ${counted(event.holes.length, 'hole')}`}`;
    case 'replanned':
      return `${event.key}: new plan: ${first(event.plan)}`;
    case 'judged':
      return `${event.key}: the gate says ${event.verdict}${event.restsOnOpen.length === 0 ? '' : `, but the proof ${restsOnOpenText(event.restsOnOpen)}`}${event.findings.length === 0 ? '' : `: ${first(event.findings.join('; '))}`}`;
    case 'refuted':
      return event.refuted
        ? `${event.key}: it is false${event.counterexample === '' ? '' : ` for ${first(event.counterexample)}`}`
        : `${event.key}: ${first(event.message)}`;
    case 'lemma-ended':
      return `${event.key}: lemma${lemmaText(event, first)} ${event.proof === null ? `is not proved: ${first(event.reason)}` : `is proved (${orNothing(event.by)})`}`;
    case 'written':
      return `${event.key}: written`;
    case 'attempt-ended':
      return `${event.key}: ${attemptOutcome(event)}: ${event.reason}`;
    case 'theorem-ended':
      return `${event.theorem}: ${event.outcome}: ${event.reason}`;
    case 'run-ended':
      return `${event.outcome}: ${event.message}`;
    case 'user-said':
      return `You: ${first(event.text)}`;
    case 'handed-off':
      return event.ends === true
        ? 'The task file says what is proved by now'
        : 'Handed off to a fresh context';
    case 'committed':
      return event.commit === null
        ? first(event.message)
        : `Committed ${event.commit.slice(0, 10)}: ${event.message.split('\n').join('; ')}`;
    case 'compared':
      return `${fileOf(event)}: the gate accepts ${counted(event.accepted.length, 'proof')}${event.findings.length === 0 ? '' : `; ${first(event.findings.join('; '))}`}`;
    case 'rechecked':
      return `${fileOf(event)}: ${isOfUsersOwn(event.key) ? 'what is yours by now' : 'everything together'}: the gate says ${event.verdict}${event.findings.length === 0 ? '' : `: ${first(event.findings.join('; '))}`}`;
    case 'driver-started':
      return `${event.key}: ${event.driver} works`;
    case 'driver-said':
      return `${event.key}: ${[...event.calls.map(({ name }) => name), first(event.text)].filter((part) => part !== '').join(' ')}`;
    case 'driver-ended':
      return `${event.key}: ${event.driver} ${event.outcome}: ${first(event.message)}, ${event.cost === null ? 'cost not told' : costText(event.cost)}${event.estimated === true ? ' (estimated)' : ''}`;
    case 'model-called':
    case 'heard':
    case 'session-opened':
    case 'retrieved':
      return undefined;
  }
}

/** Whether the theorem is proved with what was found is said of the theorem. */
export function attemptOutcome({ outcome }: Pick<EventOf<'attempt-ended'>, 'outcome'>): string {
  return outcome === 'proved' ? 'found a proof' : outcome;
}

/** A lemma that was refused has no name: what was to be stated tells which one is meant. */
function lemmaText({ name, statement }: EventOf<'lemma-ended'>, first: (text: string) => string): string {
  const called = name === '' ? first(statement) : name;
  return called === '' ? '' : ` ${called}`;
}

/** What is judged as a whole is recorded under when that was, with the file behind it. */
function fileOf({ key }: { readonly key: string }): string {
  return foreignName(/^(?:driver\/)?[^/]*\/(.*)$/su.exec(key)?.[1] ?? key);
}

/** The word, and what the answer says to it where it begins so. */
function outcomeText({ outcome, text }: EventOf<'tool-answered'>, first: (text: string) => string): string {
  if (outcome === null) return first(text);
  const said = text.replace(`Error [${outcome}]: `, `${outcome}: `);
  return said.startsWith(`${outcome}: `) ? first(said) : outcome;
}

function wastedText(cost: number): string {
  return cost === 0 ? '' : ` (${costText(cost)} of it estimated, for tries that failed)`;
}
