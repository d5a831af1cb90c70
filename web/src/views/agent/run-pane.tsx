/** One run: where it stands, its budgets, its timeline as it grows, and what a person can say to it. */
import { inPageWords } from '../../parts/page-words.ts';
import { cut } from '../../parts/cut.ts';
import { isText, keptSignal } from '../../parts/kept-signal.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { restsOnAxiomsText, restsOnOpenText } from '../../../../src/core/rests-on.ts';
import { Badge } from '../../parts/badge.tsx';
import { costText, dollarsText } from '../../parts/costs.ts';
import { download } from '../../parts/download.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { isSecondClick, isUnderWay, once } from '../../parts/once.ts';
import { call } from '../../server/client.ts';
import { useCommands } from '../../shell/commands.ts';
import { toast, toastError } from '../../shell/toasts.ts';
import { addressOf } from '../../shell/route.ts';
import { StartError } from './allow-note.tsx';
import { useRun } from './followed-run.ts';
import { useRunningTime } from './running-time.ts';
import { EventRow } from './event-row.tsx';
import {
  recordedText,
  rowsOf,
  secondsText,
  shareOf,
  stateText,
  stateTone,
  type RunAnswer,
} from './timeline.ts';

interface RunPaneProps {
  readonly run: string;
  /** Its commands are in the palette; of two runs beside each other, those of the first are. */
  readonly isFirst: boolean;
}

export function RunPane({ run, isFirst }: RunPaneProps) {
  const round = useSignal(0);
  const isFollowing = useSignal(true);
  const details = useSignal(false);
  /** Why the run could not be gone on with. */
  const refused = useSignal<unknown>(undefined);
  const { state, events, error } = useRun(run, round.value);
  const box = useRef<HTMLDivElement>(null);
  const rows = rowsOf(events);
  useEffect(() => {
    const element = box.current;
    if (element !== null && isFollowing.value && state?.running === true)
      element.scrollTop = element.scrollHeight;
  }, [rows.length, state?.running]);
  const anew = (): void => {
    round.value += 1;
  };
  const steering = `steer ${run}`;
  const stop = (): void => {
    once(steering, () => call('agent_stop', { run })).then((stopped) => {
      if (stopped !== undefined) toast(`The run is stopped: ${stopped.outcome}.`);
    }, toastError);
  };
  const goOn = (): void => {
    if (isUnderWay(steering)) return;
    refused.value = undefined;
    once(steering, () => call('agent_resume', { run })).then(
      anew,
      (thrown: unknown) => (refused.value = thrown),
    );
  };
  useCommands(
    () =>
      isFirst && state !== undefined
        ? state.running
          ? [{ id: 'agent.stop', title: 'Stop the run of the agent', keys: 'alt+s', run: stop }]
          : [{ id: 'agent.resume', title: 'Go on with the run of the agent', keys: 'alt+r', run: goOn }]
        : [],
    [run, isFirst, state?.running],
  );
  if (state === undefined)
    return error === undefined ? (
      <Working text="Reading the run" />
    ) : (
      <ErrorNote error={error} again={anew} />
    );
  return (
    <section class="run-pane" aria-label={`Run ${run}`}>
      <RunHead state={state} />
      <div class="row run-actions">
        {state.running ? (
          <button
            onClick={(event) => isSecondClick(event) || stop()}
            disabled={!state.steerable}
            title={state.steerable ? '' : FOREIGN}
          >
            Stop
          </button>
        ) : (
          <button
            onClick={(event) => isSecondClick(event) || goOn()}
            disabled={state.outcome === 'proved' || isUnderWay(steering)}
          >
            Go on
          </button>
        )}
        <button
          class="quiet"
          onClick={() =>
            void once(`export ${run}`, () => call('agent_export', { run })).then((made) => {
              if (made !== undefined) download(`${made.name}.md`, 'text/markdown', made.markdown);
            }, toastError)
          }
        >
          Export
        </button>
        <label>
          <input
            type="checkbox"
            checked={details.value}
            onChange={({ currentTarget }) => (details.value = currentTarget.checked)}
          />
          Open all
        </label>
        {state.running && !state.steerable && <small>{FOREIGN}</small>}
      </div>
      {refused.value !== undefined && <StartError error={refused.value} run={run} onAllowed={goOn} />}
      <Theorems state={state} />
      <div
        ref={box}
        class="timeline"
        role="log"
        aria-label="Timeline"
        aria-busy={state.running}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          (isFollowing.value = scrollTop + clientHeight > scrollHeight - 40)
        }
      >
        <ol>
          {rows.map((row) => (
            <EventRow key={row.event.seq} row={row} startedAt={state.started_at} isOpen={details.value} />
          ))}
        </ol>
        {state.running && <Working text="At work" />}
      </div>
      {state.model !== null && <Message state={state} onSaid={anew} />}
    </section>
  );
}

