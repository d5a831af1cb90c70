/** What a search found: each proof as a change that can be accepted, or saved as a diff. */
import type { EditorView } from '@codemirror/view';
import { createTwoFilesPatch } from 'diff';
import { counted } from '../../../../../src/core/counted.ts';
import { useAsked } from '../../../parts/asked.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Diff } from '../../../parts/diff.tsx';
import { download } from '../../../parts/download.ts';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { OutputOf } from '../../../server/client.ts';
import { outcomeOf } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { addressOf } from '../../../shell/route.ts';
import { toast } from '../../../shell/toasts.ts';
import { change } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { placeOfProof } from '../theorem-places.ts';

interface FoundProofsProps {
  readonly job: Job;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}

export function outcomeTone(outcome: string): 'good' | 'bad' | 'open' {
  return outcome === 'proved' ? 'good' : outcome === 'not-proved' ? 'bad' : 'open';
}

type Found = OutputOf<'proof_search'>['results'][number];

export function FoundProofs({ job, open, view }: FoundProofsProps) {
  const asked = useAsked(() => outcomeOf<'proof_search'>(job.id), [job.id, job.state]);
  const outcome = asked.value;
  if (outcome === undefined) return null;
  if (outcome.kind === 'failed') {
    const { message, remedy } = outcome.problem;
    return job.state === 'stopped' ? null : <ErrorNote error={new Error(`${message} ${remedy ?? ''}`)} />;
  }
  return (
    <ul class="found">
      {outcome.value.results.map((result) => (
        <FoundProof key={`${result.theorem}:${result.line}`} result={result} open={open} view={view} />
      ))}
    </ul>
  );
}

function FoundProof({
  result,
  open,
  view,
}: {
  readonly result: Found;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const { theorem, outcome, replacement, message, rests_on_open, goals_left, seconds } = result;
  const before = open.text.value.toString();
  const isTaken =
    replacement !== null &&
    placeOfProof(before, theorem, { ...replacement, replaces: replacement.text }) !== undefined;
  // The text may have changed elsewhere since the search, by another proof that was accepted.
  const range = replacement === null || isTaken ? undefined : placeOfProof(before, theorem, replacement);
  const after =
    range === undefined || replacement === null
      ? undefined
      : before.slice(0, range.from) + replacement.text + before.slice(range.to);
  const saveDiff = (): void => {
    if (after === undefined) return;
    const { file } = open;
    download(`${theorem}.diff`, 'text/x-diff', createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after));
    toast(`${theorem}.diff was saved: git apply takes it.`, { tone: 'good' });
  };
  return (
    <li>
      <div class="row spread">
        <span class="row">
          <strong>{theorem}</strong>
          <Badge tone={outcomeTone(outcome)}>{outcome}</Badge>
          <small>{seconds.toFixed(1)} s</small>
        </span>
        {isTaken && <small>{open.changed.value ? 'in the text, not saved yet' : 'in the file'}</small>}
        {range !== undefined && replacement !== null && (
          <span class="row">
            <button class="quiet" onClick={saveDiff}>
              Save as a diff
            </button>
            <button
              class="primary"
              disabled={view === undefined}
              onClick={() => {
                if (view !== undefined) change(view, { ...range, insert: replacement.text });
              }}
            >
              Accept the change
            </button>
          </span>
        )}
      </div>
      {replacement !== null && range === undefined && !isTaken && (
        <p class="note">
          The text of this theorem is not the one that was searched: search again to put the proof in.
        </p>
      )}
      {rests_on_open.length > 0 && (
        <p class="note">It rests on what is open itself: {rests_on_open.join(', ')}.</p>
      )}
      {message !== null && <p class="note">{message}</p>}
      {goals_left !== null && <p class="note">At best, {counted(goals_left, 'goal')} left.</p>}
      {outcome === 'not-proved' && (
        <p class="note">
          Search again with more time, take what was found of it from the graph, or{' '}
          <a href={addressOf('agent', 'new', { file: open.file, theorem })}>give it to the agent</a>.
        </p>
      )}
      {after !== undefined && <Diff before={before} after={after} />}
    </li>
  );
}
