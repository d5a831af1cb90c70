/** The gate: hand a submission in, watch it being judged, read the verdict, and find every verdict of before again. */
import { useSignal, type Signal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAsked } from '../../parts/asked.ts';
import { cut } from '../../parts/cut.ts';
import { Badge } from '../../parts/badge.tsx';
import { isText, keptSignal } from '../../parts/kept-signal.ts';
import { useLatest } from '../../parts/latest.ts';
import { ErrorNote, Working } from '../../parts/notes.tsx';
import { isUnderWay, once } from '../../parts/once.ts';
import { whenText } from '../../parts/when.ts';
import { call, type OutputOf } from '../../server/client.ts';
import { awaitJob, jobs, startJob, stopJob, type Job } from '../../server/jobs.ts';
import { useCommands } from '../../shell/commands.ts';
import { addressOf, goTo, route } from '../../shell/route.ts';
import { toastError } from '../../shell/toasts.ts';
import type { ViewProps } from '../../shell/view.ts';
import { PolicyForm } from './policy-form.tsx';
import { SourceChoice, type ChosenSource } from './source-choice.tsx';
import { UnkeptVerdict, VerdictBadge, VerdictPane } from './verdict-pane.tsx';
import './gate.css';

export default function GateView({ rest: id, query }: ViewProps) {
  const history = useAsked((signal) => call('gate_history', {}, { signal }), []);
  const judging = jobs.value.filter(
    ({ operation, state }) => operation === 'gate_submit' && state === 'running',
  );
  const ended = jobs.value.filter(
    ({ operation, state }) => operation === 'gate_submit' && state !== 'running',
  ).length;
  useEffect(() => {
    if (ended > 0) history.again();
  }, [ended]);
  useCommands(
    () => [{ id: 'gate.new', title: 'Hand in a submission', keys: 's', run: () => goTo(addressOf('gate')) }],
    [],
  );
  return (
    <div class="gate-view">
      <nav class="verdict-list" aria-label="Verdicts">
        <div class="pane-title spread">
          <h1>Gate</h1>
          <button onClick={() => goTo(addressOf('gate'))}>Hand in a submission</button>
        </div>
        {history.state === 'failed' && <ErrorNote error={history.error} again={history.again} />}
        <ul>
          {judging.map((job) => (
            <Judging key={job.id} job={job} />
          ))}
          {listed(history.value).map((entry) => (
            <li key={entry.id} class={entry.id === id ? 'shown' : ''}>
              <a href={addressOf('gate', entry.id)} aria-current={entry.id === id ? 'true' : undefined}>
                {'why' in entry ? <Unreadable {...entry} /> : <Listed {...entry} />}
              </a>
            </li>
          ))}
        </ul>
        {history.value?.total === 0 && judging.length === 0 && (
          <p class="pane-body">Nothing was judged yet.</p>
        )}
      </nav>
      <div class="gate-main">
        {id === '' ? (
          <HandIn target={query.get('target') ?? ''} submission={query.get('submission') ?? ''} />
        ) : (
          <VerdictPane key={id} id={id} />
        )}
      </div>
    </div>
  );
}

type History = OutputOf<'gate_history'>;
type Entry = History['verdicts'][number] | History['unreadable'][number];

/** Newest first: the identifiers begin with their time. */
function listed(history: History | undefined): readonly Entry[] {
  return [...(history?.verdicts ?? []), ...(history?.unreadable ?? [])].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  );
}

/** Nothing is green before it was asked whether it still holds, which the verdict itself does. */
const AS_IT_WAS = 'As it was judged then: open it to see whether it still holds.';

function Listed({
  verdict,
  submission,
  target,
  judged_at,
  findings,
  open_statements,
}: History['verdicts'][number]) {
  const isClean = verdict === 'accepted' && open_statements.length === 0;
  return (
    <>
      <span class="row spread">
        <VerdictBadge verdict={verdict} open={open_statements} isOld={isClean} title={AS_IT_WAS} />
        <small>{findings === 0 ? '' : findings === 1 ? '1 finding' : `${findings} findings`}</small>
      </span>
      <span {...cut(submission, 'name')}>{submission}</span>
      <small {...cut(`for ${target}`)}>{`for ${target}`}</small>
      <small>{whenText(judged_at)}</small>
    </>
  );
}

