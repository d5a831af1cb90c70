/** A run as a Markdown document that can be read without Quod: what was asked, said, tried, judged and spent. */
import { restsOnAxiomsText } from '../../core/rests-on.ts';
import { counted } from '../../core/counted.ts';
import { markdownBlock, markdownCode, markdownList, markdownSentence, markdownText } from '../markdown.ts';
import { costSumText } from '../models/cost-sum.ts';
import { attemptOutcome } from './event-line.ts';
import { foldRun, type RunState, type TheoremState } from './fold.ts';
import type { RunEvent, RunRecord } from './events.ts';

export function exportRun(name: string, records: readonly RunRecord[]): string {
  const state = foldRun(records);
  if (state === undefined) return `# Run ${markdownText(name)}\n\nIt ended before it began.\n`;
  const { file, fileHash, theorems, spent, byRole, outcome, message, elapsedMs, toolCalls } = state;
  const blocks = [
    `# Run ${markdownText(name)}`,
    markdownList([
      `File: ${markdownCode(file)} (SHA-256 ${markdownCode(fileHash)})`,
      `Recorded outcome: **${outcome}**. ${markdownSentence(message)}`,
      'This is what the log records. A log is no evidence: when the run goes on, the gate judges its proofs again.',
      `${(elapsedMs / 1000).toFixed(1)} s, ${counted(spent.calls, 'call')} of models, ${counted(toolCalls, 'tool call')}, ${costSumText(spent)}`,
    ]),
    [
      '| role | calls | input tokens | output tokens | cost |',
      '|---|---|---|---|---|',
      ...[...byRole].map(
        ([role, own]) =>
          `| ${role} | ${own.calls} | ${own.inputTokens} | ${own.outputTokens} | ${costSumText(own)} |`,
      ),
    ].join('\n'),
    ...theorems.flatMap(theoremBlocks),
    '## What happened',
    ...records.flatMap(({ event, at }) => {
      const said = saidBlocks(event, state);
      const place = 'key' in event ? markdownText(event.key) : event.kind;
      return said === undefined ? [] : [`### ${place} (${at})`, ...said];
    }),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function theoremBlocks(state: TheoremState): string[] {
  const { theorem, outcome, reason, statement, proof, before } = state;
  return [
    `## ${markdownText(theorem)}: recorded as ${outcome}`,
    markdownSentence(reason),
    ...(proof === null ? [] : [markdownList(groundsItems(state))]),
    markdownBlock(
      proof === null ? statement : `${before === undefined ? '' : `${before}\n\n`}${statement}\n${proof}`,
    ),
  ];
}

type Rests = Pick<TheoremState, 'restsOnOpen' | 'grounds'>;

/** What an accepted proof rests on; that it rests on nothing is said, too. */
function groundsItems({ restsOnOpen, grounds }: Rests): string[] {
  const open = restsOnOpen.map((name) => `It rests on the open statement ${markdownCode(name)}.`);
  if (grounds === undefined) return [...open, 'The log does not say on which axioms it rests.'];
  const { axioms, warnings } = grounds;
  return [
    ...open,
    `It ${restsOnAxiomsText(axioms.map(markdownCode))}.`,
    ...warnings.map((text) => `Warning of the gate: ${markdownSentence(text)}`),
  ];
}

/** Undefined for events that say nothing to a reader. */
function saidBlocks(event: RunEvent, { theorems }: Pick<RunState, 'theorems'>): string[] | undefined {
  switch (event.kind) {
    case 'model-answered':
      return [
        `${event.role}, ${markdownText(event.model)}, ${event.usage.inputTokens} + ${event.usage.outputTokens} tokens`,
        ...spoken(event.text),
        ...event.calls.map((call) => markdownBlock(`${call.name} ${call.input}`)),
      ];
    case 'model-failed':
      if (event.stopped === true) return [`${markdownText(event.model)} was stopped.`];
      return [`${markdownText(event.model)} failed: ${markdownSentence(event.message)}`];
    case 'model-waits':
    case 'context-limited':
      return [markdownSentence(event.message)];
    case 'tool-answered':
      return [
        `${markdownText(event.tool)}${event.outcome === null ? '' : `: ${markdownText(event.outcome)}`}`,
        markdownBlock(event.text),
      ];
    case 'repaired':
      return [markdownBlock(event.text), ...spoken(event.proof)];
    case 'sketched':
      return [markdownBlock(event.script), ...spoken(event.text)];
    case 'planned':
    case 'replanned':
      return ['Plan:', ...spoken(event.plan)];
    case 'scored':
      return [`Score ${event.score}. ${markdownSentence(event.reason)}`];
    case 'judged':
      return [
        `Recorded as the gate's word: **${event.verdict}**`,
        markdownList([
          ...(event.verdict === 'accepted' ? groundsItems(event) : []),
          ...event.findings.map(markdownText),
        ]),
      ];
    case 'searched':
      return event.proof === null
        ? [`The search found nothing: ${markdownSentence(event.message)}`]
        : spoken(event.proof);
    case 'refuted':
      return [
        event.refuted
          ? `False: ${markdownText(event.counterexample)}`
          : `No counterexample: ${markdownSentence(event.message)}`,
        ...spoken(event.negation),
      ];
    case 'lemma-ended':
      return [
        `Lemma: ${markdownSentence(event.reason)}`,
        markdownBlock(`${event.statement}\n${event.proof ?? '(not proved)'}`),
      ];
    case 'attempt-ended':
      return [`${attemptOutcome(event)}: ${markdownSentence(event.reason)}`];
    case 'theorem-ended':
      return [`${event.outcome}: ${markdownSentence(event.reason)}`];
    case 'run-ended':
      return [
        `${event.outcome}: ${markdownSentence(event.message)}`,
        markdownList((event.valuesElsewhere ?? []).map(markdownSentence)),
      ];
    case 'user-said':
      return ['The user:', ...spoken(event.text)];
    case 'handed-off':
      if (event.ends === true) return ['The task file says what was proved by then.'];
      return ['Handed off to a fresh context:', ...spoken(event.note), markdownBlock(event.state)];
    case 'committed':
      return [
        `${event.commit === null ? '' : `Committed ${markdownCode(event.commit)}: `}${markdownSentence(event.message)}`,
      ];
    case 'compared':
      return [
        `Recorded as accepted by the gate: ${event.accepted.map(({ theorem }) => markdownText(theorem)).join(', ') || 'nothing yet'}.`,
        markdownList(event.findings.map(markdownSentence)),
        // Those that stand to the end are above.
        ...event.accepted
          .filter(
            (one) => !theorems.some(({ theorem, proof }) => theorem === one.theorem && proof === one.proof),
          )
          .flatMap(({ theorem, proof }) => [`${markdownText(theorem)}:`, markdownBlock(proof)]),
      ];
    case 'rechecked':
      return [
        `Everything together, recorded as the gate's word: **${event.verdict}**`,
        markdownList(event.findings.map(markdownSentence)),
      ];
    case 'driver-said':
      return [
        ...spoken(event.text),
        ...event.calls.map((call) => markdownBlock(`${call.name} ${call.input}`)),
        ...event.results.map(markdownBlock),
      ];
    case 'driver-ended':
      return [`${markdownText(event.driver)}: ${event.outcome}: ${markdownSentence(event.message)}`];
    case 'run-started':
    case 'run-resumed':
    case 'driver-started':
    case 'theorem-started':
    case 'attempt-started':
    case 'written':
      return [];
    case 'model-called':
    case 'context-collected':
    case 'session-opened':
    case 'retrieved':
    case 'heard':
      return undefined;
  }
}

/** Of what somebody may have left unsaid. */
function spoken(text: string | null): string[] {
  return text === null || text.trim() === '' ? [] : [markdownBlock(text)];
}
