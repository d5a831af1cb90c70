/** A run as a Markdown document that can be read without Quod: what was asked, said, tried, judged and spent. */
import { counted } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { foldRun } from './fold.ts';
import type { RunRecord } from './events.ts';

export function exportRun(name: string, records: readonly RunRecord[]): string {
  const state = foldRun(records);
  if (state === undefined) return `# Run ${name}\n\nIt ended before it began.\n`;
  const { file, fileHash, theorems, spent, byRole, outcome, message, elapsedMs, toolCalls } = state;
  const parts = [
    `# Run ${name}`,
    `- File: \`${foreignName(file)}\` (SHA-256 \`${fileHash}\`)`,
    `- Recorded outcome: **${outcome}**. ${message}`,
    '- This is what the log records. A log is no evidence: `quod resume` has the gate judge its proofs again.',
    `- ${(elapsedMs / 1000).toFixed(1)} s, ${counted(spent.calls, 'call')} of models, ${counted(toolCalls, 'tool call')}, $${spent.cost.toFixed(4)}`,
    '',
    '| role | calls | input tokens | output tokens | US dollars |',
    '|---|---|---|---|---|',
    ...[...byRole].map(
      ([role, { calls, inputTokens, outputTokens, cost }]) =>
        `| ${role} | ${calls} | ${inputTokens} | ${outputTokens} | ${cost.toFixed(4)} |`,
    ),
    '',
    ...theorems.flatMap(({ theorem, outcome: ended, reason, statement, proof, before }) => [
      `## ${theorem}: recorded as ${ended}`,
      reason,
      fenced(
        proof === null ? statement : `${before === undefined ? '' : `${before}\n\n`}${statement}\n${proof}`,
      ),
    ]),
    '## What happened',
    ...records.flatMap(({ event, at }) => {
      const head = `### ${'key' in event ? event.key : event.kind} (${at})`;
      switch (event.kind) {
        case 'model-answered':
          return [
            head,
            `${event.role}, ${event.model}, ${event.usage.inputTokens} + ${event.usage.outputTokens} tokens`,
            quoted(event.text),
            ...event.calls.map((call) => fenced(`${call.name} ${call.input}`)),
          ];
        case 'model-failed':
          return [head, `${event.model} failed: ${event.message}`];
        case 'model-waits':
        case 'context-limited':
          return [head, event.message];
        case 'tool-answered':
          return [
            head,
            `${event.tool}${event.outcome === null ? '' : `: ${event.outcome}`}`,
            fenced(event.text),
          ];
        case 'repaired':
          return [head, fenced(event.text), ...(event.proof === null ? [] : [fenced(event.proof)])];
        case 'sketched':
          return [head, fenced(event.script), ...(event.text === '' ? [] : [fenced(event.text)])];
        case 'planned':
        case 'replanned':
          return [head, 'Plan:', quoted(event.plan)];
        case 'scored':
          return [head, `Score ${event.score}. ${event.reason}`];
        case 'judged':
          return [
            head,
            `Recorded as the gate's word: **${event.verdict}**`,
            ...event.restsOnOpen.map((name) => `- It rests on the open statement ${name}.`),
            ...event.findings.map((finding) => `- ${finding}`),
          ];
        case 'searched':
          return [
            head,
            event.proof === null ? `The search found nothing: ${event.message}` : fenced(event.proof),
          ];
        case 'refuted':
          return [
            head,
            event.refuted ? `False: ${event.counterexample}` : `No counterexample: ${event.message}`,
            ...(event.negation === null ? [] : [fenced(event.negation)]),
          ];
        case 'lemma-ended':
          return [
            head,
            `Lemma: ${event.reason}`,
            fenced(`${event.statement}\n${event.proof ?? '(not proved)'}`),
          ];
        case 'attempt-ended':
        case 'theorem-ended':
          return [head, `${event.outcome}: ${event.reason}`];
        case 'run-ended':
          return [head, `${event.outcome}: ${event.message}`];
        case 'user-said':
          return [head, 'The user:', quoted(event.text)];
        case 'handed-off':
          return [head, 'Handed off to a fresh context:', quoted(event.note), fenced(event.state)];
        case 'committed':
          return [
            head,
            event.commit === null ? event.message : `Committed ${event.commit}: ${event.message}`,
          ];
        case 'compared':
          return [
            head,
            `Recorded as accepted by the gate: ${event.accepted.map(({ theorem }) => theorem).join(', ') || 'nothing yet'}.`,
            ...event.findings.map((finding) => `- ${finding}`),
          ];
        case 'rechecked':
          return [
            head,
            `Everything together, recorded as the gate's word: **${event.verdict}**`,
            ...event.findings.map((finding) => `- ${finding}`),
          ];
        case 'driver-said':
          return [
            head,
            ...(event.text === '' ? [] : [quoted(event.text)]),
            ...event.calls.map((call) => fenced(`${call.name} ${call.input}`)),
            ...event.results.map(fenced),
          ];
        case 'driver-ended':
          return [head, `${event.driver}: ${event.outcome}: ${event.message}`];
        case 'run-started':
        case 'run-resumed':
        case 'driver-started':
        case 'theorem-started':
        case 'attempt-started':
        case 'written':
          return [head];
        case 'model-called':
        case 'context-collected':
        case 'session-opened':
        case 'retrieved':
        case 'heard':
          return [];
      }
    }),
  ];
  return `${parts.join('\n\n').replace(/\n\n(?=\||- )/gu, '\n')}\n`;
}

/** In a fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