function Unreadable({ id, why }: History['unreadable'][number]) {
  return (
    <>
      <Badge tone="open">not shown</Badge>
      <span {...cut(id, 'name')}>{id}</span>
      <small>{why}</small>
    </>
  );
}

function Judging({ job }: { readonly job: Job }) {
  return (
    <li>
      <Working text={`${job.title}: ${job.progress.message}`} />
      <button class="quiet" onClick={() => void stopJob(job.id).catch(toastError)}>
        Stop
      </button>
    </li>
  );
}

const JUDGE = 'judge';

const NONE: ChosenSource = { name: '', text: null };

function isChosen(value: unknown): value is ChosenSource {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('text' in value)) return false;
  return typeof value.name === 'string' && (value.text === null || typeof value.text === 'string');
}

/** As it was left. @param wanted A file that is asked for instead. */
function useChosen(which: 'target' | 'submission', wanted: string): Signal<ChosenSource> {
  const chosen = keptSignal(`gate.${which}`, NONE, isChosen);
  useState(() => {
    if (wanted !== '') chosen.value = { name: wanted, text: null };
  });
  return chosen;
}

interface HandInProps {
  readonly target: string;
  readonly submission: string;
}

function HandIn({ target: wantedTarget, submission: wantedSubmission }: HandInProps) {
  const target = useChosen('target', wantedTarget);
  const submission = useChosen('submission', wantedSubmission);
  const policy = keptSignal('gate.policy', '{}', isText);
  const job = useSignal<Job['id'] | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const unkept = useSignal<ComponentProps<typeof UnkeptVerdict> | undefined>(undefined);
  const files = useAsked((signal) => call('rocq_files', { limit: 10_000 }, { signal }), []);
  const running = jobs.value.find(({ id }) => id === job.value);
  const begin = useLatest();
  const judge = async (): Promise<void> => {
    if (isUnderWay(JUDGE)) return;
    const isHere = begin();
    error.value = undefined;
    unkept.value = undefined;
    const own = submission.peek();
    const judged = target.peek();
    const input = {
      ...{ target: judged.name, submission: own.name, policy: policy.peek() },
      ...(judged.text !== null && { target_text: judged.text }),
      ...(own.text !== null && { submission_text: own.text }),
    };
    const started = await once(JUDGE, () => startJob('gate_submit', input, `Judge ${own.name}`));
    if (started === undefined) return;
    job.value = started.id;
    const outcome = await awaitJob<'gate_submit'>(started.id);
    job.value = undefined;
    if (outcome.kind === 'failed') error.value = new Error(outcome.problem.detail);
    // Whoever went elsewhere meanwhile is left there, also with another form: the verdict is in the list.
    else if (isHere() && route.peek().view === 'gate' && route.peek().rest === '') {
      const { id } = outcome.value;
      if (id === null)
        unkept.value = { answer: outcome.value, names: { target: judged.name, submission: own.name } };
      else goTo(addressOf('gate', id));
    }
  };
  return (
    <form
      class="hand-in"
      onSubmit={(event) => {
        event.preventDefault();
        judge().catch((thrown: unknown) => {
          job.value = undefined;
          error.value = thrown;
        });
      }}
    >
      <h2>Hand in a submission</h2>
      <p>
        The submission is judged against the target by a prover that has run none of it. Nothing that it says
        is believed.
      </p>
      <div class="sources">
        <SourceChoice
          title="Target"
          hint="The statements that are trusted. Drop a file here, or name one."
          files={files.value?.files ?? []}
          chosen={target.value}
          onChoose={(chosen) => (target.value = chosen)}
        />
        <SourceChoice
          title="Submission"
          hint="The proofs. Drop a file here, or name one."
          files={files.value?.files ?? []}
          chosen={submission.value}
          onChoose={(chosen) => (submission.value = chosen)}
        />
      </div>
      <PolicyForm policy={policy.value} onChange={(text) => (policy.value = text)} />
      {error.value !== undefined && <ErrorNote error={error.value} />}
      {unkept.value !== undefined && <UnkeptVerdict {...unkept.value} />}
      <div class="row">
        <button class="primary" disabled={running?.state === 'running' || isUnderWay(JUDGE)}>
          Judge
        </button>
        {running?.state === 'running' && (
          <>
            <Working text={running.progress.message} />
            <button type="button" onClick={() => void stopJob(running.id).catch(toastError)}>
              Stop
            </button>
          </>
        )}
      </div>
    </form>
  );
}
