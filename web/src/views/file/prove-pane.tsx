/**
 * The search for a proof of the theorem at the cursor, while it works: the graph of goals, what gave what, and what
 * can be taken.
 */
import type { EditorView } from '@codemirror/view';
import { useComputed, useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Empty, ErrorNote } from '../../parts/notes.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useAsked } from '../../parts/asked.ts';
import type { OutputOf } from '../../server/client.ts';
import { useJobDetails } from '../../server/job-details.ts';
import { jobs, outcomeOf, startJob, stopJob } from '../../server/jobs.ts';
import type { Job } from '../../server/jobs.ts';
import { toast, toastError } from '../../shell/toasts.ts';
import { change } from './changes.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import type { OpenDocument } from './open-document.ts';
import { placeOfProof, theoremAt } from './theorem-places.ts';
import { addNews, bestOpen, emptyGraph, wayTo } from './search-graph.ts';
import type { GraphGoal, SearchGraph } from './search-graph.ts';

interface ProvePaneProps {
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onSave: () => void;
}

export function ProvePane({ open, view, onSave }: ProvePaneProps) {
  const budget = useSignal(60);
  const theorem = useComputed(() => theoremAt(open.text.value.toString(), open.cursor.value)).value;
  const own = jobs.value.filter(
    ({ operation, input }) => operation === 'proof_search' && input['file'] === open.file,
  );
  const chosen = useSignal<string | undefined>(undefined);
  const job = own.find(({ id }) => id === chosen.value) ?? own[0];
  if (open.language !== 'rocq')
    return <Empty title="The search writes proofs for Rocq.">Of the others it lists what is open.</Empty>;
  const start = (theorems: string[] | undefined): void => {
    const title = theorems === undefined ? `Prove all of ${open.file}` : `Prove ${theorems.join(', ')}`;
    startJob(
      'proof_search',
      { file: open.file, budget: budget.value, ...(theorems !== undefined && { theorems }) },
      title,
    ).then((started) => (chosen.value = started.id), toastError);
  };
  return (
    <div class="pane-body prove">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (theorem !== undefined) start([theorem]);
        }}
      >
        <button class="primary" disabled={theorem === undefined || open.changed.value}>
          Prove {theorem ?? 'a theorem'}
        </button>
        <button type="button" disabled={open.changed.value} onClick={() => start(undefined)}>
          All holes
        </button>
        <label>
          for
          <input
            type="number"
            min="1"
            max="3600"
            value={budget.value}
            aria-label="Seconds for each theorem"
            onInput={({ currentTarget }) => (budget.value = Math.max(1, Number(currentTarget.value) || 60))}
          />
          s
        </label>
        {open.changed.value && (
          <span class="row">
            <small>The search reads the file on the disk.</small>
            <button type="button" onClick={onSave}>
              Save first
            </button>
          </span>
        )}
      </form>
      {own.length > 1 && (
        <label class="row">
          Search
          <select value={job?.id} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
            {own.map(({ id, title, state }) => (
              <option key={id} value={id}>
                {title} ({state})
              </option>
            ))}
          </select>
        </label>
      )}
      {job === undefined ? (
        <Empty title="No search has run here yet.">
          It needs no language model. What it finds is judged, shown as a change, and put into the text when
          you say so.
        </Empty>
      ) : (
        <Search key={job.id} job={job} open={open} view={view} onMore={start} />
      )}
    </div>
  );
}

interface SearchProps {
  readonly job: Job;
  readonly open: OpenDocument;
  readonly view: EditorView | undefined;
  readonly onMore: (theorems: string[] | undefined) => void;
}

