/** One event of a run: a line, and what there is to read behind it. All of it is text of models and provers. */
import { dollarsText } from '../../parts/costs.ts';
import { writtenInput } from './written-input.ts';
import { secondsText, type RunEvent, type TimelineRow } from './timeline.ts';

interface EventRowProps {
  readonly row: TimelineRow;
  readonly startedAt: string;
  readonly isOpen: boolean;
}

export function EventRow({ row: { event, depth, tone, label }, startedAt, isOpen }: EventRowProps) {
  const after = Math.max(0, Date.parse(event.at) - Date.parse(startedAt)) / 1000;
  const hasMore =
    event.text !== null || event.calls.length > 0 || event.findings.length > 0 || event.input !== null;
  const head = (
    <>
      <time dateTime={event.at}>{clockText(after)}</time>
      <span class="kind">{label}</span>
      <span class="line">{lineOf(event)}</span>
      <small>
        {[
          event.seconds === null ? '' : secondsText(event.seconds),
          event.cost === null || event.cost === 0 ? '' : dollarsText(event.cost),
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </small>
    </>
  );
  return (
    <li class={`event ${tone}`} style={{ '--depth': String(depth) }}>
      {hasMore ? (
        <details open={isOpen || event.kind === 'user-said'}>
          <summary>{head}</summary>
          <Body event={event} />
        </details>
      ) : (
        <div class="event-head">{head}</div>
      )}
    </li>
  );
}

/**
 * The line of an event without its place in the workflow, which the indentation shows, and without what stands
 * before it.
 */
function lineOf(event: RunEvent): string {
  const { key, line, text, kind, calls, outcome, input } = event;
  if (kind === 'model-failed' && outcome === 'interrupted') return 'was cut off';
  switch (kind) {
    case 'retrieved':
    case 'session-opened':
    case 'user-said':
      return firstLine(text ?? '');
    case 'run-started':
      // The name of the file is enough: its folder is that of the page.
      return line.replace(/\/\S*\/(?=[^/]+$)/u, '');
    case 'model-called':
      return 'thinks…';
    case 'model-answered': {
      const called = calls.map((call) => `${call.name} ${firstLine(writtenInput(call.input))}`);
      return [firstLine(text ?? ''), ...called].filter((part) => part !== '').join(' → ');
    }
    case 'tool-answered':
      return [outcome ?? '', firstLine(writtenInput(input ?? ''))].filter((part) => part !== '').join(': ');
    default:
      return key !== null && line.startsWith(`${key}: `) ? line.slice(key.length + 2) : line;
  }
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/u)[0] ?? '';
}

function Body({ event }: { readonly event: RunEvent }) {
  const { text, input, calls, findings, goal, model, key, input_tokens, output_tokens } = event;
  const facts = [
    key ?? '',
    model ?? '',
    input_tokens === null ? '' : `${input_tokens} + ${output_tokens ?? 0} tokens`,
  ].filter((fact) => fact !== '');
  return (
    <div class="event-body">
      {facts.length > 0 && <small>{facts.join(' · ')}</small>}
      {input !== null && <pre class="input">{writtenInput(input)}</pre>}
      {text !== null && text !== '' && <pre>{text}</pre>}
      {calls.map(({ name, input: given }, index) => (
        <pre key={index} class="input">
          {`${name}\n${writtenInput(given)}`}
        </pre>
      ))}
      {goal !== null && <pre class="goal-left">{`⊢ ${goal}`}</pre>}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding, index) => (
            <li key={index}>{finding}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  const part = (value: number): string => String(value).padStart(2, '0');
  const rest = `${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
  return whole < 3600 ? rest : `${Math.floor(whole / 3600)}:${rest}`;
}
