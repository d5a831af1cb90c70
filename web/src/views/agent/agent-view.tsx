/** Runs of the agent: all of them, one or two of them as timelines, and the form that starts one. */
import { useEffect } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { cut } from '../../parts/cut.ts';
import { Badge } from '../../parts/badge.tsx';
import { costText } from '../../parts/costs.ts';
import { Empty, ErrorNote, Working } from '../../parts/notes.tsx';
import { whenText } from '../../parts/when.ts';
import { call, type OutputOf } from '../../server/client.ts';
import { onLive } from '../../server/live.ts';
import { useCommands } from '../../shell/commands.ts';
import { addressOf, goTo } from '../../shell/route.ts';
import type { ViewProps } from '../../shell/view.ts';
import { RunPane } from './run-pane.tsx';
import { useRunningTime } from './running-time.ts';
import { StartForm } from './start-form.tsx';
import { secondsText, stateText, stateTone } from './timeline.ts';
import './agent.css';

type Listed = OutputOf<'agent_runs'>['runs'][number];

/** The list is asked for again at most this often while logs grow. */
const LISTING_MS = 1000;

export default function AgentView({ rest: run, query }: ViewProps) {
  const beside = query.get('beside') ?? '';
  const isStarting = run === 'new';
  const runs = useAsked((signal) => call('agent_runs', {}, { signal }), []);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive('run', () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        runs.again();
      }, LISTING_MS);
    });
    return () => {
      stop();
      clearTimeout(waiting);
    };
  }, []);
  const go = (next: string, other = ''): void =>
    goTo(addressOf('agent', next, other === '' ? {} : { beside: other }));
  useCommands(
    () => [{ id: 'agent.new', title: 'Start a run of the agent', keys: 's', run: () => go('new') }],
    [],
  );
  const listed = runs.value?.runs.toReversed() ?? [];
  const unreadable = runs.value?.unreadable ?? [];
  // Where there is no run yet one is started. The form has its own address: it stays while the list is asked for again.
  const hasNone = runs.state === 'answered' && listed.length + unreadable.length === 0;
  useEffect(() => {
    if (run === '' && hasNone) goTo(addressOf('agent', 'new'), { replace: true });
  }, [run, hasNone]);
  return (
    <div class="agent-view">
      <nav class="run-list" aria-label="Runs">
        <div class="pane-title spread">
          <h1>Runs</h1>
          <button onClick={() => go('new')}>Start a run</button>
        </div>
        {runs.state === 'failed' && <ErrorNote error={runs.error} again={runs.again} />}
        {runs.state === 'asking' && runs.value === undefined && <Working text="Reading the runs" />}
        {hasNone && <p class="pane-body">No run yet.</p>}
        <ul>
          {listed.map((one) => (
            <RunItem
              key={one.name}
              run={one}
              isShown={one.name === run || one.name === beside}
              onBeside={
                run !== '' && !isStarting && one.name !== run
                  ? () => go(run, one.name === beside ? '' : one.name)
                  : undefined
              }
              isBeside={one.name === beside}
            />
          ))}
          {unreadable.map(({ name, problem }) => (
            <li key={name}>
              <span {...cut(name, 'file')}>{name}</span>
              <small {...cut(problem)}>{problem}</small>
            </li>
          ))}
        </ul>
      </nav>
      <div class={beside === '' ? 'run-shown' : 'run-shown two'}>
        {isStarting ? (
          <StartForm
            file={query.get('file') ?? ''}
            theorem={query.get('theorem') ?? ''}
            // They stand in the address, and so outlive a reload.
            onChosen={(file, theorem) =>
              goTo(addressOf('agent', 'new', { file, theorem }), { replace: true })
            }
            onStarted={(name) => {
              runs.again();
              go(name);
            }}
          />
        ) : run === '' ? (
          <Empty title="Choose a run, or start one">
            A run is logged as it works: it survives a reload, can be stopped, told something, and gone on
            with.
          </Empty>
        ) : (
          <>
            <RunPane key={run} run={run} isFirst />
            {beside !== '' && <RunPane key={beside} run={beside} isFirst={false} />}
          </>
        )}
      </div>
    </div>
  );
}

interface RunItemProps {
  readonly run: Listed;
  readonly isShown: boolean;
  readonly isBeside: boolean;
  readonly onBeside: (() => void) | undefined;
}

function RunItem({ run, isShown, isBeside, onBeside }: RunItemProps) {
  const { name, running, outcome, file, proved, theorems, model, started_at } = run;
  const seconds = useRunningTime(run);
  return (
    <li class={isShown ? 'shown' : ''}>
      <a href={addressOf('agent', name)} aria-current={isShown ? 'true' : undefined}>
        <span class="row spread">
          <Badge tone={stateTone(running, outcome)}>{stateText(running, outcome)}</Badge>
          <small>{`${proved}/${theorems} · ${costText(run)} · ${secondsText(seconds)}`}</small>
        </span>
        <span {...cut(file, 'file')}>{file.split('/').at(-1)}</span>
        <small {...cut(model ?? 'offline search')}>{model ?? 'offline search'}</small>
        <small>{whenText(started_at)}</small>
      </a>
      {onBeside !== undefined && (
        <button
          class="quiet"
          aria-pressed={isBeside}
          aria-label={`${isBeside ? 'Alone' : 'Beside'}: run ${name}`}
          onClick={onBeside}
        >
          {isBeside ? 'Alone' : 'Beside'}
        </button>
      )}
    </li>
  );
}