function Search({ job, open, view, onMore }: SearchProps) {
  const { fold: graph, count } = useJobDetails(job.id, emptyGraph, addNews);
  const chosen = useSignal<number | undefined>(undefined);
  const isListed = useSignal(false);
  const goal = graph.goals.get(chosen.value ?? bestOpen(graph)?.id ?? 0);
  const seconds = ((job.endedAt ?? Date.now()) - job.startedAt) / 1000;
  const tried = [...graph.ingredients.values()].reduce((sum, one) => sum + one.tried, 0);
  const goals = isListed.value ? [...graph.goals.values()] : [];
  return (
    <div class="search">
      <div class="row spread">
        <span class="row">
          {job.state === 'running' ? (
            <Badge tone="live">{PHASES[graph.phase] ?? (graph.phase || 'starting')}</Badge>
          ) : (
            <Badge>{job.state}</Badge>
          )}
          <strong>{job.title}</strong>
        </span>
        {job.state === 'running' ? (
          <button onClick={() => void stopJob(job.id).catch(toastError)}>Stop</button>
        ) : (
          <button onClick={() => onMore(theoremsOf(job))}>Search again</button>
        )}
      </div>
      <dl class="figures">
        <Figure title="open" value={String(graph.open)} />
        <Figure title="solved" value={String(graph.solved)} />
        <Figure title="dead" value={String(graph.dead)} />
        <Figure title="tried" value={String(tried)} />
        <Figure title="a second" value={seconds > 0.5 ? (tried / seconds).toFixed(1) : '–'} />
      </dl>
      <p class="note">{job.state === 'running' ? job.progress.message : (job.conclusion ?? '')}</p>
      {job.state !== 'running' && <Outcome job={job} open={open} view={view} />}
      {graph.goals.size > 0 && (
        <>
          <GraphCanvas graph={graph} count={count} chosen={goal?.id} onChoose={(id) => (chosen.value = id)} />
          {goal !== undefined && <ChosenGoal graph={graph} goal={goal} view={view} />}
          <details>
            <summary>What each ingredient gave</summary>
            <Ingredients graph={graph} />
          </details>
          <details onToggle={({ currentTarget }) => (isListed.value = currentTarget.open)}>
            <summary>All goals as a list</summary>
            <div class="goal-list">
              <VirtualList
                rows={goals}
                rowHeight={24}
                label="Goals of the search"
                keyOf={({ id }) => String(id)}
                chosen={goals.findIndex(({ id }) => id === goal?.id)}
                onChoose={({ id }) => (chosen.value = id)}
                render={({ state, tactic, conclusion }) => (
                  <>
                    <Badge tone={TONES[state]}>{state}</Badge>
                    <code>{tactic}</code> <code class="faint">{conclusion.slice(0, 120)}</code>
                  </>
                )}
              />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

/** What a phase is to whoever waits. */
const PHASES: Readonly<Record<string, string>> = { judge: 'the gate judges', search: 'searching' };

const TONES = { open: 'open', solved: 'good', dead: 'plain' } as const;

function theoremsOf({ input }: Job): string[] | undefined {
  const theorems = input['theorems'];
  return Array.isArray(theorems) ? theorems.filter((name) => typeof name === 'string') : undefined;
}

function Figure({ title, value }: { readonly title: string; readonly value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ChosenGoal({
  graph,
  goal,
  view,
}: {
  readonly graph: SearchGraph;
  readonly goal: GraphGoal;
  readonly view: EditorView | undefined;
}) {
  const way = wayTo(graph, goal.id);
  return (
    <div class="chosen-goal">
      <div class="row spread">
        <Badge tone={TONES[goal.state]}>
          {goal.state}
          {goal.goals > 1 ? `, ${goal.goals} goals together` : ''}
        </Badge>
        {way.length > 0 && (
          <button
            onClick={() => {
              if (view === undefined) return;
              const { head } = view.state.selection.main;
              change(view, { from: head, to: head, insert: way.map((tactic) => `${tactic}.`).join(' ') });
              toast('The way to this goal is in the text; what stands beside it is not.');
            }}
          >
            Take the way here
          </button>
        )}
      </div>
      <code class="term">{goal.conclusion}</code>
      {way.length > 0 && <code class="term faint">{way.join('. ')}.</code>}
    </div>
  );
}

function Ingredients({ graph }: { readonly graph: SearchGraph }) {
  return (
    <table>
      <thead>
        <tr>
          <th>ingredient</th>
          <th class="number">tried</th>
          <th class="number">worked</th>
        </tr>
      </thead>
      <tbody>
        {[...graph.ingredients]
          .toSorted(([, left], [, right]) => right.worked - left.worked)
          .map(([name, { tried, worked }]) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{tried}</td>
              <td class="number">{worked}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

type Found = OutputOf<'proof_search'>['results'][number];

function Outcome({ job, open, view }: Omit<SearchProps, 'onMore'>) {
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
  return (
    <li>
      <div class="row spread">
        <span class="row">
          <strong>{theorem}</strong>
          <Badge tone={outcome === 'proved' ? 'good' : outcome === 'not-proved' ? 'bad' : 'open'}>
            {outcome}
          </Badge>
          <small>{seconds.toFixed(1)} s</small>
        </span>
        {isTaken && <small>{open.changed.value ? 'in the text, not saved yet' : 'in the file'}</small>}
        {range !== undefined && replacement !== null && (
          <button
            class="primary"
            disabled={view === undefined}
            onClick={() => {
              if (view !== undefined) change(view, { ...range, insert: replacement.text });
            }}
          >
            Accept the change
          </button>
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
      {goals_left !== null && <p class="note">{goals_left} goals were left at best.</p>}
      {after !== undefined && <Diff before={before} after={after} />}
    </li>
  );
}