const FOREIGN = 'It was started elsewhere and is steered there.';

function RunHead({ state }: { readonly state: RunAnswer }) {
  const seconds = useRunningTime(state);
  return (
    <header class="run-head">
      <div class="row">
        <Badge tone={stateTone(state.running, state.outcome)}>
          {stateText(state.running, state.outcome)}
        </Badge>
        <strong {...cut(state.run)}>{state.run}</strong>
        <a {...cut(state.file)} href={addressOf('file', state.file)}>
          {state.file}
        </a>
        <span {...cut(state.model ?? 'offline search')}>{state.model ?? 'offline search'}</span>
        <small>{state.mode}</small>
      </div>
      <p class="note">As the log has it. A log is no evidence: the gate judges the file.</p>
      {state.message !== '' && <p class="printed">{state.message}</p>}
      <dl class="budgets">
        <Budget
          name="Cost"
          text={costText(state)}
          most={state.max_cost}
          mostText={dollarsText}
          spent={state.cost}
        />
        <Budget
          name="Time"
          text={secondsText(seconds)}
          most={state.max_time}
          mostText={secondsText}
          spent={seconds}
        />
        <Budget
          name="Tool calls"
          text={String(state.tool_calls)}
          most={state.max_tool_calls}
          mostText={String}
          spent={state.tool_calls}
        />
        <Budget
          name="Model calls"
          text={String(state.model_calls)}
          most={state.max_messages}
          mostText={String}
          spent={state.model_calls}
        />
      </dl>
    </header>
  );
}

interface BudgetProps {
  readonly name: string;
  readonly text: string;
  readonly spent: number;
  readonly most: number | null;
  readonly mostText: (most: number) => string;
}

function Budget({ name, text, spent, most, mostText }: BudgetProps) {
  const share = shareOf(spent, most);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {text}
        {most !== null && <small>{` of ${mostText(most)}`}</small>}
        {share !== undefined && <progress value={share} max={1} aria-label={`${name} used`} />}
      </dd>
    </div>
  );
}

/** With what the kernel was told not to check, which Rocq says as sentences. */
function groundsText(axioms: readonly string[] | null): string {
  if (axioms === null) return 'the log does not say on which axioms it rests';
  return restsOnAxiomsText(axioms);
}

function Theorems({ state: { run, theorems, running } }: { readonly state: RunAnswer }) {
  return (
    <ul class="run-theorems" aria-label="Theorems of the run">
      {theorems.map(({ theorem, file, outcome, proof, before, reason, rests_on_open, axioms, warnings }) => (
        <li key={theorem}>
          <Badge tone={outcome === 'open' ? (running ? 'live' : 'plain') : stateTone(false, outcome)}>
            {outcome === 'open' ? (running ? 'in work' : 'not done') : recordedText(outcome)}
          </Badge>
          <a {...cut(theorem)} href={addressOf('proof', file, { theorem })}>
            {theorem}
          </a>
          {rests_on_open.length > 0 && <small>{restsOnOpenText(rests_on_open)}</small>}
          {proof !== null && <small>{groundsText(axioms)}</small>}
          {warnings.map((text) => (
            <small key={text}>{inPageWords(text)}</small>
          ))}
          {proof === null ? (
            <small>{reason}</small>
          ) : (
            <details>
              <summary>Proof</summary>
              <pre>{before === null ? proof : `${before}\n\n${proof}`}</pre>
              {outcome === 'proved' && file.endsWith('.v') && (
                <a href={addressOf('file', file, { of: theorem, run })}>Put it into the file</a>
              )}
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

interface MessageProps {
  readonly state: RunAnswer;
  readonly onSaid: () => void;
}

/** What is typed stays until the server has taken it. */
function Message({ state: { run, running, steerable, outcome }, onSaid }: MessageProps) {
  const text = keptSignal(`say.${run}`, '', isText);
  const isSending = useSignal(false);
  // What is proved is not gone on with.
  const isOver = !running && outcome === 'proved';
  const send = (): void => {
    const said = text.peek().trim();
    if (said === '' || isSending.peek() || isOver) return;
    isSending.value = true;
    call('agent_say', { run, text: said })
      .then(({ working: heard }) => {
        text.value = '';
        if (!heard) toast('The model reads it when the run goes on.');
        onSaid();
      }, toastError)
      .finally(() => (isSending.value = false));
  };
  return (
    <form
      class="run-message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        rows={2}
        aria-label="A message to the model"
        placeholder={
          running
            ? 'Say something: the model reads it before its next step'
            : isOver
              ? 'The run is over: no model reads anything any more'
              : 'Say something for when it goes on'
        }
        value={text.value}
        disabled={running ? !steerable : isOver}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
      <button class="primary" disabled={text.value.trim() === '' || isSending.value || isOver}>
        Say
      </button>
    </form>
  );
}
