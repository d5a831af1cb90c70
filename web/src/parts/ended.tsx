/** What came of a job that the page shows where it was begun. */
import type { ComponentChildren } from 'preact';
import { CallError } from '../server/client.ts';
import type { OperationName, OutputOf } from '../server/client.ts';
import { outcomeOf, stopJob } from '../server/jobs.ts';
import type { Job } from '../server/jobs.ts';
import { toastError } from '../shell/toasts.ts';
import { useAsked } from './asked.ts';
import { ErrorNote, Working } from './notes.tsx';
import { isSecondClick } from './once.ts';

interface EndedProps<Name extends OperationName> {
  readonly job: Job;
  readonly show: (answer: OutputOf<Name>) => ComponentChildren;
}

/** What came of a job: how far it is, what it answered, or why it failed and what to do. */
export function Ended<Name extends OperationName>({ job, show }: EndedProps<Name>) {
  const { id, state, progress } = job;
  const asked = useAsked(() => outcomeOf<Name>(id), [id, state]);
  if (state === 'running')
    return (
      <div class="row">
        <Working text={progress.message} done={progress.done} total={progress.total} />
        <button type="button" onClick={(event) => isSecondClick(event) || void stopJob(id).catch(toastError)}>
          Stop
        </button>
      </div>
    );
  const outcome = asked.value;
  if (asked.state === 'failed') return <ErrorNote error={asked.error} />;
  if (outcome === undefined) return null;
  if (outcome.kind === 'failed') return <ErrorNote error={new CallError(outcome.problem)} />;
  return <>{show(outcome.value)}</>;
}
