/**
 * What a search found: each proof as a change that can be accepted, or saved as a diff, also while the other theorems
 * are still searched.
 */
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { createTwoFilesPatch } from 'diff';
import { useMemo } from 'preact/hooks';
import { counted } from '../../../../../src/core/counted.ts';
import { useAsked } from '../../../parts/asked.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Diff } from '../../../parts/diff.tsx';
import { download } from '../../../parts/download.ts';
import { ErrorNote } from '../../../parts/notes.tsx';
import { outcomeOf } from '../../../server/jobs.ts';
import type { Job } from '../../../server/jobs.ts';
import { addressOf } from '../../../shell/route.ts';
import { toast } from '../../../shell/toasts.ts';
import { change } from '../changes.ts';
import type { OpenDocument } from '../open-document.ts';
import { placeOfProof } from '../theorem-places.ts';
import type { SearchResult } from './search-graph.ts';

interface FoundProofsProps {
  readonly job: Job;
  /** What it has told so far. */
  readonly finished: readonly SearchResult[];
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}

function outcomeTone(outcome: string): 'good' | 'bad' | 'open' {
  return outcome === 'proved' ? 'good' : outcome === 'not-proved' ? 'bad' : 'open';
}

export function FoundProofs({ job, finished, open, view }: FoundProofsProps) {
  const asked = useAsked(() => outcomeOf<'proof_search'>(job.id), [job.id, job.state]);
  const outcome = asked.value;
  const results = outcome?.kind === 'answered' ? outcome.value.results : finished;
  return (
    <>
      {outcome?.kind === 'failed' && job.state !== 'stopped' && (
        <ErrorNote error={new Error(`${outcome.problem.message} ${outcome.problem.remedy ?? ''}`)} />
      )}
      {results.length > 0 && (
        <ul class="found">
          {results.map((result) => (
            <FoundProof key={`${result.theorem}:${result.line}`} result={result} open={open} view={view} />
          ))}
        </ul>
      )}
    </>
  );
}

interface Placed {
  readonly before: string;
  /** Whether the proof stands in the text already. */
  readonly isTaken: boolean;
  /** Where it goes: the text may have changed since the search, by another proof that was accepted. */
  readonly range: { readonly from: number; readonly to: number } | undefined;
  /** The text with it. */
  readonly after: string | undefined;
}

function placed(text: Text, { theorem, replacement }: SearchResult): Placed {
  const before = text.toString();
  const isTaken =
    replacement !== null &&
    placeOfProof(before, theorem, { ...replacement, replaces: replacement.text }) !== undefined;
  const range = replacement === null || isTaken ? undefined : placeOfProof(before, theorem, replacement);
  const after =
    range === undefined || replacement === null
      ? undefined
      : before.slice(0, range.from) + replacement.text + before.slice(range.to);
  return { before, isTaken, range, after };
}

function FoundProof({
  result,
  open,
  view,
}: {
  readonly result: SearchResult;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
}) {
  const { theorem, outcome, replacement, message, negation, rests_on_open, axioms, goals_left, seconds } =
    result;
  const text = open.text.value;
  const saved = open.saved.value.text;
  const { isTaken, range, before, after } = useMemo(() => placed(text, result), [text, result]);
  const saveDiff = (): void => {
    // Against the file, to which it will be applied, as long as the theorem stands there as it was searched.
    const onDisk = placed(saved, result);
    const from = onDisk.after === undefined ? before : onDisk.before;
    const to = onDisk.after ?? after;
    if (to === undefined) return;
    const { file } = open;
    download(`${theorem}.diff`, 'text/x-diff', createTwoFilesPatch(`a/${file}`, `b/${file}`, from, to));
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
        <p class="note">It rests on what was open itself when it was searched: {rests_on_open.join(', ')}.</p>
      )}
      {axioms.length > 0 && <p class="note">It rests on the axioms {axioms.join(', ')}.</p>}
      {message !== null && <p class="note">{message}</p>}
      {negation !== null && (
        <details>
          <summary>The gate accepted a proof that it is false</summary>
          <pre class="term">{negation}</pre>
        </details>
      )}
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
